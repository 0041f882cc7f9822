"""Coverage-guided fuzzing of the decoders with atheris.

    python -m tests.fuzz.coverage [options of libFuzzer]     (make fuzz-coverage)

Inputs are a byte that chooses game and kind of message, then an encoded message. libFuzzer keeps
those that reach new code of codecs and readers, and goes on from them; half of the changes are its
own, half are changes of fields. A corpus to start from is written to build/fuzz/corpus. An input
that something is wrong with is saved beside it and can be given as an argument to be tried again.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType

from google.protobuf.message import DecodeError

from tests.fuzz.decoders import Decoder, decoders
from tests.fuzz.requests import spares
from tests.fuzz.structure import spoil

FOLDER = Path("build/fuzz")
CORPUS = FOLDER / "corpus"
SEED = 1
_SAMPLES = 12
"""Messages of each decoder to start from."""
_LONGEST = 65_536
_DEFAULTS = (f"-max_len={_LONGEST}", "-rss_limit_mb=4096", "-timeout=20")
_INSTRUMENTED = ("engines.",)


def write_corpus(found: list[Decoder], folder: Path, seed: int = SEED) -> int:
    """Writes inputs to start from, the same for the same seed; returns their number."""
    folder.mkdir(parents=True, exist_ok=True)
    pick = Random(seed)
    for number, decoder in enumerate(found):
        for sample in range(_SAMPLES):
            name = f"{decoder.game.game_id}-{decoder.kind}-{sample}"
            data = decoder.sample(pick).SerializeToString()
            folder.joinpath(name).write_bytes(bytes([number]) + data)
    return len(found) * _SAMPLES


def run_one(found: list[Decoder], data: bytes) -> None:
    """Reads one input; raises AssertionError if something is wrong with how it is read."""
    if data:
        decoder = found[data[0] % len(found)]
        problems = list(decoder.problems(data[1:]))
        assert not problems, f"{decoder.game.game_id} {decoder.kind}: {problems}"


def change_fields(found: list[Decoder], data: bytes, seed: int) -> bytes | None:
    """The input with a field changed; None if it is no message."""
    if not data:
        return None
    pick = Random(seed)
    decoder = found[data[0] % len(found)]
    message = decoder.new_message()
    try:
        message.ParseFromString(data[1:])
    except DecodeError:
        return None
    spoil(message, pick, spares(SEED))
    return data[:1] + bytes(message.SerializeToString())


def functions(modules: list[ModuleType]) -> Iterator[FunctionType]:
    """The functions and methods that modules define; compiled ones are none of these."""
    for module in modules:
        for thing in list(vars(module).values()):
            things = vars(thing).values() if inspect.isclass(thing) else [thing]
            for function in things:
                if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                    yield function


def main() -> int:
    """Fuzzes until libFuzzer's limits are reached or something is wrong."""
    try:
        import atheris
    except ImportError:
        print(
            "atheris is not installed: there are builds for CPython 3.11 to 3.13 on Linux (x86-64) "
            "only. `make fuzz` needs nothing but the project itself.",
            file=sys.stderr,
        )
        return 2
    found = decoders(SEED)
    options = sys.argv[1:]
    if not any(not option.startswith("-") for option in options):
        print(f"{write_corpus(found, CORPUS)} inputs to start from in {CORPUS}")
        options.append(str(CORPUS))
    modules = [m for name, m in sys.modules.items() if name.startswith(_INSTRUMENTED)]
    for function in functions(modules):
        atheris.instrument_func(function)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        changed = change_fields(found, data, seed) if seed % 2 else None
        if changed is None or len(changed) > most:
            return bytes(atheris.Mutate(data, most))
        return changed

    arguments = [sys.argv[0], *_DEFAULTS, f"-artifact_prefix={FOLDER}/", *options]
    atheris.Setup(arguments, partial(run_one, found), custom_mutator=mutate)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
