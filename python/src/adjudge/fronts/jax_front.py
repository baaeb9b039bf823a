"""Functions of JAX: `trace` writes one down as a graph, `answers` asks JAX for its values and derivatives.

The graph is made from the jaxpr. The primal of a function with a rule of its own is written down and its rule
is not: the rule is what `answers` gives, to be compared with the derivative of the graph.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from ..graph import Ref, Refused
from . import jax_front_linear as _linear, jax_front_windows as _windows  # noqa: F401  They register rules.
from .jax_front_rules import RULES
from .jax_front_values import Step, Value, known
from .jax_front_writer import Writer
from .traced import Traced, call_traced, finished, only_dtype, source_line

PLAIN = "give a plain version as reference="
NO_OPERATOR = f"there is no operator for it | {PLAIN}"
SIDE_EFFECT = "it calls Python from within the function | leave it out, or give a plain version as reference="
DEVICES = "it needs several devices | judge the function of one device"
COMPLEX = "complex numbers are not judged | write real and imaginary parts as floats"

# What is refused by name, and why; a hint stands behind the bar. Of known numbers JAX computes all of them.
REFUSED: dict[str, str] = {
    **dict.fromkeys(("erf_inv", "lgamma", "digamma", "polygamma", "zeta", "bessel_i0e", "bessel_i1e"), NO_OPERATOR),
    **dict.fromkeys(("igamma", "igammac", "igamma_grad_a", "random_gamma", "regularized_incomplete_beta"), NO_OPERATOR),
    **dict.fromkeys(("svd", "eigh", "eig", "qr", "schur", "hessenberg", "tridiagonal", "geqrf", "ormqr"), NO_OPERATOR),
    **dict.fromkeys(("householder_product", "cholesky_update", "tridiagonal_solve", "symmetric_product"), NO_OPERATOR),
    **dict.fromkeys(("ragged_dot_general", "reduce", "reduce_window", "select_and_scatter", "approx_top_k", "linear_call"), NO_OPERATOR),
    "nextafter": f"it is a function of floats and not of numbers | {PLAIN}",
    **dict.fromkeys(("complex", "real", "imag", "conj", "fft"), COMPLEX),
    **dict.fromkeys(("pure_callback", "io_callback", "debug_callback", "ffi_call"), SIDE_EFFECT),
    "pallas_call": f"it is a kernel, which is what is judged | {PLAIN}",
    **dict.fromkeys(("shard_map", "psum", "pmax", "pmin", "ppermute", "all_gather", "all_to_all", "reduce_scatter", "axis_index"), DEVICES),
    "rng_uniform": "it draws random numbers without a key | use jax.random with a key that is an argument or a constant",
    "rng_bit_generator": f"it draws from numbers that depend on the inputs | {PLAIN}",
}


# ---- The graph -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leaf:
    """A leaf of the arguments: a float input, integers that are data, or what is given as it is."""

    name: str
    value: Any
    kind: str  # "input", "data" or "given"


def leaves_of(arguments: Sequence[Any], names: Sequence[str], static: Sequence[str]) -> tuple[list[Leaf], Callable[[Sequence[Any]], list[Any]]]:
    """Takes arguments apart, in the order of jax.tree_util, and returns what puts them together again."""
    leaves: list[Leaf] = []
    parts: list[tuple[int, int, Any]] = []
    for name, argument in zip(names, arguments):
        if name in static:
            parts.append((len(leaves), 1, None))
            leaves.append(Leaf(name, argument, "given"))
            continue
        paths, structure = jax.tree_util.tree_flatten_with_path(argument)
        parts.append((len(leaves), len(paths), structure))
        for path, value in paths:
            leaves.append(_leaf(f"{name}{jax.tree_util.keystr(path)}", value))
    # A float of Python takes the precision of the arrays beside it, as JAX does it.
    floating = [leaf.value.dtype for leaf in leaves if leaf.kind == "input" and not isinstance(leaf.value, float)]
    for place, leaf in enumerate(leaves):
        if isinstance(leaf.value, float) and leaf.kind == "input":
            leaves[place] = Leaf(leaf.name, jnp.asarray(leaf.value, floating[0] if floating else None), "input")

    def rebuild(values: Sequence[Any]) -> list[Any]:
        return [
            values[first] if structure is None else jax.tree_util.tree_unflatten(structure, values[first : first + count])
            for first, count, structure in parts
        ]

    return leaves, rebuild


def _leaf(name: str, value: Any) -> Leaf:
    if isinstance(value, (bool, int, np.bool_)):
        return Leaf(name, value, "given")
    if type(value) is float:
        return Leaf(name, value, "input")
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        hint = f"name {name} among the arguments that are static, or close over it"
        raise Refused(f"the argument {name} is a {type(value).__name__} and not an array", None, hint)
    if jnp.issubdtype(dtype, jax.dtypes.extended):
        return Leaf(name, value, "given")
    value = jnp.asarray(value)
    if jnp.issubdtype(value.dtype, jnp.inexact):
        only_dtype([value.dtype.name])
        return Leaf(name, value, "input")
    return Leaf(name, value, "data")


def trace(
    function: Callable[..., Any], arguments: Sequence[Any], names: Sequence[str], *, static: Sequence[str] = ()
) -> Traced:
    """Writes a function of JAX down as a graph, at the shapes of these arguments.

    Floating leaves become inputs. Arrays of integers and truth values are data, entries of the environment where
    the graph can say how it depends on them, else constants. Arguments named in `static` and numbers of Python
    that are whole stay as they are. Refuses what cannot be said, with the line.
    """
    leaves, rebuild = leaves_of(arguments, names, static)
    dtype = only_dtype(leaf.value.dtype.name for leaf in leaves if leaf.kind == "input")
    moving = [place for place, leaf in enumerate(leaves) if leaf.kind != "given"]
    inputs = [place for place in moving if leaves[place].kind == "input"]

    def flat(*values: Any) -> Any:
        return call_traced(function, rebuild(_replaced(leaves, moving, values)))

    closed, out = _jaxpr(flat, [leaves[place].value for place in moving])
    shapes, structure = jax.tree_util.tree_flatten(out)
    if not shapes:
        raise Refused("the function returns nothing", None, "return an array, or a tuple, list or dict of arrays")
    for aval in shapes:
        _check_output(aval, dtype)
    w = Writer(dtype, RULES, REFUSED)
    operands = [_operand(w, leaves[place]) for place in moving]
    results = w.run(closed.jaxpr, [known(const) for const in closed.consts], operands, [True] * len(closed.jaxpr.outvars))
    refs: list[Ref] = [w.ref(result) for result in results]
    graph, outputs = finished(w.graph, refs)

    def put(values: Sequence[Any]) -> list[Any]:
        given = [jnp.asarray(value, leaves[place].value.dtype) for place, value in zip(inputs, values)]
        return rebuild(_replaced(leaves, inputs, given))

    return Traced(
        graph,
        outputs,
        dtype,
        w.pointwise,
        rebuild=lambda values: jax.tree_util.tree_unflatten(structure, list(values)),
        arguments=put,
        flatten=jax.tree_util.tree_leaves,
        fixed=frozenset(w.frozen),
    )


def _replaced(leaves: Sequence[Leaf], places: Sequence[int], values: Sequence[Any]) -> list[Any]:
    return _replaced_values([leaf.value for leaf in leaves], places, values)


def _replaced_values(given: Sequence[Any], places: Sequence[int], values: Sequence[Any]) -> list[Any]:
    whole = list(given)
    for place, value in zip(places, values):
        whole[place] = value
    return whole


def _operand(w: Writer, leaf: Leaf) -> Value:
    shape, dtype = leaf.value.shape, leaf.value.dtype
    if leaf.kind == "input":
        given = Step(lambda _: [leaf.value], [])
        return Value(shape, dtype, ref=w.graph.input(leaf.name, shape), step=(given, 0))
    w.given[leaf.name] = numbers = np.asarray(leaf.value)
    value = Value(shape, dtype, number=numbers, write=lambda: w.graph.named(w.entry(leaf.name, "real")), data=frozenset([leaf.name]))
    if dtype != np.bool_ and not np.any(numbers < 0):
        value.label = leaf.name
    return value


def _check_output(aval: Any, dtype: str) -> None:
    name = aval.dtype.name
    if not jnp.issubdtype(aval.dtype, jnp.floating):
        hint = "return floats alone" if "complex" not in name else "return real and imaginary parts as floats"
        raise Refused(f"the function returns numbers of type {name}", None, hint)
    if name != dtype:
        raise Refused(f"the function is given {dtype} and returns {name}", None, "return numbers of one precision")


# What JAX raises when a function cannot be traced, and what it means here.
UNTRACED: tuple[tuple[str, str, str], ...] = (
    ("TracerBoolConversionError", "a branch of Python depends on numbers of an input", "use jnp.where or jax.lax.cond"),
    ("TracerIntegerConversionError", "a shape or an index of Python depends on numbers of an argument", "name it in static"),
    ("NonConcreteBooleanIndexError", "a shape depends on the data", "use jnp.where, or give size="),
    ("TracerArrayConversionError", "numbers of an input go to NumPy", "use jax.numpy"),
    ("ConcretizationTypeError", "numbers of an input are read while the function is traced", "use jnp.where or jax.lax.cond"),
    ("UnexpectedTracerError", "a value outlived the function that made it: a side effect", "return it in place of storing it"),
)


def _jaxpr(function: Callable[..., Any], values: Sequence[Any]) -> tuple[Any, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return jax.make_jaxpr(function, return_shape=True)(*values)
        except Refused:
            raise
        except Exception as error:
            name = type(error).__name__
            for kind, what, hint in UNTRACED:
                if any(base.__name__ == kind for base in type(error).__mro__):
                    raise Refused(f"{what} ({name})", source_line(error.__traceback__), hint) from None
            if isinstance(error, TypeError) and "not a valid JAX type" in str(error):
                raise Refused("the function returns something else than arrays", None, "return arrays, or tuples, lists and dicts of them") from None
            raise


# ---- The answers -----------------------------------------------------------------------------------------

# A function of arrays that returns a tuple of arrays.
Flat = Callable[..., tuple[Any, ...]]


@dataclass(frozen=True)
class Answers:
    """What JAX says of a function, with its own rules: arrays in and out, floating leaves in order.

    `data` replaces arrays of integers among the arguments, by the name of their leaf.
    """

    evaluate: Callable[..., list[np.ndarray]]
    vjp: Callable[..., list[np.ndarray]]
    jvp: Callable[..., list[np.ndarray]]


def answers(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    names: Optional[Sequence[str]] = None,
    *,
    static: Sequence[str] = (),
    wrt: Optional[Sequence[int]] = None,
    derive: Sequence[str] = (),
    jit: bool = False,
) -> Answers:
    """Returns what asks JAX: `evaluate(point)`, `vjp(point, cotangents)`, `jvp(point, tangents)`.

    `derive=["vjp"]` asks about the vjp of the function in place of it: the point then has a cotangent for each
    output behind the inputs, and the outputs are the cotangents of the inputs in `wrt`; of `["jvp"]` a tangent for
    each input, and the outputs are the tangents. Errors of the function pass through.
    """
    names = [f"x{place}" for place in range(len(arguments))] if names is None else names
    leaves, rebuild = leaves_of(arguments, names, static)
    inputs = [place for place, leaf in enumerate(leaves) if leaf.kind == "input"]
    if not inputs:
        raise Refused("no argument is floating, so nothing can be differentiated", None, "give at least one argument of floats")
    dtype = leaves[inputs[0]].value.dtype

    def with_data(data: Mapping[str, Any]) -> Flat:
        """Returns the function of its floating leaves, and then the derivative of it that is asked about."""
        given = [_with(leaf, data) for leaf in leaves]

        def call(*values: Any) -> tuple[Any, ...]:
            return tuple(jax.tree_util.tree_leaves(function(*rebuild(_replaced_values(given, inputs, values)))))

        derived, shapes = call, [leaves[place].value for place in inputs]
        for mode in derive:
            derived, shapes = _derived(derived, shapes, mode, wrt)
        return jax.jit(derived) if jit else derived

    plain = with_data({})

    def arrays(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(jnp.asarray(value, dtype) for value in values)

    def evaluate(point: Sequence[Any], data: Mapping[str, Any] = {}) -> list[np.ndarray]:
        return _numbers((with_data(data) if data else plain)(*arrays(point)))

    def vjp(point: Sequence[Any], cotangents: Sequence[Any], data: Mapping[str, Any] = {}) -> list[np.ndarray]:
        _, pull = jax.vjp(with_data(data) if data else plain, *arrays(point))
        return _numbers(pull(arrays(cotangents)))

    def jvp(point: Sequence[Any], tangents: Sequence[Any], data: Mapping[str, Any] = {}) -> list[np.ndarray]:
        return _numbers(jax.jvp(with_data(data) if data else plain, arrays(point), arrays(tangents))[1])

    return Answers(evaluate, vjp, jvp)


def _with(leaf: Leaf, data: Mapping[str, Any]) -> Any:
    """Returns a leaf's numbers, or those that are given for it, which may stand in one row."""
    if leaf.kind != "data" or leaf.name not in data:
        return leaf.value
    return jnp.asarray(np.asarray(data[leaf.name]).reshape(leaf.value.shape), leaf.value.dtype)


def _derived(function: Flat, shapes: Sequence[Any], mode: str, wrt: Optional[Sequence[int]]) -> tuple[Flat, list[Any]]:
    """Returns the vjp or jvp of a function of arrays, and what its arguments are like."""
    count = len(shapes)

    def pulled(*values: Any) -> tuple[Any, ...]:
        _, pull = jax.vjp(function, *values[:count])
        cotangents = pull(tuple(values[count:]))
        return tuple(cotangents[place] for place in (range(count) if wrt is None else wrt))

    def pushed(*values: Any) -> tuple[Any, ...]:
        return tuple(jax.jvp(function, tuple(values[:count]), tuple(values[count:]))[1])

    if mode == "vjp":
        return pulled, [*shapes, *jax.eval_shape(function, *shapes)]
    if mode == "jvp":
        return pushed, [*shapes, *shapes]
    raise ValueError(f"a derivative is vjp or jvp, and not {mode!r}")


def _numbers(values: Sequence[Any]) -> list[np.ndarray]:
    return [np.asarray(value).astype(np.float64) for value in values]
