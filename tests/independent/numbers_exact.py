"""Exact numbers that remember how they depend on others, for derivatives of programs.

A number of level 0 is a Fraction. One of level 1 is a Traced number: it knows the numbers that it was
computed from, with the partial derivative by each. A number of a level above is a Dual: each derivative
within a derivative has a level of its own [SEMANTICS 9.6].
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Dict, Iterable, List, Tuple, Union


@dataclass(frozen=True, eq=False)
class Traced:
    """A value, and what it was computed from: Σ partial · number is its tangent."""

    value: Fraction
    parents: Tuple[Tuple["Traced", Fraction], ...] = ()


@dataclass(frozen=True, eq=False)
class Dual:
    """A value of lower levels, with its partials by the elements that this level varies."""

    level: int
    value: "Number"
    partials: Dict[int, "Number"]


Number = Union[Fraction, Traced, Dual]


class NoValue(Exception):
    """A division by zero has no value among the rational numbers [SEMANTICS 6.2]."""


def level_of(x: Number) -> int:
    if isinstance(x, Dual):
        return x.level
    return 1 if isinstance(x, Traced) else 0


def plain(x: Number) -> Fraction:
    """The value without any derivative."""
    while not isinstance(x, Fraction):
        x = x.value
    return x


def combine(level: int, value: Number, terms: Iterable[Tuple[Number, Number]]) -> Number:
    """The number of that level with this value, whose tangent is Σ partial · tangent of the operand."""
    if level == 1:
        parents = tuple((x, plain(p)) for x, p in terms if isinstance(x, Traced) and plain(p) != 0)
        return Traced(plain(value), parents)
    partials: Dict[int, Number] = {}
    for x, partial in terms:
        if isinstance(x, Dual) and x.level == level:
            for place, tangent in x.partials.items():
                term = multiply(partial, tangent)
                partials[place] = add(partials[place], term) if place in partials else term
    return Dual(level, value, partials)


def below(x: Number, level: int) -> Number:
    """The number as it is where that level does not vary it."""
    return x.value if level_of(x) == level and not isinstance(x, Fraction) else x


ONE = Fraction(1)
ZERO = Fraction(0)


def add(x: Number, y: Number) -> Number:
    level = max(level_of(x), level_of(y))
    if level == 0:
        return x + y
    return combine(level, add(below(x, level), below(y, level)), [(x, ONE), (y, ONE)])


def negative(x: Number) -> Number:
    level = level_of(x)
    if level == 0:
        return -x
    return combine(level, negative(below(x, level)), [(x, -ONE)])


def subtract(x: Number, y: Number) -> Number:
    return add(x, negative(y))


def multiply(x: Number, y: Number) -> Number:
    level = max(level_of(x), level_of(y))
    if level == 0:
        return x * y
    a, b = below(x, level), below(y, level)
    return combine(level, multiply(a, b), [(x, b), (y, a)])


def divide(x: Number, y: Number) -> Number:
    level = max(level_of(x), level_of(y))
    if plain(y) == 0:
        raise NoValue()
    if level == 0:
        return x / y
    a, b = below(x, level), below(y, level)
    quotient = divide(a, b)
    by_divisor = negative(divide(quotient, b))
    return combine(level, quotient, [(x, divide(ONE, b)), (y, by_divisor)])


def total(numbers: Iterable[Number]) -> Number:
    result: Number = ZERO
    for number in numbers:
        result = add(result, number)
    return result


def in_order(outputs: Iterable[Traced]) -> List[Traced]:
    """The outputs and all numbers that they were computed from, each behind those of which it was."""
    done: Dict[int, Traced] = {}
    for output in outputs:
        stack = [(output, False)]
        while stack:
            number, are_parents_done = stack.pop()
            if id(number) in done:
                continue
            if are_parents_done:
                done[id(number)] = number
                continue
            stack.append((number, True))
            stack.extend((parent, False) for parent, _ in number.parents)
    return list(done.values())


def cotangents_from(seeds: List[Tuple[Number, Fraction]]) -> Dict[int, Fraction]:
    """The cotangent of each number, by its identity, from cotangents of some [SEMANTICS 3.2]."""
    outputs = [number for number, _ in seeds if isinstance(number, Traced)]
    cotangents: Dict[int, Fraction] = {}
    for number, seed in seeds:
        if isinstance(number, Traced):
            cotangents[id(number)] = cotangents.get(id(number), ZERO) + seed
    for number in reversed(in_order(outputs)):
        own = cotangents.get(id(number), ZERO)
        for parent, partial in number.parents:
            cotangents[id(parent)] = cotangents.get(id(parent), ZERO) + own * partial
    return cotangents


def tangents_along(outputs: List[Number], along: Dict[int, Fraction]) -> List[Fraction]:
    """The tangent of each output, where tangents of inputs are given by their identity."""
    tangents = dict(along)
    for number in in_order(output for output in outputs if isinstance(output, Traced)):
        if number.parents:
            tangents[id(number)] = sum((tangents.get(id(x), ZERO) * p for x, p in number.parents), ZERO)
    return [tangents.get(id(output), ZERO) for output in outputs]
