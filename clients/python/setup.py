"""Refuse to build a distribution that lacks the generated message code."""

from pathlib import Path

from setuptools import setup

if not (Path(__file__).parent / "src" / "adamas" / "v1" / "py.typed").is_file():
    raise SystemExit("adamas.v1 has not been generated yet; run `make protos` first")

setup()
