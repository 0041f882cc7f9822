"""Spoils the bytes of an encoded message."""

from __future__ import annotations

from random import Random

_LONGEST = 300_000
_STRAY = (
    b"\xff" * 10,  # an endless varint
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",  # ten bytes of varint
    b"\x0b\x0b\x0b",  # groups that never end
    b"\x0c",  # the end of a group that never began
    b"\x0a\xff\xff\xff\xff\x0f",  # a length of 4 GiB
    b"\x12\x04\xff\xfe\xfd\xfc",  # a text that is not UTF-8
    b"\x00",  # field number 0
    b"\x0a\x00",
)


def spoil_bytes(data: bytes, pick: Random, other: bytes = b"") -> bytes:
    """Changes, drops, repeats or adds a few bytes, or goes on with the bytes of another message."""
    changed = bytearray(data)
    for _ in range(pick.randint(1, 4)):
        _change(changed, pick, other)
    return bytes(changed[:_LONGEST])


def _change(changed: bytearray, pick: Random, other: bytes) -> None:
    place = pick.randint(0, len(changed))
    length = pick.choice([1, 1, 2, 4, 8, 64])
    kind = pick.randrange(7)
    if kind == 0:
        changed[place:place] = pick.randbytes(length)
    elif kind == 1:
        del changed[place : place + length]
    elif kind == 2:
        changed[place:place] = changed[place : place + length] * pick.choice([1, 2, 500])
    elif kind == 3:
        changed[place:place] = pick.choice(_STRAY)
    elif kind == 4 and pick.random() < 0.3:
        changed[place:] = other[pick.randint(0, len(other)) :]
    elif place < len(changed):
        flipped = changed[place] ^ 1 << pick.randrange(8)
        changed[place] = pick.choice([flipped, pick.randrange(256), 0, 0x7F, 0x80, 0xFF])
