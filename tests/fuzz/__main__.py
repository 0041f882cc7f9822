"""Fuzzes the service: very many requests, valid, spoilt and nonsense, and a check of every answer.

    python -m tests.fuzz --count 100000 --seed 1         the long form
    python -m tests.fuzz --game dao --count 5000         positions of one game only
    python -m tests.fuzz --bounds-check                  compiled code checks every index
    python -m tests.fuzz --plain-python --count 300      nothing is compiled
    python -m tests.fuzz --replay build/fuzz/FILE.json   one saved message again

The requests go to a server in a process of its own, without sockets; a part of them again over
gRPC. Every message with a wrong answer is saved, also one that the process dies of. The figures are
printed and written to build/fuzz.json.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path("build/fuzz")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=100_000, help="messages (default: 100000)")
    parser.add_argument("--seed", type=int, default=1, help="of everything random (default: 1)")
    parser.add_argument(
        "--game", action="append", help="positions of this game; may be repeated (default: all)"
    )
    parser.add_argument(
        "--over-grpc", type=int, metavar="N", help="messages sent over gRPC (default: count / 50)"
    )
    parser.add_argument(
        "--bounds-check", action="store_true", help="compile with checks of every index"
    )
    parser.add_argument("--plain-python", action="store_true", help="compile nothing")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="send a saved message again")
    parser.add_argument("--in-this-process", action="store_true", help=argparse.SUPPRESS)
    return parser


def main() -> int:
    """Runs the campaign in a process of its own, and tells if that died."""
    arguments = _parser().parse_args()
    if arguments.in_this_process:
        # Not before the environment says how to compile.
        from tests.fuzz.worker import replay, run

        return replay(arguments.replay) if arguments.replay else run(arguments)
    environment = dict(os.environ)
    if arguments.bounds_check:
        environment["NUMBA_BOUNDSCHECK"] = "1"
    if arguments.plain_python:
        environment["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, "-m", "tests.fuzz", "--in-this-process", *sys.argv[1:]]
    code = subprocess.run(command, env=environment, check=False).returncode
    if code < 0:
        print(f"the process died of signal {-code}", file=sys.stderr)
        for left in FOLDER.glob("current-*.json"):
            died = left.rename(left.with_name(left.name.replace("current", "died")))
            print(f"the message that it died of: {died}", file=sys.stderr)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
