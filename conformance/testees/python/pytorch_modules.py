"""A node of a graph as a PyTorch module, since hooks can hang on modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from adjudge.kit.adapter import Arrays


class Layer(torch.nn.Module):
    """A node as a layer: computed operands are its arguments, inputs of the graph its weights."""

    def __init__(self, compute: Callable[..., torch.Tensor], operands: Arrays, weights: Sequence[bool]) -> None:
        super().__init__()
        self._compute = compute
        self._own = [operand if is_weight else None for operand, is_weight in zip(operands, weights)]

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        given = iter(inputs)
        return self._compute(*[next(given) if own is None else own for own in self._own])
