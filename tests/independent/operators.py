"""Operators over exact numbers, each as docs/operators.md defines it. An operator that is not here is one
that this executor does not know; a program with it is not counted."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor, prod
from typing import Callable, Dict, List, NamedTuple, Sequence, Tuple

from numbers_exact import (
    ONE, ZERO, Number, add, divide, multiply, negative, plain, subtract, total,
)
from random_bits import bits_of

Shape = Tuple[int, ...]


class Tensor(NamedTuple):
    shape: Shape
    elements: Tuple[Number, ...]


class Unknown(Exception):
    """This executor does not know an operator."""


Environment = Dict[str, Tensor]


def indices_of(shape: Sequence[int]) -> List[Tuple[int, ...]]:
    return list(product(*(range(extent) for extent in shape)))


def positions(shape: Sequence[int]) -> Dict[Tuple[int, ...], int]:
    return {index: place for place, index in enumerate(indices_of(shape))}


def chosen(x: Tensor, shape: Sequence[int], at: Callable[[Tuple[int, ...]], Tuple[int, ...]]) -> Tensor:
    """The tensor whose element at an index is x's at another."""
    places = positions(x.shape)
    return Tensor(tuple(shape), tuple(x.elements[places[at(index)]] for index in indices_of(shape)))


def filled(shape: Sequence[int], number: Fraction) -> Tensor:
    return Tensor(tuple(shape), (number,) * prod(shape))


def each(function: Callable[..., Number]) -> Callable[..., Tensor]:
    def apply(_environment: Environment, _attributes: dict, *operands: Tensor) -> Tensor:
        return Tensor(operands[0].shape, tuple(map(function, *(x.elements for x in operands))))

    return apply


def truth(condition: bool) -> Fraction:
    return ONE if condition else ZERO


def maximum(x: Number, y: Number) -> Number:
    return x if plain(x) >= plain(y) else y


def magnitude(x: Number) -> Number:
    if plain(x) == 0:
        return ZERO
    return x if plain(x) > 0 else negative(x)


def minimum(x: Number, y: Number) -> Number:
    return negative(maximum(negative(x), negative(y)))


def sum_over(_environment: Environment, attributes: dict, x: Tensor) -> Tensor:
    axes, is_kept = set(attributes["axes"]), attributes["keepdims"]
    kept = [1 if axis in axes else extent for axis, extent in enumerate(x.shape)]
    sums: Dict[Tuple[int, ...], Number] = {index: ZERO for index in indices_of(kept)}
    for index, element in zip(indices_of(x.shape), x.elements):
        own = tuple(0 if axis in axes else i for axis, i in enumerate(index))
        sums[own] = add(sums[own], element)
    shape = kept if is_kept else [extent for axis, extent in enumerate(x.shape) if axis not in axes]
    return Tensor(tuple(shape), tuple(sums.values()))


def broadcast(x: Tensor, shape: Sequence[int]) -> Tensor:
    new = len(shape) - len(x.shape)
    return chosen(x, shape, lambda index: tuple(
        0 if extent == 1 else i for extent, i in zip(x.shape, index[new:])))


def permuted(x: Tensor, axes: Sequence[int]) -> Tensor:
    where = {axis: place for place, axis in enumerate(axes)}
    return chosen(x, [x.shape[axis] for axis in axes], lambda index: tuple(
        index[where[axis]] for axis in range(len(axes))))


def concat(_environment: Environment, attributes: dict, *operands: Tensor) -> Tensor:
    axis = attributes["axis"]
    shape = list(operands[0].shape)
    shape[axis] = sum(x.shape[axis] for x in operands)
    elements: Dict[Tuple[int, ...], Number] = {}
    start = 0
    for x in operands:
        for index, element in zip(indices_of(x.shape), x.elements):
            elements[index[:axis] + (index[axis] + start,) + index[axis + 1:]] = element
        start += x.shape[axis]
    return Tensor(tuple(shape), tuple(elements[index] for index in indices_of(shape)))


def sliced(_environment: Environment, attributes: dict, x: Tensor) -> Tensor:
    bounds = zip(attributes["starts"], attributes["stops"], attributes["steps"], x.shape)
    ranges = [range(*slice(start, stop, step).indices(n)) for start, stop, step, n in bounds]
    return chosen(x, [len(one) for one in ranges], lambda index: tuple(
        one[i] for one, i in zip(ranges, index)))


def take(environment: Environment, attributes: dict, x: Tensor) -> Tensor:
    axis, at = attributes["axis"], environment[attributes["indices"]]
    rank = len(at.shape)
    places = positions(at.shape)
    shape = x.shape[:axis] + at.shape + x.shape[axis + 1:]
    return chosen(x, shape, lambda index: index[:axis] + (
        int(plain(at.elements[places[index[axis:axis + rank]]])),) + index[axis + rank:])


def padded(_environment: Environment, attributes: dict, x: Tensor) -> Tensor:
    low, high, interior = attributes["low"], attributes["high"], attributes["interior"]
    between = [n + max(n - 1, 0) * gap for n, gap in zip(x.shape, interior)]
    shape = [a + n + b for a, n, b in zip(low, between, high)]
    elements = {index: ZERO for index in indices_of(shape)}
    for index, element in zip(indices_of(x.shape), x.elements):
        moved = tuple(a + i * (gap + 1) for a, i, gap in zip(low, index, interior))
        if moved in elements:
            elements[moved] = element
    return Tensor(tuple(shape), tuple(elements.values()))


def cumulative_sum(_environment: Environment, attributes: dict, x: Tensor) -> Tensor:
    axis, places = attributes["axis"], positions(x.shape)
    return Tensor(x.shape, tuple(
        total(x.elements[places[index[:axis] + (i,) + index[axis + 1:]]] for i in range(index[axis] + 1))
        for index in indices_of(x.shape)))


def matmul(_environment: Environment, _attributes: dict, x: Tensor, y: Tensor) -> Tensor:
    left, right, inner = positions(x.shape), positions(y.shape), x.shape[-1]
    shape = x.shape[:-1] + y.shape[-1:]
    return Tensor(shape, tuple(
        total(multiply(x.elements[left[index[:-1] + (k,)]],
                       y.elements[right[index[:-2] + (k, index[-1])]]) for k in range(inner))
        for index in indices_of(shape)))


def iota(_environment: Environment, attributes: dict) -> Tensor:
    shape = tuple(attributes["shape"])
    return Tensor(shape, tuple(Fraction(index[attributes["axis"]]) for index in indices_of(shape)))


def bernoulli_mask(environment: Environment, attributes: dict) -> Tensor:
    shape, rate = tuple(attributes["shape"]), Fraction(attributes["rate"])
    one, other = (int(plain(word)) for word in environment[attributes["key"]].elements)
    bits = bits_of((one, other), prod(shape))
    return Tensor(shape, tuple(truth(Fraction(word, 2**32) >= rate) for word in bits))


def mean(environment: Environment, attributes: dict, x: Tensor) -> Tensor:
    result = sum_over(environment, attributes, x)
    count = Fraction(prod(x.shape[axis] for axis in attributes["axes"]))
    return Tensor(result.shape, tuple(divide(element, count) for element in result.elements))


operators: Dict[str, Callable[..., Tensor]] = {
    "constant": lambda environment, attributes: environment[attributes["name"]],
    "full": lambda _, attributes: filled(attributes["shape"], Fraction(attributes["value"])),
    "iota": iota,
    "bernoulli_mask": bernoulli_mask,
    "stop_gradient": each(plain),
    "negative": each(negative),
    "relu": each(lambda x: x if plain(x) > 0 else ZERO),
    "floor": each(lambda x: Fraction(floor(plain(x)))),
    "ceil": each(lambda x: -Fraction(floor(-plain(x)))),
    "add": each(add),
    "subtract": each(subtract),
    "multiply": each(multiply),
    "divide": each(divide),
    "maximum": each(maximum),
    "minimum": each(minimum),
    "clip": each(lambda x, low, high: minimum(maximum(x, low), high)),
    "square": each(lambda x: multiply(x, x)),
    "reciprocal": each(lambda x: divide(ONE, x)),
    "abs": each(magnitude),
    "sign": each(lambda x: Fraction((plain(x) > 0) - (plain(x) < 0))),
    "less": each(lambda x, y: truth(plain(x) < plain(y))),
    "equal": each(lambda x, y: truth(plain(x) == plain(y))),
    "not_equal": each(lambda x, y: truth(plain(x) != plain(y))),
    "less_equal": each(lambda x, y: truth(plain(x) <= plain(y))),
    "greater": each(lambda x, y: truth(plain(x) > plain(y))),
    "greater_equal": each(lambda x, y: truth(plain(x) >= plain(y))),
    "logical_not": each(lambda x: truth(plain(x) == 0)),
    "where": each(lambda condition, x, y: x if plain(condition) != 0 else y),
    "identity": each(lambda x: x),
    "sum": sum_over,
    "mean": mean,
    "broadcast_to": lambda _, attributes, x: broadcast(x, attributes["shape"]),
    "reshape": lambda _, attributes, x: Tensor(tuple(attributes["shape"]), x.elements),
    "permute_dims": lambda _, attributes, x: permuted(x, attributes["axes"]),
    "concat": concat,
    "slice": sliced,
    "take": take,
    "pad": padded,
    "cumulative_sum": cumulative_sum,
    "matmul": matmul,
}


def apply(name: str, environment: Environment, attributes: dict, operands: Sequence[Tensor]) -> Tensor:
    if name not in operators:
        raise Unknown(name)
    return operators[name](environment, attributes, *operands)
