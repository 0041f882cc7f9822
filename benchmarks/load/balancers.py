"""The shipped load balancer configurations, run in front of servers on this machine.

Only what belongs to the place is replaced: which servers there are, and the ports to listen on.
"""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub

from tools.server_process import ROOT

_DEPLOY = ROOT / "deploy"
_START_TIMEOUT = 15.0


class NotInstalled(Exception):
    """The balancer's program is not on this machine."""


@contextmanager
def haproxy(addresses: Sequence[str]) -> Iterator[str]:
    """HAProxy in front of the servers; gives its address. Raises NotInstalled."""
    text = (_DEPLOY / "haproxy" / "haproxy.cfg").read_text("utf-8")
    servers = "\n".join(f"    server s{i} {address}" for i, address in enumerate(addresses))
    text = _replace(r"^ *server-template adamas .*$", servers, text)
    text = _replace(r"^frontend web\n(?:    .*\n|\n)*backend web\n(?:    .*\n)*", "", text)
    with _running("haproxy", lambda file: ["-db", "-f", file], text) as address:
        yield address


@contextmanager
def nginx(addresses: Sequence[str]) -> Iterator[str]:
    """Nginx in front of the servers; gives its address. Raises NotInstalled."""
    text = (_DEPLOY / "nginx" / "nginx.conf").read_text("utf-8")
    found = re.findall(r"^ *server adamas-1:50051 .*$", text, re.MULTILINE)
    servers = "\n".join(found[0].replace("adamas-1:50051", address) for address in addresses)
    text = _replace(r"^ *server adamas-1:50051 [^}]*?(?=^ *keepalive )", servers + "\n", text)
    text = _replace(r"^pid .*$", "", text)

    def arguments(file: str) -> list[str]:
        pid = Path(file).with_suffix(".pid")
        return ["-c", file, "-e", "stderr", "-g", f"daemon off; pid {pid};"]

    with _running("nginx", arguments, text) as address:
        yield address


@contextmanager
def round_robin(addresses: Sequence[str]) -> Iterator[str]:
    """No balancer: a target that makes clients take turns themselves."""
    yield f"ipv4:{','.join(addresses)}"


BALANCERS = {"haproxy": haproxy, "nginx": nginx, "round_robin": round_robin}


def _replace(pattern: str, new: str, text: str) -> str:
    changed, times = re.subn(pattern, lambda _: new, text, flags=re.MULTILINE)
    if times != 1:
        raise ValueError(f"{pattern} stands {times} times in the configuration; once is right")
    return changed


@contextmanager
def _running(program: str, arguments: Callable[[str], list[str]], text: str) -> Iterator[str]:
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")
    if path is None:
        raise NotInstalled(f"{program} is not installed")
    port, status_port = _free_port(), _free_port()
    text = re.sub(r"^( *(?:bind|listen) ):?50051\b", rf"\g<1>127.0.0.1:{port}", text, flags=re.M)
    text = re.sub(r"^( *bind ):8404\b", rf"\g<1>127.0.0.1:{status_port}", text, flags=re.M)
    with tempfile.TemporaryDirectory(prefix="adamas-") as folder:
        file = Path(folder) / "balancer.cfg"
        file.write_text(text, "utf-8")
        with (Path(folder) / "log").open("w+b") as log:
            environment = {"ADAMAS_HOST": "localhost", "ADAMAS_RESOLVER": "127.0.0.1:53"}
            process = subprocess.Popen(
                [path, *arguments(str(file))], stdout=log, stderr=log, env=environment
            )
            try:
                address = f"127.0.0.1:{port}"
                if not _answers(address, process):
                    log.seek(0)
                    raise RuntimeError(f"{program} did not start: {log.read().decode()}")
                yield address
            finally:
                process.terminate()
                process.wait(10)


def _answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Waits until a health check gets through to a server."""
    end = time.monotonic() + _START_TIMEOUT
    while time.monotonic() < end and process.poll() is None:
        with grpc.insecure_channel(address) as channel:
            try:
                HealthStub(channel).Check(HealthCheckRequest(), timeout=1.0)
            except grpc.RpcError:
                time.sleep(0.05)
            else:
                return True
    return False


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
