"""Rules for elementwise primitives of a jaxpr, and what all rules share."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Sequence

import jax.numpy as jnp
import numpy as np

from ..graph import Operand, Ref
from .jax_front_values import NotSaid, Value
from .jax_front_writer import Rule, Writer

Params = Mapping[str, Any]

# One rule for each primitive. `params[""]` is the place of the result that is asked for.
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule for primitives."""

    def register(function: Rule) -> Rule:
        RULES.update((name, function) for name in names)
        return function

    return register


def floats(*values: Value) -> None:
    """Leaves an operation on integers unsaid."""
    if not all(value.floating for value in values):
        raise NotSaid


# ---- Elementwise -----------------------------------------------------------------------------------------

# These are said of floats and of integers.
ALIKE = {
    "add": "add",
    "add_any": "add",
    "sub": "subtract",
    "mul": "multiply",
    "neg": "negative",
    "sign": "sign",
    "square": "square",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "ne": "not_equal",
    "stop_gradient": "stop_gradient",
}

# These are said of floats alone.
OF_FLOATS = {
    "exp": "exp",
    "log": "log",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "asinh": "asinh",
    "acosh": "acosh",
    "atanh": "atanh",
    "atan2": "atan2",
    "sqrt": "sqrt",
    "expm1": "expm1",
    "log1p": "log1p",
    "erf": "erf",
    "logistic": "sigmoid",
    "floor": "floor",
    "ceil": "ceil",
    "pow": "pow",
}

# These are said of truth values alone.
OF_TRUTHS = {"and": "logical_and", "or": "logical_or", "xor": "logical_xor", "not": "logical_not"}


def _elementwise(name: str, fits: Callable[[Sequence[Value]], bool]) -> Rule:
    def write(w: Writer, p: Params, *xs: Value) -> Ref:
        if not fits(xs):
            raise NotSaid
        return w.graph.elementwise(name, *map(w.operand, xs))

    return write


RULES.update((name, _elementwise(said, lambda xs: True)) for name, said in ALIKE.items())
RULES.update((name, _elementwise(said, lambda xs: xs[0].floating)) for name, said in OF_FLOATS.items())
RULES.update((name, _elementwise(said, lambda xs: all(x.boolean for x in xs))) for name, said in OF_TRUTHS.items())


def _neutral(w: Writer, x: Value, number: float) -> bool:
    constant = w.constant(x)
    return constant is not None and bool(np.all(constant == number))


@rule("abs")
def _abs(w: Writer, p: Params, x: Value) -> Ref:
    ref = w.ref(x)
    name, parents = w.graph.node(ref)
    while name in ("sum", "reshape", "broadcast_to"):
        name, parents = w.graph.node(parents[0])
    # A sum of exponentials has no sign; logsumexp of JAX takes it away all the same.
    return ref if name == "exp" else w.graph.abs(ref)


@rule("max")
def _max(w: Writer, p: Params, x: Value, y: Value) -> Ref:
    return _extremum(w, "maximum", -math.inf, x, y)


@rule("min")
def _min(w: Writer, p: Params, x: Value, y: Value) -> Ref:
    return _extremum(w, "minimum", math.inf, x, y)


def _extremum(w: Writer, name: str, neutral: float, x: Value, y: Value) -> Ref:
    shape = np.broadcast_shapes(x.shape, y.shape)
    # The larger of −∞ and y is y, a NaN too; softmax and logsumexp of JAX have it.
    if _neutral(w, x, neutral):
        return w.graph.broadcast_to(w.ref(y), shape)
    if _neutral(w, y, neutral):
        return w.graph.broadcast_to(w.ref(x), shape)
    return w.graph.elementwise(name, w.operand(x), w.operand(y))


@rule("eq")
def _eq(w: Writer, p: Params, x: Value, y: Value) -> Ref:
    for one, other in ((x, y), (y, x)):
        if one.label is not None:
            shape = np.broadcast_shapes(x.shape, y.shape)
            given, columns = w.given[one.label], w.constant(other)
            size = shape[-1] if shape else 0
            if columns is None or one.shape[-1:] != (1,) or given.size * size != math.prod(shape) or not size:
                continue
            if np.array_equal(np.broadcast_to(columns, shape), np.broadcast_to(np.arange(size), shape)) and given.max(initial=0) < size:
                hot = w.graph.op("one_hot", indices=w.entry(one.label, "index"), classes=size)
                return w.graph.reshape(hot, shape)
    return w.graph.elementwise("equal", w.operand(x), w.operand(y))


@rule("select_n")
def _select_n(w: Writer, p: Params, which: Value, *cases: Value) -> Ref:
    shape = cases[0].shape
    chosen = w.constant(which)
    if chosen is not None and chosen.size and np.all(chosen == chosen.flat[0]):
        return w.ref(cases[int(chosen.flat[0])])
    if which.boolean:
        return w.graph.broadcast_to(w.graph.where(_condition(w, which), w.operand(cases[1]), w.operand(cases[0])), shape)
    said = w.ref(cases[0])
    for place in range(1, len(cases)):
        said = w.graph.where(w.graph.equal(w.operand(which), float(place)), w.operand(cases[place]), said)
    return w.graph.broadcast_to(said, shape)


def _condition(w: Writer, which: Value) -> Operand:
    """Returns a truth value as a condition, which holds where it is not zero: of `x != 0` it is x."""
    condition = w.operand(which)
    if isinstance(condition, Ref):
        name, parents = w.graph.node(condition)
        if name == "not_equal" and w.graph.is_full(parents[1], 0):
            return parents[0]
    return condition


@rule("clamp")
def _clamp(w: Writer, p: Params, low: Value, x: Value, high: Value) -> Ref:
    return w.graph.clip(w.operand(x), w.operand(low), w.operand(high))


@rule("integer_pow")
def _integer_pow(w: Writer, p: Params, x: Value) -> Ref:
    # Squares are multiplied as JAX multiplies them, so that both round alike.
    left, square, product = abs(int(p["y"])), w.ref(x), None
    if left == 0:
        return w.graph.full(x.shape, 1.0)
    while left:
        if left & 1:
            product = square if product is None else w.graph.multiply(product, square)
        left >>= 1
        square = w.graph.square(square) if left else square
    assert product is not None
    if p["y"] > 0:
        return product
    floats(x)
    return w.graph.reciprocal(product)


@rule("div")
def _div(w: Writer, p: Params, x: Value, y: Value) -> Ref:
    floats(x, y)
    name, operands = y.origin
    if name == "log" and np.all(operands[0].number == 2):
        ref = w.ref(x)
        said, parents = w.graph.node(ref)
        if said == "log" and ref.shape == np.broadcast_shapes(x.shape, y.shape):
            # That is how JAX writes log2.
            return w.graph.log2(parents[0])
    return w.graph.divide(w.operand(x), w.operand(y))


@rule("rsqrt")
def _rsqrt(w: Writer, p: Params, x: Value) -> Ref:
    return w.graph.reciprocal(w.graph.sqrt(w.ref(x)))


@rule("cbrt")
def _cbrt(w: Writer, p: Params, x: Value) -> Ref:
    # The third of a logarithm is exact; the power 1/3 is no float.
    size = w.graph.exp(w.graph.divide(w.graph.log(w.graph.abs(w.ref(x))), 3.0))
    return w.graph.multiply(w.graph.sign(w.ref(x)), size)


@rule("exp2")
def _exp2(w: Writer, p: Params, x: Value) -> Ref:
    return w.graph.pow(2.0, w.ref(x))


@rule("erfc")
def _erfc(w: Writer, p: Params, x: Value) -> Ref:
    return w.graph.subtract(1.0, w.graph.erf(w.ref(x)))


@rule("is_finite")
def _is_finite(w: Writer, p: Params, x: Value) -> Ref:
    # Zero times a number is zero, unless that is infinite or NaN.
    return w.graph.equal(w.graph.multiply(w.ref(x), 0.0), 0.0)


@rule("round")
def _round(w: Writer, p: Params, x: Value) -> Ref:
    if int(p["rounding_method"]) == 1:
        return w.graph.round(w.ref(x))
    # Halves go away from zero.
    size = w.graph.floor(w.graph.add(w.graph.abs(w.ref(x)), 0.5))
    return w.graph.multiply(w.graph.sign(w.ref(x)), size)


def truncated(w: Writer, x: Ref) -> Ref:
    """Returns a number without its fraction."""
    return w.graph.where(w.graph.less(x, 0.0), w.graph.ceil(x), w.graph.floor(x))


@rule("rem")
def _rem(w: Writer, p: Params, x: Value, y: Value) -> Ref:
    floats(x, y)
    quotient = truncated(w, w.graph.divide(w.operand(x), w.operand(y)))
    return w.graph.subtract(w.operand(x), w.graph.multiply(quotient, w.operand(y)))


@rule("convert_element_type")
def _convert(w: Writer, p: Params, x: Value) -> Ref:
    target = jnp.dtype(p["new_dtype"])
    if jnp.issubdtype(target, jnp.floating):
        return w.ref(x)
    if target == np.bool_:
        return w.ref(x) if x.boolean else w.graph.not_equal(w.ref(x), 0.0)
    if x.floating:
        return truncated(w, w.ref(x))
    if not x.boolean and target.itemsize < 4:
        raise NotSaid
    return w.ref(x)


@rule("reduce_precision")
def _reduce_precision(w: Writer, p: Params, x: Value) -> Ref:
    kept = jnp.finfo(w.dtype)
    if p["exponent_bits"] < kept.nexp or p["mantissa_bits"] < kept.nmant:
        raise w.refusal(f"numbers of {w.dtype} are rounded to fewer digits", "leave reduce_precision out")
    return w.ref(x)


@rule("copy", "name", "sharding_constraint", "layout_constraint", "pvary")
def _same(w: Writer, p: Params, x: Value) -> Ref:
    return w.ref(x)


@rule("device_put", "optimization_barrier")
def _same_each(w: Writer, p: Params, *xs: Value) -> Ref:
    return w.ref(xs[p[""]])


# ---- Functions of JAX that are operators as a whole ----
# What relu and logaddexp are made of has kinks where they have none, or others.


def _whole(name: str) -> Rule:
    def write(w: Writer, closed: Any, xs: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
        (var,) = closed.jaxpr.outvars
        if not all(x.floating for x in xs):
            return w.inline(closed, xs, needed)
        ref = w.graph.elementwise(name, *map(w.operand, xs))
        return [Value(ref.shape, var.aval.dtype, ref=ref)]

    return write


RULES["custom_jvp_call of relu"] = _whole("relu")
RULES["custom_jvp_call of logaddexp"] = _whole("logaddexp")
RULES["jit of hypot"] = _whole("hypot")
RULES["jit of remainder"] = _whole("remainder")
