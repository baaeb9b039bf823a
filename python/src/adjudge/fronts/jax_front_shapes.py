"""Rules for primitives of a jaxpr that reduce an axis, move elements or multiply arrays."""

from __future__ import annotations

import math
import string
from typing import Callable, Sequence

import numpy as np

from ..graph import Operand, Ref
from .jax_front_rules import RULES, Params, Rule, rule
from .jax_front_values import NotSaid, Value
from .jax_front_writer import Writer

# ---- Reductions ------------------------------------------------------------------------------------------

REDUCED = {
    "reduce_sum": "sum",
    "reduce_prod": "prod",
    "reduce_max": "max",
    "reduce_min": "min",
    # Of 0 and 1 the least is 1 where all are, the greatest where one is.
    "reduce_and": "min",
    "reduce_or": "max",
}


def _reduced(name: str, of_truths: bool) -> Rule:
    def write(w: Writer, p: Params, x: Value) -> Ref:
        axes = [int(axis) for axis in p["axes"]]
        if of_truths and not x.boolean:
            raise NotSaid
        if name in ("max", "min") and x.floating and not math.prod(x.shape[axis] for axis in axes):
            # Of nothing it is what changes nothing.
            shape = [n for axis, n in enumerate(x.shape) if axis not in axes]
            return w.graph.constant(np.full(shape, -math.inf if name == "max" else math.inf))
        return w.graph.reduce(name, w.ref(x), axes) if axes else w.ref(x)

    return write


RULES.update((name, _reduced(said, name in ("reduce_and", "reduce_or"))) for name, said in REDUCED.items())


@rule("reduce_xor")
def _reduce_xor(w: Writer, p: Params, x: Value) -> Ref:
    if not x.boolean:
        raise NotSaid
    return w.graph.remainder(w.graph.reduce("sum", w.ref(x), p["axes"]), 2.0)


@rule("argmax")
def _argmax(w: Writer, p: Params, x: Value) -> Ref:
    (axis,) = p["axes"]
    return w.graph.op("argmax", w.ref(x), axis=int(axis), keepdims=False)


@rule("argmin")
def _argmin(w: Writer, p: Params, x: Value) -> Ref:
    (axis,) = p["axes"]
    return w.graph.op("argmax", w.graph.negative(w.ref(x)), axis=int(axis), keepdims=False)


# ---- Cumulative ------------------------------------------------------------------------------------------


def _scanned(combine: Callable[[Writer, Ref, int], Ref]) -> Rule:
    def write(w: Writer, p: Params, x: Value) -> Ref:
        axis, ref = int(p["axis"]), w.ref(x)
        if not p["reverse"]:
            return combine(w, ref, axis)
        flipped = combine(w, w.graph.op("flip", ref, axes=[axis]), axis)
        return w.graph.op("flip", flipped, axes=[axis])

    return write


def _doubling(name: str) -> Callable[[Writer, Ref, int], Ref]:
    """Combines each element with that one, two, four, … places before it."""

    def combine(w: Writer, x: Ref, axis: int) -> Ref:
        extent, step = x.shape[axis], 1
        while step < extent:
            head = part(w, x, axis, 0, step)
            tail = w.graph.elementwise(name, part(w, x, axis, 0, extent - step), part(w, x, axis, step, extent))
            x = w.graph.concat([head, tail], axis)
            step *= 2
        return x

    return combine


def part(w: Writer, x: Ref, axis: int, start: int, stop: int) -> Ref:
    """Returns the elements from `start` until before `stop` along one axis."""
    starts, stops = [0] * len(x.shape), list(x.shape)
    starts[axis], stops[axis] = start, stop
    return w.graph.slice(x, starts, stops)


RULES["cumsum"] = _scanned(lambda w, x, axis: w.graph.op("cumulative_sum", x, axis=axis))
RULES["cumprod"] = _scanned(lambda w, x, axis: w.graph.op("cumulative_prod", x, axis=axis))
RULES["cummax"] = _scanned(_doubling("maximum"))
RULES["cummin"] = _scanned(_doubling("minimum"))
RULES["cumlogsumexp"] = _scanned(_doubling("logaddexp"))


# ---- Movement --------------------------------------------------------------------------------------------


@rule("broadcast_in_dim")
def _broadcast_in_dim(w: Writer, p: Params, x: Value, *extents: Value) -> Ref:
    shape = [1] * len(p["shape"])
    for axis, target in enumerate(p["broadcast_dimensions"]):
        shape[target] = x.shape[axis]
    # Leading axes of extent 1 are made by broadcasting.
    first = min(p["broadcast_dimensions"], default=len(shape))
    return w.graph.broadcast_to(w.graph.reshape(w.ref(x), shape[first:]), p["shape"])


@rule("reshape")
def _reshape(w: Writer, p: Params, x: Value, *extents: Value) -> Ref:
    ref = w.ref(x) if p.get("dimensions") is None else w.graph.permute_dims(w.ref(x), p["dimensions"])
    return w.graph.reshape(ref, p["new_sizes"])


@rule("squeeze")
def _squeeze(w: Writer, p: Params, x: Value) -> Ref:
    dropped = {int(axis) % len(x.shape) for axis in p["dimensions"]}
    return w.graph.reshape(w.ref(x), [n for axis, n in enumerate(x.shape) if axis not in dropped])


@rule("transpose")
def _transpose(w: Writer, p: Params, x: Value) -> Ref:
    return w.graph.permute_dims(w.ref(x), p["permutation"])


@rule("rev")
def _rev(w: Writer, p: Params, x: Value) -> Ref:
    axes = sorted(int(axis) for axis in p["dimensions"])
    return w.graph.op("flip", w.ref(x), axes=axes) if axes else w.ref(x)


@rule("concatenate")
def _concatenate(w: Writer, p: Params, *xs: Value) -> Ref:
    return w.graph.concat([w.ref(x) for x in xs], int(p["dimension"]))


@rule("stack")
def _stack(w: Writer, p: Params, *xs: Value) -> Ref:
    return w.graph.op("stack", *map(w.ref, xs), axis=int(p["axis"]) % (len(xs[0].shape) + 1))


@rule("unstack")
def _unstack(w: Writer, p: Params, x: Value) -> Ref:
    axis, place = int(p["axis"]) % len(x.shape), p[""]
    return w.graph.reshape(part(w, w.ref(x), axis, place, place + 1), [n for i, n in enumerate(x.shape) if i != axis])


@rule("tile")
def _tile(w: Writer, p: Params, x: Value) -> Ref:
    return w.graph.op("tile", w.ref(x), repetitions=[int(n) for n in p["reps"]])


@rule("split")
def _split(w: Writer, p: Params, x: Value) -> Ref:
    ends = np.cumsum([0, *(int(n) for n in p["sizes"])])
    return part(w, w.ref(x), int(p["axis"]), int(ends[p[""]]), int(ends[p[""] + 1]))


@rule("slice")
def _slice(w: Writer, p: Params, x: Value) -> Ref:
    return w.graph.slice(w.ref(x), p["start_indices"], p["limit_indices"], p["strides"])


@rule("pad")
def _pad(w: Writer, p: Params, x: Value, filling: Value) -> Ref:
    return padded(w, w.ref(x), p["padding_config"], w.operand(filling))


def padded(w: Writer, x: Ref, config: Sequence[tuple[int, int, int]], filling: Operand = 0.0) -> Ref:
    """Pads, before, after and between elements; negative padding takes elements away."""
    low, high, interior = ([int(n) for n in numbers] for numbers in zip(*config)) if config else ([], [], [])
    amounts = {"low": [max(n, 0) for n in low], "high": [max(n, 0) for n in high], "interior": interior}
    y = x
    if any(map(any, amounts.values())):
        y = w.graph.op("pad", x, **amounts)
        if isinstance(filling, Ref) or np.any(np.asarray(filling) != 0):
            y = w.graph.where(w.graph.op("pad", w.graph.full(x.shape, 1.0), **amounts), y, filling)
    starts = [max(-n, 0) for n in low]
    stops = [extent - max(-n, 0) for extent, n in zip(y.shape, high)]
    return w.graph.slice(y, starts, [max(start, stop) for start, stop in zip(starts, stops)])


# ---- Products --------------------------------------------------------------------------------------------


@rule("dot_general")
def _dot_general(w: Writer, p: Params, x: Value, y: Value) -> Ref:
    (left, right), (left_batch, right_batch) = (tuple(tuple(map(int, axes)) for axes in pair) for pair in p["dimension_numbers"])
    batch = tuple(range(len(left_batch)))
    a, b = w.ref(x), w.ref(y)
    n = len(batch)
    if left_batch == right_batch == batch and left == (n + 1,) and right == (n,) and len(a.shape) == len(b.shape) == n + 2:
        return w.graph.op("matmul", a, b)
    letters = iter(string.ascii_lowercase + string.ascii_uppercase)
    names = [next(letters) for _ in a.shape]
    others = {**dict(zip(right_batch, (names[axis] for axis in left_batch))), **dict(zip(right, (names[axis] for axis in left)))}
    second = [others[axis] if axis in others else next(letters) for axis in range(len(b.shape))]
    free = [name for axis, name in enumerate(names) if axis not in left and axis not in left_batch]
    free += [name for axis, name in enumerate(second) if axis not in others]
    result = "".join([names[axis] for axis in left_batch] + free)
    return w.graph.einsum(f"{''.join(names)},{''.join(second)}->{result}", a, b)
