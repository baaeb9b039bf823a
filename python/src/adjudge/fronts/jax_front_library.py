"""What is known of JAX's functions: what is inlined, whose line counts, what is an operator."""

from __future__ import annotations

import functools
import os
from typing import Any, Callable, Mapping, Optional

import jax
import jax.numpy as jnp
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal

from .traced import first_of_user

LIBRARY = os.path.dirname(os.path.abspath(jax.__file__)) + os.sep

# The parts of JAX whose lines say what a function does.
WRITTEN = tuple(f"{os.sep}{part}{os.sep}" for part in ("nn", "numpy", "scipy", "random"))


def line_of(equation: JaxprEqn) -> Optional[str]:
    """Returns the user's line that an equation comes from, or JAX's own if a function of JAX was given."""
    traceback = equation.source_info.traceback
    frames: list[Any] = [] if traceback is None else traceback.frames
    places: list[tuple[str, int]] = [(frame.file_name, frame.line_num) for frame in frames]
    own = [place for place in places if not place[0].startswith(LIBRARY) or any(part in place[0] for part in WRITTEN)]
    return first_of_user(own)


def _closed(jaxpr: Any) -> ClosedJaxpr:
    return jaxpr if isinstance(jaxpr, ClosedJaxpr) else ClosedJaxpr(jaxpr, ())


# What is inlined: the primitive, and where its function is. A custom rule is judged, so it is not looked at.
INLINED: dict[str, Callable[[Mapping[str, Any]], ClosedJaxpr]] = {
    "jit": lambda p: _closed(p["jaxpr"]),
    "closed_call": lambda p: _closed(p["call_jaxpr"]),
    "remat2": lambda p: _closed(p["jaxpr"]),
    "custom_jvp_call": lambda p: _closed(p["call_jaxpr"]),
    "custom_vjp_call": lambda p: _closed(p["call_jaxpr"]),
    "custom_vmap_call": lambda p: _closed(p["call"]),
    "composite": lambda p: _closed(p["jaxpr"]),
}


def function_of_library(closed: ClosedJaxpr) -> str:
    """Returns the name of the function that a jaxpr was made from if it is JAX's own."""
    name, _, place = str(getattr(closed.jaxpr.debug_info, "func_src_info", "")).partition(" at ")
    return name if place.startswith(LIBRARY) else ""


# What JAX's functions are called as, where they have a rule as a whole.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "custom_jvp_call of relu": jax.nn.relu,
    "custom_jvp_call of logaddexp": jnp.logaddexp,
    "custom_jvp_call of _slogdet_lu": jnp.linalg.slogdet,
    "jit of det": jnp.linalg.det,
    "jit of hypot": jnp.hypot,
    "jit of remainder": jnp.remainder,
}


def is_written(called: str, closed: ClosedJaxpr) -> bool:
    """Tells whether a jaxpr is what JAX's function is: its derivatives go by the same name."""
    avals: list[Any] = [var.aval for var in closed.jaxpr.invars]
    shapes = tuple((aval.shape, str(aval.dtype)) for aval in avals)
    return steps_of(closed) == _steps_of_function(called, shapes, bool(jax.config.read("jax_enable_x64")))


@functools.lru_cache(maxsize=256)
def _steps_of_function(called: str, shapes: tuple[Any, ...], x64: bool) -> Optional[list[Any]]:
    try:
        whole = jax.make_jaxpr(FUNCTIONS[called])(*(jax.ShapeDtypeStruct(*shape) for shape in shapes))
    except (TypeError, ValueError):
        return None
    primitive, _, name = called.partition(" of ")
    waiting = [whole.jaxpr]
    while waiting:
        for equation in waiting.pop().eqns:
            if equation.primitive.name in INLINED:
                inner = INLINED[equation.primitive.name](equation.params)
                if equation.primitive.name == primitive and function_of_library(inner) == name:
                    return steps_of(inner)
                waiting.append(inner.jaxpr)
    return None


def steps_of(closed: ClosedJaxpr) -> list[Any]:
    """Returns the primitives that a jaxpr consists of, their operands and parameters, with its calls inlined."""
    steps: list[Any] = []

    def walk(jaxpr: Any, operands: list[Any]) -> list[Any]:
        names: dict[Any, Any] = dict(zip([*jaxpr.constvars, *jaxpr.invars], operands))

        def name(var: Any) -> Any:
            return str(var.val) if isinstance(var, Literal) else names[var]

        for equation in jaxpr.eqns:
            given = [name(var) for var in equation.invars]
            if equation.primitive.name in INLINED:
                inner = INLINED[equation.primitive.name](equation.params)
                made = walk(inner.jaxpr, [*map(str, inner.consts), *given[len(given) - len(inner.jaxpr.invars) :]])
            elif _changes_nothing(equation):
                made = given
            else:
                places = range(len(equation.outvars))
                made = [(len(steps), place) for place in places]
                steps.append((equation.primitive.name, given, sorted((key, str(value)) for key, value in equation.params.items())))
            names.update(zip(equation.outvars, made))
        return [name(var) for var in jaxpr.outvars]

    results = walk(closed.jaxpr, [*map(str, closed.consts), *range(len(closed.jaxpr.invars))])
    return [*steps, results]


def _changes_nothing(equation: JaxprEqn) -> bool:
    aval: Any = equation.invars[0].aval if equation.invars else None
    return equation.primitive.name == "convert_element_type" and aval.dtype == equation.params["new_dtype"]
