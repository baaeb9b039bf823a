"""Functions that people use are traced: the graph has the function's values and its cotangents.

The table of docs/python-fronts.md is this list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterator, Sequence

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import jax.scipy as jsp  # noqa: E402
import optax  # noqa: E402
from jax import lax  # noqa: E402

from adjudge.fronts.jax_front import answers, trace  # noqa: E402
from test_jax_front_kit import Interpreter  # noqa: E402


@dataclass(frozen=True)
class Case:
    """A function, arguments, and whether its graph holds at one point alone."""

    name: str
    function: Callable[..., Any]
    arguments: Sequence[Any]
    pointwise: bool = False
    # JAX has no reverse mode for it.
    forward: bool = False


random = np.random.default_rng(36)


def normal(*shape: int) -> np.ndarray:
    return random.standard_normal(shape)


def positive(*shape: int) -> np.ndarray:
    return random.uniform(0.2, 3.0, shape)


def single(*values: np.ndarray) -> list[np.ndarray]:
    return [value.astype(np.float32) for value in values]


def part(*shape: int) -> np.ndarray:
    """Numbers between 0 and 1."""
    return random.uniform(0.1, 0.9, shape)


def definite(n: int) -> np.ndarray:
    a = normal(n, n)
    return a @ a.T + n * np.eye(n)


LABELS = np.array([2, 0, 1])
KEY = jax.random.key(7)


# ---- Layers, written as flax writes them -----------------------------------------------------------------


def dense(params: Any, x: Any) -> Any:
    return x @ params["kernel"] + params["bias"]


def mlp(params: Any, x: Any) -> Any:
    return dense(params["second"], jax.nn.gelu(dense(params["first"], x)))


def conv_layer(kernel: Any, bias: Any, x: Any) -> Any:
    numbers = ("NHWC", "HWIO", "NHWC")
    return jax.nn.relu(lax.conv_general_dilated(x, kernel, (2, 1), "SAME", dimension_numbers=numbers) + bias)


def conv_dilated(kernel: Any, x: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1,), [(2, 1)], lhs_dilation=(2,), rhs_dilation=(2,), feature_group_count=2)


def conv_transposed(kernel: Any, x: Any) -> Any:
    return lax.conv_transpose(x, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def conv_batch_groups(kernel: Any, x: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1,), "VALID", batch_group_count=2)


def layer_norm(x: Any, scale: Any, offset: Any) -> Any:
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-6) * scale + offset


def batch_norm(x: Any, scale: Any, offset: Any) -> Any:
    mean, variance = jnp.mean(x, (0, 1, 2)), jnp.mean(jnp.square(x), (0, 1, 2)) - jnp.square(jnp.mean(x, (0, 1, 2)))
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + offset


def group_norm(x: Any, scale: Any, offset: Any) -> Any:
    n, h, w, c = x.shape
    grouped = x.reshape(n, h, w, 2, c // 2)
    mean, variance = grouped.mean((1, 2, 4), keepdims=True), grouped.var((1, 2, 4), keepdims=True)
    return ((grouped - mean) / jnp.sqrt(variance + 1e-5)).reshape(x.shape) * scale + offset


def rms_norm(x: Any, scale: Any) -> Any:
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


def self_attention(x: Any, wq: Any, wk: Any, wv: Any, wo: Any) -> Any:
    q, k, v = (jnp.einsum("btd,dhk->bthk", x, w) for w in (wq, wk, wv))
    scores = jnp.einsum("bqhk,bshk->bhqs", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
    return jnp.einsum("bhqs,bshk,hkd->bqd", weights, v, wo)


def lstm(params: Any, xs: Any) -> Any:
    def cell(carry: Any, x: Any) -> Any:
        h, c = carry
        i, f, g, o = jnp.split(x @ params["wi"] + h @ params["wh"] + params["b"], 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((xs.shape[1], params["wh"].shape[0]))
    return lax.scan(cell, (zero, zero), xs)[1]


def gru(wi: Any, wh: Any, b: Any, xs: Any) -> Any:
    def cell(h: Any, x: Any) -> Any:
        r, z, n = jnp.split(x @ wi + b, 3, -1)
        hr, hz, hn = jnp.split(h @ wh, 3, -1)
        r, z = jax.nn.sigmoid(r + hr), jax.nn.sigmoid(z + hz)
        h = (1 - z) * jnp.tanh(n + r * hn) + z * h
        return h, h

    return lax.scan(cell, jnp.zeros((xs.shape[1], wh.shape[0])), xs, reverse=True)[1]


def embedding(table: Any, tokens: Any) -> Any:
    return jnp.take(table, tokens, axis=0)


def dropout(x: Any, key: Any) -> Any:
    keep = jax.random.bernoulli(key, 0.7, x.shape)
    return jnp.where(keep, x / 0.7, 0.0)


def max_pool(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 1, 1), "SAME")


def min_pool_dilated(x: Any) -> Any:
    dilated = lax.reduce_window(x, jnp.inf, lax.min, (2,), (1,), [(1, 1)], base_dilation=(2,))
    return dilated + lax.reduce_window(x, jnp.inf, lax.min, (2,), (1,), [(1, 1)], window_dilation=(2,))[0]


def avg_pool(x: Any) -> Any:
    summed = lax.reduce_window(x, 0.0, lax.add, (1, 3, 2, 1), (1, 1, 2, 1), "SAME")
    return summed / lax.reduce_window(jnp.ones_like(x), 0.0, lax.add, (1, 3, 2, 1), (1, 1, 2, 1), "SAME")


def transformer_block(x: Any, ws: Any) -> Any:
    x = x + self_attention(layer_norm(x, *ws["ln1"]), *ws["attention"])
    return x + mlp(ws["mlp"], layer_norm(x, *ws["ln2"]))


def moe(x: Any, gates: Any, experts: Any) -> Any:
    weights, chosen = lax.top_k(jax.nn.softmax(x @ gates), 2)
    each = jnp.einsum("nd,edk->nek", x, experts)
    return jnp.sum(jnp.take_along_axis(each, chosen[:, :, None], 1) * weights[:, :, None], 1)


def rope(x: Any) -> Any:
    half = x.shape[-1] // 2
    angles = jnp.arange(x.shape[0])[:, None] / 100.0 ** (jnp.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)], -1)


# ---- Functions with structure ----------------------------------------------------------------------------


@jax.custom_vjp
def clipped_identity(x: Any) -> Any:
    return jnp.sin(x) * 2


clipped_identity.defvjp(lambda x: (clipped_identity(x), x), lambda x, g: (2 * g * jnp.cos(x),))


def newton(a: Any) -> Any:
    return lax.fori_loop(0, 4, lambda _, x: 0.5 * (x + a / x), jnp.ones_like(a))


def collatz(x: Any) -> Any:
    return lax.while_loop(lambda c: jnp.sum(c) < 40.0, lambda c: c * 1.7, x)


def doubled(x: Any) -> Any:
    return lax.while_loop(lambda c: c < 5.0, lambda c: c * 2.0, x)


def branch(x: Any) -> Any:
    return lax.cond(jnp.sum(x) > 0, jnp.sin, lambda y: y * 3, x)


def switched(x: Any) -> Any:
    return lax.switch(jnp.argmax(x), [jnp.sin, jnp.cos, jnp.exp, jnp.tanh], x)


def associative(x: Any) -> Any:
    return lax.associative_scan(lambda a, b: a * b + a, x)


def gradient_within(x: Any) -> Any:
    return jax.grad(lambda y: jnp.sum(jnp.tanh(y) ** 3))(x) * x


def pool_gradient(x: Any) -> Any:
    return jax.grad(lambda y: jnp.sum(lax.reduce_window(y, -jnp.inf, lax.max, (2,), (2,), "VALID") ** 2))(x)


def hessian_within(x: Any) -> Any:
    return jax.hessian(lambda y: jnp.sum(jnp.exp(y) * y[::-1]))(x)


def remat(x: Any) -> Any:
    return jax.checkpoint(lambda y: jnp.sin(jnp.exp(y)))(x)


def mapped(x: Any, w: Any) -> Any:
    return jax.vmap(lambda row: jnp.dot(row, w) * row[0])(x)


def updated(x: Any, u: Any) -> Any:
    y = x.at[1:3].set(u).at[np.array([0, 0, 4])].add(u[0]).at[5].mul(u[1]).at[np.array([2, 2])].max(u)
    return lax.dynamic_update_slice(y, u * 2, (4,)).at[3].min(0.25)


def out_of_bounds(x: Any) -> Any:
    return x.at[np.array([1, 9])].get(mode="fill", fill_value=2.0) + x.at[np.array([7, 2])].get(mode="clip") + x.at[np.array([9])].add(1.0)[:2]


def gathered(x: Any) -> Any:
    numbers = lax.GatherDimensionNumbers(offset_dims=(0, 2), collapsed_slice_dims=(1,), start_index_map=(1, 0))
    return lax.gather(x, np.array([[0, 1], [2, 0], [1, 9]]), numbers, (2, 1, 2), mode="clip")


def scattered(x: Any, u: Any) -> Any:
    numbers = lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    return lax.scatter_add(x, np.array([[2], [0], [2], [9]]), u, numbers, mode="drop")


def segments(x: Any) -> Any:
    return jax.ops.segment_sum(x, np.array([0, 2, 0, 1]), 3) + jax.ops.segment_max(x, np.array([0, 1, 0, 2]), 3)


def negative_padding(x: Any) -> Any:
    return lax.pad(x, 0.5, ((-1, 2, 1), (1, -1, 0)))


def starts_at_an_index(x: Any, i: Any) -> Any:
    return lax.dynamic_slice(x, (i,), (3,))


def at_the_largest(x: Any) -> Any:
    return x[jnp.argmax(x) - 1] * 3


def whole_numbers(x: Any) -> Any:
    return jnp.floor(x) + jnp.ceil(x) * 2 + jnp.round(x) * 3 + lax.round(x) * 5 + jnp.trunc(x) * 7 + jnp.sign(x) * 11


CASES: list[Case] = [
    # jax.nn
    Case("jax.nn.relu", jax.nn.relu, [normal(3, 4)]),
    Case("jax.nn.relu6", jax.nn.relu6, [normal(3, 4)]),
    Case("jax.nn.elu", jax.nn.elu, [normal(3, 4)]),
    Case("jax.nn.celu", jax.nn.celu, [normal(3, 4)]),
    Case("jax.nn.selu", jax.nn.selu, [normal(3, 4)]),
    Case("jax.nn.gelu, tanh form", jax.nn.gelu, [normal(3, 4)]),
    Case("jax.nn.gelu, exact", lambda x: jax.nn.gelu(x, approximate=False), [normal(3, 4)]),
    Case("jax.nn.silu", jax.nn.silu, [normal(3, 4)]),
    Case("jax.nn.mish", jax.nn.mish, [normal(3, 4)]),
    Case("jax.nn.softplus", jax.nn.softplus, [normal(3, 4)]),
    Case("jax.nn.sparse_plus", jax.nn.sparse_plus, [normal(3, 4)]),
    Case("jax.nn.sparse_sigmoid", jax.nn.sparse_sigmoid, [normal(3, 4)]),
    Case("jax.nn.squareplus", jax.nn.squareplus, [normal(3, 4)]),
    Case("jax.nn.soft_sign", jax.nn.soft_sign, [normal(3, 4)]),
    Case("jax.nn.sigmoid", jax.nn.sigmoid, [normal(3, 4)]),
    Case("jax.nn.log_sigmoid", jax.nn.log_sigmoid, [normal(3, 4)]),
    Case("jax.nn.hard_sigmoid", jax.nn.hard_sigmoid, [normal(3, 4)]),
    Case("jax.nn.hard_swish", jax.nn.hard_swish, [normal(3, 4)]),
    Case("jax.nn.hard_tanh", jax.nn.hard_tanh, [normal(3, 4)]),
    Case("jax.nn.leaky_relu", jax.nn.leaky_relu, [normal(3, 4)]),
    Case("jax.nn.glu", jax.nn.glu, [normal(3, 4)]),
    Case("jax.nn.softmax", jax.nn.softmax, [normal(3, 4)]),
    Case("jax.nn.softmax, where", lambda x: jax.nn.softmax(x, where=np.array([True, False, True, True])), [normal(3, 4)]),
    Case("jax.nn.log_softmax", jax.nn.log_softmax, [normal(3, 4)]),
    Case("jax.nn.logsumexp", jax.nn.logsumexp, [normal(3, 4)]),
    Case("jax.nn.logmeanexp", jax.nn.logmeanexp, [normal(3, 4)]),
    Case("jax.nn.standardize", jax.nn.standardize, [normal(3, 4)]),
    Case("jax.nn.one_hot", lambda x, i: x * jax.nn.one_hot(i, 4), [normal(3, 4), LABELS]),
    Case("jax.nn.dot_product_attention", jax.nn.dot_product_attention, single(normal(2, 3, 2, 4), normal(2, 5, 2, 4), normal(2, 5, 2, 4))),
    Case(
        "jax.nn.dot_product_attention, causal",
        lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True),
        single(normal(3, 2, 4), normal(3, 2, 4), normal(3, 2, 4)),
    ),
    # jax.scipy
    Case("jax.scipy.special.logsumexp, weights", lambda x, b: jsp.special.logsumexp(x, axis=1, b=b), [normal(3, 4), positive(3, 4)]),
    Case("jax.scipy.special.expit", jsp.special.expit, [normal(5)]),
    Case("jax.scipy.special.logit", jsp.special.logit, [part(5)]),
    Case("jax.scipy.special.erf", jsp.special.erf, [normal(5)]),
    Case("jax.scipy.special.erfc", jsp.special.erfc, [normal(5)]),
    Case("jax.scipy.special.xlogy", jsp.special.xlogy, [normal(5), positive(5)]),
    Case("jax.scipy.special.xlog1py", jsp.special.xlog1py, [normal(5), positive(5)]),
    Case("jax.scipy.special.entr", jsp.special.entr, [positive(5)]),
    Case("jax.scipy.special.rel_entr", jsp.special.rel_entr, [positive(5), positive(5)]),
    Case("jax.scipy.special.kl_div", jsp.special.kl_div, [positive(5), positive(5)]),
    Case("jax.scipy.special.log_ndtr", jsp.special.log_ndtr, [normal(5)]),
    Case("jax.scipy.special.ndtr", jsp.special.ndtr, [normal(5)]),
    Case("jax.scipy.linalg.solve", jsp.linalg.solve, [definite(3), normal(3)]),
    Case("jax.scipy.linalg.solve, positive", lambda a, b: jsp.linalg.solve(a, b, assume_a="pos"), [definite(3), normal(3, 2)]),
    Case("jax.scipy.linalg.solve_triangular", jsp.linalg.solve_triangular, [definite(4), normal(4, 2)]),
    Case("jax.scipy.linalg.solve_triangular, trans", lambda a, b: jsp.linalg.solve_triangular(a, b, trans=1, lower=True, unit_diagonal=True), [definite(4), normal(4)]),
    Case("jax.scipy.linalg.cho_factor, cho_solve", lambda a, b: jsp.linalg.cho_solve(jsp.linalg.cho_factor((a + a.T) / 2), b), [definite(3), normal(3)]),
    Case("jax.scipy.linalg.lu_factor, lu_solve", lambda a, b: jsp.linalg.lu_solve(jsp.linalg.lu_factor(a), b), [normal(4, 4), normal(4)], True),
    Case("jax.scipy.linalg.expm", jsp.linalg.expm, [normal(3, 3) / 4], True),
    Case("jax.scipy.stats.norm.logpdf", jsp.stats.norm.logpdf, [normal(5), normal(5), positive(5)]),
    Case("jax.scipy.stats.norm.logcdf", jsp.stats.norm.logcdf, [normal(5)]),
    Case("jax.scipy.stats.laplace.logpdf", jsp.stats.laplace.logpdf, [normal(5)]),
    Case("jax.scipy.stats.logistic.logpdf", jsp.stats.logistic.logpdf, [normal(5)]),
    Case("jax.scipy.stats.cauchy.logpdf", jsp.stats.cauchy.logpdf, [normal(5)]),
    Case("jax.scipy.stats.expon.logpdf", jsp.stats.expon.logpdf, [positive(5)]),
    Case("jax.scipy.stats.pareto.logpdf", lambda x: jsp.stats.pareto.logpdf(x + 1, 2.0), [positive(5)]),
    Case("jax.scipy.stats.multivariate_normal.logpdf", jsp.stats.multivariate_normal.logpdf, [normal(3), normal(3), definite(3)]),
    Case("jax.scipy.signal.convolve", jsp.signal.convolve, [normal(6), normal(3)]),
    Case("jax.scipy.integrate.trapezoid", jsp.integrate.trapezoid, [normal(6)]),
    # jax.numpy
    Case("jax.numpy.linalg.solve", jnp.linalg.solve, [definite(3), normal(3, 2)]),
    Case("jax.numpy.linalg.solve, a batch", jnp.linalg.solve, [normal(2, 3, 3), normal(2, 3, 1)]),
    Case("jax.numpy.linalg.solve, 9 rows", jnp.linalg.solve, [definite(9), normal(9)], True),
    Case("jax.numpy.linalg.inv", jnp.linalg.inv, [normal(4, 4)]),
    Case("jax.numpy.linalg.det", jnp.linalg.det, [normal(4, 4)]),
    Case("jax.numpy.linalg.slogdet", lambda x: jnp.linalg.slogdet(x)[1], [normal(4, 4)]),
    Case("jax.numpy.linalg.cholesky", jnp.linalg.cholesky, [definite(4)]),
    Case("jax.numpy.linalg.norm", jnp.linalg.norm, [normal(4, 4)]),
    Case("jax.numpy.linalg.multi_dot", lambda a, b, c: jnp.linalg.multi_dot([a, b, c]), [normal(2, 3), normal(3, 4), normal(4, 2)]),
    Case("jax.numpy.linalg.matrix_power", lambda a: jnp.linalg.matrix_power(a, 3), [normal(3, 3)]),
    Case("jax.numpy.einsum", lambda a, b: jnp.einsum("bij,bkj,k->bi", a, b, np.arange(4.0)), [normal(2, 3, 5), normal(2, 4, 5)]),
    Case("jax.numpy.tensordot", lambda a, b: jnp.tensordot(a, b, ((0, 2), (1, 0))), [normal(2, 3, 4), normal(4, 2, 5)]),
    Case("jax.numpy.sort", jnp.sort, [normal(3, 5)]),
    Case("jax.numpy.argsort as indices", lambda x: jnp.take_along_axis(x, jnp.argsort(x), -1) * 2, [normal(3, 5)], True),
    Case("jax.lax.sort with a key", lambda k, v: lax.sort([k, v], num_keys=1)[1], [normal(5), normal(5)], True),
    Case("jax.lax.top_k", lambda x: lax.top_k(x, 2)[0], [normal(3, 5)]),
    Case("jax.numpy.median", jnp.median, [normal(7)]),
    Case("jax.numpy.quantile", lambda x: jnp.quantile(x, 0.3), [normal(7)]),
    Case("jax.numpy.interp", lambda x: jnp.interp(x, np.arange(4.0), np.arange(4.0) ** 2), [positive(5)], True),
    Case("jax.numpy.cumsum, cumprod", lambda x: jnp.cumsum(x, 1) + jnp.cumprod(x, 0), [normal(3, 4)]),
    Case("jax.lax.cummax, cummin, cumlogsumexp", lambda x: lax.cummax(x) + 2 * lax.cummin(x, reverse=True) + 3 * lax.cumlogsumexp(x), [normal(6)]),
    Case("jax.numpy.prod, max, min", lambda x: jnp.prod(x, 0) + jnp.max(x, 0) * 2 + jnp.min(x, 0) * 3, [normal(3, 4)]),
    Case("jax.numpy.var, std", lambda x: jnp.var(x, 0, ddof=1) + jnp.std(x, 0), [normal(3, 4)]),
    Case("jax.numpy.logaddexp, logaddexp2", lambda x, y: jnp.logaddexp(x, y) + jnp.logaddexp2(x, y), [normal(5), normal(5)]),
    Case("jax.numpy.sinc", jnp.sinc, [normal(5)]),
    Case("jax.numpy.remainder, fmod", lambda x, y: jnp.remainder(x, y) + 2 * jnp.fmod(x, y), [normal(6) * 4, positive(6)]),
    Case("jax.numpy.floor, ceil, round, trunc, sign", whole_numbers, [normal(9) * 4]),
    Case("jax.numpy.hypot, arctan2", lambda x, y: jnp.hypot(x, y) + jnp.arctan2(x, y), [normal(5), normal(5)]),
    Case("jax.numpy.exp2, log2, log10, cbrt", lambda x: jnp.exp2(x) + jnp.log2(x) + jnp.log10(x) + jnp.cbrt(x), [positive(5)]),
    Case("jax.numpy.arcsin, arccos, arctan", lambda x: jnp.arcsin(x) + 2 * jnp.arccos(x) + 3 * jnp.arctan(x), [part(5)]),
    Case("jax.numpy.sinh, cosh, tan", lambda x: jnp.sinh(x) + jnp.cosh(x) * 2 + jnp.tan(x), [normal(5)]),
    Case("jax.numpy.arcsinh, arccosh, arctanh", lambda x: jnp.arcsinh(x) + jnp.arccosh(x + 1) + jnp.arctanh(x), [part(5)]),
    Case("jax.numpy.power, float_power", lambda x, y: jnp.power(x, y) + x**5 + x**-3, [positive(5), normal(5)]),
    Case("jax.numpy.clip, nan_to_num", lambda x: jnp.nan_to_num(jnp.clip(x, -0.5, 0.75)), [normal(9)]),
    Case("jax.numpy.where, masks", lambda x, m: jnp.where(m & (x > 0) | ~m ^ (x < -1), x * x, -x), [normal(5), np.array([True, False, True, True, False])]),
    Case("jax.numpy.roll, flip, tile, repeat", lambda x: jnp.roll(x, 2)[::-1] + jnp.tile(x[:2], 3) + jnp.repeat(x[:3], 2), [normal(6)]),
    Case("jax.numpy.stack, split, unstack", lambda x: sum(jnp.unstack(jnp.stack(jnp.split(x, 3), 1), axis=1)), [normal(6)]),
    Case("jax.numpy.tril, diag, trace, outer", lambda x: jnp.tril(jnp.outer(x, x)) + jnp.diag(x) + jnp.trace(jnp.outer(x, x)), [normal(4)]),
    Case("jax.numpy.take, take_along_axis", lambda x, i: jnp.take(x, i, 1) + jnp.take_along_axis(x, i[:, None], 1), [normal(3, 4), LABELS]),
    Case("jax.numpy.pad, reflect", lambda x: jnp.pad(x, 2, mode="reflect"), [normal(5)]),
    Case("jax.numpy.convolve", jnp.convolve, [normal(6), normal(3)]),
    Case("jax.numpy.polyval", jnp.polyval, [normal(4), normal(3)]),
    Case("jax.numpy.gradient, diff", lambda x: jnp.gradient(x)[1:] + jnp.diff(x), [normal(6)]),
    # jax.lax and indexing
    Case(".at[…].set, add, mul, max, min", updated, [normal(6), normal(2)]),
    Case(".at[…] beyond the end", out_of_bounds, [normal(6)]),
    Case("jax.lax.gather", gathered, [normal(3, 4, 2)]),
    Case("jax.lax.scatter_add", scattered, [normal(3, 4), normal(4, 4)]),
    Case("jax.ops.segment_sum, segment_max", segments, [normal(4)]),
    Case("jax.lax.pad, negative", negative_padding, [normal(3, 4)]),
    Case("jax.lax.dynamic_slice", starts_at_an_index, [normal(6), np.array(2)]),
    Case("an index that is computed", at_the_largest, [normal(6)], True),
    Case("jax.lax.scan", lambda x: lax.scan(lambda c, y: (c * y + y, c), 1.0, x), [normal(5)]),
    Case("jax.lax.fori_loop", newton, [positive(4)]),
    Case("jax.lax.while_loop", collatz, [positive(4)], True, True),
    Case("jax.lax.while_loop under jax.vmap", jax.vmap(doubled), [positive(4)], True, True),
    Case("jax.lax.cond", branch, [normal(4)], True),
    Case("jax.lax.switch", switched, [normal(4)], True),
    Case("jax.lax.map", lambda x: lax.map(jnp.sin, x), [normal(4)]),
    Case("jax.lax.associative_scan", associative, [normal(6)]),
    Case("jax.checkpoint", remat, [normal(4)]),
    Case("jax.vmap", mapped, [normal(3, 4), normal(4)]),
    Case("jax.grad within", gradient_within, [normal(4)]),
    Case("jax.grad of a maximum over windows", pool_gradient, [normal(6)], True),
    Case("jax.hessian within", hessian_within, [normal(3)]),
    Case("jax.custom_vjp", clipped_identity, [normal(4)]),
    # Layers
    Case("Dense", dense, [{"kernel": normal(4, 3), "bias": normal(3)}, normal(2, 4)]),
    Case(
        "MLP",
        mlp,
        [{"first": {"kernel": normal(4, 5), "bias": normal(5)}, "second": {"kernel": normal(5, 3), "bias": normal(3)}}, normal(2, 4)],
    ),
    Case("Conv, NHWC", conv_layer, [normal(3, 3, 2, 4), normal(4), normal(2, 5, 6, 2)]),
    Case("Conv, dilated both ways, in groups", conv_dilated, [normal(4, 1, 3), normal(2, 2, 5)]),
    Case("ConvTranspose", conv_transposed, [normal(3, 3, 2, 4), normal(1, 3, 4, 2)]),
    Case("Conv, groups of the batch", conv_batch_groups, [normal(4, 2, 3), normal(4, 2, 6)]),
    Case("LayerNorm", layer_norm, [normal(3, 5), normal(5), normal(5)]),
    Case("BatchNorm", batch_norm, [normal(2, 3, 3, 4), normal(4), normal(4)]),
    Case("GroupNorm", group_norm, [normal(2, 3, 3, 4), normal(4), normal(4)]),
    Case("RMSNorm", rms_norm, [normal(3, 5), normal(5)]),
    Case("SelfAttention, causal", self_attention, [normal(2, 3, 4), normal(4, 2, 3), normal(4, 2, 3), normal(4, 2, 3), normal(2, 3, 4)]),
    Case("LSTM", lstm, [{"wi": normal(3, 16), "wh": normal(4, 16), "b": normal(16)}, normal(5, 2, 3)]),
    Case("GRU, reversed", gru, [normal(3, 12), normal(4, 12), normal(12), normal(4, 2, 3)]),
    Case("Embed", embedding, [normal(5, 3), np.array([[0, 4], [2, 2]])]),
    Case("Dropout with a key", dropout, [normal(3, 4), KEY]),
    Case("max_pool", max_pool, [normal(2, 4, 5, 3)]),
    Case("min_pool, dilated both ways", min_pool_dilated, [normal(6)], False, True),
    Case("avg_pool", avg_pool, [normal(2, 4, 5, 3)]),
    Case(
        "transformer block",
        transformer_block,
        [
            normal(1, 3, 4),
            {
                "ln1": [normal(4), normal(4)],
                "ln2": [normal(4), normal(4)],
                "attention": [normal(4, 2, 2), normal(4, 2, 2), normal(4, 2, 2), normal(2, 2, 4)],
                "mlp": {"first": {"kernel": normal(4, 8), "bias": normal(8)}, "second": {"kernel": normal(8, 4), "bias": normal(4)}},
            },
        ],
    ),
    Case("mixture of experts", moe, [normal(3, 4), normal(4, 3), normal(3, 4, 2)], True),
    Case("rotary embedding", rope, [normal(3, 4)]),
    # optax
    Case("optax.softmax_cross_entropy_with_integer_labels", optax.softmax_cross_entropy_with_integer_labels, [normal(3, 4), LABELS]),
    Case("optax.softmax_cross_entropy", optax.softmax_cross_entropy, [normal(3, 4), part(3, 4)]),
    Case("optax.sigmoid_binary_cross_entropy", optax.sigmoid_binary_cross_entropy, [normal(3, 4), part(3, 4)]),
    Case("optax.l2_loss", optax.l2_loss, [normal(5), normal(5)]),
    Case("optax.huber_loss", optax.huber_loss, [normal(5), normal(5)]),
    Case("optax.log_cosh", optax.log_cosh, [normal(5), normal(5)]),
    Case("optax.hinge_loss", optax.hinge_loss, [normal(5), np.sign(normal(5))]),
    Case("optax.cosine_distance", optax.cosine_distance, [normal(3, 4), normal(3, 4)]),
    Case("optax.kl_divergence", optax.kl_divergence, [np.log(part(3, 4)), part(3, 4)]),
    Case("optax.sigmoid_focal_loss", optax.sigmoid_focal_loss, [normal(5), part(5)]),
    Case("optax.ctc_loss", lambda x: optax.ctc_loss(x, np.zeros((1, 3)), np.array([[1, 2]]), np.zeros((1, 2))), [normal(1, 3, 3)]),
]


@pytest.fixture(scope="module")
def interpreter() -> Iterator[Interpreter]:
    asked = Interpreter()
    yield asked
    asked.close()


def names_of(case: Case) -> list[str]:
    return [f"x{place}" for place in range(len(case.arguments))]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_graph_is_the_function(case: Case, interpreter: Interpreter) -> None:
    traced = trace(case.function, case.arguments, names_of(case))
    assert traced.pointwise == case.pointwise
    asked = answers(case.function, case.arguments, names_of(case), jit=True)
    point = [np.asarray(leaf, np.float64) for leaf in jax.tree_util.tree_leaves(case.arguments) if _is_float(leaf)]
    # What holds elsewhere too is asked elsewhere.
    here = point if case.pointwise else [moved(x) for x in point]
    values, numbers = (1e-12, 1e-10) if traced.dtype == "float64" else (1e-5, 1e-4)
    answered = asked.evaluate(here)
    same(interpreter.values(traced, here), answered, values)
    if case.forward:
        tangents = [np.cos(3 * np.arange(x.size)).reshape(x.shape) for x in here]
        same(interpreter.tangents(traced, here, tangents), asked.jvp(here, tangents), numbers)
    else:
        seeds = [np.cos(3 * np.arange(y.size)).reshape(y.shape) for y in answered]
        same(interpreter.cotangents(traced, here, seeds), asked.vjp(here, seeds), numbers)


def same(said: Sequence[np.ndarray], answered: Sequence[np.ndarray], allowed: float) -> None:
    assert len(said) == len(answered)
    for got, want in zip(said, answered):
        assert got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=0, atol=allowed * max(1.0, np.abs(want).max(initial=0)))


def moved(x: np.ndarray) -> np.ndarray:
    """Returns numbers nearby, symmetric if they were."""
    if x.ndim == 2 and np.array_equal(x, x.T):
        return x + np.diag(np.arange(len(x)) / 16)
    return x * (1 + np.cos(np.arange(x.size)).reshape(x.shape) / 128)


def _is_float(leaf: Any) -> bool:
    return not isinstance(leaf, int) and bool(jnp.issubdtype(leaf.dtype, jnp.floating))
