"""Build what is installed elsewhere, as wheels and source archives: `make dist`.

Each wheel is built from its source archive, so both hold all that they need, the generated message
code included.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("clients/python", "clients/tournament", ".")
"""Of each distribution: the client, tournaments, the server."""


def build(out: Path, root: Path = ROOT) -> None:
    """Build every distribution into a folder.

    Args:
        out: The folder.
        root: The checkout, in which the message code has been generated.

    Raises:
        SystemExit: If one can't be built; the text says why.
    """
    for folder in FOLDERS:
        command = ["build", "--no-isolation", "--outdir", str(out), str(root / folder)]
        done = subprocess.run(
            [sys.executable, "-m", *command], check=False, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{folder} can't be built:\n{done.stdout}{done.stderr}")


def main() -> None:
    """Build, and list what has been built."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder [%(default)s]")
    out = parser.parse_args().out
    build(out)
    for path in sorted(out.iterdir()):
        print(path)


if __name__ == "__main__":
    main()
