"""HIPS autograd: https://github.com/HIPS/autograd. It is NumPy with a tape."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import autograd.numpy as np
import autograd.scipy.linalg as scipy_linalg
import autograd.scipy.special as special
import numpy
from adjudge.kit.adapter import Adapter, Array, Arrays, Description, Function, Hook, Pullback, Unsupported, serve
from adjudge.kit.functional import Functional
from adjudge.kit.programs import CUSTOM_STATEMENTS, MEMORY_STATEMENTS, PLAIN_STATEMENTS
from autograd import make_jvp, make_vjp
from autograd.builtins import tuple as traced_tuple
from autograd.differential_operators import make_jvp_reversemode
from autograd.extend import defvjp, primitive
from autograd.tracer import getval


def broadcast_to(x, shape):
    # autograd differentiates broadcast_to only at equal rank (its issue 384), so new axes are added before.
    new_axes = (1,) * (len(shape) - np.ndim(x))
    return np.broadcast_to(np.reshape(x, new_axes + np.shape(x)) if new_axes else x, shape)


def iota(shape, axis, dtype):
    column = (shape[axis],) + (1,) * (len(shape) - axis - 1)
    return numpy.broadcast_to(numpy.arange(shape[axis], dtype=dtype).reshape(column), shape)


def sliced(x, starts, stops, steps):
    # autograd cannot pull back an index of no axes.
    return x[tuple(map(slice, starts, stops, steps))] if starts else x


def pad(x, low, high, interior):
    for axis, gap in enumerate(interior):
        extent = np.shape(x)[axis]
        if gap > 0 and extent > 1:
            # NumPy pads outside only: a block of zeros goes after each element, and the last is cut off.
            before, after = np.shape(x)[:axis], np.shape(x)[axis + 1 :]
            blocks = np.reshape(x, (*before, extent, 1, *after))
            zeros = numpy.zeros((*before, extent, gap, *after))
            spread = np.reshape(np.concatenate([blocks, zeros], axis + 1), (*before, extent * (gap + 1), *after))
            x = spread[(slice(None),) * axis + (slice(extent * (gap + 1) - gap),)]
    return np.pad(x, tuple(zip(low, high)), "constant") if low else x


def take_along_axis(x, axis, indices):
    # np.take_along_axis has no derivative in autograd; indexing has.
    grid = list(numpy.indices(indices.shape, sparse=True))
    grid[axis] = indices
    return x[tuple(grid)]


def comparison(compare):
    return lambda *operands: compare(*operands).astype(numpy.float64)


def hypot(x, y):
    # np.hypot has no derivative in autograd. A power of two keeps the squares in range, and rounds nothing.
    _, exponent = numpy.frexp(numpy.maximum(numpy.abs(getval(x)), numpy.abs(getval(y))))
    scale = numpy.ldexp(1.0, numpy.clip(exponent, -900, 900))
    return scale * np.sqrt((x / scale) ** 2 + (y / scale) ** 2)


def reduction(reduce):
    # One axis is given as people give it, as a number.
    return lambda x, axes, **options: reduce(x, axis=axes[0] if len(axes) == 1 else axes, **options)


def logsumexp(x, axes, keepdims):
    # SciPy gives scalars an axis, so they pass unchanged.
    return reduction(special.logsumexp)(x, axes=axes, keepdims=keepdims) if axes else x


def norm(x, axes, keepdims):
    # NumPy's function takes one axis or two.
    if len(axes) == 1:
        return np.linalg.norm(x, axis=axes[0], keepdims=keepdims)
    if len(axes) == 2:
        return np.linalg.norm(x, axis=axes, keepdims=keepdims)
    return np.sqrt(np.sum(np.square(x), axis=axes, keepdims=keepdims))


def transposed(x):
    return np.swapaxes(x, -1, -2)


def cholesky(x, upper):
    # NumPy's function assumes a symmetric operand and reads one triangle.
    lower = np.linalg.cholesky((x + transposed(x)) / 2)
    return transposed(lower) if upper else lower


def triangular_solve(a, b, upper):
    # The derivative is that of single matrices.
    if np.ndim(a) > 2:
        return np.stack([triangular_solve(a[i], b[i], upper) for i in range(len(a))]) if len(a) > 0 else b
    return scipy_linalg.solve_triangular(a, b, lower=not upper)


class AutogradMemory(Functional):
    """Branches and loops are Python's, as an array's contents are known."""

    def place(self, value):
        return super().place(getval(value))

    def truth(self, value):
        return bool(getval(value) != 0)


class AutogradAdapter(Adapter):
    description = Description(
        name="autograd",
        version=version("autograd"),
        links=["https://github.com/HIPS/autograd"],
        # float32 is missing because cotangents of maximum and where turn into float64.
        dtypes=["float64"],
        # NumPy has no relu; maximum's convention gives it 1/2 at 0.
        conventions={"maximumAtTie": "split", "reluAtZero": "half", "compositeKinks": "own"},
    )

    # autograd does not differentiate scatter_add, clip (by its bounds), copysign, cumulative_prod, flip,
    # diagonal (but the main one) and sort (but of vectors), and NumPy has no Threefry for bernoulli_mask.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: numpy.full(shape, value, dtype),
        "iota": iota,
        # autograd has no function of that name; its authors advise this one (issue 256).
        "stop_gradient": getval,
        "negative": np.negative,
        "exp": np.exp,
        "log": np.log,
        "sin": np.sin,
        "cos": np.cos,
        "tanh": np.tanh,
        "sqrt": np.sqrt,
        "relu": lambda x: np.maximum(x, 0.0),
        "floor": np.floor,
        "expm1": np.expm1,
        "log1p": np.log1p,
        "log2": np.log2,
        "tan": np.tan,
        "asin": np.arcsin,
        "acos": np.arccos,
        "atan": np.arctan,
        "sinh": np.sinh,
        "cosh": np.cosh,
        "asinh": np.arcsinh,
        "acosh": np.arccosh,
        "atanh": np.arctanh,
        "erf": special.erf,
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "divide": np.divide,
        "maximum": np.maximum,
        "less": comparison(np.less),
        "equal": comparison(np.equal),
        "pow": np.power,
        "atan2": np.arctan2,
        "hypot": hypot,
        "where": lambda condition, x, y: np.where(condition != 0, x, y),
        "sum": reduction(np.sum),
        "broadcast_to": broadcast_to,
        "reshape": lambda x, shape: np.reshape(x, shape),
        "permute_dims": lambda x, axes: np.transpose(x, axes),
        "concat": lambda *arrays, axis: np.concatenate(arrays, axis),
        # np.take has no derivative in autograd; indexing has.
        "take": lambda x, axis, indices: x[(slice(None),) * axis + (indices,)],
        "slice": sliced,
        "pad": pad,
        "take_along_axis": take_along_axis,
        "gather": lambda x, indices: x[tuple(numpy.moveaxis(indices, -1, 0))],
        "cumulative_sum": lambda x, axis: np.cumsum(x, axis),
        "matmul": np.matmul,
        "solve": np.linalg.solve,
        "det": np.linalg.det,
        # These are composites.
        "abs": np.abs,
        "sign": np.sign,
        "square": np.square,
        "reciprocal": np.reciprocal,
        "ceil": np.ceil,
        "round": np.round,
        "minimum": np.minimum,
        "remainder": np.remainder,
        "logaddexp": np.logaddexp,
        "not_equal": comparison(np.not_equal),
        "less_equal": comparison(np.less_equal),
        "greater": comparison(np.greater),
        "greater_equal": comparison(np.greater_equal),
        "logical_not": comparison(np.logical_not),
        "logical_and": comparison(np.logical_and),
        "logical_or": comparison(np.logical_or),
        "logical_xor": comparison(np.logical_xor),
        "mean": reduction(np.mean),
        "prod": reduction(np.prod),
        "max": reduction(np.max),
        "min": reduction(np.min),
        "var": lambda x, correction, **how: reduction(np.var)(x, ddof=correction, **how),
        "logsumexp": logsumexp,
        "norm": norm,
        "argmax": lambda x, axis, keepdims: np.argmax(x, axis=axis, keepdims=keepdims).astype(numpy.float64),
        "stack": lambda *arrays, axis: np.stack(arrays, axis),
        "split": lambda x, axis, sections, part: np.split(x, sections, axis)[part],
        "roll": lambda x, shift, axis: np.roll(x, shift, axis),
        "tile": lambda x, repetitions: np.tile(x, repetitions),
        "tril": lambda x, offset: np.tril(x, offset),
        "triu": lambda x, offset: np.triu(x, offset),
        "outer": np.outer,
        "einsum": lambda *arrays, equation: np.einsum(equation, *arrays),
        # autograd's derivative is that of the trace over the first two axes.
        "trace": lambda x, offset: np.trace(np.moveaxis(x, (-2, -1), (0, 1)), offset),
        "inv": np.linalg.inv,
        "cholesky": cholesky,
        "triangular_solve": triangular_solve,
    }

    nests = True

    lives = ("until released",)

    # `checkpoint` of autograd.misc is left out: it differentiates functions of arrays, has no forward rule,
    # and repeats what a body sends to channels.
    statements = (*PLAIN_STATEMENTS, *MEMORY_STATEMENTS, *CUSTOM_STATEMENTS, "detach", "no_grad", "differentiate")

    def __init__(self) -> None:
        self.memory = AutogradMemory(self)

    def array(self, value: numpy.ndarray) -> numpy.ndarray:
        return value

    laws = ("rademacher", "gaussian")

    def direction(self, law: str, seed: int, shapes: Sequence[Sequence[int]], dtype: np.dtype) -> Arrays:
        generator = numpy.random.default_rng(seed)
        if law == "gaussian":
            return [generator.standard_normal(tuple(shape)) for shape in shapes]
        return [generator.choice(numpy.array([-1.0, 1.0]), size=tuple(shape)) for shape in shapes]

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        everything = tuple(range(len(inputs)))
        try:
            push_forward = make_jvp(lambda *xs: traced_tuple(f(xs)), everything)(*inputs)
            return push_forward(tuple(tangents))[1]
        except NotImplementedError:
            # Some functions have no forward rule (det, solve, erf, …); autograd then pulls back twice.
            return declined(lambda: make_jvp_reversemode(lambda *xs: traced_tuple(f(xs)), everything)(*inputs)(tuple(tangents)))

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        def pulled():
            pull_back, _ = make_vjp(lambda *xs: traced_tuple(f(xs)), tuple(range(len(inputs))))(*inputs)
            return pull_back(tuple(cotangents))

        return declined(pulled)

    def record(self, f: Function, inputs: Arrays, life: str) -> Pullback:
        def recorded():
            return make_vjp(lambda *xs: traced_tuple(f(xs)), tuple(range(len(inputs))))(*inputs)[0]

        pull_back = declined(recorded)
        return lambda cotangents: pull_back(tuple(cotangents))

    hooks = True

    def hooked(self, value: Array, called: Hook) -> Array:
        # Users look at a cotangent so: by the identity with a rule of their own.
        @primitive
        def hook(x):
            return x

        def pulled(answer, x):
            def pull(cotangent):
                called(cotangent)
                return cotangent

            return pull

        defvjp(hook, pulled)
        return hook(value)


def declined(compute):
    """Returns what `compute` does; what autograd says it lacks is unsupported."""
    try:
        return compute()
    except NotImplementedError as error:
        raise Unsupported(str(error)) from error


if __name__ == "__main__":
    serve(AutogradAdapter)
