"""A message that something was wrong with, as a file, so that it can be sent again."""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.messages import Case

FOLDER = Path("build/fuzz")
_SWITCHES = ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")


@dataclass(frozen=True)
class Failure:
    """A message and what is wrong with its answer."""

    case: Case
    seed: int
    problems: tuple[str, ...]

    def save(self, folder: Path = FOLDER) -> Path:
        """Writes a file whose name tells seed and number."""
        path = folder / f"failure-{self.seed}-{self.case.origin}-{self.case.number}.json"
        self.save_as(path)
        return path

    def save_as(self, path: Path) -> None:
        """Writes the file."""
        fields = {
            "method": self.case.method,
            "origin": self.case.origin,
            "game": self.case.game_id,
            "seed": self.seed,
            "number": self.case.number,
            "environment": {k: os.environ[k] for k in _SWITCHES if k in os.environ},
            "problems": self.problems,
            "data": b64encode(self.case.data).decode(),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(fields, indent=1, ensure_ascii=False), encoding="utf-8")

    @staticmethod
    def load(path: Path) -> Failure:
        """Reads a file; raises OSError or ValueError if it is none."""
        fields = json.loads(path.read_text(encoding="utf-8"))
        case = Case(
            number=fields["number"],
            origin=fields["origin"],
            game_id=fields["game"],
            method=fields["method"],
            data=b64decode(fields["data"]),
        )
        return Failure(case, fields["seed"], tuple(fields["problems"]))
