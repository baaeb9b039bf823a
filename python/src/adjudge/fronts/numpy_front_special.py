"""Functions of scipy.special that are written in Python: each is an operator, not SciPy's lines."""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from types import CodeType, FunctionType
from typing import Any, Callable, Iterator, Sequence

import numpy as np

from .numpy_front_array import Array
from .numpy_front_functions import axes_of
from .traced import source_line


def _softmax(x: Any, axis: Any = None) -> Any:
    from adjudge.fronts import numpy_front_special

    return numpy_front_special.called("softmax", x, axis)


def _log_softmax(x: Any, axis: Any = None) -> Any:
    from adjudge.fronts import numpy_front_special

    return numpy_front_special.called("log_softmax", x, axis)


def _logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: Any = False, return_sign: Any = False) -> Any:
    from adjudge.fronts import numpy_front_special

    return numpy_front_special.called("logsumexp", a, axis, b, keepdims, return_sign)


REPLACED = {"softmax": _softmax, "log_softmax": _log_softmax, "logsumexp": _logsumexp}
# SciPy's own lines, for what is not an operator.
_own: dict[str, Callable[..., Any]] = {}


@contextmanager
def replaced() -> Iterator[None]:
    """Exchanges the code of the functions during a run, under whatever name they were imported."""
    special = sys.modules.get("scipy.special")
    with ExitStack() as stack:
        for name, function in REPLACED.items():
            own = getattr(special, name, None)
            if isinstance(own, FunctionType) and not own.__code__.co_freevars:
                _own[name] = _copied(own)
                stack.callback(setattr, own, "__code__", own.__code__)
                own.__code__ = _signed_as(own, function.__code__)
        yield


def _copied(function: FunctionType) -> FunctionType:
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, None)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _signed_as(function: FunctionType, code: CodeType) -> CodeType:
    """Returns the code, if it takes the arguments that the function takes; else the function's own."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    same = names == code.co_varnames[: code.co_argcount] and function.__code__.co_kwonlyargcount == 0
    return code if same else function.__code__


def called(name: str, x: Any, axis: Any, *rest: Any) -> Any:
    """Returns what SciPy's function returns, as one operator where that is what it is."""
    own = _own[name]
    if rest and rest[0] is not None and rest[2] is False and any(type(one) is Array for one in (x, rest[0])):
        return _weighted(x, axis, rest[0], rest[1] is True)
    plain = not rest or rest[0] is None and rest[2] is False
    if type(x) is not Array or x.is_known() or not plain or any(type(one) is Array for one in (axis, *rest)):
        return own(x, axis, *rest)
    t, g, ref = x._tracing, x._tracing.graph, x._current()
    g.line = source_line()
    axes = axes_of(axis, len(ref.shape))
    value = own(x._numbers(), axis, *rest)
    if name == "logsumexp":
        return t.wrap(value, g.reduce("logsumexp", ref, axes, bool(rest[1])), [x])
    return t.wrap(value, _along(g, name, ref, axes), [x])


def _weighted(x: Any, axis: Any, weights: Any, keepdims: bool) -> Any:
    """Returns the logarithm of the weighted sum of the exponentials."""
    x, weights = np.broadcast_arrays(x, weights)
    largest = np.max(x, axis=axis, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0)
    made = np.log(np.sum(weights * np.exp(x - largest), axis=axis, keepdims=True)) + largest
    return made if keepdims else np.squeeze(made, axis=axis)


def _along(g: Any, name: str, x: Any, axes: Sequence[int]) -> Any:
    """Returns softmax or its logarithm along several axes: those axes are put in one row, and back."""
    if len(axes) == 1:
        return g.op(name, x, axis=axes[0])
    rest = [axis for axis in range(len(x.shape)) if axis not in axes]
    order = [*rest, *axes]
    turned = g.permute_dims(x, order)
    row = g.op(name, g.reshape(turned, (*(x.shape[axis] for axis in rest), -1)), axis=len(rest))
    return g.permute_dims(g.reshape(row, turned.shape), np.argsort(order).tolist())
