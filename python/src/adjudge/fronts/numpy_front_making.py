"""What makes arrays: NumPy's functions for it ask no argument, so they are exchanged during a run."""

from __future__ import annotations

import builtins
import os
import sys
import sysconfig
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import partial
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any, Callable, Collection, Iterator, Mapping, Optional, Sequence

import numpy as np

from .numpy_front_array import Array, Store, Tracing, is_floating
from .traced import is_of_library, source_line

# The run that is going on, if there is one.
running: ContextVar[Optional[Tracing]] = ContextVar("running", default=None)


def made_here(t: Tracing, data: np.ndarray) -> Any:
    """Returns data as an array into which traced values can be written; integers stay NumPy's own."""
    if data.dtype != t.dtype:
        return data
    t.graph.line = source_line()
    return Array(t, Store(t, data, None, True, False, frozenset()), data, None)


def _has_traced(value: Any) -> bool:
    if type(value) is Array:
        return True
    return isinstance(value, (list, tuple)) and any(map(_has_traced, value))


def array_of(value: Any) -> Any:
    """Returns nested lists of numbers and traced arrays as one array."""
    if not _has_traced(value):
        return np_array(value) if isinstance(value, (list, tuple)) else value
    if type(value) is Array:
        return value
    return np.stack([array_of(item) for item in value])


np_array: Callable[..., np.ndarray] = np.array


def _array(original: Callable[..., Any], copies: bool) -> Callable[..., Any]:
    def make(value: Any = None, dtype: Any = None, *rest: Any, **options: Any) -> Any:
        if not _has_traced(value):
            return original(value, dtype, *rest, **options) if dtype is not None else original(value, *rest, **options)
        made = array_of(value)
        if dtype is not None and np.dtype(dtype) != made.dtype:
            return made.astype(dtype)
        copy = options.get("copy", copies)
        if made is value and (copy is True or getattr(copy, "name", "") == "ALWAYS"):
            made = np.copy(made)
        least = options.get("ndmin", 0)
        if made.ndim < least:
            made = np.reshape(made, (1,) * (least - made.ndim) + made.shape)
        # A scalar of NumPy becomes an array of no axes.
        return Array(made._tracing, made._store, made._value, made._ref) if made._scalar else made

    return make


def _made(original: Callable[..., Any]) -> Callable[..., Any]:
    def make(*arguments: Any, **options: Any) -> Any:
        t = running.get()
        if t is None:
            return original(*arguments, **options)
        if original is _full and _has_traced([*arguments[1:2], options.get("fill_value")]):
            value: Any = options.get("fill_value", arguments[1] if len(arguments) > 1 else None)
            shape = arguments[0] if arguments else options["shape"]
            return np.copy(np.broadcast_to(value, shape))
        data = original(*arguments, **options)
        if original is _empty and is_floating(data.dtype):
            # What was in memory is no number of the function.
            data[...] = np.nan
        return made_here(t, data)

    return make


_empty, _full = np.empty, np.full


def filled(shape: Any, number: float, dtype: Any) -> np.ndarray:
    """Returns an array of NumPy's own, filled with a number, during a run too."""
    return _full(shape, number, dtype)

# These take traced values that stand in lists, and leave everything else to NumPy.
READING: dict[str, Callable[..., Any]] = {
    "array": _array(np.array, True),
    "asarray": _array(np.asarray, False),
    "asanyarray": _array(np.asanyarray, False),
    "ascontiguousarray": _array(np.ascontiguousarray, False),
    "asfortranarray": _array(np.asfortranarray, False),
}
# These make arrays into which traced values can be written.
MAKING = {name: _made(getattr(np, name)) for name in ("zeros", "ones", "empty", "full", "eye", "identity")}


def _proxy(changed: Mapping[str, Callable[..., Any]]) -> ModuleType:
    """Returns a module that is NumPy but for some functions."""
    module = ModuleType("numpy")
    module.__dict__.update({**vars(np), **changed})
    return module


@contextmanager
def exchanged(t: Tracing, functions: Sequence[Any]) -> Iterator[None]:
    """Exchanges the functions that make arrays, in the user's modules that the functions reach.

    NumPy itself stays as it is, since code that is not Python takes what it makes for its own arrays.
    """
    replaced: dict[int, Any] = {id(np): _proxy({**READING, **MAKING})}
    replaced.update({id(getattr(np, name)): made for name, made in {**READING, **MAKING}.items()})
    compatible = {id(np): _proxy(READING)}
    places = [(one, replaced) for one in _reached(functions)]
    # SciPy's functions in Python ask these whether an array is one.
    places += [(vars(module), compatible) for name, module in list(sys.modules.items()) if "array_api" in name and module]
    token = running.set(t)
    with ExitStack() as stack:
        stack.callback(running.reset, token)
        for place, changes in places:
            for name, value in list(place.items()):
                if id(value) in changes:
                    stack.callback(place.__setitem__, name, value)
                    place[name] = changes[id(value)]
        yield


class _Cells(dict[str, Any]):
    """The values that a function keeps from where it was made, as if they were globals."""

    def __init__(self, function: FunctionType) -> None:
        self.cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        super().__init__({name: cell.cell_contents for name, cell in self.cells.items() if _is_filled(cell)})

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self.cells[name].cell_contents = value


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _reached(functions: Sequence[Any]) -> list[dict[str, Any]]:
    """Returns the globals, and what closures keep, of all Python code of the user that functions can reach."""
    found: list[dict[str, Any]] = []
    met: set[int] = set()
    waiting = list(functions)
    packages = {str(getattr(one, "__module__", "")).split(".")[0] for one in functions}
    while waiting:
        one = waiting.pop()
        if id(one) in met:
            continue
        met.add(id(one))
        if isinstance(one, (partial, MethodType)):
            inside = [one.func, *one.args, *one.keywords.values()] if isinstance(one, partial) else [one.__func__, one.__self__]
            waiting.extend(inside)
            continue
        inner = getattr(one, "__wrapped__", None)
        if inner is not None:
            waiting.append(inner)
        if isinstance(one, FunctionType):
            if one.__closure__:
                cells = _Cells(one)
                found.append(cells)
                waiting.extend(cells.values())
            names = one.__globals__
        elif isinstance(one, ModuleType):
            names = vars(one)
        else:
            kind = one if isinstance(one, type) else type(one)
            names = vars(sys.modules.get(kind.__module__, builtins))
            held = list(getattr(one, "__dict__", {}).values()) if kind is not one else []
            if _is_users(names, packages):
                waiting.extend([*vars(kind).values(), *held])
            else:
                # Somebody's function may be within an object of another package.
                waiting.extend(value for value in held if callable(value))
        if id(names) not in met and _is_users(names, packages):
            met.add(id(names))
            found.append(names)
            waiting.extend(value for value in names.values() if callable(value) or isinstance(value, ModuleType))
    return found


def _is_users(names: Mapping[str, Any], packages: Collection[str]) -> bool:
    """Tells whether globals are those of Python code that is not installed, or in a package of the function."""
    file = names.get("__file__")
    if not isinstance(file, str):
        # Code that was executed, or written at the console, was found in no place.
        return names.get("__spec__") is None
    if not file.endswith(".py") or is_of_library(file):
        return False
    installed = f"{os.sep}site-packages{os.sep}" in file or f"{os.sep}dist-packages{os.sep}" in file
    if installed:
        return str(names.get("__name__")).split(".")[0] in packages
    return not file.startswith(STANDARD)


STANDARD = sysconfig.get_paths()["stdlib"] + os.sep
