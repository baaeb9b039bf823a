"""Functions and layers of PyTorch that are traced and held against the truth: (name, function, arguments).

The arguments are drawn from a seed: floating arrays are inputs, integers and Booleans data.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

Entry = tuple[str, Callable[..., Any], list[Any]]

random = np.random.default_rng(36)


def normal(*shape: int) -> np.ndarray:
    """Draws numbers of a few digits, none of them zero."""
    drawn = np.round(random.normal(size=shape) * 64) / 64
    return np.where(drawn == 0, 0.5, drawn)


def positive(*shape: int) -> np.ndarray:
    """Draws positive numbers."""
    return np.abs(normal(*shape)) + 0.125


def between(*shape: int) -> np.ndarray:
    """Draws numbers between 0 and 1."""
    return np.round(random.uniform(0.05, 0.95, size=shape) * 64) / 64


def integers(below: int, *shape: int) -> np.ndarray:
    """Draws integers from 0 up."""
    return random.integers(0, below, size=shape)


def spd(count: int) -> np.ndarray:
    """Draws a symmetric matrix that is positive definite."""
    x = normal(count, count)
    return x @ x.T + count * np.eye(count)


torch.manual_seed(36)


def layer(made: nn.Module) -> nn.Module:
    """Makes a layer for float64, which draws nothing."""
    return made.double().eval()


def filled(made: nn.Module) -> nn.Module:
    """Gives a normalisation scales and offsets of its own."""
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.copy_(torch.from_numpy(normal(*parameter.shape)))
    return made.double()


class Exponential(torch.autograd.Function):
    """A function with a rule of its own."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        y = torch.exp(x.view(-1)) * w.view(-1)
        ctx.save_for_backward(y, x, w)
        return y

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y, x, w = ctx.saved_tensors
        return (g * y).view_as(x), (g * torch.exp(x.view(-1))).view_as(w)


class Stepwise(torch.autograd.Function):
    """A function whose forward writes in place, and which has a forward mode."""

    @staticmethod
    def forward(x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        out.copy_(x)
        out.mul_(x)
        out[0] += 1
        return out

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return 2 * x * g

    @staticmethod
    def jvp(ctx: Any, t: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return 2 * x * t


def part_of_zeros(x: torch.Tensor) -> torch.Tensor:
    out = torch.zeros(4, 5, dtype=x.dtype)
    out[1:3, ::2] = x
    return out


def in_place(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    view = y[:, 1]
    view.mul_(3)
    y[0] = torch.sin(x[1])
    y.t().add_(1)
    return y * view[:1]


def filled_up(x: torch.Tensor) -> torch.Tensor:
    out = torch.zeros(4, dtype=x.dtype)
    for place in range(4):
        out[place] = x[place % 2, 0] * place
    return out


def partial_no_grad(x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        most = x.amax(-1, keepdim=True)
    return torch.exp(x - most) + x.detach() * x


def stopped_argument(x: torch.Tensor) -> torch.Tensor:
    return Exponential.apply(x, x.detach())


def second_derivative(x: torch.Tensor) -> torch.Tensor:
    u = torch.tanh(x) * x**3
    (du,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    (ddu,) = torch.autograd.grad(du.sum(), x, create_graph=True)
    return ddu + x


def penalty(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that differentiates another one within itself."""

    def penalised(x: torch.Tensor, *rest: torch.Tensor) -> torch.Tensor:
        y = function(x, *rest)
        (slope,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
        return slope * x

    return penalised


def branch(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x) if x.sum() > 0 else torch.cos(x)


def tree(x: torch.Tensor, p: Any) -> Any:
    return {"sum": x + p["w"], "rest": [x * p["v"][0], x]}


FUNCTIONS: list[Entry] = [
    *(
        (name, getattr(torch, name), [normal(3, 4)])
        for name in "neg exp sin cos tanh sinh cosh asinh atan abs sign".split()
    ),
    *(
        (name, getattr(torch, name), [normal(3, 4)])
        for name in "expm1 sigmoid erf erfc floor ceil trunc round frac exp2 square".split()
    ),
    *(
        (name, getattr(torch, name), [positive(3, 4)])
        for name in "log log2 log10 log1p sqrt rsqrt reciprocal".split()
    ),
    *((name, getattr(torch, name), [between(3, 4)]) for name in "asin acos atanh tan logit".split()),
    ("acosh", torch.acosh, [positive(3, 4) + 1]),
    ("sinc", torch.sinc, [normal(3, 4)]),
    ("pow of numbers", lambda x: x**3 + x**2 + 2**x, [normal(3, 4)]),
    ("pow", torch.pow, [positive(3, 4), normal(3, 4)]),
    ("remainder", torch.remainder, [normal(3, 4), positive(3, 4)]),
    ("fmod", torch.fmod, [normal(3, 4), normal(3, 4)]),
    (
        "divide, rounded",
        lambda x, y: torch.div(x, y, rounding_mode="floor") + torch.div(x, y, rounding_mode="trunc") * x,
        [normal(3, 4), normal(3, 4)],
    ),
    ("atan2", torch.atan2, [normal(3, 4), normal(3, 4)]),
    ("hypot", torch.hypot, [normal(3, 4), normal(3, 4)]),
    ("copysign", torch.copysign, [normal(3, 4), normal(3, 4)]),
    (
        "maximum, minimum",
        lambda x, y: torch.maximum(x, y) + torch.minimum(x, 2 * y),
        [normal(3, 4), normal(3, 4)],
    ),
    ("fmax, fmin", lambda x, y: torch.fmax(x, y) * torch.fmin(x, y), [normal(3, 4), normal(3, 4)]),
    ("clamp", lambda x: x.clamp(-0.5, 0.75) + x.clamp(min=0.25) + x.clamp_max(0.125), [normal(3, 4)]),
    ("clamp by tensors", torch.clamp, [normal(3, 4), -positive(3, 4), positive(3, 4)]),
    ("where", lambda x, y: torch.where(x > 0.25, x * y, y), [normal(3, 4), normal(3, 4)]),
    ("masked_fill", lambda x, m: x.masked_fill(m, 2.0) * x, [normal(3, 4), integers(2, 3, 4).astype(bool)]),
    (
        "masks",
        lambda x, m: torch.where(~m & (x < 1), x.exp(), x),
        [normal(3, 4), integers(2, 3, 4).astype(bool)],
    ),
    ("lerp", torch.lerp, [normal(3, 4), normal(3, 4), between(3, 4)]),
    (
        "addcmul, addcdiv",
        lambda x, y, z: torch.addcmul(x, y, z, value=0.5) + torch.addcdiv(x, y, z, value=2),
        [normal(3), normal(3), positive(3)],
    ),
    ("logaddexp", torch.logaddexp, [normal(3, 4), normal(3, 4)]),
    ("logaddexp2", torch.logaddexp2, [normal(3, 4), normal(3, 4)]),
    (
        "nan_to_num, heaviside",
        lambda x: torch.nan_to_num(x) * torch.heaviside(x.detach(), torch.ones((), dtype=x.dtype)),
        [normal(3, 4)],
    ),
    ("special.xlogy", torch.special.xlogy, [normal(3, 4), positive(3, 4)]),
    ("special.xlog1py", torch.special.xlog1py, [normal(3, 4), positive(3, 4)]),
    ("special.entr", torch.special.entr, [positive(3, 4)]),
    ("special.expit, ndtr", lambda x: torch.special.expit(x) + torch.special.ndtr(x), [normal(3, 4)]),
    *(
        (name, getattr(F, name), [normal(3, 4)])
        for name in "relu relu6 silu gelu elu selu celu leaky_relu softplus".split()
    ),
    *(
        (name, getattr(F, name), [normal(3, 4)])
        for name in "hardtanh hardswish hardsigmoid mish logsigmoid softsign tanhshrink".split()
    ),
    *((name, getattr(F, name), [normal(3, 4)]) for name in "softshrink hardshrink glu".split()),
    ("gelu, tanh form", lambda x: F.gelu(x, approximate="tanh"), [normal(3, 4)]),
    ("softplus, scaled", lambda x: F.softplus(x, beta=3, threshold=2), [normal(3, 4)]),
    ("threshold", lambda x: F.threshold(x, 0.1, 20), [normal(3, 4)]),
    ("prelu", F.prelu, [normal(2, 3, 2), positive(3)]),
    ("softmax", lambda x: F.softmax(x, 1), [normal(3, 4)]),
    ("softmin", lambda x: F.softmin(x, 0), [normal(3, 4)]),
    ("log_softmax", lambda x: F.log_softmax(x, -1), [normal(3, 4)]),
    ("sum", lambda x: x.sum() + x.sum(1) + x.sum((0, 2), keepdim=True), [normal(3, 3, 3)]),
    ("mean", lambda x: x.mean() + x.mean(1), [normal(3, 3)]),
    ("amax, amin", lambda x: x.amax(1) * x.amin((0, 1)), [normal(3, 3)]),
    ("max, min", lambda x: x.max(1).values * x.min(0)[0] + x.max(), [normal(3, 3)]),
    ("aminmax", lambda x: torch.aminmax(x, dim=1), [normal(3, 3)]),
    ("prod", lambda x: x.prod(1) + x.prod(), [normal(3, 3)]),
    ("var", lambda x: torch.var(x, 1) + torch.var(x, 0, correction=0) + torch.var(x), [normal(3, 3)]),
    ("std_mean", lambda x: torch.std_mean(x, 1), [normal(3, 3)]),
    ("logsumexp", lambda x: torch.logsumexp(x, (0, 1)) + torch.logsumexp(x, 1), [normal(3, 3)]),
    (
        "norms",
        lambda x: (
            x.norm()
            + torch.linalg.vector_norm(x, 1, 1)
            + x.norm(3, 0)
            + torch.linalg.vector_norm(x, float("inf"))
        ),
        [normal(3, 3)],
    ),
    (
        "any, all",
        lambda x: torch.where((x > 1).any(1, keepdim=True) | (x > -1).all(0), x, 2 * x),
        [normal(3, 3)],
    ),
    ("argmax as numbers", lambda x: x.argmax(1) * x.sum(1), [normal(3, 4)]),
    ("cumsum", lambda x: x.cumsum(1), [normal(3, 4)]),
    ("cumprod", lambda x: x.cumprod(0), [normal(3, 4)]),
    ("logcumsumexp", lambda x: x.logcumsumexp(1), [normal(3, 4)]),
    ("cummax", lambda x: x.cummax(1).values + x.cummin(0).values, [normal(3, 4)]),
    ("sort", lambda x: x.sort(1, descending=True).values * x.msort(), [normal(3, 4)]),
    ("sort, places used", lambda x, y: y.gather(1, x.argsort(1)), [normal(3, 4), normal(3, 4)]),
    ("topk", lambda x: x.topk(2, 1).values + x.topk(2, 1, largest=False).values, [normal(3, 4)]),
    ("median, kthvalue", lambda x: x.median(1).values * x.median() + x.kthvalue(2, 1).values, [normal(3, 4)]),
    ("quantile", lambda x: torch.quantile(x, 0.3, dim=1), [normal(3, 4)]),
    ("diff, trapezoid", lambda x: x.diff(dim=1).sum(1) + torch.trapezoid(x), [normal(3, 4)]),
    (
        "dist, renorm",
        lambda x, y: torch.dist(x, y) * torch.renorm(x, 2, 0, 1.0),
        [normal(3, 4), normal(3, 4)],
    ),
    ("cov, corrcoef", lambda x: torch.cov(x) + torch.corrcoef(x), [normal(3, 4)]),
    (
        "reshape, permute",
        lambda x: x.reshape(4, 6).t().view(2, 3, 4).permute(2, 0, 1).transpose(0, 1),
        [normal(2, 3, 4)],
    ),
    (
        "squeeze, expand",
        lambda x: x.unsqueeze(1).expand(2, 5, 3).squeeze() * x.squeeze(0)[:, None],
        [normal(2, 3)],
    ),
    ("slices", lambda x: x[1:, ::2] * x[0, 1] + x.narrow(1, 1, 2)[:2] + x.select(1, -1)[:1], [normal(3, 4)]),
    (
        "split, chunk, unbind",
        lambda x: torch.cat([*x.split([1, 3], 1), *x.chunk(2, 1)], 1) * x.unbind(1)[2][:, None],
        [normal(3, 4)],
    ),
    (
        "stack, cat",
        lambda x, y: torch.stack([x, y], 1).sum(0) + torch.hstack([x, y])[:2, :3],
        [normal(2, 3), normal(2, 3)],
    ),
    ("repeat, tile", lambda x: x.repeat(2, 1, 2) + x.tile(1, 2) + x.repeat_interleave(2, 1), [normal(2, 3)]),
    ("flip, roll, rot90", lambda x: x.flip(0, 1) * x.roll(2, 1) + x.roll(1) * x.rot90().t(), [normal(3, 3)]),
    ("tril, triu", lambda x: x.tril(-1) + x.triu(1) * 2, [normal(3, 4)]),
    (
        "diagonals",
        lambda x: x.diagonal(1).diag_embed()[:2, :2] + torch.diag(x)[:2] + x.trace(),
        [normal(3, 3)],
    ),
    ("unfold", lambda x: x.unfold(1, 2, 1).sum(-1), [normal(3, 5)]),
    ("as_strided", lambda x: x.as_strided((2, 2), (1, 2), 1) * 2, [normal(3, 3)]),
    (
        "movedim, meshgrid",
        lambda x, y: torch.meshgrid(x, y, indexing="ij")[0] * y + x.movedim(0, 0)[:, None],
        [normal(3), normal(4)],
    ),
    ("constant_pad_nd", lambda x: F.pad(x, (1, 2, -1, 1), value=2.0), [normal(3, 4)]),
    ("reflection_pad", lambda x: F.pad(x, (1, 2), mode="reflect"), [normal(1, 2, 4)]),
    ("replication_pad", lambda x: F.pad(x, (1, 2, 0, 1), mode="replicate"), [normal(1, 2, 3, 3)]),
    ("circular pad", lambda x: F.pad(x, (1, 2), mode="circular"), [normal(1, 2, 4)]),
    ("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), [normal(1, 4, 2, 2)]),
    ("unfold, fold", lambda x: F.fold(F.unfold(x, 2), (4, 4), 2), [normal(1, 2, 4, 4)]),
    ("gather", lambda x, i: x.gather(1, i), [normal(3, 4), integers(4, 2, 5)]),
    ("index_select", lambda x, i: x.index_select(1, i), [normal(3, 4), integers(4, 5)]),
    (
        "index",
        lambda x, i, j: x[i] + x[i, j][:, None] + x[:, -1],
        [normal(4, 4), integers(4, 4), integers(4, 4)],
    ),
    (
        "take, take_along_dim",
        lambda x, i: torch.take(x, i) + torch.take_along_dim(x, i[:, :1] % 4, 1),
        [normal(3, 4), integers(12, 3, 2)],
    ),
    (
        "scatter",
        lambda x, i, y: x.scatter(1, i, y) + x.scatter(1, i, 2.0),
        [normal(3, 4), np.array([[0, 2], [1, 3], [3, 0]]), normal(3, 2)],
    ),
    ("scatter_add", lambda x, i, y: x.scatter_add(1, i, y), [normal(3, 4), integers(4, 3, 6), normal(3, 6)]),
    *(
        (
            f"scatter_reduce, {how}",
            lambda x, i, y, how=how: x.scatter_reduce(1, i, y, how, include_self=how == "sum"),
            [normal(3, 4), integers(4, 3, 6), normal(3, 6)],
        )
        for how in ("sum", "mean", "prod", "amax", "amin")
    ),
    (
        "index_add, index_copy",
        lambda x, i, y: x.index_add(0, i, y, alpha=0.5) + x.index_copy(0, i, y),
        [normal(4, 3), np.array([2, 0]), normal(2, 3)],
    ),
    (
        "index_put",
        lambda x, i, y: x.index_put((i,), y, accumulate=True) + x.index_put((i,), y),
        [normal(4, 3), np.array([2, 0]), normal(2, 3)],
    ),
    (
        "index_fill, masked_scatter",
        lambda x, i, y: x.index_fill(1, i, 3.0) * x.masked_scatter(torch.eye(3, dtype=torch.bool), y),
        [normal(3, 3), np.array([1]), normal(3)],
    ),
    (
        "slice_scatter",
        lambda x, y: (
            x.slice_scatter(y, 1, 1, 3) + x.select_scatter(y[:, 0], 1, 0) + x.diagonal_scatter(y[:, 1])
        ),
        [normal(3, 3), normal(3, 2)],
    ),
    (
        "slice_scatter of zeros",
        lambda x: torch.zeros(3, 6, dtype=x.dtype).slice_scatter(x, 1, -5, None, 2),
        [normal(3, 3)],
    ),
    ("a part of zeros", part_of_zeros, [normal(2, 3)]),
    ("writes in place", in_place, [normal(2, 3)]),
    ("writes element by element", filled_up, [normal(2, 3)]),
    ("matmul", lambda x, y, v: x @ y + (x @ v)[:, None] + v @ v, [normal(2, 3), normal(3, 3), normal(3)]),
    ("batched matmul", torch.matmul, [normal(2, 1, 2, 3), normal(3, 3, 2)]),
    ("einsum", lambda x, y: torch.einsum("bij,bkj->bik", x, y), [normal(2, 2, 3), normal(2, 4, 3)]),
    (
        "einsum, implicit",
        lambda x, y: torch.einsum("ij, jk", x, y) + torch.einsum("ba", torch.einsum("ii,jk", x, y)).mT,
        [normal(2, 2), normal(2, 3)],
    ),
    (
        "einsum, ellipsis",
        lambda x, y: torch.einsum("...ij,...kj->...ik", x, y),
        [normal(2, 1, 2, 3), normal(3, 4, 3)],
    ),
    (
        "einsum, lists",
        lambda x, y: torch.einsum(x, [0, 1], y, [1, 2], [2, 0]),
        [normal(2, 3), normal(3, 2)],
    ),
    (
        "vecdot",
        lambda x, y: torch.linalg.vecdot(x, y, dim=0) + torch.linalg.vecdot(x[:1], y).sum(),
        [normal(2, 3), normal(2, 3)],
    ),
    (
        "addmm",
        lambda c, x, y: torch.addmm(c, x, y, beta=0.5, alpha=2),
        [normal(2, 2), normal(2, 3), normal(3, 2)],
    ),
    (
        "baddbmm, addmv, addr",
        lambda c, x, y, v: (
            torch.baddbmm(c, x, y).sum(0) + torch.addmv(v, x[0], y[0, :, 0]) + torch.addr(c[0], v, v)
        ),
        [normal(2, 2, 2), normal(2, 2, 3), normal(2, 3, 2), normal(2)],
    ),
    ("linear", F.linear, [normal(2, 3), normal(4, 3), normal(4)]),
    ("bilinear", F.bilinear, [normal(2, 3), normal(2, 2), normal(4, 3, 2), normal(4)]),
    (
        "outer, kron, cross",
        lambda x, y: torch.outer(x, y) + torch.kron(x, y)[:3] * torch.linalg.cross(x, y),
        [normal(3), normal(3)],
    ),
    ("cdist", torch.cdist, [normal(3, 2), normal(4, 2)]),
    ("pdist", F.pdist, [normal(4, 2)]),
    ("cosine_similarity", F.cosine_similarity, [normal(3, 4), normal(3, 4)]),
    ("pairwise_distance", F.pairwise_distance, [normal(3, 4), normal(3, 4)]),
    ("normalize", F.normalize, [normal(3, 4)]),
    ("linalg.solve", torch.linalg.solve, [normal(3, 3) + 3 * np.eye(3), normal(3, 2)]),
    ("linalg.inv, det", lambda x: torch.linalg.inv(x) * torch.linalg.det(x), [normal(3, 3) + 3 * np.eye(3)]),
    ("linalg.slogdet", lambda x: torch.linalg.slogdet(x).logabsdet + torch.logdet(x), [spd(3)]),
    ("linalg.cholesky", torch.linalg.cholesky, [spd(3)]),
    (
        "linalg.solve_triangular",
        lambda x, y: torch.linalg.solve_triangular(x, y, upper=True),
        [normal(3, 3) + 3 * np.eye(3), normal(3, 2)],
    ),
    (
        "cholesky_solve",
        lambda x, y: torch.cholesky_solve(y, torch.linalg.cholesky(x)),
        [spd(3), normal(3, 1)],
    ),
    ("linalg.matrix_power", lambda x: torch.linalg.matrix_power(x, 3), [normal(3, 3)]),
    (
        "conv1d",
        lambda x, w, b: F.conv1d(x, w, b, stride=2, padding=1),
        [normal(2, 3, 6), normal(4, 3, 3), normal(4)],
    ),
    (
        "conv2d",
        lambda x, w: F.conv2d(x, w, dilation=(1, 2), groups=2),
        [normal(1, 4, 4, 5), normal(2, 2, 2, 2)],
    ),
    ("conv2d, same", lambda x, w: F.conv2d(x, w, padding="same"), [normal(1, 2, 3, 3), normal(2, 2, 2, 3)]),
    ("conv3d", F.conv3d, [normal(1, 1, 3, 3, 3), normal(1, 1, 2, 2, 2)]),
    (
        "conv_transpose1d",
        lambda x, w: F.conv_transpose1d(x, w, stride=2, output_padding=1),
        [normal(1, 2, 3), normal(2, 2, 3)],
    ),
    (
        "conv_transpose2d",
        lambda x, w, b: F.conv_transpose2d(x, w, b, stride=2, padding=1, groups=2),
        [normal(1, 2, 3, 3), normal(2, 1, 3, 3), normal(2)],
    ),
    ("max_pool1d", lambda x: F.max_pool1d(x, 2), [normal(1, 2, 5)]),
    ("max_pool2d", lambda x: F.max_pool2d(x, 3, 2, 1), [normal(1, 2, 5, 5)]),
    (
        "max_pool2d, dilated",
        lambda x: F.max_pool2d(x, 2, 1, dilation=2, ceil_mode=True),
        [normal(1, 1, 5, 5)],
    ),
    ("max_pool3d", lambda x: F.max_pool3d(x, 2), [normal(1, 1, 2, 4, 2)]),
    ("avg_pool1d", lambda x: F.avg_pool1d(x, 2, 1, 1), [normal(1, 2, 4)]),
    ("avg_pool2d", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), [normal(1, 2, 4, 4)]),
    (
        "max_pool2d of what is padded",
        lambda x: F.max_pool2d(F.pad(x, (1, 0, 0, 1), value=-np.inf), 2, 1),
        [normal(1, 2, 3, 3)],
    ),
    (
        "avg_pool2d of what is padded",
        lambda x: F.avg_pool2d(F.pad(x, (1, 0, 0, 1)), 2, 1, count_include_pad=False),
        [normal(1, 2, 3, 3)],
    ),
    (
        "avg_pool2d, ceil",
        lambda x: (
            F.avg_pool2d(x, 2, 2, 1, ceil_mode=True)
            + F.avg_pool2d(x, 2, 2, 1, ceil_mode=True, divisor_override=3)
        ),
        [normal(1, 1, 4, 4)],
    ),
    ("adaptive_avg_pool2d", lambda x: F.adaptive_avg_pool2d(x, (2, 3)), [normal(1, 2, 5, 4)]),
    ("adaptive_max_pool1d", lambda x: F.adaptive_max_pool1d(x, 3), [normal(1, 2, 5)]),
    ("lp_pool2d", lambda x: F.lp_pool2d(x, 2, 2), [positive(1, 1, 4, 4)]),
    ("interpolate, nearest", lambda x: F.interpolate(x, scale_factor=2), [normal(1, 2, 3, 2)]),
    ("interpolate, linear", lambda x: F.interpolate(x, size=5, mode="linear"), [normal(1, 2, 3)]),
    (
        "interpolate, bilinear",
        lambda x: F.interpolate(x, size=(4, 5), mode="bilinear", align_corners=True),
        [normal(1, 1, 3, 2)],
    ),
    (
        "interpolate, bicubic",
        lambda x: F.interpolate(x, scale_factor=1.5, mode="bicubic"),
        [normal(1, 1, 4, 4)],
    ),
    *(
        (
            f"grid_sample, {padding}",
            lambda x, g, padding=padding: F.grid_sample(
                x, g, padding_mode=padding, align_corners=padding == "border"
            ),
            [normal(1, 2, 3, 4), normal(1, 3, 2, 2) * 0.75],
        )
        for padding in ("zeros", "border")
    ),
    ("layer_norm", lambda x, w, b: F.layer_norm(x, (4,), w, b), [normal(3, 4), normal(4), normal(4)]),
    ("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b), [normal(2, 4, 3), normal(4), normal(4)]),
    ("instance_norm", F.instance_norm, [normal(2, 3, 4)]),
    (
        "batch_norm, training",
        lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True),
        [normal(3, 2, 2), normal(2), normal(2)],
    ),
    ("batch_norm, eval", lambda x, m, v: F.batch_norm(x, m, v), [normal(3, 2, 2), normal(2), positive(2)]),
    ("rms_norm", lambda x, w: F.rms_norm(x, (4,), w), [normal(3, 4), normal(4)]),
    ("local_response_norm", lambda x: F.local_response_norm(x, 2), [normal(1, 4, 3)]),
    ("embedding", lambda w, i: F.embedding(i, w), [normal(5, 3), integers(5, 2, 3)]),
    (
        "embedding, padding",
        lambda w, i: F.embedding(i, w, padding_idx=1) * w[0],
        [normal(3, 3), np.array([0, 1, 2])],
    ),
    *(
        (
            f"embedding_bag, {how}",
            lambda w, i, how=how: F.embedding_bag(i, w, mode=how),
            [normal(5, 3), integers(5, 2, 3)],
        )
        for how in ("sum", "mean", "max")
    ),
    ("one_hot", lambda x, i: F.one_hot(i, 4) * x, [normal(3, 4), integers(4, 3)]),
    (
        "attention",
        F.scaled_dot_product_attention,
        [normal(1, 2, 3, 2), normal(1, 2, 3, 2), normal(1, 2, 3, 2)],
    ),
    (
        "attention, causal",
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.5),
        [normal(1, 3, 2), normal(1, 3, 2), normal(1, 3, 2)],
    ),
    (
        "attention, masked",
        lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m),
        [normal(1, 1, 3, 2), normal(1, 1, 3, 2), normal(1, 1, 3, 2), np.tril(np.ones((3, 3), bool))],
    ),
    (
        "attention, a mask of numbers",
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, torch.arange(9.0).double().reshape(3, 3)),
        [normal(3, 2), normal(3, 2), normal(3, 2)],
    ),
    (
        "attention, shared keys",
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True),
        [normal(1, 4, 3, 2), normal(1, 2, 3, 2), normal(1, 2, 3, 2)],
    ),
    ("mse_loss", F.mse_loss, [normal(3, 4), normal(3, 4)]),
    ("mse_loss, sum", lambda x, y: F.mse_loss(x, y, reduction="sum"), [normal(3, 4), normal(3, 4)]),
    ("l1_loss", F.l1_loss, [normal(3, 4), normal(3, 4)]),
    (
        "huber_loss",
        lambda x, y: F.huber_loss(x, y, delta=0.5) + F.huber_loss(x, y, reduction="none"),
        [normal(3, 4), normal(3, 4)],
    ),
    ("smooth_l1_loss", lambda x, y: F.smooth_l1_loss(x, y, beta=0.5), [normal(3, 4), normal(3, 4)]),
    ("binary_cross_entropy", F.binary_cross_entropy, [between(3, 4), between(3, 4)]),
    (
        "binary_cross_entropy_with_logits",
        lambda x, y, p: F.binary_cross_entropy_with_logits(x, y, pos_weight=p),
        [normal(3, 4), between(3, 4), positive(4)],
    ),
    ("kl_div", lambda x, y: F.kl_div(x, y, reduction="batchmean"), [normal(3, 4), positive(3, 4)]),
    ("kl_div, mean", lambda x, y: F.kl_div(x, y, reduction="mean"), [normal(3, 4), positive(3, 4)]),
    (
        "kl_div, log_target",
        lambda x, y: F.kl_div(x, y, reduction="sum", log_target=True),
        [normal(3, 4), normal(3, 4)],
    ),
    ("nll_loss", F.nll_loss, [normal(3, 4), integers(4, 3)]),
    ("cross_entropy", F.cross_entropy, [normal(3, 4), integers(4, 3)]),
    (
        "cross_entropy, weights",
        lambda x, y, w: F.cross_entropy(x, y, w, label_smoothing=0.1),
        [normal(3, 4), integers(4, 3), positive(4)],
    ),
    (
        "cross_entropy, ignored",
        lambda x, y: F.cross_entropy(x, y, ignore_index=-1),
        [normal(4, 3), np.array([0, -1, 2, 1])],
    ),
    (
        "cross_entropy, images",
        lambda x, y: F.cross_entropy(x, y, reduction="none"),
        [normal(2, 3, 2, 2), integers(3, 2, 2, 2)],
    ),
    (
        "cross_entropy, probabilities",
        lambda x, y: F.cross_entropy(x, y.softmax(1)),
        [normal(3, 4), normal(3, 4)],
    ),
    ("soft_margin_loss", F.soft_margin_loss, [normal(3, 4), normal(3, 4)]),
    ("multi_margin_loss", F.multi_margin_loss, [normal(3, 4), integers(4, 3)]),
    (
        "hinge_embedding_loss",
        lambda x, y: F.hinge_embedding_loss(x, 2 * y - 1),
        [normal(3, 4), integers(2, 3, 4)],
    ),
    ("poisson_nll_loss", F.poisson_nll_loss, [normal(3, 4), positive(3, 4)]),
    ("gaussian_nll_loss", F.gaussian_nll_loss, [normal(3, 4), normal(3, 4), positive(3, 4)]),
    ("triplet_margin_loss", F.triplet_margin_loss, [normal(3, 4), normal(3, 4), normal(3, 4)]),
    (
        "cosine_embedding_loss",
        lambda x, y, t: F.cosine_embedding_loss(x, y, 2 * t - 1),
        [normal(3, 4), normal(3, 4), integers(2, 3)],
    ),
    (
        "margin_ranking_loss",
        lambda x, y: F.margin_ranking_loss(x, y, torch.ones(4, dtype=torch.float64), margin=0.5),
        [normal(4), normal(4)],
    ),
    ("multilabel_soft_margin_loss", F.multilabel_soft_margin_loss, [normal(3, 4), between(3, 4)]),
    ("a custom function", lambda x, w: Exponential.apply(x, w) + 1, [normal(2, 3), normal(2, 3)]),
    ("a custom function, in place", lambda x: Stepwise.apply(x) * 2, [normal(3)]),
    ("a custom function of what is detached", stopped_argument, [normal(2, 3)]),
    ("detach, no_grad", partial_no_grad, [normal(3, 4)]),
    ("a branch", branch, [normal(3)]),
    ("a tree", tree, [normal(3), {"w": normal(3), "v": [normal(3)]}]),
    ("second derivatives", second_derivative, [normal(4)]),
    (
        "slopes of conv2d",
        penalty(lambda x, w, b: F.conv2d(x, w, b, padding=1)),
        [normal(1, 2, 3, 3), normal(2, 2, 2, 2), normal(2)],
    ),
    (
        "slopes of conv_transpose1d",
        penalty(lambda x, w: F.conv_transpose1d(x, w, stride=2)),
        [normal(1, 2, 3), normal(2, 1, 2)],
    ),
    ("slopes of max_pool2d", penalty(lambda x: F.max_pool2d(x, 2)), [normal(1, 2, 4, 4)]),
    (
        "slopes of avg_pool2d",
        penalty(lambda x: F.avg_pool2d(x, 2, 1, 1, ceil_mode=True)),
        [normal(1, 2, 4, 4)],
    ),
    ("slopes of adaptive_avg_pool2d", penalty(lambda x: F.adaptive_avg_pool2d(x, 2)), [normal(1, 2, 3, 3)]),
    ("slopes of layer_norm", penalty(lambda x: F.layer_norm(x, (3,))), [normal(2, 3)]),
    ("slopes of batch_norm", penalty(lambda x: F.batch_norm(x, None, None, training=True)), [normal(3, 2)]),
    ("slopes of cross_entropy", penalty(F.cross_entropy), [normal(2, 3), np.array([0, 2])]),
    ("slopes of embedding", penalty(lambda w, i: F.embedding(i, w)), [normal(3, 2), np.array([0, 1, 1])]),
    ("slopes of linalg.solve", penalty(torch.linalg.solve), [normal(3, 3) + 3 * np.eye(3), normal(3, 2)]),
    *(
        (f"slopes of {name}", penalty(getattr(F, name)), [normal(2, 3)])
        for name in "gelu silu mish softplus elu".split()
    ),
    ("func.grad", lambda x: torch.func.grad(lambda y: (torch.sin(y) * y).sum())(x) * x, [normal(4)]),
    (
        "func.jacrev, twice",
        lambda x: torch.func.jacrev(torch.func.jacrev(lambda y: (y**3).sum() + y.prod()))(x),
        [normal(3)],
    ),
    ("func.jacfwd", lambda x: torch.func.jacfwd(lambda y: torch.sin(y) * y.sum())(x), [normal(3)]),
    ("rrelu", lambda x: F.rrelu(x), [normal(3, 4)]),
    ("func.vmap", lambda x, y: torch.vmap(torch.dot)(x, y), [normal(3, 4), normal(3, 4)]),
    ("func.jvp", lambda x, v: torch.func.jvp(torch.tanh, (x,), (v,))[1], [normal(3), normal(3)]),
    (
        "checkpoint",
        lambda x: torch.utils.checkpoint.checkpoint(lambda y: torch.sin(y) * y, x, use_reentrant=False),
        [normal(3)],
    ),
    ("Linear", layer(nn.Linear(3, 2)), [normal(2, 3)]),
    ("Conv2d", layer(nn.Conv2d(2, 3, 2, padding=1)), [normal(1, 2, 3, 3)]),
    (
        "Sequential",
        layer(nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Dropout(), nn.Linear(4, 2))),
        [normal(2, 3)],
    ),
    ("BatchNorm1d, training", filled(nn.BatchNorm1d(3)).train(), [normal(4, 3)]),
    ("BatchNorm2d", layer(nn.BatchNorm2d(2)), [normal(1, 2, 2, 2)]),
    ("LayerNorm", filled(nn.LayerNorm((2, 3))), [normal(2, 2, 3)]),
    ("LSTM", layer(nn.LSTM(2, 3, num_layers=2)), [normal(3, 1, 2)]),
    ("GRU", layer(nn.GRU(2, 3, bidirectional=True)), [normal(3, 1, 2)]),
    ("RNNCell", layer(nn.RNNCell(2, 3)), [normal(1, 2), normal(1, 3)]),
    ("LSTMCell", lambda x, h, c, cell=layer(nn.LSTMCell(2, 3)): cell(x, (h, c)), [normal(1, 2), normal(1, 3), normal(1, 3)]),
    ("GRUCell", layer(nn.GRUCell(2, 3)), [normal(1, 2), normal(1, 3)]),
    ("GRUCell without biases", layer(nn.GRUCell(2, 3, bias=False)), [normal(1, 2), normal(1, 3)]),
    (
        "MultiheadAttention",
        lambda x, made=layer(nn.MultiheadAttention(4, 2, batch_first=True)): made(x, x, x)[0],
        [normal(1, 3, 4)],
    ),
    (
        "TransformerEncoderLayer",
        layer(nn.TransformerEncoderLayer(4, 2, 6, batch_first=True, norm_first=True)),
        [normal(1, 3, 4)],
    ),
    ("weight_norm", layer(torch.nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))), [normal(2, 3)]),
]

# PyTorch has derivatives of these by some arguments alone.
WRT: dict[str, list[str]] = {
    "batch_norm, eval": ["x0"],
    "binary_cross_entropy_with_logits": ["x0", "x1"],
    "cross_entropy, weights": ["x0"],
    "soft_margin_loss": ["x0"],
    **{
        name: ["*"]
        for name in ("Linear", "Conv2d", "BatchNorm1d, training", "LayerNorm", "RNNCell", "weight_norm")
    },
}

# PyTorch's answers are outside of their bounds, and why.
FINDINGS: dict[str, str] = {
    "sqrt": "the root is not correctly rounded, by the library of vector functions",
    "hardsigmoid": "the backward has 1/6 as a float32 number, in float64 too",
}
