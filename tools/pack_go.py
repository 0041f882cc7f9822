"""Packs the Go client as a module proxy serves it, generated code inside: `make dist-clients`.

The folder can be named in GOPROXY as a file:// address; the layout is that of
https://go.dev/ref/mod#goproxy-protocol.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path

MODULE = "adamas.example/adamas"
VERSION = "v0.1.0"
TIME = "2026-01-01T00:00:00Z"
_PUBLISHED = {".go", ".mod", ".sum", ".md"}
_ROOT = Path(__file__).resolve().parent.parent


def pack(module: Path, licence: Path, proxy: Path) -> None:
    """Writes the module's files below ``proxy``; SystemExit if its code has not been generated."""
    if not any((module / "adamasv1").glob("*.pb.go")):
        raise SystemExit("adamasv1 has not been generated yet; run `make dist-clients`")
    versions = proxy / MODULE / "@v"
    versions.mkdir(parents=True, exist_ok=True)
    (versions / "list").write_text(f"{VERSION}\n", "utf-8")
    (versions / f"{VERSION}.info").write_text(
        json.dumps({"Version": VERSION, "Time": TIME}), "utf-8"
    )
    (versions / f"{VERSION}.mod").write_bytes((module / "go.mod").read_bytes())
    sources = sorted(
        path for path in module.rglob("*") if path.suffix in {".go", ".mod", ".sum", ".md"}
    )
    with zipfile.ZipFile(versions / f"{VERSION}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sources:
            archive.write(path, f"{MODULE}@{VERSION}/{path.relative_to(module).as_posix()}")
        archive.write(licence, f"{MODULE}@{VERSION}/LICENSE")


def main() -> None:
    """Packs the client of this checkout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=_ROOT / "dist" / "go")
    out: Path = parser.parse_args().out
    pack(_ROOT / "clients" / "go", _ROOT / "LICENSE", out)
    print(f"{MODULE} {VERSION}: {out}")


if __name__ == "__main__":
    main()
