"""What is installed elsewhere: complete, and of use where nothing else is."""

import re
import shutil
import subprocess
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import adamas
from server.embedded import embedded_server
from tools.build_distributions import FOLDERS, build

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "clients" / "python" / "README.md"
PACKAGES = {
    "adamas": ROOT / "clients" / "python" / "src",
    "adamas_tournament": ROOT / "clients" / "tournament" / "src",
    "adamas_server": ROOT,
}
"""Where the packages of each distribution are."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make dist` makes, built from a copy so that the checkout stays clean."""
    folder = tmp_path_factory.mktemp("dist")
    copy = folder / "checkout"
    ignored = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    for name in ("clients/python", "clients/tournament", "engines", "search", "server"):
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for name in ("LICENSE", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, copy)
    build(folder / "dist", copy)
    return folder / "dist"


def wheel(dist: Path, name: str) -> Path:
    (found,) = dist.glob(f"{name}-*.whl")
    return found


@pytest.mark.parametrize("name", PACKAGES)
def test_wheel_and_archive_are_complete(dist: Path, name: str) -> None:
    sources = PACKAGES[name]
    kinds = {".py", ".pyi", ".typed", ".json", ".toml", ".j2", ".css", ".js"}
    roots = {"adamas_server": ("engines", "search", "server")}.get(name, (name,))
    wanted = {
        path.relative_to(sources).as_posix()
        for root in roots
        for path in (sources / root).rglob("*")
        if path.suffix in kinds
    }
    held = set(zipfile.ZipFile(wheel(dist, name)).namelist())
    assert wanted == {file for file in held if ".dist-info/" not in file}
    (archive,) = dist.glob(f"{name}-*.tar.gz")
    with tarfile.open(archive) as opened:
        files = {file.partition("/")[2].removeprefix("src/") for file in opened.getnames()}
    assert wanted <= files
    assert "LICENSE" in files


def test_the_client_brings_the_messages_and_their_types(dist: Path) -> None:
    names = set(zipfile.ZipFile(wheel(dist, "adamas")).namelist())
    v1 = {"adamas/v1/game_pb2.py", "adamas/v1/game_pb2.pyi", "adamas/v1/py.typed"}
    assert {"adamas/py.typed", *v1} <= names


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_server() as address:
        yield address


class Elsewhere:
    """An environment of its own, in which nothing of the checkout is found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", with_pip=True)
        self.bin = folder / "venv" / "bin"

    def install(self, *wheels: Path) -> None:
        """Installs wheels with what they need, in the versions that are tested; or skips."""
        locked = (ROOT / "requirements" / "bench.txt").read_text("utf-8")
        locked += (ROOT / "requirements" / "runtime.txt").read_text("utf-8")
        constraints = self.folder / "constraints.txt"
        constraints.write_text("\n".join(re.findall(r"^\S+==\S+", locked, re.MULTILINE)), "utf-8")
        quiet = ["--quiet", "--disable-pip-version-check", "--retries=0"]
        done = self.run(
            "python", "-m", "pip", "install", *quiet, "-c", str(constraints), *map(str, wheels)
        )
        if done.returncode:
            pytest.skip(f"nothing can be installed; no network? {done.stderr.strip()[-300:]}")

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.bin / program, *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.folder)},
            timeout=300,
        )


def readme(target: str) -> str:
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.M)
    return "\n".join(blocks).replace("localhost:50051", target)


def test_with_nothing_but_its_wheel_the_client_does_what_its_readme_says(
    dist: Path, tmp_path: Path, target: str
) -> None:
    elsewhere = Elsewhere(tmp_path)
    elsewhere.install(wheel(dist, "adamas"))
    program = tmp_path / "readme.py"
    program.write_text(readme(target), encoding="utf-8")
    done = elsewhere.run("python", "readme.py")
    assert done.returncode == 0, done.stderr
    assert "query.view.dao.row[0].value - " in done.stdout
    for name in ("adamas_tournament", "engines", "numpy", "pydantic", "rich", "server"):
        assert elsewhere.run("python", "-c", f"import {name}").returncode, name
    done = elsewhere.run("adamas", "--version")
    assert done.stdout.strip() == f"adamas {adamas.__version__}"
    assert elsewhere.run("adamas", "--help").returncode == 0
    done = elsewhere.run("adamas", "tournament", "status", "x")
    assert "adamas-tournament; install that first" in done.stderr


@pytest.mark.slow  # Numba and SciPy are large
def test_tournaments_and_the_server_work_elsewhere(dist: Path, tmp_path: Path, target: str) -> None:
    elsewhere = Elsewhere(tmp_path)
    elsewhere.install(*(wheel(dist, name) for name in PACKAGES))
    assert "usage" in elsewhere.run("adamas-server", "--help").stdout
    config = (ROOT / "clients" / "tournament" / "examples" / "dao.toml").read_text("utf-8")
    config = re.sub(r"(?m)^deals = \d+", "deals = 2", config)
    config = config.replace("[tournament]", f'[tournament]\nreferee = "{target}"')
    (tmp_path / "dao.toml").write_text(config, encoding="utf-8")
    done = elsewhere.run("adamas", "tournament", "run", "dao.toml")
    assert done.returncode == 0, done.stderr
    assert elsewhere.run("adamas", "tournament", "report", "dao.journal").returncode == 0


def test_the_changelog_names_the_versions_that_are_built() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for folder in FOLDERS:
        project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
        row = rf"(?m)^\| `{project['name']}`.*\| {re.escape(project['version'])} \|"
        assert re.search(row, text), project["name"]
        assert f"\n## {project['version']}\n" in text
