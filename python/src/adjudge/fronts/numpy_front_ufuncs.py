"""The elementwise functions of NumPy and of scipy.special: what each is in a graph."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ..graph import Operand, Ref
from .numpy_front_array import Array, Tracing, is_plain_array
from .numpy_front_making import array_of
from .traced import source_line

# A rule gets the tracing and operands as the builder takes them, which it broadcasts.
Rule = Callable[..., Ref]

# These are operators of graphs under this name or another one.
SAME = {
    **{name: name for name in """negative exp log sin cos tanh sqrt floor expm1 log1p log2 tan sinh cosh add subtract
    multiply divide maximum minimum less equal hypot sign square reciprocal ceil remainder copysign not_equal
    less_equal greater greater_equal logical_not logical_and logical_or logical_xor logaddexp erf""".split()},
    "absolute": "abs",
    "fabs": "abs",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arctan2": "atan2",
    "power": "pow",
    "float_power": "pow",
    "rint": "round",
    "expit": "sigmoid",
    "bitwise_and": "logical_and",
    "bitwise_or": "logical_or",
    "bitwise_xor": "logical_xor",
    "invert": "logical_not",
}


def truncated(t: Tracing, x: Operand) -> Ref:
    """Returns x without its fraction."""
    g = t.graph
    return g.where(g.less(x, 0), g.ceil(x), g.floor(x))


def nothing_where_zero(t: Tracing, x: Operand, product: Ref) -> Ref:
    """Returns the product, but 0 where x is 0, whatever the other factor is."""
    return t.graph.where(t.graph.equal(x, 0), 0, product)


def _cbrt(t: Tracing, x: Operand) -> Ref:
    g = t.graph
    return g.multiply(g.sign(x), g.pow(g.abs(x), g.divide(g.full((), 1), g.full((), 3))))


def sinc(t: Tracing, x: Operand) -> Ref:
    """Returns sin πx / πx, and 1 at 0."""
    g = t.graph
    turned = g.multiply(x, t.rounded(math.pi))
    return g.where(g.equal(x, 0), 1, g.divide(g.sin(turned), turned))


def _is_nan(t: Tracing, x: Operand) -> Ref:
    return t.graph.not_equal(x, x)


def _fmax(name: str) -> Rule:
    def rule(t: Tracing, x: Operand, y: Operand) -> Ref:
        g = t.graph
        return g.where(_is_nan(t, x), y, g.where(_is_nan(t, y), x, g.elementwise(name, x, y)))

    return rule


def _entr(t: Tracing, x: Operand) -> Ref:
    g = t.graph
    inside = nothing_where_zero(t, x, g.negative(g.multiply(x, g.log(x))))
    return g.where(g.less(x, 0), -math.inf, inside)


def _relative(more: bool) -> Rule:
    def rule(t: Tracing, x: Operand, y: Operand) -> Ref:
        g = t.graph
        part = g.multiply(x, g.log(g.divide(x, y)))
        inside = g.add(g.subtract(part, x), y) if more else part
        at_zero = g.where(g.less(y, 0), math.inf, y if more else 0)
        outside = g.logical_or(g.less(x, 0), g.less_equal(y, 0))
        return g.where(g.equal(x, 0), at_zero, g.where(outside, math.inf, inside))

    return rule


def _huber(t: Tracing, delta: Operand, r: Operand) -> Ref:
    g = t.graph
    size = g.abs(r)
    outer = g.multiply(delta, g.subtract(size, g.multiply(0.5, delta)))
    inner = g.where(g.less_equal(size, delta), g.multiply(0.5, g.square(r)), outer)
    return g.where(g.less(delta, 0), math.inf, inner)


def _pseudo_huber(t: Tracing, delta: Operand, r: Operand) -> Ref:
    g = t.graph
    ratio = g.divide(r, delta)
    return g.multiply(g.square(delta), g.subtract(g.sqrt(g.add(1, g.square(ratio))), 1))


def _ndtr(t: Tracing, x: Operand) -> Ref:
    g = t.graph
    return g.multiply(0.5, g.add(1, g.erf(g.divide(x, g.sqrt(g.full((), 2))))))


def _boxcox(shifted: bool) -> Rule:
    def rule(t: Tracing, x: Operand, power: Operand) -> Ref:
        g = t.graph
        log = g.log1p(x) if shifted else g.log(x)
        return g.where(g.equal(power, 0), log, g.divide(g.expm1(g.multiply(power, log)), power))

    return rule


def _logit(t: Tracing, x: Operand) -> Ref:
    return t.graph.log(t.graph.divide(x, t.graph.subtract(1, x)))


def _heaviside(t: Tracing, x: Operand, at_zero: Operand) -> Ref:
    g = t.graph
    return g.where(_is_nan(t, x), x, g.where(g.equal(x, 0), at_zero, g.less(0, x)))


def _base(number: float) -> Rule:
    return lambda t, x: t.graph.divide(t.graph.log(x), t.graph.log(t.graph.full((), number)))


def _remainder_of_zero(t: Tracing, x: Operand, y: Operand) -> Ref:
    g = t.graph
    return g.subtract(x, g.multiply(truncated(t, g.divide(x, y)), y))


# These are written with a few operators.
RULES: dict[str, Rule] = {
    **{name: (lambda operator: lambda t, *xs: t.graph.elementwise(operator, *xs))(operator) for name, operator in SAME.items()},
    "positive": lambda t, x: t.graph.ref(x),
    "conjugate": lambda t, x: t.graph.ref(x),
    "trunc": truncated,
    "floor_divide": lambda t, x, y: t.graph.floor(t.graph.divide(x, y)),
    "fmod": _remainder_of_zero,
    "isnan": _is_nan,
    "isinf": lambda t, x: t.graph.equal(t.graph.abs(x), math.inf),
    "isfinite": lambda t, x: t.graph.less(t.graph.abs(x), math.inf),
    "signbit": lambda t, x: t.graph.less(t.graph.copysign(1, x), 0),
    "fmax": _fmax("maximum"),
    "fmin": _fmax("minimum"),
    "heaviside": _heaviside,
    "exp2": lambda t, x: t.graph.pow(2, x),
    "exp10": lambda t, x: t.graph.pow(10, x),
    "log10": _base(10),
    "cbrt": _cbrt,
    "deg2rad": lambda t, x: t.graph.multiply(x, t.rounded(math.pi / 180)),
    "radians": lambda t, x: t.graph.multiply(x, t.rounded(math.pi / 180)),
    "rad2deg": lambda t, x: t.graph.multiply(x, t.rounded(180 / math.pi)),
    "degrees": lambda t, x: t.graph.multiply(x, t.rounded(180 / math.pi)),
    "logaddexp2": lambda t, x, y: _logaddexp2(t, x, y),
    # scipy.special
    "erfc": lambda t, x: t.graph.subtract(1, t.graph.erf(x)),
    "ndtr": _ndtr,
    "logit": _logit,
    "log_expit": lambda t, x: t.graph.negative(t.graph.softplus(t.graph.negative(x))),
    "xlogy": lambda t, x, y: nothing_where_zero(t, x, t.graph.multiply(x, t.graph.log(y))),
    "xlog1py": lambda t, x, y: nothing_where_zero(t, x, t.graph.multiply(x, t.graph.log1p(y))),
    "entr": _entr,
    "rel_entr": _relative(False),
    "kl_div": _relative(True),
    "huber": _huber,
    "pseudo_huber": _pseudo_huber,
    "boxcox": _boxcox(False),
    "boxcox1p": _boxcox(True),
    "matmul": lambda t, x, y: t.graph.matmul(x, y),
    "vecdot": lambda t, x, y: _vecdot(t, x, y),
    "matvec": lambda t, a, x: _matvec(t, a, x),
    "vecmat": lambda t, x, a: _matvec(t, _swapped(t, a), x),
}

# These are defined on numbers of the inputs' own shapes, not element by element.
GENERAL = ("matmul", "vecdot", "matvec", "vecmat")

# Of two results each.
PAIRS = {"divmod": ("floor_divide", "remainder"), "modf": ("fractional", "trunc")}
RULES["fractional"] = lambda t, x: t.graph.subtract(x, truncated(t, x))

# Booleans add and multiply as truths.
ON_BOOLEANS = {"add": "logical_or", "multiply": "logical_and", "maximum": "logical_or", "minimum": "logical_and", "absolute": "positive"}
TRUTHS = frozenset("less equal not_equal less_equal greater greater_equal logical_not logical_and logical_or logical_xor "
                   "isnan isinf isfinite signbit bitwise_and bitwise_or bitwise_xor invert".split())

# What ufunc.reduce and ufunc.accumulate are called elsewhere.
REDUCED = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
ACCUMULATED = {"add": "cumsum", "multiply": "cumprod"}


def _logaddexp2(t: Tracing, x: Operand, y: Operand) -> Ref:
    g = t.graph
    two = g.log(g.full((), 2))
    return g.divide(g.logaddexp(g.multiply(x, two), g.multiply(y, two)), two)


def _swapped(t: Tracing, x: Operand) -> Ref:
    ref = t.graph.ref(x)
    rank = len(ref.shape)
    return t.graph.permute_dims(ref, [*range(rank - 2), rank - 1, rank - 2])


def _vecdot(t: Tracing, x: Operand, y: Operand) -> Ref:
    g = t.graph
    return g.reduce("sum", g.multiply(x, y), [-1])


def _matvec(t: Tracing, a: Operand, x: Operand) -> Ref:
    g = t.graph
    column = g.ref(x)
    product = g.matmul(a, g.reshape(column, (*column.shape, 1)))
    return g.reshape(product, product.shape[:-1])


def numbers_of(value: Any) -> Any:
    """Returns an argument with the numbers of the traced arrays in it."""
    if type(value) is Array:
        return value._numbers()
    if isinstance(value, (list, tuple)):
        return type(value)(*map(numbers_of, value)) if hasattr(value, "_fields") else type(value)(map(numbers_of, value))
    return value


def call_ufunc(t: Tracing, ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Does what a ufunc does, for the methods that have a place in a graph."""
    t.graph.line = source_line()
    options = dict(options)
    out = options.pop("out", None)
    mask = options.pop("where", True)
    name = ufunc.__name__
    if method == "at":
        return _at(t, name, *inputs)
    given = [array_of(one) if isinstance(one, (list, tuple)) else one for one in inputs]
    if method == "reduce":
        if name == "logaddexp":
            return _reduced_logaddexp(t, given[0], options)
        if name not in REDUCED:
            raise t.refuse(f"{name}.reduce has no place in a graph", "write it as a loop, or with sum, prod, max or min")
        more = {} if mask is True else {"where": mask}
        result = getattr(np, REDUCED[name])(given[0], **{"axis": 0, **options}, **more)
        return returned(t, result, out)
    if method == "accumulate":
        axis = options.get("axis", 0)
        if name in ACCUMULATED:
            return returned(t, getattr(np, ACCUMULATED[name])(given[0], axis=axis), out)
        if name in ("maximum", "minimum"):
            return returned(t, _running(ufunc, given[0], axis), out)
        raise t.refuse(f"{name}.accumulate has no place in a graph", "write it as a loop")
    if method == "outer":
        x, y = np.asarray(given[0]) if not hasattr(given[0], "ndim") else given[0], given[1]
        return ufunc(x.reshape((*x.shape, *(1,) * np.ndim(y))), y, **options)
    if method != "__call__":
        raise t.refuse(f"{name}.{method} has no place in a graph", "write it with other functions")
    if mask is not True and out is None:
        raise t.refuse(f"{name} with where= and without out= leaves numbers that were in memory before", "use np.where")
    result = called(t, ufunc, given, options)
    if mask is not True:
        return returned(t, np.where(mask, result, out[0]), out)
    return returned(t, result, out)


def called(t: Tracing, ufunc: np.ufunc, given: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Returns the results of a ufunc, as NumPy computes them and as values of the graph."""
    name = ufunc.__name__
    numbers = [numbers_of(one) for one in given]
    values = ufunc(*numbers, **{key: value for key, value in options.items() if key != "subok"})
    if all(one.is_known() for one in given if type(one) is Array):
        return _each(values, lambda value, _: t.wrap(value, None, given))
    if name in PAIRS:
        return _each(values, lambda value, place: t.wrap(value, _ref(t, PAIRS[name][place], value, given), given))
    return t.wrap(values, _ref(t, name, values, given), given)


def _each(values: Any, wrap: Callable[[Any, int], Any]) -> Any:
    return tuple(wrap(value, place) for place, value in enumerate(values)) if isinstance(values, tuple) else wrap(values, 0)


def _ref(t: Tracing, name: str, value: Any, given: Sequence[Any]) -> Ref:
    result = np.asarray(value).dtype
    if result.kind == "b" and name not in TRUTHS:
        name = ON_BOOLEANS.get(name, f"{name} of booleans")
    if result.kind in "iu":
        if result.itemsize < 4 or result.kind == "u" or name.startswith(("bitwise", "invert")):
            raise t.refuse(f"{name} of {result.name} numbers is not followed", "compute with floats")
    if name not in RULES:
        raise t.refuse(
            f"the function {name} has no place in a graph",
            "write it with functions that docs/python-fronts.md lists, or give plain code with them as reference=",
        )
    operands = [t.operand(one) for one in given]
    # NumPy may compute in another precision than the function has.
    t.check(np.asarray(value))
    made = RULES[name](t, *operands)
    return made if name in GENERAL else t.graph.broadcast_to(made, np.shape(value))


def returned(t: Tracing, result: Any, out: Any) -> Any:
    """Writes results into what was given as out=, or returns them."""
    if out is None:
        return result
    targets = out if isinstance(out, tuple) else (out,)
    results = result if isinstance(result, tuple) else (result,)
    for target, one in zip(targets, results):
        if target is None:
            continue
        if is_plain_array(target):
            raise t.refuse("a traced value is written into an array made outside of the function", "make it by np.zeros in the function")
        if not np.can_cast(one.dtype, target.dtype, "same_kind"):
            raise TypeError(f"cannot cast from {one.dtype} to {target.dtype} with casting rule 'same_kind'")
        if target.shape != one.shape:
            raise ValueError(f"out= has shape {target.shape}, and the result {one.shape}")
        target[...] = one
    returned = tuple(one if target is None else target for target, one in zip(targets, results))
    return returned if len(returned) > 1 else returned[0]


def _running(ufunc: np.ufunc, x: Any, axis: int) -> Any:
    moved = np.moveaxis(x, axis, 0)
    rows = [moved[0]] if len(moved) else []
    for place in range(1, len(moved)):
        rows.append(ufunc(rows[-1], moved[place]))
    return np.moveaxis(np.stack(rows), 0, axis) if rows else np.copy(x)


def _reduced_logaddexp(t: Tracing, x: Any, options: Mapping[str, Any]) -> Any:
    if set(options) - {"axis", "keepdims"}:
        raise t.refuse("logaddexp.reduce is followed with axis and keepdims alone")
    value = np.logaddexp.reduce(x._numbers(), **{"axis": 0, **options})
    axes = options.get("axis", 0)
    chosen = None if axes is None else [axes] if isinstance(axes, int) else axes
    return t.wrap(value, t.graph.reduce("logsumexp", t.ref(x), chosen, bool(options.get("keepdims"))), [x])


def _at(t: Tracing, name: str, target: Any, key: Any, values: Any = None) -> None:
    if name not in ("add", "subtract") or type(target) is not Array:
        raise t.refuse(f"{name}.at on this array has no place in a graph", "use np.add.at on an array made in the function")
    for one in key if isinstance(key, tuple) else (key,):
        if type(one) is Array:
            t.read(one)
    picked = [np.asarray(numbers_of(one)) for one in (key if isinstance(key, tuple) else (key,))]
    if any(one.dtype.kind not in "iu" for one in picked):
        raise t.refuse(f"{name}.at is followed for arrays of integers", "use np.nonzero of data")
    places = np.arange(target.size).reshape(target.shape)[tuple(picked)]
    added = np.broadcast_to(np.negative(values) if name == "subtract" else values, places.shape)
    rows = np.stack(np.broadcast_arrays(*(np.where(one < 0, one + n, one) for one, n in zip(picked, target.shape))), -1)
    sums = t.graph.scatter_add(t.ref(target), rows, t.ref(added))
    value = target._value.copy()
    np.add.at(value, tuple(picked), numbers_of(added))
    target[...] = t.wrap(value, sums, [target, added])


def is_ufunc_known(name: str) -> bool:
    """Tells whether a ufunc of that name has a rule."""
    return name in RULES or name in PAIRS

