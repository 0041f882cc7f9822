"""Compilers that were started for a program end with it, however that ends."""

from __future__ import annotations

import subprocess
import sys

from engines.kernel_sources import ROOT

COMPILER = """
import time
from search.warmup import end_with_input

end_with_input()
print("compiling", flush=True)
time.sleep(60)
"""
PROGRAM = f"""
import subprocess
import sys

compiler = subprocess.Popen([sys.executable, "-c", {COMPILER!r}], stdin=subprocess.PIPE)
compiler.wait()
"""


def test_a_compiler_ends_with_the_program_that_was_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"compiling\n"
        program.kill()
        # The compiler has the other end of it, too: it ends with the compiler.
        assert program.communicate(timeout=20)[0] == b""
