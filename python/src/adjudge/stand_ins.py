"""Checks under the names that test suites have already, of PyTorch and of JAX, with the same arguments.

A suite changes its import. Tolerances and steps of differences are taken, and a warning says once that they
are not needed: what is allowed is derived for each number.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Callable, Optional, Sequence, Union

from .checking import Asked, run
from .errors import CheckError, GradientError, UnneededTolerance

_said = False


def _unneeded(**given: Any) -> None:
    """Warns, once in a process, of tolerances that are not those of the original."""
    global _said
    names = [name for name, value in given.items() if value is not None]
    if names and not _said:
        _said = True
        why = "what is allowed is derived for each number"
        warnings.warn(f"{', '.join(names)}: not needed and not read, since {why}", UnneededTolerance, stacklevel=3)


# ---- torch.autograd --------------------------------------------------------------------------------------


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: Optional[float] = None,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    raise_exception: bool = True,
    nondet_tol: Optional[float] = None,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: Optional[bool] = None,
) -> bool:
    """Judges first derivatives by the inputs that require gradients, as `torch.autograd.gradcheck` is called.

    Returns true, or raises an error that is torch's `GradcheckError` too, and returns false without
    `raise_exception`. Gradients of batches and undefined ones are not asked.
    """
    __tracebackhide__ = True
    _unneeded(eps=eps, atol=atol, rtol=rtol, nondet_tol=nondet_tol or None)
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    modes = tuple(["vjp"] * check_backward_ad + ["jvp"] * check_forward_ad)
    return _like_torch(func, inputs, Asked(modes=modes), raise_exception)


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: Optional[float] = None,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: Optional[float] = None,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Judges the derivatives of the gradients, as `torch.autograd.gradgradcheck` is called.

    The cotangents are drawn, whatever `grad_outputs` says.
    """
    __tracebackhide__ = True
    _unneeded(eps=eps, atol=atol, rtol=rtol, nondet_tol=nondet_tol or None)
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    modes = tuple(["vjp"] * check_rev_over_rev + ["jvp"] * check_fwd_over_rev)
    return _like_torch(func, inputs, Asked(modes=modes, order=2, first=False), raise_exception)


def _like_torch(func: Callable[..., Any], inputs: Any, asked: Asked, raises: bool) -> bool:
    __tracebackhide__ = True
    import torch
    from torch.autograd.gradcheck import GradcheckError  # type: ignore[attr-defined]

    arguments = (inputs,) if isinstance(inputs, torch.Tensor) else tuple(inputs)
    wrt = [place for place, x in enumerate(arguments) if isinstance(x, torch.Tensor) and x.requires_grad]
    if not wrt:
        raise ValueError("gradcheck expects at least one input tensor to require gradient")
    try:
        run(func, arguments, replace(asked, wrt=wrt))
    except GradientError as error:
        if not raises:
            return False
        both = type("GradientError", (GradientError, GradcheckError), {"__module__": __name__})
        raise both(error.report) from error.__cause__
    return True


# ---- jax.test_util ---------------------------------------------------------------------------------------


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    order: int,
    modes: Union[str, Sequence[str]] = ("fwd", "rev"),
    atol: Any = None,
    rtol: Any = None,
    eps: Optional[float] = None,
) -> None:
    """Judges derivatives up to an order, as `jax.test_util.check_grads` is called; raises AssertionErrors."""
    __tracebackhide__ = True
    _unneeded(atol=atol, rtol=rtol, eps=eps)
    meant = {"fwd": "jvp", "rev": "vjp", "lin": "jvp"}
    words = [modes] if isinstance(modes, str) else list(modes)
    if not words or any(word not in meant for word in words):
        raise CheckError(f"modes={modes!r}", hint="they are of 'fwd', 'rev' and 'lin'")
    chosen = tuple(dict.fromkeys(meant[word] for word in words))
    run(f, tuple(args), Asked(order=order, modes=chosen, derives=chosen))


def check_vjp(
    f: Callable[..., Any],
    f_vjp: Callable[..., Any],
    args: Sequence[Any],
    atol: Any = None,
    rtol: Any = None,
    eps: Optional[float] = None,
    err_msg: str = "",
) -> None:
    """Judges a pullback, as jax's `check_vjp` is called: `f_vjp(*args)` is the value and the pullback."""
    __tracebackhide__ = True
    _unneeded(atol=atol, rtol=rtol, eps=eps)
    run(f, tuple(args), Asked(vjp=lambda arguments, bar: f_vjp(*arguments)[1](bar), name=err_msg or None))


def check_jvp(
    f: Callable[..., Any],
    f_jvp: Callable[..., Any],
    args: Sequence[Any],
    atol: Any = None,
    rtol: Any = None,
    eps: Optional[float] = None,
    err_msg: str = "",
) -> None:
    """Judges a tangent, as jax's `check_jvp` is called: `f_jvp(args, tangents)` is the value and it."""
    __tracebackhide__ = True
    _unneeded(atol=atol, rtol=rtol, eps=eps)
    run(f, tuple(args), Asked(jvp=lambda arguments, dots: f_jvp(arguments, dots)[1], name=err_msg or None))
