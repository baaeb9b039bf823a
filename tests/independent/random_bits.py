"""Threefry-2x32 with 20 rounds, after Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
1, 2, 3" (2011): the source that docs/operators.md names for bernoulli_mask."""

from typing import List, Tuple

Words = Tuple[int, int]

MASK = 0xFFFFFFFF
ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)


def threefry(key: Words, counter: Words) -> Words:
    keys = (key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA)
    x, y = (counter[0] + keys[0]) & MASK, (counter[1] + keys[1]) & MASK
    for turn in range(20):
        distance = ROTATIONS[turn % 8]
        x = (x + y) & MASK
        y = ((y << distance) | (y >> (32 - distance))) & MASK
        y ^= x
        if turn % 4 == 3:
            group = turn // 4 + 1
            x = (x + keys[group % 3]) & MASK
            y = (y + keys[(group + 1) % 3] + group) & MASK
    return x, y


def bits_of(key: Words, count: int) -> List[int]:
    """The bits of each element: the two words of its block, one xor the other."""
    blocks = (threefry(key, (0, i)) for i in range(count))
    return [one ^ other for one, other in blocks]
