"""Judges functions that libraries ship with derivative rules of their own, and prints what came of each.

`python strength/functions/shipped.py [LIBRARY …]`, of those in `LIBRARIES` that are installed. Every function is
judged in float64 (those of Liger-Kernel in float32) at 50 points, the special ones included, in the modes that
its library has.
"""

from __future__ import annotations

import importlib.util
import sys
from typing import Any, Callable, Iterator

import numpy as np

from shipped_jax import of_equinox, of_flax, of_jaxopt, of_optax
from shipped_liger import of_liger
from shipped_mygrad import of_mygrad

from adjudge import GradientError, NotJudged, Refused, check, var
from adjudge.errors import JudgeError

POINTS = 50

Asked = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def of_jax() -> Iterator[Asked]:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    from jax import nn
    from jax.scipy import linalg, special, stats

    x, unit, positive = var((5,)), var((5,), low=0.01, high=0.99), var((5,), low=0.1, high=5)
    elementwise = {
        "relu": nn.relu,
        "relu6": nn.relu6,
        "sigmoid": nn.sigmoid,
        "softplus": nn.softplus,
        "silu": nn.silu,
        "log_sigmoid": nn.log_sigmoid,
        "elu": nn.elu,
        "selu": nn.selu,
        "celu": nn.celu,
        "gelu": nn.gelu,
        "gelu, exact": lambda v: nn.gelu(v, approximate=False),
        "mish": nn.mish,
        "leaky_relu": nn.leaky_relu,
        "hard_tanh": nn.hard_tanh,
        "hard_sigmoid": nn.hard_sigmoid,
        "hard_silu": nn.hard_silu,
        "soft_sign": nn.soft_sign,
        "squareplus": nn.squareplus,
        "sparse_plus": nn.sparse_plus,
    }
    for name, function in elementwise.items():
        yield f"jax.nn.{name}", function, (x,), {}
    for name in ("softmax", "log_softmax", "logsumexp", "standardize"):
        yield f"jax.nn.{name}", getattr(nn, name), (var((2, 4)),), {}
    yield "jax.nn.glu", nn.glu, (var((2, 4)),), {}
    yield "jax.nn.logmeanexp", getattr(nn, "logmeanexp", special.logsumexp), (var((2, 4)),), {}
    heads = (var((1, 3, 2, 2)), var((1, 3, 2, 2)), var((1, 3, 2, 2)))
    yield "jax.nn.dot_product_attention", nn.dot_product_attention, heads, {}
    causal: Callable[..., Any] = lambda q, k, v: nn.dot_product_attention(q, k, v, is_causal=True)
    yield "jax.nn.dot_product_attention, causal", causal, heads, {}
    for name in ("erf", "erfc", "expit", "xlog1py", "xlogy", "log_ndtr", "ndtr", "entr"):
        function = getattr(special, name)
        pair = name.startswith("xlog")
        yield f"jax.scipy.special.{name}", function, (positive, positive) if pair else (positive,), {}
    yield "jax.scipy.special.logit", special.logit, (unit,), {}
    yield "jax.scipy.special.rel_entr", special.rel_entr, (positive, positive), {}
    yield "jax.scipy.special.kl_div", special.kl_div, (positive, positive), {}
    for name in ("logaddexp", "logaddexp2", "hypot", "arctan2", "power"):
        yield f"jax.numpy.{name}", getattr(jnp, name), (positive, positive), {}
    for name in ("sinc", "cbrt", "exp2", "log1p", "expm1", "arcsinh", "sqrt"):
        yield f"jax.numpy.{name}", getattr(jnp, name), (positive,), {}
    yield "jax.numpy.cumprod", jnp.cumprod, (x,), {}
    yield "jax.numpy.prod", jnp.prod, (x,), {}
    yield "jax.numpy.linalg.norm", jnp.linalg.norm, (x,), {}
    yield "jax.numpy.linalg.det", jnp.linalg.det, (var((3, 3)),), {}
    yield "jax.numpy.linalg.inv", jnp.linalg.inv, (var((3, 3), values="spd"),), {}
    yield "jax.numpy.linalg.solve", jnp.linalg.solve, (var((3, 3), values="spd"), var((3,))), {}
    yield "jax.numpy.linalg.cholesky", jnp.linalg.cholesky, (var((3, 3), values="spd"),), {}
    yield "jax.scipy.linalg.cho_factor", lambda a: linalg.cho_factor(a)[0], (var((3, 3), values="spd"),), {}
    yield "jax.scipy.stats.norm.logpdf", stats.norm.logpdf, (x, x, positive), {}
    yield "jax.scipy.stats.laplace.logpdf", stats.laplace.logpdf, (x,), {}


def of_torch() -> Iterator[Asked]:
    import torch
    import torch.nn.functional as F

    def tensor(shape: Any = (5,), **how: Any) -> Any:
        return var(shape, dtype=torch.float64, **how)

    x, positive = tensor(), tensor(low=0.1, high=5)
    for name in (
        "relu relu6 elu selu celu gelu silu mish softplus softsign tanhshrink logsigmoid hardtanh hardswish "
        "hardsigmoid hardshrink softshrink leaky_relu threshold"
    ).split():
        function = (lambda v: F.threshold(v, 0.1, 0.5)) if name == "threshold" else getattr(F, name)
        yield f"torch.nn.functional.{name}", function, (x,), {}
    yield "torch.nn.functional.gelu, tanh", lambda v: F.gelu(v, approximate="tanh"), (x,), {}
    for name in ("softmax", "log_softmax", "softmin", "normalize"):
        yield f"torch.nn.functional.{name}", (lambda v, f=getattr(F, name): f(v, dim=-1)), (tensor((2, 4)),), {}
    yield "torch.nn.functional.glu", F.glu, (tensor((2, 4)),), {}
    yield "torch.nn.functional.layer_norm", lambda v, w, b: F.layer_norm(v, (4,), w, b), (tensor((2, 4)), tensor((4,)), tensor((4,))), {}
    yield "torch.nn.functional.rms_norm", lambda v, w: F.rms_norm(v, (4,), w, 1e-5), (tensor((2, 4)), tensor((4,))), {}
    yield "torch.nn.functional.group_norm", lambda v: F.group_norm(v, 2), (tensor((2, 4, 2)),), {}
    yield "torch.nn.functional.batch_norm", lambda v: F.batch_norm(v, None, None, training=True), (tensor((4, 2)),), {}
    yield "torch.nn.functional.cross_entropy", F.cross_entropy, (tensor((3, 4)), var((3,), integers=4, dtype=torch.int64)), {}
    yield "torch.nn.functional.nll_loss", F.nll_loss, (tensor((3, 4)), var((3,), integers=4, dtype=torch.int64)), {}
    losses = "mse_loss l1_loss smooth_l1_loss huber_loss"
    for name in losses.split():
        yield f"torch.nn.functional.{name}", getattr(F, name), (x, x), {}
    yield "torch.nn.functional.soft_margin_loss", F.soft_margin_loss, (x, x), {"wrt": 0}
    bce = F.binary_cross_entropy_with_logits
    yield "torch.nn.functional.binary_cross_entropy_with_logits", bce, (x, tensor(low=0, high=1)), {}
    yield "torch.nn.functional.binary_cross_entropy", F.binary_cross_entropy, (tensor(low=0.01, high=0.99), tensor(low=0, high=1)), {}
    yield "torch.nn.functional.kl_div", F.kl_div, (x, positive), {}
    yield "torch.nn.functional.poisson_nll_loss", F.poisson_nll_loss, (x, positive), {}
    yield "torch.nn.functional.gaussian_nll_loss", F.gaussian_nll_loss, (x, x, positive), {}
    yield "torch.nn.functional.cosine_similarity", lambda a, b: F.cosine_similarity(a, b), (tensor((2, 3)), tensor((2, 3))), {}
    yield "torch.nn.functional.conv1d", F.conv1d, (tensor((1, 2, 5)), tensor((2, 2, 3))), {}
    yield "torch.nn.functional.conv2d", F.conv2d, (tensor((1, 1, 4, 4)), tensor((1, 1, 2, 2))), {}
    yield "torch.nn.functional.conv_transpose1d", F.conv_transpose1d, (tensor((1, 2, 3)), tensor((2, 1, 2))), {}
    yield "torch.nn.functional.max_pool1d", lambda v: F.max_pool1d(v, 2), (tensor((1, 1, 6)),), {}
    yield "torch.nn.functional.avg_pool2d", lambda v: F.avg_pool2d(v, 2), (tensor((1, 1, 4, 4)),), {}
    heads = (tensor((1, 1, 3, 2)), tensor((1, 1, 3, 2)), tensor((1, 1, 3, 2)))
    yield "torch.nn.functional.scaled_dot_product_attention", F.scaled_dot_product_attention, heads, {}
    causal: Callable[..., Any] = lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True)
    yield "torch.nn.functional.scaled_dot_product_attention, causal", causal, heads, {}
    for name in "erf erfc expit log1p expm1 exp2 entr log_ndtr ndtr xlogy xlog1py".split():
        function = getattr(torch.special, name)
        yield f"torch.special.{name}", function, (positive, positive) if name.startswith("xlog") else (positive,), {}
    yield "torch.special.logit", torch.special.logit, (tensor(low=0.01, high=0.99),), {}
    yield "torch.special.sinc", torch.special.sinc, (positive,), {}
    for name in "logaddexp hypot atan2 pow".split():
        yield f"torch.{name}", getattr(torch, name), (positive, positive), {}
    for name in "logcumsumexp cumprod".split():
        yield f"torch.{name}", (lambda v, f=getattr(torch, name): f(v, 0)), (tensor(low=-50, high=3),), {}
    for name in "prod std var norm logdet".split():
        arguments = (tensor((3, 3), values="spd"),) if name == "logdet" else (x,)
        yield f"torch.{name}", getattr(torch, name), arguments, {}
    for name in "det inv cholesky".split():
        yield f"torch.linalg.{name}", getattr(torch.linalg, name), (tensor((3, 3), values="spd"),), {}
    factor, right = tensor((2, 2), low=0.5, high=3), tensor((2, 1))
    yield "torch.cholesky_solve", lambda b, a: torch.cholesky_solve(b, a), (right, factor), {}
    yield "torch.cholesky_inverse", torch.cholesky_inverse, (factor,), {}
    for name in ("slice_scatter", "select_scatter", "diagonal_scatter", "as_strided_scatter"):
        how: Any = {"slice_scatter": (0, 1, 2), "select_scatter": (0, 1), "as_strided_scatter": ((2,), (1,))}.get(name, ())
        source = tensor((1, 2)) if name == "slice_scatter" else tensor((2,))
        scatter: Callable[..., Any] = lambda v, s, f=getattr(torch, name), h=how: f(v, s, *h)
        yield f"torch.{name}", scatter, (tensor((2, 2)), source), {}
    yield "torch.linalg.solve", torch.linalg.solve, (tensor((3, 3), values="spd"), tensor((3,))), {}


def of_autograd() -> Iterator[Asked]:
    import autograd
    import autograd.numpy as anp
    import autograd.scipy.special as special
    from scipy import special as plain

    def rule(function: Callable[..., Any]) -> Callable[..., Any]:
        def backward(arguments: Any, cotangent: Any) -> Any:
            pull_back, _ = autograd.make_vjp(lambda given: function(*given))(tuple(arguments))
            return list(pull_back(np.asarray(cotangent)))

        return backward

    x, positive = var((5,)), var((5,), low=0.1, high=5)
    pairs = {
        "logsumexp": (special.logsumexp, plain.logsumexp, (x,)),
        "erf": (special.erf, plain.erf, (x,)),
        "expit": (special.expit, plain.expit, (x,)),
        "logit": (special.logit, plain.logit, (var((5,), low=0.01, high=0.99),)),
    }
    for name, (theirs, ours, arguments) in pairs.items():
        yield f"autograd.scipy.special.{name}", ours, arguments, {"vjp": rule(theirs)}
    for name in "sinc logaddexp arctan2 cumsum prod var std fabs tanh".split():
        two = name in ("logaddexp", "arctan2")
        arguments = (positive, positive) if two else (x,)
        yield f"autograd.numpy.{name}", getattr(np, name), arguments, {"vjp": rule(getattr(anp, name))}
    yield "autograd.numpy.linalg.norm", np.linalg.norm, (x,), {"vjp": rule(anp.linalg.norm)}
    # At a singular matrix autograd raises.
    regular = (var((3, 3), values="spd"),)
    yield "autograd.numpy.linalg.det", np.linalg.det, regular, {"vjp": rule(anp.linalg.det)}
    matrices = (var((3, 3), values="spd"), var((3,)))
    yield "autograd.numpy.linalg.solve", np.linalg.solve, matrices, {"vjp": rule(anp.linalg.solve)}


LIBRARIES = {
    "jax": of_jax,
    "optax": of_optax,
    "jaxopt": of_jaxopt,
    "flax": of_flax,
    "equinox": of_equinox,
    "torch": of_torch,
    "liger_kernel": of_liger,
    "autograd": of_autograd,
    "mygrad": of_mygrad,
}


def outcome(name: str, function: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]) -> tuple[str, str]:
    """Returns what came of a function, in a word, and all that is told of it."""
    try:
        report = check(function, *arguments, points=POINTS, name=name, **options)
    except GradientError as error:
        return "wrong", str(error)
    except (JudgeError, NotJudged, Refused) as error:
        return "not judged", str(error)
    return "right", f"{report.decided} of {report.numbers} numbers"


def main() -> None:
    chosen = sys.argv[1:] or [name for name in LIBRARIES if importlib.util.find_spec(name)]
    counts: dict[str, int] = {}
    for library in chosen:
        for asked in LIBRARIES[library]():
            word, told = outcome(*asked)
            counts[word] = counts.get(word, 0) + 1
            name = asked[0] if asked[0].startswith(library) else f"{library}.{asked[0]}"
            print(f"{word}: {name}: {told}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))


if __name__ == "__main__":
    main()
