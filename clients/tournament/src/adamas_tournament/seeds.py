"""Every random number of a tournament follows from its seed and from what the number is for."""

import hashlib


def derive_seed(root: int, *purpose: int | str) -> int:
    """A 64-bit seed for one purpose, unrelated to that of any other purpose.

    Args:
        root: The tournament's seed.
        purpose: What it is for, such as ("deal", 12).
    """
    text = "/".join([str(root), *(str(part) for part in purpose)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
