"""Seeded random numbers for compiled code.

SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): one 64-bit
word of state, full period, passes BigCrush. A generator is a uint64 array of length 1, either kept
inside a state record or passed in. There is no global generator.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.jit import Int, Rng, rule
from engines.records import record_dtype

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32, _S11 = (np.uint64(n) for n in (27, 30, 31, 32, 11))
_RECORD = record_dtype([("words", np.uint64, (1,))])
_LOW_32 = np.uint64(0xFFFFFFFF)
_TWO_32 = np.uint64(1 << 32)


def generator(seed: int, stream: int = 0) -> Rng:
    """A generator for a 64-bit seed; different streams of one seed are unrelated."""
    state = np.array([seed & 0xFFFFFFFFFFFFFFFF], dtype=np.uint64)
    word = int(next_word(state)) ^ (stream * 0xD1342543DE82EF95 & 0xFFFFFFFFFFFFFFFF)
    state[0] = word
    state[0] = next_word(state)
    return state


@rule
def borrowed(rng: Rng) -> Rng:
    """The same generator, not counted as a reference: for loops in which the count would cost."""
    return rng.view(_RECORD)[0].words


@rule
def next_word(rng: Rng) -> np.uint64:
    """The next 64 random bits as a uint64."""
    rng[0] = rng[0] + GOLDEN_GAMMA
    z = rng[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@rule
def below(rng: Rng, n: Int) -> Int:
    """An exactly uniform integer in [0, n), 1 <= n < 2**32 (Lemire 2019, with rejection)."""
    bound = np.uint64(n)
    product = (next_word(rng) >> _S32) * bound
    low = product & _LOW_32
    if low < bound:
        threshold = (_TWO_32 - bound) % bound
        while low < threshold:
            product = (next_word(rng) >> _S32) * bound
            low = product & _LOW_32
    return np.int64(product >> _S32)


@rule
def uniform(rng: Rng) -> np.float64:
    """A uniform float in [0, 1) with 53 random bits."""
    return np.float64(next_word(rng) >> _S11) * (1.0 / 9007199254740992.0)


@rule
def shuffle(rng: Rng, cards: Any, n: Int) -> None:
    """Shuffles cards[0:n] in place (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        swapped = cards[i]
        cards[i] = cards[j]
        cards[j] = swapped


@rule
def mix(a: Int, b: Int) -> Int:
    """A 63-bit hash of two integers, for keys."""
    z = (np.uint64(a) * _MIX_1) ^ (np.uint64(b) + GOLDEN_GAMMA)
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    z = z ^ (z >> _S31)
    return np.int64(z >> np.uint64(1))
