"""Numbers that do not depend on the inputs: how they are computed, and whether they are exact."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence

import jax.numpy as jnp
import numpy as np
from jax.extend.core import JaxprEqn

from .jax_front_values import Value, real


# It computes a primitive from its parameters and numbers, or leaves it to JAX.
Simply = Callable[..., Any]


def evaluated(equation: JaxprEqn) -> Callable[[list[Any]], list[Any]]:
    """Returns what evaluates one equation: JAX, or NumPy, which has the same numbers without compiling."""
    simply = SIMPLY.get(equation.primitive.name)
    target: Any = equation.outvars[0].aval

    def compute(numbers: list[Any]) -> list[Any]:
        if simply is not None and all(isinstance(number, np.ndarray) for number in numbers):
            with np.errstate(all="ignore"):
                made = simply(equation.params, *numbers)
            if made is not None:
                return [np.asarray(made).astype(target.dtype).reshape(target.shape)]
        params = equation.primitive.get_bind_params(equation.params)
        made = equation.primitive.bind(*numbers, **params)
        return list(made) if equation.primitive.multiple_results else [made]

    return compute


def _spread(params: Mapping[str, Any], x: np.ndarray) -> np.ndarray:
    shape = [1] * len(params["shape"])
    for axis, place in enumerate(params["broadcast_dimensions"]):
        shape[place] = x.shape[axis]
    return np.broadcast_to(x.reshape(shape), params["shape"])


def _counted(params: Mapping[str, Any]) -> np.ndarray:
    along = [1] * len(params["shape"])
    along[params["dimension"]] = -1
    return np.broadcast_to(np.arange(params["shape"][params["dimension"]]).reshape(along), params["shape"])


def _converted(params: Mapping[str, Any], x: np.ndarray) -> Optional[np.ndarray]:
    # What is no number of the target is left to JAX.
    integral = np.issubdtype(x.dtype, np.integer) or x.dtype == np.bool_
    return x if integral or jnp.issubdtype(params["new_dtype"], jnp.floating) else None


TWO_SIDED = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}


def _two_sided(ufunc: np.ufunc) -> Simply:
    return lambda p, x, y: ufunc(x, y)


# Computed by NumPy.
SIMPLY: dict[str, Simply] = {
    **{name: _two_sided(ufunc) for name, ufunc in TWO_SIDED.items()},
    "neg": lambda p, x: np.negative(x),
    "select_n": lambda p, which, x, y: np.where(which, y, x) if which.dtype == np.bool_ else None,
    "broadcast_in_dim": _spread,
    "reshape": lambda p, x: x.reshape(p["new_sizes"]) if p["dimensions"] is None else None,
    "squeeze": lambda p, x: np.squeeze(x, tuple(int(axis) for axis in p["dimensions"])),
    "transpose": lambda p, x: np.transpose(x, p["permutation"]),
    "concatenate": lambda p, *xs: np.concatenate(xs, int(p["dimension"])),
    "iota": _counted,
    "convert_element_type": _converted,
}


# What rounds, of what a rule is there for.
ROUNDING = frozenset(
    """add add_any sub mul div rem exp exp2 log sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh atan2 sqrt
    rsqrt cbrt expm1 log1p erf erfc logistic pow integer_pow square reduce_sum reduce_prod cumsum cumprod
    cumlogsumexp dot_general conv_general_dilated reduce_window_sum scatter-add scatter-sub scatter-mul cholesky
    triangular_solve lu custom_linear_solve""".split()
)


def is_exact(name: str, operands: Sequence[Value], result: Any) -> bool:
    """Tells whether JAX's numbers are exact: whole, or sums and products of numbers with few digits."""
    if any(operand.rounded for operand in operands):
        return False
    if name not in ROUNDING:
        return True
    numbers = [real(operand.number) for operand in operands]
    answer = real(result)
    if all(bool(np.all((np.abs(x) < 2048) & (x == np.floor(x)))) for x in (*numbers, answer)):
        return True
    # Of numbers with so few digits sums and products are exact in float64, whatever JAX computed in.
    if not all(bool(np.all((np.abs(x) <= 2**20) & (x * 1024 == np.floor(x * 1024)))) for x in (*numbers, answer)):
        return False
    if name == "div":
        return bool(np.all(answer * numbers[1] == numbers[0]))
    return name in PLAIN and bool(np.all(PLAIN[name](*numbers) == answer))


PLAIN: dict[str, Callable[..., Any]] = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "square": np.square}

# These keep the elements of an integer array in order.
KEEPING = frozenset(["reshape", "squeeze", "broadcast_in_dim", "convert_element_type", "copy"])


def follow(equation: JaxprEqn, operands: Sequence[Value], made: Value) -> None:
    """Notes whose elements the result of an equation of integers has.

    The choice between `i` and `i + n` where `i` is negative is `i` itself, since indices are drawn from 0 up.
    """
    name, first = equation.primitive.name, operands[0]
    whole = jnp.issubdtype(made.dtype, jnp.integer) and made.dtype.itemsize >= 4
    if name in KEEPING and first.label is not None and whole:
        made.label = first.label if np.size(made.number) == np.size(first.number) else None
    elif name == "lt" and first.label is not None and operands[1].known and not np.any(operands[1].number):
        made.negative = first.label
    elif name == "select_n" and len(operands) == 3 and first.negative is not None and operands[1].label == first.negative:
        made.label = first.negative
    elif name == "concatenate" and len(operands) == 2 and operands[1].label is not None and made.shape[1:] == (2,):
        rows = np.arange(made.shape[0])[:, None]
        if not first.data and first.shape == rows.shape and np.array_equal(first.number, rows):
            made.columns = operands[1].label
