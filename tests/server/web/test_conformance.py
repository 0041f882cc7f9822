"""Connect's own conformance suite, run against the stack that our services are on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent.parent
FEATURES = Path(__file__).parent / "conformance" / "features.yaml"
SUITE = "connectrpc.com/conformance"
VERSION = "v1.0.7"


@pytest.fixture
def descriptors(tmp_path: Path) -> Path:
    """The suite's protos, compiled."""
    if shutil.which("go") is None:
        pytest.skip("needs Go, which the suite is written in")
    download = subprocess.run(
        ["go", "mod", "download", "-json", f"{SUITE}@{VERSION}"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    if download.returncode:
        pytest.skip(f"{SUITE} can't be had: {download.stderr or download.stdout}")
    protos = Path(json.loads(download.stdout)["Dir"]) / "proto"
    folder = protos / "connectrpc" / "conformance" / "v1"
    found = tmp_path / "suite.binpb"
    subprocess.run(
        [
            *(sys.executable, "-m", "grpc_tools.protoc", f"-I{protos}", "--include_imports"),
            f"--descriptor_set_out={found}",
            *(str(folder / f"{name}.proto") for name in ("config", "server_compat", "service")),
        ],
        check=True,
    )
    return found


@pytest.mark.slow
def test_the_suite_passes(descriptors: Path) -> None:
    done = subprocess.run(
        [
            *("go", "run", f"{SUITE}/cmd/connectconformance@{VERSION}"),
            *("--mode", "server", "--conf", str(FEATURES), "--max-servers", "1", "-p", "2"),
            # The suite's client gives up when the server does; on a busy machine it may have read
            # half of the answer then.
            *("--known-flaky", "Timeouts/**", "--"),
            *(sys.executable, "-W", "ignore", "-m", "tests.server.web.conformance"),
            str(descriptors),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
