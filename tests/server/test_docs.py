"""The documentation: examples run, nothing is left out, and the tests that it names exist."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adamas.v1 import advisor_service_pb2, game_pb2, rules_service_pb2
from server.settings import Settings

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
FILES = (advisor_service_pb2, rules_service_pb2, game_pb2)


def test_every_call_and_field_is_described() -> None:
    for file in FILES:
        for service in file.DESCRIPTOR.services_by_name.values():
            assert f"\n## {service.name}\n" in PAGE
            for method in service.methods:
                assert f"\n### {method.name}\n" in PAGE
        for message in file.DESCRIPTOR.message_types_by_name.values():
            assert re.search(rf"`{message.name}`|#### {message.name}\b|\| {message.name} \|", PAGE)
            for field in message.fields:
                one_a_game = field.containing_oneof is not None and (
                    field.containing_oneof.name == "game"
                )
                assert one_a_game or f"`{field.name}`" in PAGE, f"{message.name}.{field.name}"
        for enum in file.DESCRIPTOR.enum_types_by_name.values():
            for value in enum.values:
                assert f"`{value.name}`" in PAGE


def test_every_setting_is_described() -> None:
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    for name in Settings.model_fields:
        flag = "--" + name.replace("_", "-")
        assert f"`{flag}`" in page or name == "tokens", flag
    for flag in re.findall(r"`--([a-z-]+)`", page):
        name = flag.removeprefix("no-").replace("-", "_")
        assert name in {*Settings.model_fields, "settings_file"}, flag


def test_every_claim_about_security_has_its_test() -> None:
    page = (ROOT / "docs" / "security.md").read_text("utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::([\w:]+)`", page)
    assert len(named) > 30
    for file, test in named:
        text = (ROOT / file).read_text("utf-8")
        for part in test.split("::"):
            assert re.search(rf"^ *(def|class) {part}\b", text, re.MULTILINE), f"{file}::{test}"


@pytest.mark.skipif(
    shutil.which("jq") is None or shutil.which("bash") is None, reason="needs jq and bash"
)
def test_the_examples_run(address: str, tmp_path: Path) -> None:
    command = tmp_path / "bin" / "grpcurl"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tests.server.grpcurl "$@"\n')
    command.chmod(0o755)
    script = "set -euo pipefail\n" + "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
    environment = {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "ADAMAS_TEST_ADDRESS": address,
    }
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    for shown in (
        '"reason":',
        '"requestId": "10000 iterations"',
        '"final": true',
        '"DAO 道"',
        '"eventWords":',
        '"SERVING"',
    ):
        assert shown in done.stdout + (tmp_path / "game2.json").read_text("utf-8")
    assert '"field": "view.dao.row[0].value"' in done.stdout
