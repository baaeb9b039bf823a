"""Einstein sums as NumPy and PyTorch take them, as the one that a graph has."""

from __future__ import annotations

import string
from typing import Sequence

from ..graph import Graph, Ref

LETTERS = string.ascii_letters


def explicit(equation: str, ranks: Sequence[int]) -> str:
    """Returns an equation with an arrow, without an ellipsis and spaces, for operands of these ranks."""
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    names = left.split(",")
    free = [letter for letter in LETTERS if letter not in text]
    hidden = [rank - len(name.replace("...", "")) for name, rank in zip(names, ranks)]
    longest = max((count for name, count in zip(names, hidden) if "..." in name), default=0)
    stands = "".join(free[:longest])
    names = [name.replace("...", stands[longest - count :]) if "..." in name else name for name, count in zip(names, hidden)]
    if arrow:
        right = right.replace("...", stands)
    else:
        letters = "".join(names)
        once = sorted(letter for letter in set(letters) if letters.count(letter) == 1 and letter not in stands)
        right = stands + "".join(once)
    return f"{','.join(names)}->{right}"


def einsum(graph: Graph, equation: str, operands: Sequence[Ref]) -> Ref:
    """Writes an explicit equation down; an axis of extent 1 is repeated where another operand has more."""
    extents: dict[str, int] = {}
    names = equation.split("->")[0].split(",")
    for letters, x in zip(names, operands):
        for letter, extent in zip(letters, x.shape):
            extents[letter] = max(extents.get(letter, 1), extent) if extent != 0 else 0
    wide = [graph.broadcast_to(x, [extents[letter] for letter in letters]) for letters, x in zip(names, operands)]
    return graph.einsum(equation, *wide)
