"""The Java client: its own tests against a real server, its example, its jar as published."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.toolchains import CLIENTS, fetch, need, need_version, run

pytestmark = pytest.mark.slow  # downloads and compiles
JAVA = CLIENTS / "java"
MAVEN = ["mvn", "--batch-mode", "--no-transfer-progress", "--quiet"]

POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>program</groupId>
  <artifactId>program</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <exec.mainClass>Program</exec.mainClass>
  </properties>
  <dependencies>
    <dependency>
      <groupId>adamas</groupId>
      <artifactId>adamas-client</artifactId>
      <version>0.1.0</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.14.0</version>
      </plugin>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>exec-maven-plugin</artifactId>
        <version>3.5.1</version>
      </plugin>
    </plugins>
  </build>
</project>
"""
PROGRAM = """\
import adamas.client.AdamasClient;
import adamas.v1.ListGamesRequest;

public class Program {
  public static void main(String[] arguments) {
    try (AdamasClient client = AdamasClient.connect(arguments[0])) {
      var games = client.listGames(ListGamesRequest.getDefaultInstance());
      System.out.println(games.getGamesCount() + " games");
    }
  }
}
"""


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    """What it depends on."""
    need("mvn")
    need_version("java", 17)
    fetch([*MAVEN, "compile"], JAVA)


def test_its_own_tests_and_the_vectors_pass(address: str) -> None:
    run([*MAVEN, "test"], JAVA, ADAMAS_TARGET=address)
    report = (JAVA / "target/surefire-reports/adamas.client.ConformanceTest.txt").read_text()
    assert "Tests run: 0" not in report
    assert "Skipped: 0" in report


def test_the_example_gives_a_hint(address: str) -> None:
    printed = run([*MAVEN, "test-compile", "exec:java", f"-Dexec.args={address}"], JAVA)
    assert "1. " in printed
    assert " visits" in printed
    assert "\nSeat " in printed  # Maven colours what follows it


def test_the_jar_is_used_from_what_is_published(address: str, tmp_path: Path) -> None:
    """By somebody who has nothing of this repository but the installed jar."""
    run([*MAVEN, "install", "-DskipTests"], JAVA)
    source = tmp_path / "src" / "main" / "java"
    source.mkdir(parents=True)
    (tmp_path / "pom.xml").write_text(POM, "utf-8")
    (source / "Program.java").write_text(PROGRAM, "utf-8")
    printed = run([*MAVEN, "compile", "exec:java", f"-Dexec.args={address}"], tmp_path)
    assert "4 games\n" in printed
