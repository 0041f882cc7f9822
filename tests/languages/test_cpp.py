"""The C++ client: its own tests against a real server, its example, its library as installed."""

from __future__ import annotations

from pathlib import Path

import google.rpc
import pytest

from tests.languages.toolchains import CLIENTS, need, need_version, run

pytestmark = pytest.mark.slow  # compiles
CPP = CLIENTS / "cpp"

CMAKE = """\
cmake_minimum_required(VERSION 3.20)
project(program LANGUAGES CXX)
find_package(adamas-client REQUIRED)
add_executable(program main.cc)
target_link_libraries(program PRIVATE adamas::client)
"""
PROGRAM = """\
#include <iostream>

#include <adamas/client.h>

int main(int, char** arguments) {
  const adamas::Client client(arguments[1]);
  std::cout << client.ListGames({}).games_size() << " games" << std::endl;
}
"""


@pytest.fixture(scope="module")
def built() -> Path:
    """The folder of the build."""
    need("protoc", "grpc_cpp_plugin", "c++")
    need_version("cmake", 3, 20)
    folder = CPP / "build"
    (googleapis,) = {str(Path(path).parents[1]) for path in google.rpc.__path__}
    configured = ["-DCMAKE_BUILD_TYPE=Release", f"-DADAMAS_GOOGLEAPIS={googleapis}"]
    run(["cmake", "-S", ".", "-B", str(folder), *configured], CPP)
    run(["cmake", "--build", str(folder), "--parallel", "2"], CPP)
    return folder


def test_its_own_tests_and_the_vectors_pass(built: Path, address: str) -> None:
    printed = run([str(built / "adamas_tests")], CPP, ADAMAS_TARGET=address)
    assert "Conformance.AnswersAreThoseOfAllClients" in printed
    assert "SKIPPED" not in printed


def test_the_example_gives_a_hint(built: Path, address: str) -> None:
    printed = run([str(built / "adamas_hint"), address], CPP)
    assert "1. " in printed
    assert " visits" in printed
    assert "Seat " in printed.splitlines()[-1]


def test_the_library_is_used_as_it_is_installed(built: Path, address: str, tmp_path: Path) -> None:
    """By somebody who has nothing of this repository but the installed library."""
    prefix, program = tmp_path / "prefix", tmp_path / "program"
    run(["cmake", "--install", str(built), "--prefix", str(prefix)], CPP)
    program.mkdir()
    (program / "CMakeLists.txt").write_text(CMAKE, "utf-8")
    (program / "main.cc").write_text(PROGRAM, "utf-8")
    run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"], program)
    run(["cmake", "--build", "build"], program)
    assert run(["build/program", address], program) == "4 games\n"
