"""What PyTorch's front watches besides operators: numbers that leave tensors, and custom functions."""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import Any, Callable, Iterator, Mapping, Sequence

import torch
from torch.overrides import TorchFunctionMode

from ..graph import Refused
from .torch_front_recorder import REFERENCE, Recorder
from .torch_front_whole import rewritten
from .traced import source_line

# What takes numbers out of tensors, past PyTorch's operators.
LEAKS = (
    "numpy",
    "__array__",
    "tolist",
    "data_ptr",
    "__dlpack__",
    "untyped_storage",
    "storage",
    "_typed_storage",
)


class Leaks(TorchFunctionMode):
    """Sees where numbers leave the tensors by other ways than operators."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        if name in LEAKS and args and self._recorder.is_tracked(args[0]):
            recorder = self._recorder
            if recorder.depth > 0 or name not in ("numpy", "__array__", "tolist"):
                what = f"numbers leave the tensors by {name}, so that what is made of them is not seen"
                raise Refused(what, source_line(), REFERENCE)
            recorder.pointwise = True
        if name == "max_pool1d" and self._recorder.is_tracked(args[0]) and not torch.is_grad_enabled():
            # Without a gradient PyTorch has a kernel for it that no dispatcher sees.
            return torch.nn.functional.max_pool1d_with_indices(*args, **(kwargs or {}))[0]
        return rewritten(self._recorder, func, args, kwargs or {})


@contextlib.contextmanager
def within_functions(recorder: Recorder) -> Iterator[None]:
    """Notices when an `autograd.Function` runs: within it everything counts as the primal.

    Whoever holds `Function.apply` already calls the class's `forward` through it, so that is exchanged in
    each class that there is. Classes that the function defines itself are met by the `apply` that they
    inherit.
    """
    own = torch.autograd.Function.__dict__["apply"]

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        return entered(recorder, own.__get__(None, cls), args, kwargs)

    forwards = [
        (cls, cls.__dict__["forward"])
        for cls in classes(torch.autograd.Function)
        if "forward" in cls.__dict__
    ]
    torch.autograd.Function.apply = classmethod(apply)  # type: ignore[method-assign, assignment]
    try:
        for cls, forward in forwards:
            if isinstance(forward, staticmethod):
                cls.forward = staticmethod(watched(recorder, forward.__func__))
        yield
    finally:
        torch.autograd.Function.apply = own  # type: ignore[method-assign]
        for cls, forward in forwards:
            cls.forward = forward


def classes(kind: Any) -> list[Any]:
    """Returns all classes that are derived from one."""
    found = dict.fromkeys(kind.__subclasses__())
    return [*found, *(each for cls in found for each in classes(cls))]


def watched(recorder: Recorder, forward: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a `forward` that tells the recorder when it runs."""

    @functools.wraps(forward)
    def run(*args: Any, **kwargs: Any) -> Any:
        return entered(recorder, forward, args, kwargs)

    return run


def entered(
    recorder: Recorder, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Calls what a custom function consists of. An argument without a derivative outside has none within."""
    if recorder.depth == 0:
        args = [x.clone() if recorder.is_stopped(x) else x for x in args]
    recorder.depth += 1
    try:
        return function(*args, **kwargs)
    finally:
        recorder.depth -= 1


@contextlib.contextmanager
def plain_paths() -> Iterator[None]:
    """Keeps to PyTorch's ordinary operators: no fused layers, no compiler."""
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.backends.mkldnn.flags(enabled=False))
            # Who has compiled something has loaded this, which takes seconds.
            if "torch._dynamo" in sys.modules:
                stack.enter_context(torch.compiler.set_stance("force_eager"))
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
