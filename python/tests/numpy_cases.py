"""An expression for each function of NumPy, SciPy and the array API that the tracer follows."""

from __future__ import annotations

import numpy as np
import scipy.special as special  # noqa: F401 (expressions use it)

_draw = np.random.default_rng(36)


def _spd(n: int) -> np.ndarray:
    square = _draw.normal(size=(n, n))
    return square @ square.T + n * np.eye(n)


# The arguments of every expression, at two points; elements are distinct, and far from kinks.
def point() -> dict[str, np.ndarray]:
    """Draws the arguments."""
    return {
        "x": np.round(_draw.normal(size=(3, 4)), 6),
        "y": np.round(_draw.normal(size=(3, 4)), 6),
        "w": np.round(_draw.normal(size=(4, 3)), 6),
        "r": np.round(_draw.normal(size=4), 6),
        "v": np.round(_draw.normal(size=5), 6),
        "s": _spd(3),
        "p": np.round(_draw.uniform(0.5, 3, size=(3, 4)), 6),
        "u": np.round(_draw.uniform(-0.9, 0.9, size=(3, 4)), 6),
        "q": np.round(_draw.uniform(0.05, 0.95, size=(3, 4)), 6),
        "m": np.round(_draw.normal(size=(2, 3, 4)), 6),
        "c": np.round(_draw.normal(), 6).reshape(()),
    }


# The names and groups are those of docs/python-fronts.md; several expressions for one name are in a tuple.
GROUPS: dict[str, dict[str, str | tuple[str, ...]]] = {
    "Elementwise": {
        "np.absolute": ("np.absolute(x)", "abs(x)"),
        "np.add": ("x + y", "np.add(x, r)", "2 + x", "x + [1.0, 2.0, 3.0, 4.0]"),
        "np.arccos": "np.arccos(u)",
        "np.arccosh": "np.arccosh(p + 1)",
        "np.arcsin": "np.arcsin(u)",
        "np.arcsinh": "np.arcsinh(x)",
        "np.arctan": "np.arctan(x)",
        "np.arctan2": "np.arctan2(x, y)",
        "np.arctanh": "np.arctanh(u)",
        "np.bitwise_and": "np.where((x > 0) & (y > 0), x, 0.0)",
        "np.bitwise_or": "np.where((x > 0) | (y > 0), x, 0.0)",
        "np.bitwise_xor": "np.where((x > 0) ^ (y > 0), x, 0.0)",
        "np.cbrt": "np.cbrt(x)",
        "np.ceil": "np.ceil(x) * y",
        "np.conjugate": "np.conjugate(x) * x.conj()",
        "np.copysign": "np.copysign(x, y)",
        "np.cos": "np.cos(x)",
        "np.cosh": "np.cosh(x)",
        "np.deg2rad": "np.deg2rad(x)",
        "np.degrees": "np.degrees(x)",
        "np.divide": ("x / p", "1 / p", "np.divide(x, p)", "np.true_divide(x, 3)"),
        "np.divmod": ("np.divmod(x, p)[0] * y + np.divmod(x, p)[1]", "divmod(x, 2.0)[1]"),
        "np.equal": "np.where(x == y, x, y) + (x == x) * y",
        "np.exp": "np.exp(x)",
        "np.exp2": "np.exp2(x)",
        "np.expm1": "np.expm1(x)",
        "np.fabs": "np.fabs(x)",
        "np.float_power": "np.float_power(p, x)",
        "np.floor": "np.floor(x) * y",
        "np.floor_divide": "x // 0.3 + y",
        "np.fmax": "np.fmax(x, y)",
        "np.fmin": "np.fmin(x, y)",
        "np.fmod": "np.fmod(x, 0.3)",
        "np.greater": "(x > y) * x",
        "np.greater_equal": "(x >= y) * x",
        "np.heaviside": "np.heaviside(x, 0.5) * y",
        "np.hypot": "np.hypot(x, y)",
        "np.invert": "~(x > 0) * y",
        "np.isfinite": "np.isfinite(x) * y",
        "np.isinf": "np.where(np.isinf(x), 0.0, y)",
        "np.isnan": "np.where(np.isnan(x), 0.0, y)",
        "np.less": "(x < y) * x",
        "np.less_equal": "(x <= y) * x",
        "np.log": "np.log(p)",
        "np.log10": "np.log10(p)",
        "np.log1p": "np.log1p(p)",
        "np.log2": "np.log2(p)",
        "np.logaddexp": "np.logaddexp(x, y)",
        "np.logaddexp2": "np.logaddexp2(x, y)",
        "np.logical_and": "np.logical_and(x > 0, y > 0) * x",
        "np.logical_not": "np.logical_not(x > 0) * x",
        "np.logical_or": "np.logical_or(x > 0, y > 0) * x",
        "np.logical_xor": "np.logical_xor(x > 0, y > 0) * x",
        "np.maximum": ("np.maximum(x, y)", "np.maximum(x, 0)", "np.maximum.reduce(x)", "np.maximum.accumulate(x, axis=1)"),
        "np.minimum": ("np.minimum(x, y)", "np.minimum.accumulate(v)"),
        "np.modf": "np.modf(x)[0] + np.modf(x)[1] * y",
        "np.multiply": ("x * y", "3 * x", "np.multiply.outer(r, v)", "np.multiply.reduce(x, axis=1)", "np.multiply.accumulate(v)"),
        "np.negative": "-x",
        "np.not_equal": "(x != y) * x",
        "np.positive": "+x",
        "np.power": ("np.power(p, x)", "x ** 2", "x ** 3", "p ** 0.5", "p ** -1", "2.0 ** x", "p ** x", "x ** 0 + x ** 1"),
        "np.rad2deg": "np.rad2deg(x)",
        "np.radians": "np.radians(x)",
        "np.reciprocal": "np.reciprocal(p)",
        "np.remainder": ("x % 0.3", "np.mod(x, 0.3)"),
        "np.rint": "np.rint(x) * y",
        "np.sign": "np.sign(x) * y",
        "np.signbit": "np.signbit(x) * y",
        "np.sin": "np.sin(x)",
        "np.sinh": "np.sinh(x)",
        "np.sqrt": "np.sqrt(p)",
        "np.square": "np.square(x)",
        "np.subtract": ("x - y", "1 - x", "np.subtract(x, r)"),
        "np.tan": "np.tan(x)",
        "np.tanh": "np.tanh(x)",
        "np.trunc": "np.trunc(x * 3) * y",
    },
    "Elementwise, but no ufuncs": {
        "np.around": "np.around(x, 1) * y",
        "np.choose": "np.choose(np.array([[0, 1, 2, 0]] * 3), [x, y, p])",
        "np.clip": ("np.clip(x, -0.5, 0.5)", "x.clip(min=0)", "np.clip(x, None, r)", "np.clip(x, a_min=-1, a_max=1)"),
        "np.copy": "np.copy(x) * x.copy()",
        "np.fix": "np.fix(x * 3) * y",
        "np.imag": "np.imag(x) + y.imag + x",
        "np.isclose": "np.isclose(x, x + 1e-12) * y",
        "np.isneginf": "np.where(np.isneginf(x), 0.0, y)",
        "np.isposinf": "np.where(np.isposinf(x), 0.0, y)",
        "np.nan_to_num": "np.nan_to_num(x)",
        "np.real": "np.real(x) * x.real",
        "np.real_if_close": "np.real_if_close(x)",
        "np.round": ("np.round(x) * y", "x.round(2)", "np.round(x * 100, -1)"),
        "np.select": "np.select([x > 1, x > 0], [x, y], default=-1.0)",
        "np.sinc": "np.sinc(x)",
        "np.where": ("np.where(x > 0, x, y)", "np.where(x > 0, x, 0)", "np.where(np.arange(4) > 1, x, r)"),
    },
    "Sums and other reductions": {
        "np.all": "np.all(x > -9, axis=1) * x[:, 0]",
        "np.amax": "np.amax(x, axis=0)",
        "np.amin": "np.amin(x, axis=0)",
        "np.any": "np.any(x > 0, axis=1) * x[:, 0]",
        "np.argmax": ("np.argmax(x, axis=1) * x[:, 0]", "x.argmax(axis=1, keepdims=True) * x", "np.argmax(x) * 1.0"),
        "np.argmin": "np.argmin(x, axis=1) * x[:, 0]",
        "np.average": ("np.average(x)", "np.average(x, axis=1, weights=r)", "np.average(x, weights=p)", "np.average(x, axis=0, weights=p, returned=True)"),
        "np.count_nonzero": "np.count_nonzero(x > 0, axis=1) * x[:, 0]",
        "np.cumprod": ("np.cumprod(x, axis=1)", "np.cumprod(x)"),
        "np.cumsum": ("np.cumsum(x, axis=1)", "x.cumsum()", "np.add.accumulate(x, axis=1)"),
        "np.cumulative_prod": "np.cumulative_prod(x, axis=1, include_initial=True)",
        "np.cumulative_sum": "np.cumulative_sum(v, include_initial=True)",
        "np.max": ("np.max(x)", "x.max(axis=1)", "np.max(m, axis=(0, 2), keepdims=True)", "np.max(x, axis=1, initial=0.5)"),
        "np.mean": ("np.mean(x)", "x.mean(axis=1)", "np.mean(m, axis=(0, 2), keepdims=True)"),
        "np.median": ("np.median(x)", "np.median(x, axis=1)", "np.median(m, axis=(0, 1), keepdims=True)"),
        "np.min": ("np.min(x)", "x.min(axis=1)"),
        "np.nancumprod": "np.nancumprod(v)",
        "np.nancumsum": "np.nancumsum(v)",
        "np.nanmax": "np.nanmax(x, axis=1)",
        "np.nanmean": "np.nanmean(x, axis=1)",
        "np.nanmin": "np.nanmin(x, axis=1)",
        "np.nanprod": "np.nanprod(x, axis=1)",
        "np.nansum": "np.nansum(x, axis=1)",
        "np.percentile": "np.percentile(x, 30, axis=1)",
        "np.prod": ("np.prod(x)", "x.prod(axis=1)", "np.prod(x, axis=0, initial=2.0)"),
        "np.ptp": "np.ptp(x, axis=1)",
        "np.quantile": ("np.quantile(v, 0.4)", "np.quantile(x, [0.1, 0.75], axis=1)", "np.quantile(x, 0.5, axis=0, keepdims=True)"),
        "np.std": ("np.std(x)", "x.std(axis=1, ddof=1)"),
        "np.sum": ("np.sum(x)", "x.sum(axis=1)", "np.sum(m, axis=(0, 2), keepdims=True)", "np.add.reduce(x)", "np.sum(x, where=x > 0)", "np.sum(x, initial=3.0)", "sum(v)"),
        "np.trace": ("np.trace(s)", "x.trace(1)", "np.trace(m, 0, 1, 2)"),
        "np.var": ("np.var(x)", "x.var(axis=1, ddof=1)", "np.var(m, axis=(1, 2), keepdims=True)"),
    },
    "Shapes and places": {
        "np.append": "np.append(x, y, axis=0)",
        "np.apply_along_axis": "np.apply_along_axis(lambda row: row * row.sum(), 1, x)",
        "np.array_split": "np.array_split(v, 3)",
        "np.astype": ("np.astype(x, np.float64)", "x.astype(int) * y", "(x > 0).astype(float) * y", "x.astype(bool) * y"),
        "np.atleast_1d": "np.atleast_1d(c)",
        "np.atleast_2d": "np.atleast_2d(v)",
        "np.atleast_3d": "np.atleast_3d(x)",
        "np.block": "np.block([[s, x], [np.zeros((1, 3)), np.ones((1, 4))]])",
        "np.broadcast_arrays": "np.broadcast_arrays(x, r)[1]",
        "np.broadcast_to": "np.broadcast_to(r, (3, 4))",
        "np.column_stack": "np.column_stack([r, r * 2])",
        "np.compress": "np.compress([True, False, True], x, axis=0)",
        "np.concatenate": ("np.concatenate([x, y])", "np.concatenate([x, y], axis=1)", "np.concatenate([x, r], axis=None)", "np.concatenate([x, np.ones((1, 4))])"),
        "np.delete": "np.delete(x, 1, axis=0)",
        "np.diag": ("np.diag(r)", "np.diag(r, 1)", "np.diag(r, -2)", "np.diag(x)", "np.diag(x, 1)"),
        "np.diagflat": "np.diagflat(r, 1)",
        "np.diagonal": ("np.diagonal(x)", "m.diagonal(1, 0, 2)"),
        "np.dsplit": "np.dsplit(m, 2)[1]",
        "np.dstack": "np.dstack([x, y])",
        "np.expand_dims": ("np.expand_dims(x, 1)", "np.expand_dims(x, (0, 3))"),
        "np.extract": "np.extract(np.eye(3, 4) > 0, x)",
        "np.flip": ("np.flip(x)", "np.flip(m, (0, 2))"),
        "np.fliplr": "np.fliplr(x)",
        "np.flipud": "np.flipud(x)",
        "np.hsplit": "np.hsplit(x, 2)[1]",
        "np.hstack": ("np.hstack([x, y])", "np.hstack([r, v])"),
        "np.insert": "np.insert(x, 1, r, axis=0)",
        "np.matrix_transpose": ("np.matrix_transpose(m)", "m.mT"),
        "np.meshgrid": "np.meshgrid(r, v)[0] * np.meshgrid(r, v)[1]",
        "np.moveaxis": "np.moveaxis(m, 0, 2)",
        "np.pad": ("np.pad(x, 1)", "np.pad(x, ((0, 1), (2, 0)), constant_values=3.0)", "np.pad(x, 1, mode='edge')", "np.pad(v, 2, mode='reflect')", "np.pad(v, (1, 3), 'wrap')", "np.pad(v, 2, 'symmetric')"),
        "np.permute_dims": "np.permute_dims(m, (2, 0, 1))",
        "np.ravel": ("np.ravel(x)", "x.flatten()", "x.ravel(order='F')"),
        "np.repeat": ("np.repeat(x, 2)", "np.repeat(x, [1, 0, 2], axis=0)"),
        "np.reshape": ("np.reshape(x, (2, 6))", "x.reshape(-1)", "x.reshape(4, 3, order='F')", "np.reshape(x, (-1, 2))"),
        "np.resize": "np.resize(v, (2, 4))",
        "np.roll": ("np.roll(x, 1)", "np.roll(x, 2, axis=1)", "np.roll(x, (1, -1), axis=(0, 1))"),
        "np.rollaxis": "np.rollaxis(m, 2)",
        "np.rot90": "np.rot90(x)",
        "np.split": ("np.split(x, 2, axis=1)", "np.split(v, [2, 3])[2]"),
        "np.squeeze": "np.squeeze(x[:, None, :1])",
        "np.stack": ("np.stack([x, y])", "np.stack([x, y], axis=-1)"),
        "np.swapaxes": "np.swapaxes(m, 0, 2)",
        "np.take": ("np.take(x, [2, 0, -1])", "np.take(x, [[0, 1], [2, 0]], axis=0)", "x.take([5], mode='wrap')", "np.take(v, [9], mode='clip')"),
        "np.take_along_axis": ("np.take_along_axis(x, np.array([[0, 1], [2, 3], [-1, 0]]), axis=1)", "np.take_along_axis(x, np.array([0, 5]), axis=None)"),
        "np.tile": ("np.tile(x, 2)", "np.tile(v, (2, 1, 2))", "np.tile(x, (2, 1))"),
        "np.transpose": ("np.transpose(x)", "x.T", "m.transpose(1, 2, 0)", "np.transpose(m, (2, 0, 1))"),
        "np.tril": ("np.tril(s)", "np.tril(x, -1)", "np.tril(r)"),
        "np.triu": ("np.triu(s)", "np.triu(m, 1)"),
        "np.unstack": "np.unstack(x)[1]",
        "np.vsplit": "np.vsplit(x, 3)[1]",
        "np.vstack": ("np.vstack([x, y])", "np.vstack([r, r])"),
        "np.lib.stride_tricks.sliding_window_view": "np.lib.stride_tricks.sliding_window_view(v, 3)",
    },
    "Order": {
        "np.argsort": "x[0][np.argsort(x[0])]",
        "np.argpartition": "v[np.argpartition(v, 2)[2]]",
        "np.digitize": "np.digitize(v, [0.0, 1.0]) * v",
        "np.lexsort": "v[np.lexsort((v, np.floor(v)))]",
        "np.nanargmax": "v[np.nanargmax(v)]",
        "np.nanargmin": "v[np.nanargmin(v)]",
        "np.searchsorted": "np.searchsorted(np.sort(v), 0.3) * v",
        "np.sort": ("np.sort(x)", "np.sort(x, axis=0)", "np.sort(x, axis=None)"),
    },
    "Arrays that are made": {
        "np.array": ("np.array([x[0], y[1]])", "np.array([[c, 1.0], [2.0, c]])", "np.array(x)"),
        "np.asarray": ("np.asarray(x)", "np.asarray([c, 2.0])"),
        "np.empty_like": "_filled(np.empty_like(x), y)",
        "np.full": "np.full((2, 2), c)",
        "np.full_like": "np.full_like(x, c)",
        "np.ones_like": "np.ones_like(x) + x",
        "np.zeros_like": "_filled(np.zeros_like(x), y)",
        "np.zeros": "_filled(np.zeros((3, 4)), x)",
    },
    "Writing in place": {
        "np.add.at": "_added_at(r, v)",
        "np.copyto": "_copied(x, y)",
        "np.fill_diagonal": "_diagonal_filled(s, c)",
        "np.place": "_placed(x)",
        "np.put": "_put(x, v)",
        "np.putmask": "_masked(x)",
    },
    "Products": {
        "np.convolve": ("np.convolve(v, r)", "np.convolve(v, [1.0, 2.0], 'same')", "np.convolve(r, v, 'valid')"),
        "np.correlate": ("np.correlate(v, r)", "np.correlate(v, [1.0, 2.0, 3.0], 'full')", "np.correlate(r, v, 'same')"),
        "np.cross": ("np.cross(x[:, :3], y[:, :3])", "np.cross(w, w * 2 + 1, axis=1)"),
        "np.dot": ("np.dot(x, w)", "x.dot(r)", "np.dot(m, w)", "np.dot(r, r)", "np.dot(2.0, x)", "np.dot(m, m.transpose(0, 2, 1))"),
        "np.einsum": ("np.einsum('ij,jk->ik', x, w)", "np.einsum('ij,jk', x, w)", "np.einsum('ii', s)", "np.einsum('...ij,jk->...ik', m, w)", "np.einsum(x, [0, 1], w, [1, 2], [0, 2])", "np.einsum('ij,ij->', x, y)", "np.einsum('i,j', r, v)", "np.einsum('ij,ij->ij', x, r[None])"),
        "np.inner": ("np.inner(x, y)", "np.inner(r, r)", "np.inner(m, x)"),
        "np.kron": "np.kron(x, s)",
        "np.matmul": ("x @ w", "m @ w", "x @ r", "r @ w", "np.matmul(r, r)", "np.ones(3) @ x"),
        "np.matvec": "np.matvec(m, r)",
        "np.outer": "np.outer(r, v)",
        "np.tensordot": ("np.tensordot(x, w, 1)", "np.tensordot(m, x, ([1, 2], [0, 1]))", "np.tensordot(m, r, (2, 0))"),
        "np.vdot": "np.vdot(x, y)",
        "np.vecdot": "np.vecdot(x, y)",
        "np.vecmat": "np.vecmat(r, np.swapaxes(m, 1, 2))",
    },
    "Linear algebra": {
        "np.linalg.cholesky": ("np.linalg.cholesky(s @ s.T)", "np.linalg.cholesky(np.tril(s))"),
        "np.linalg.cross": "np.linalg.cross(x[:, :3], y[:, :3])",
        "np.linalg.det": "np.linalg.det(s)",
        "np.linalg.diagonal": "np.linalg.diagonal(m, offset=1)",
        "np.linalg.inv": "np.linalg.inv(s)",
        "np.linalg.matmul": "np.linalg.matmul(x, w)",
        "np.linalg.matrix_norm": ("np.linalg.matrix_norm(m)", "np.linalg.matrix_norm(x, ord=1)"),
        "np.linalg.matrix_power": ("np.linalg.matrix_power(s, 3)", "np.linalg.matrix_power(s, -2)", "np.linalg.matrix_power(s, 0) * c"),
        "np.linalg.matrix_transpose": "np.linalg.matrix_transpose(m)",
        "np.linalg.multi_dot": "np.linalg.multi_dot([x, w, x])",
        "np.linalg.norm": ("np.linalg.norm(x)", "np.linalg.norm(x, axis=1)", "np.linalg.norm(r, 1)", "np.linalg.norm(r, np.inf)", "np.linalg.norm(r, -np.inf)", "np.linalg.norm(r, 3)", "np.linalg.norm(r, 0) * r", "np.linalg.norm(x, 1)", "np.linalg.norm(x, -np.inf, keepdims=True)", "np.linalg.norm(m, 'fro', axis=(0, 2))", "np.linalg.norm(x, keepdims=True)"),
        "np.linalg.outer": "np.linalg.outer(r, v)",
        "np.linalg.slogdet": "tuple(np.linalg.slogdet(s))",
        "np.linalg.solve": ("np.linalg.solve(s, x)", "np.linalg.solve(s, r[:3])", "np.linalg.solve(np.stack([s, 2 * s]), np.stack([x, y]))"),
        "np.linalg.tensordot": "np.linalg.tensordot(x, w, axes=1)",
        "np.linalg.trace": "np.linalg.trace(m)",
        "np.linalg.vecdot": "np.linalg.vecdot(x, y)",
        "np.linalg.vector_norm": ("np.linalg.vector_norm(x)", "np.linalg.vector_norm(x, axis=1, ord=3)"),
    },
    "Differences, polynomials, comparisons of arrays": {
        "np.allclose": "np.where(np.allclose(x, x), x, y)",
        "np.array_equal": "x * 2 if np.array_equal(x, x) else y",
        "np.diff": ("np.diff(x)", "np.diff(x, 2, axis=0)"),
        "np.ediff1d": "np.ediff1d(v, to_end=3.0)",
        "np.gradient": ("np.gradient(v)", "np.gradient(x, 0.5, axis=1)", "np.gradient(x)[0]"),
        "np.polyval": "np.polyval(r, x)",
        "np.trapezoid": ("np.trapezoid(x)", "np.trapezoid(v, np.cumsum(np.exp(v)))", "np.trapezoid(x, dx=0.5, axis=0)"),
        "np.vander": ("np.vander(r)", "np.vander(r, 3, increasing=True)"),
    },
    "scipy.special": {
        "special.boxcox": "special.boxcox(p, x)",
        "special.boxcox1p": "special.boxcox1p(p, x)",
        "special.entr": "special.entr(p)",
        "special.erf": "special.erf(x)",
        "special.erfc": "special.erfc(x)",
        "special.exp10": "special.exp10(x)",
        "special.expit": "special.expit(x)",
        "special.huber": "special.huber(1.0, x)",
        "special.kl_div": "special.kl_div(p, q)",
        "special.log_expit": "special.log_expit(x)",
        "special.log_softmax": ("special.log_softmax(x, axis=1)", "special.log_softmax(m, axis=(0, 2))"),
        "special.logit": "special.logit(q)",
        "special.logsumexp": ("special.logsumexp(x)", "special.logsumexp(x, axis=1, keepdims=True)", "special.logsumexp(x, axis=1, b=p)"),
        "special.ndtr": "special.ndtr(x)",
        "special.pseudo_huber": "special.pseudo_huber(1.5, x)",
        "special.rel_entr": "special.rel_entr(p, q)",
        "special.softmax": ("special.softmax(x, axis=1)", "special.softmax(m, axis=(0, 2))", "special.softmax(x)"),
        "special.xlog1py": "special.xlog1py(x, p)",
        "special.xlogy": "special.xlogy(x, p)",
    },
}

CASES = {name: given for group in GROUPS.values() for name, given in group.items()}


# Indexing and assignment, which have no name.
INDEXING = (
    "x[1]",
    "x[-1, 2]",
    "x[1:, ::-2]",
    "x[..., 0]",
    "x[:, None, 1:3]",
    "x[[2, 0]]",
    "x[:, [3, 3, 1]]",
    "x[[0, 1], [2, 3]]",
    "m[1, [0, 2]]",
    "m[:, [0, 2], 1]",
    "m[[0, 1], :, [2, 3]]",
    "x[np.eye(3, 4) > 0]",
    "m[:, np.array([True, False, True])]",
    "x.T[np.argmax(x, axis=1)]",
    "x[int(np.argmin(x[:, 0]))]",
    "[row.sum() for row in x]",
    "x.item(5) * x",
    "_assigned(x, v)",
    "_views(x)",
    "_overlapping(v)",
    "_loop(v)",
    "_in_place(x, y)",
    "_sorted_in_place(v)",
    "_out(x, y)",
    "_where_out(x, y)",
    "x.tolist()[1][2] * x",
)


def _filled(made, y):
    made[...] = y
    return made * made


def _added_at(r, v):
    made = np.zeros(4)
    np.add.at(made, [0, 1, 1, 3, 0], v)
    np.subtract.at(made, np.array([2]), r[:1])
    return made * r


def _copied(x, y):
    made = np.zeros_like(x)
    np.copyto(made, y)
    np.copyto(made, x, where=x > 0)
    return made


def _diagonal_filled(s, c):
    made = s.copy()
    np.fill_diagonal(made, c)
    return made


def _placed(x):
    made = x + 0
    np.place(made, np.eye(3, 4) > 0, np.array([7.0]))
    return made * x


def _put(x, v):
    made = x * 2
    np.put(made, [0, 5, 7], v[:3])
    return made


def _masked(x):
    made = x * 2
    np.putmask(made, x > 0, 0.0)
    made[made < -1] = -1
    return made


def _assigned(x, v):
    made = np.zeros((4, 5))
    made[1:, 0] = x[:, 1]
    made[0] = v
    made[:, -1] += 2.0
    made[[1, 2], [2, 3]] = v[:2]
    made[3, 1::2] = x[0, :2]
    made[2][1] = v[4]
    return made * made


def _views(x):
    made = x * 2
    flat, turned, part = made.reshape(-1), made.T, made[1:, ::2]
    flat[3] = 10.0
    turned[0, 1] = x[2, 3]
    part *= 3
    copied = made.copy()
    copied[0] = 0
    return made, flat, turned, part, copied


def _overlapping(v):
    made = v + 0
    made[1:] = made[:-1]
    made[[0, 0]] = v[2:4]
    return made


def _loop(v):
    made, total = np.empty(len(v)), 0.0
    for place in range(len(v)):
        total = np.tanh(total + v[place])
        made[place] = total
    return made


def _in_place(x, y):
    made = x.copy()
    same = made
    made += y
    made *= 2
    made /= 3
    made -= 1
    made **= 2
    return same


def _sorted_in_place(v):
    made = v.copy()
    made.sort()
    made.fill(2.0) if False else None
    return made


def _out(x, y):
    made = np.empty_like(x)
    returned = np.add(x, y, out=made)
    np.cumsum(made, axis=1, out=made)
    return made * returned


def _where_out(x, y):
    made = np.zeros_like(x)
    np.divide(x, y, out=made, where=y > 0)
    return made
