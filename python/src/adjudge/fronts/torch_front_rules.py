"""The rules' table, and what they all use: each rule says what an operator of PyTorch becomes in a graph."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

import numpy as np
import torch

from ..graph import Graph, Operand, Ref, Refused

if TYPE_CHECKING:
    from .torch_front import Recorder

# What a rule returns: a value for each output, or None for one that holds numbers only.
Made = Union[Operand, None, Sequence[Optional[Operand]]]


@dataclass(frozen=True)
class Rule:
    """What operators become; `a` has the arguments by PyTorch's names, and `out`, the real result."""

    names: tuple[str, ...]
    becomes: str
    make: Callable[[Recorder, Any], Made]
    # The part of the documentation's table.
    part: str


RULES: dict[str, Rule] = {}
LISTED: list[Rule] = []


def rule(
    *names: str, becomes: str, part: str
) -> Callable[[Callable[[Recorder, Any], Made]], Callable[[Recorder, Any], Made]]:
    """Enters a function into the table, for operators of `torch.ops.aten`."""

    def enter(make: Callable[[Recorder, Any], Made]) -> Callable[[Recorder, Any], Made]:
        entered = Rule(names, becomes, make, part)
        LISTED.append(entered)
        for name in names:
            if name in RULES:
                raise ValueError(f"there is a rule for {name} already")
            RULES[name] = entered
        return make

    return enter


def named(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> SimpleNamespace:
    """Returns an operator's arguments by name, with defaults."""
    given = {}
    for place, argument in enumerate(func._schema.arguments):
        if place < len(args) and not argument.kwarg_only:
            given[argument.name] = args[place]
        elif argument.name in kwargs:
            given[argument.name] = kwargs[argument.name]
        else:
            given[argument.name] = argument.default_value
    return SimpleNamespace(**given)


def axes_of(dim: Any, rank: int) -> Optional[list[int]]:
    """Returns axes from 0 up; None for all of them."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return None
    listed = [dim] if isinstance(dim, int) else list(dim)
    return sorted({axis % max(rank, 1) for axis in listed}) if rank else []


def is_number(x: Any, *values: float) -> bool:
    """Tells whether an operand is one of the numbers, everywhere."""
    return (
        not isinstance(x, Ref)
        and np.size(x) > 0
        and bool(np.all(np.asarray(x) == values[0]))
        and len(values) == 1
    )


def times(g: Graph, x: Operand, factor: Any, shape: Optional[Sequence[int]] = None) -> Operand:
    """Multiplies, unless by 1; at a shape if one is told, as PyTorch sums cotangents afterwards."""
    if is_number(factor, 1):
        return x
    return g.multiply(x if shape is None else g.broadcast_to(x, shape), factor)


def logical(g: Graph, x: Operand) -> Ref:
    """Returns 1 where x is not 0, else 0."""
    return g.not_equal(x, 0)


def trunc(g: Graph, x: Operand) -> Ref:
    """Rounds towards zero."""
    return g.where(g.less(x, 0), g.ceil(x), g.floor(x))


def with_slope_of(g: Graph, value: Operand, slope: Operand) -> Ref:
    """Returns a value whose derivative is written in another form, the one in which PyTorch rounds it."""
    other = g.ref(slope)
    return g.add(g.op("stop_gradient", value), g.subtract(other, g.op("stop_gradient", other)))


def reduced(g: Graph, loss: Operand, reduction: int) -> Operand:
    """Reduces a loss: 0 leaves it, 1 is its mean, 2 its sum."""
    return loss if reduction == 0 else g.reduce("mean" if reduction == 1 else "sum", loss)


def shape_of(x: Any) -> tuple[int, ...]:
    """Returns the shape of an operand."""
    return x.shape if isinstance(x, Ref) else np.shape(x)


def size_of(x: Any) -> int:
    """Returns how many elements an operand has."""
    return math.prod(shape_of(x))


def merged(g: Graph, x: Operand, wanted: Sequence[int]) -> Ref:
    """Reshapes."""
    return g.reshape(x, wanted)


def refuse(what: str, hint: Optional[str] = None) -> Refused:
    """Makes the refusal of an operator; the recorder adds the line."""
    return Refused(what, None, hint)


def is_floating(x: Any) -> bool:
    """Tells whether something is a tensor of floating numbers."""
    return isinstance(x, torch.Tensor) and x.dtype.is_floating_point
