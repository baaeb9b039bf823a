"""Writes a function of NumPy or the array API down as a graph: it is run once on arrays that take notes.

docs/python-fronts.md lists what is followed. The function is then run again on plain arrays: two runs that
differ mean that it reads or writes something outside of itself, or draws random numbers.
"""

from __future__ import annotations

import gc
import random
import sys
from types import FrameType
from typing import Any, Callable, Collection, Optional, Sequence
from unittest import mock

import numpy as np

from ..graph import Ref, Refused

# Their rules are declared by the import.
from . import numpy_front_elementwise, numpy_front_linalg, numpy_front_reductions, numpy_front_shapes, numpy_front_written  # noqa: F401
from .numpy_front_array import Array, Store, Tracing, is_floating
from .numpy_front_making import exchanged, np_array
from .numpy_front_special import replaced
from .traced import Traced, call_traced, finished, is_of_library, leaf_names, only_dtype, tree_of, written_at


def trace(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    names: Sequence[str],
    *,
    static: Collection[str] = (),
) -> Traced:
    """Returns the function as a graph, at the shapes of these arguments.

    Arrays of floats and floats of Python become inputs, arrays of integers and truths data of the environment.
    Integers, truths and texts of Python, None, functions, and the arguments named by `static`, stay as they are.
    Arguments may be nested tuples, lists and dicts. Fails: `Refused`, with the line and what to do. Cost: three
    runs of the function at most.
    """
    trees = [tree_of(value) for value in arguments]
    leaves = [leaf for tree in trees for leaf in tree.leaves]
    called = leaf_names(names, arguments)
    owners = [name for name, tree in zip(names, trees) for _ in tree.leaves]
    kinds = ["static" if owner in static else _kind(leaf) for owner, leaf in zip(owners, leaves)]
    for name, leaf, kind in zip(called, leaves, kinds):
        if kind == "complex":
            raise Refused(f"the argument {name} is complex", None, "give real and imaginary parts as arguments")
        if kind == "other":
            raise Refused(f"the argument {name} is an array of {np.asarray(leaf).dtype}", None, f"name it in static=['{name}']")
    inputs = [place for place, kind in enumerate(kinds) if kind in ("array", "float")]
    dtype = _dtype([leaves[place] for place in inputs if kinds[place] == "array"], bool(inputs))
    t = Tracing(dtype)
    given = list(leaves)
    for place in inputs:
        data = np.array(leaves[place], dtype=dtype, order="K", copy=True)
        ref = t.graph.input(called[place], data.shape)
        is_scalar = not isinstance(leaves[place], np.ndarray)
        given[place] = Array(t, Store(t, data, ref, False, True, frozenset()), data, ref, is_scalar)
    for place, kind in enumerate(kinds):
        if kind == "data":
            data = np.array(leaves[place], order="K", copy=True)
            given[place] = Array(t, Store.of_argument(t, data, called[place]), data, None)
    rebuilt = _placed(trees, given)
    with exchanged(t, [function, *leaves]), replaced(), np.errstate(all="ignore"):
        result = _run(function, rebuilt)
    tree = tree_of(result)
    outputs = [_output(t, leaf, path) for leaf, path in zip(tree.leaves, tree.paths)]
    if not outputs:
        raise t.refuse("the function returns no number", "return what is to be differentiated")
    values = [np_array(leaf._value if type(leaf) is Array else leaf) for leaf in tree.leaves]

    def again(numbers: Sequence[Any]) -> list[Any]:
        fresh = [leaf.copy() if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]
        for place, value in zip(inputs, numbers):
            data = np.array(value, dtype=dtype)
            fresh[place] = data if isinstance(leaves[place], np.ndarray) else float(data) if isinstance(leaves[place], float) else data[()]
        return _placed(trees, fresh)

    paths, rebuild = tree.paths, tree.rebuild
    del tree, result, rebuilt, given
    _check_nothing_kept(t)
    plain = again([leaves[place] for place in inputs])
    before = [np.array(leaf, copy=True) for leaf in _arrays(plain)]
    with np.errstate(all="ignore"):
        second = _flat(function(*plain), paths)
    if not all(np.array_equal(old, new, equal_nan=new.dtype.kind == "f") for old, new in zip(before, _arrays(plain))):
        raise Refused("the function writes into an array that it was given", None, "write into a copy: x = x.copy()")
    for value in second or []:
        if is_floating(value.dtype) and value.dtype != dtype:
            raise Refused(f"the function mixes {dtype.name} and {value.dtype.name}", None, "compute in one precision")
    if second is None or not _are_near(values, second):
        raise _differing(function, again([leaves[place] for place in inputs]))
    graph, refs = finished(t.graph, outputs)
    return Traced(
        graph=graph,
        outputs=refs,
        dtype=dtype.name,
        pointwise=t.pointwise,
        rebuild=rebuild,
        arguments=again,
        flatten=lambda returned: [np.asarray(leaf) for leaf in tree_of(returned).leaves],
        fixed=frozenset(t.fixed),
    )


def _run(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Calls the function; NumPy may have put an error of its own around what was refused."""
    try:
        return call_traced(function, arguments)
    except Refused:
        raise
    except Exception as error:
        inner: Optional[BaseException] = error
        while inner is not None and not isinstance(inner, Refused):
            inner = inner.__cause__ or inner.__context__
        if inner is None:
            raise
        raise inner from None


def _kind(leaf: Any) -> str:
    if isinstance(leaf, complex):
        return "complex"
    if isinstance(leaf, float) and not isinstance(leaf, np.generic):
        return "float"
    if not isinstance(leaf, (np.ndarray, np.generic)):
        return "static"
    if leaf.dtype.kind == "c":
        return "complex"
    if is_floating(leaf.dtype):
        return "array"
    if not isinstance(leaf, np.ndarray):
        return "static"
    return "data" if leaf.dtype.kind in "iub" else "other"


def _dtype(arrays: Sequence[Any], has_floats: bool) -> np.dtype:
    """Returns the precision of the arrays; floats of Python take it, or are float64 where there is none."""
    if not arrays and has_floats:
        return np.dtype(np.float64)
    only_dtype([one.dtype.name for one in arrays])
    return np.dtype(arrays[0].dtype)


def _placed(trees: Sequence[Any], leaves: Sequence[Any]) -> list[Any]:
    rest = list(leaves)
    made = []
    for tree in trees:
        made.append(tree.rebuild(rest[: len(tree.leaves)]))
        del rest[: len(tree.leaves)]
    return made


def _arrays(arguments: Sequence[Any]) -> list[np.ndarray]:
    return [leaf for argument in arguments for leaf in tree_of(argument).leaves if isinstance(leaf, np.ndarray)]


def _output(t: Tracing, leaf: Any, path: str) -> Ref:
    place = f"result{path}" if path else "the result"
    if type(leaf) is not Array and not isinstance(leaf, (np.ndarray, np.generic, float, int)):
        raise Refused(f"{place} is a {type(leaf).__name__}", None, "return arrays of floats, in tuples, lists or dicts")
    dtype = leaf.dtype if isinstance(leaf, (np.ndarray, np.generic)) or type(leaf) is Array else np.asarray(leaf).dtype
    if not is_floating(dtype):
        raise Refused(f"{place} is of type {dtype.name}, not floating", None, "return floats alone, what is to be differentiated")
    if dtype != t.dtype and not isinstance(leaf, float):
        raise Refused(f"the function mixes {t.dtype.name} and {dtype.name}: {place} is {dtype.name}", None, "compute in one precision")
    return t.ref(leaf)


def _check_nothing_kept(t: Tracing) -> None:
    """Refuses a function that keeps a traced value in a global, a closure or an attribute."""
    if any(reference() is not None for reference, _ in t.live):
        gc.collect()
    for reference, line in t.live:
        if reference() is not None:
            raise Refused(
                "a traced value is kept beyond the call, in a global, a closure or an attribute: a side effect",
                line,
                "return the value, and keep nothing",
            )
    t.live.clear()


def _flat(result: Any, paths: Sequence[str]) -> Optional[list[np.ndarray]]:
    tree = tree_of(result)
    return [np.asarray(leaf) for leaf in tree.leaves] if tree.paths == list(paths) else None


def _are_near(first: Sequence[np.ndarray], second: Sequence[np.ndarray]) -> bool:
    """Tells whether two runs gave the same but for rounding, which may differ between arrays and scalars."""
    for old, new in zip(first, second):
        if old.shape != new.shape:
            return False
        one, two = old.astype(np.float64), new.astype(np.float64)
        finite = one[np.isfinite(one)]
        size = float(np.max(np.abs(finite), initial=0.0))
        near = float(np.sqrt(np.finfo(np.float32).eps if old.dtype.itemsize < 8 else np.finfo(np.float64).eps))
        if not np.allclose(one, two, rtol=near, atol=near * size, equal_nan=True):
            return False
    return True


def _differing(function: Callable[..., Any], arguments: Sequence[Any]) -> Refused:
    """Returns what to say of a function whose second run differs; looks for random numbers."""
    met: list[Optional[str]] = []
    last: list[tuple[str, int]] = []

    def state() -> tuple[Any, ...]:
        # This is where NumPy's generator and Python's own stand.
        drawn: Any = np.random.get_state()
        return drawn[1].tobytes(), drawn[2], random.getstate()

    known = state()

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal known
        if event in ("line", "return"):
            now = state()
            if now != known and last and not met:
                met.append(written_at(*last[-1]))
            known = now
            last.append((frame.f_code.co_filename, frame.f_lineno))
        return watch if not is_of_library(frame.f_code.co_filename) else None

    def unseeded(*given: Any, **options: Any) -> Any:
        if not given and not options and last and not met:
            met.append(written_at(*last[-1]))
        return made(*given, **options)

    made = np.random.default_rng
    old = sys.gettrace()
    try:
        with mock.patch.object(np.random, "default_rng", unseeded):
            sys.settrace(watch)
            function(*arguments)
    finally:
        sys.settrace(old)
    if met:
        return Refused("the function draws random numbers", met[0], "give the numbers as an argument, or draw from np.random.default_rng(seed)")
    return Refused(
        "the function gives other numbers when it is called again: it reads or writes something outside of itself, or draws random numbers",
        None,
        "give everything that it depends on as an argument, random numbers too",
    )
