"""The state's generator of random numbers: Threefry-2x32-20, as `spec/SEMANTICS.md` 10.7 defines."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence, Union

import numpy as np
from adjudge.kit.adapter import Unsupported

# A word of 32 bits: a number, or the library's array of one within a traced function.
Word = Union[int, Any]
Words = Any  # NumPy's array of uint32, or the library's

PARITY = 0x1BD11BDA
ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)


def word(value: Word) -> Words:
    """Makes a word an array, so that sums wrap around."""
    if isinstance(value, (int, np.integer)):
        return np.array([value], np.uint32)
    if not hasattr(value, "astype"):
        raise Unsupported("a draw whose number in the run is not known before it runs")
    return value.astype(np.uint32).reshape(1)


def threefry(key: Sequence[Word], first: Words, second: Words) -> tuple[Words, Words]:
    """Applies Threefry-2x32-20 to counters (Salmon et al., 2011); returns two arrays of words."""
    low, high = word(key[0]), word(key[1])
    words = (low, high, low ^ high ^ word(PARITY))
    x, y = first + words[0], second + words[1]
    for turn in range(20):
        x = x + y
        bits = word(ROTATIONS[turn % 8])
        y = ((y << bits) | (y >> (word(32) - bits))) ^ x
        if turn % 4 == 3:
            count = (turn + 1) // 4
            x, y = x + words[count % 3], y + words[(count + 1) % 3] + word(count)
    return x, y


def drawn_from(key: Sequence[Word], kind: Mapping[str, Any], shape: Sequence[int]) -> Any:
    """Draws float64 multiples of 2⁻³² in [0, 1) by a key; Bernoulli gives 0 below its rate, else 1."""
    count = int(np.prod(shape, dtype=np.int64))
    first, second = threefry(key, np.zeros(count, np.uint32), np.arange(count, dtype=np.uint32))
    bits = (first ^ second).astype(np.float64).reshape(tuple(shape)) / 2**32
    return (bits >= kind["rate"]).astype(np.float64) if kind["kind"] == "bernoulli" else bits


class StateDraws:
    """The state's generator, whose n-th draw has a key of its own."""

    def __init__(self, key: Sequence[int], drawn: Word) -> None:
        self._key = key
        self.drawn = drawn
        # Draws need not be reported, as everybody can compute them.
        self.told: list[Any] = []

    def copy(self) -> StateDraws:
        return StateDraws(self._key, self.drawn)

    def at(self, drawn: int) -> StateDraws:
        """Returns the same generator after so many draws."""
        return StateDraws(self._key, drawn)

    def mark(self) -> Callable[[], None]:
        """Makes what lets the generator draw again all that it draws from here on."""
        drawn = self.drawn

        def rewind() -> None:
            self.drawn = drawn

        return rewind

    def next(self, kind: Mapping[str, Any], shape: Sequence[int], is_again: bool) -> Any:
        """Draws; `is_again` where a body is rerun, in which nothing new is drawn."""
        if is_again:
            raise RuntimeError("a draw within a recomputation: the library's checkpoint must keep it")
        first, second = threefry(self._key, np.zeros(1, np.uint32), word(self.drawn))
        self.drawn = self.drawn + 1
        return drawn_from((first[0], second[0]), kind, shape)
