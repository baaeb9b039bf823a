"""JAX on the CPU: https://github.com/jax-ml/jax.

Every case runs eagerly, as it does for a user without `jit`. JAX then compiles a small program for each
operator and shape that it has not met before, which takes longer than anything else here. In a virtual
environment the programs are kept on disk, so that the next run only loads them;
`JAX_ENABLE_COMPILATION_CACHE=false` turns that off.

With `--jit`, or `ADJUDGE_JAX_JIT=1`, every question is compiled as a whole, as it is for a user of `jit`. XLA
then fuses operators, and branches and loops of programs are JAX's own.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import warnings
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from adjudge.kit.adapter import Adapter, Arrays, Description, Function, Hook, Pullback, Unsupported, serve
from adjudge.kit.functional import Functional
from adjudge.kit.programs import (
    CUSTOM_STATEMENTS,
    MEMORY_STATEMENTS,
    PLAIN_STATEMENTS,
    TAPE_STATEMENTS,
    Block,
    Custom,
    Inputs,
    Left,
    Made,
    Names,
    Run,
)

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

# Whether graphs are compiled as a whole, as for a user of `jit`.
WHOLE = "--jit" in sys.argv or os.environ.get("ADJUDGE_JAX_JIT", "") not in ("", "0")

# A compiled program takes about 3 MB, and JAX keeps them all. This many at once are enough to be fast.
MOST_COMPILED = 1000
COMPILED = "/jax/core/compile/backend_compile_duration"


def compiled(f, **options):
    """Compiles `f` as a whole where that is asked for, else runs it operator by operator."""
    return jax.jit(f, **options) if WHOLE else f


def given_away(arrays: Arrays) -> Arrays:
    """Copies what a compiled function may overwrite: whoever reads a donated array afterwards is refused by JAX."""
    return [jnp.array(array, copy=True) for array in arrays]


HIGHEST = jax.lax.Precision.HIGHEST


def bernoulli_mask(shape, key, rate, dtype):
    bits = jax.random.bits(jax.random.wrap_key_data(key.astype(np.uint32), impl="threefry2x32"), shape, "uint32")
    # float64 holds these exactly, whatever the precision asked for.
    return (bits.astype(np.float64) / 2**32 >= rate).astype(dtype)


def comparison(compare):
    return lambda *operands: compare(*operands).astype(operands[0].dtype)


def reduction(reduce):
    return lambda x, axes, keepdims: reduce(x, axis=axes, keepdims=keepdims)


def sort(x, axis, descending):
    if not descending:
        return jnp.sort(x, axis, stable=True)
    # jnp.sort reverses an ascending order, and equal elements with it; argsort keeps those in order.
    return jnp.take_along_axis(x, jnp.argsort(x, axis, descending=True, stable=True), axis)


def conv(x, w, strides, padding, dilations, groups):
    return jax.lax.conv_general_dilated(
        x, w, strides, padding, rhs_dilation=dilations, feature_group_count=groups, precision=HIGHEST
    )


def conv_transpose(x, w, strides, padding, dilations, groups, output_padding):
    # jax.lax.conv_transpose has neither groups nor output padding; this is what it consists of.
    channels, kernels, *window = w.shape
    turned = jnp.flip(w, tuple(range(2, w.ndim))).reshape(groups, channels // groups, kernels, *window)
    turned = jnp.swapaxes(turned, 1, 2).reshape(groups * kernels, channels // groups, *window)
    reach = [(extent - 1) * dilation for extent, dilation in zip(window, dilations)]
    sides = [(r - low, r - high + more) for r, (low, high), more in zip(reach, padding, output_padding)]
    return jax.lax.conv_general_dilated(
        x,
        turned,
        (1,) * len(window),
        sides,
        lhs_dilation=strides,
        rhs_dilation=dilations,
        feature_group_count=groups,
        precision=HIGHEST,
    )


def windows(x, start, combine, window, strides, padding):
    spatial = ((0, 0), (0, 0), *padding)
    return jax.lax.reduce_window(x, np.array(start, x.dtype), combine, (1, 1, *window), (1, 1, *strides), spatial)


def max_pool(x, window, strides, padding):
    return windows(x, -np.inf, jax.lax.max, window, strides, padding)


def avg_pool(x, window, strides, padding, count_include_pad):
    total = windows(x, 0, jax.lax.add, window, strides, padding)
    if count_include_pad:
        return total / np.prod(window)
    return total / windows(jnp.ones((1, 1, *x.shape[2:]), x.dtype), 0, jax.lax.add, window, strides, padding)


def layer_norm(x, scale, offset, axes, epsilon):
    place = [extent if axis in axes else 1 for axis, extent in enumerate(x.shape)]
    normal = jax.nn.standardize(x, tuple(axes), epsilon=epsilon, algorithm="stable")
    return normal * scale.reshape(place) + offset.reshape(place)


class JaxMemory(Functional):
    """Writes by `.at[].set`. Branches are Python's where a condition is known, JAX's where it is traced."""

    rolls_loops = WHOLE

    def gather(self, flat, positions):
        return flat[positions]

    def put(self, flat, positions, values):
        return flat.at[positions].set(values, unique_indices=True)

    def write_rows(self, reference, rows, op, function, value):
        positions = reference.layout[list(map(int, rows))].reshape(-1) if all(isinstance(row, int) for row in rows) else None
        if reference.is_detached or positions is None or op not in (None, "add"):
            return False
        if op is None and np.unique(positions).size < positions.size:
            return False
        places = reference.cell.array.at[positions + reference.offset]
        reference.cell.array = (places.set if op is None else places.add)(value.reshape(-1))
        return True

    def write_scatter(self, reference, mask, op, function, row):
        try:
            chosen = np.asarray(mask != 0)
        except jax.errors.JAXTypeError:
            return False
        positions = reference.layout[chosen]
        if reference.is_detached or op not in (None, "add") or positions.size > row.size:
            return False
        if np.unique(reference.layout).size < reference.layout.size:
            return False
        places = reference.cell.array.at[positions + reference.offset]
        reference.cell.array = (places.set if op is None else places.add)(row[: positions.size])
        return True

    def place(self, value):
        # A traced loop counts with an array, and so does an index that is traced.
        count = value.astype(np.int32)
        try:
            return int(count) if count == value else super().place(value)
        except jax.errors.JAXTypeError:
            return count

    def truth(self, value):
        try:
            return bool(value != 0)
        except jax.errors.TracerBoolConversionError:
            return None

    def branch(self, condition, body, otherwise, arrays):
        return jax.lax.cond(condition != 0, body, otherwise, arrays)

    def turns(self, times, turn, arrays):
        return jax.lax.fori_loop(0, times, turn, arrays)

    def while_holds(self, holds, fuel, turn, arrays):
        def goes_on(counted):
            return (holds(counted[1]) != 0) & (counted[0] < fuel)

        _, left = jax.lax.while_loop(goes_on, lambda counted: (counted[0] + 1, turn(counted[1])), (0, arrays))
        return left, holds(left) != 0

    def checkpoint(self, run: Run, block: Block, names: Names) -> None:
        arrays, function, put = run.closed(block, names)
        put(jax.checkpoint(function)(arrays))

    # So many forward derivatives are around, of which `custom_vjp` has none.
    _forward = 0

    def jvp(self, f, inputs, tangents):
        self._forward += 1
        try:
            return super().jvp(f, inputs, tangents)
        finally:
            self._forward -= 1

    def outer_jvp(self, f, inputs, tangents):
        self._forward += 1
        try:
            return super().outer_jvp(f, inputs, tangents)
        finally:
            self._forward -= 1

    def custom(self, own: Custom, operands: Arrays) -> Made:
        if own.is_traced:
            return super().custom(own, operands)

        def made(arrays: Arrays) -> tuple[list[Arrays], Arrays]:
            whole = own.value(arrays)
            return [list(whole.values), list(whole.after)], list(whole.saved)

        def said(arrays: Arrays, saved: Arrays) -> list[Arrays]:
            paths = own.derivative([*arrays, *saved])
            count = len(paths) - len(own.marked)
            return [list(paths[:count]), list(paths[count:])]

        (values, after), saved = self._said(made, said)(list(operands))
        return Made(values, saved, after)

    def hook(self, value, derivative: Function):
        return self._said(lambda x: (x, []), lambda x, _: derivative([x])[0])(value)[0]

    def _said(self, made: Callable, said: Callable) -> Callable:
        """Makes a function of one argument, whose results have the derivative of `said`, and what it saves none."""
        if self._forward:
            function = jax.custom_jvp(made)

            @function.defjvp
            def rule(primals, tangents):
                (x,), (along,) = primals, tangents
                results, saved = function(x)
                fixed = jax.lax.stop_gradient(saved)
                _, moved = jax.jvp(lambda x: said(x, fixed), (x,), (along,))
                return (results, saved), (moved, jax.tree.map(jnp.zeros_like, saved))

            return function
        function = jax.custom_vjp(made)

        def forwards(x):
            results, saved = made(x)
            return (results, saved), (x, jax.lax.stop_gradient(saved))

        def backwards(kept, cotangents):
            x, saved = kept
            _, pull_back = jax.vjp(lambda x: said(x, saved), x)
            return pull_back(cotangents[0])

        function.defvjp(forwards, backwards)
        return function

    def entered(self, run: Run, inputs: Inputs) -> Left:
        if not WHOLE:
            return super().entered(run, inputs)
        told = []

        def arrays(parameters, state):
            left = run.enter(parameters, state)
            told.append(left)
            sent = [array for _, array in left.sent]
            return left.results, left.state, sent, left.drawn, left.exhausted, left.too_deep

        # A step returns what the persistent locations hold, so users donate what they held before.
        step = compiled(arrays, donate_argnums=1)
        with warnings.catch_warnings():
            # A location that nothing is written to has a buffer of no use.
            warnings.filterwarnings("ignore", "Some donated buffers were not usable")
            results, state, sent, drawn, exhausted, too_deep = step(inputs.parameters, given_away(inputs.state))
        channels = [channel for channel, _ in told[0].sent]
        left = dataclasses.replace(told[0], results=results, state=state, sent=list(zip(channels, sent)))
        return dataclasses.replace(left, drawn=drawn, exhausted=exhausted, too_deep=too_deep)


class JaxAdapter(Adapter):
    description = Description(
        name="JAX",
        version=jax.__version__ + (" (jit)" if WHOLE else ""),
        links=["https://github.com/jax-ml/jax", "https://docs.jax.dev"],
        dtypes=["float64", "float32"],
        # XLA's CPU kernels run with FTZ and DAZ in both precisions; copies keep subnormals.
        conventions={
            "maximumAtTie": "split",
            "reluAtZero": "zero",
            "compositeKinks": "own",
            "subnormals": "flushed",
        },
    )

    # Left out is what users of JAX take from other libraries (losses, recurrent cells, dropout, batch norm),
    # what has another derivative at a choice (abs, copysign and leaky_relu have 1 at 0), and sigmoid and
    # silu, whose derivative s(1 - s) loses digits where s is near 1.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: jnp.full(shape, value, dtype),
        "iota": lambda shape, axis, dtype: jax.lax.broadcasted_iota(dtype, shape, axis),
        "bernoulli_mask": bernoulli_mask,
        "stop_gradient": jax.lax.stop_gradient,
        "negative": jnp.negative,
        "exp": jnp.exp,
        "log": jnp.log,
        "sin": jnp.sin,
        "cos": jnp.cos,
        "tanh": jnp.tanh,
        "sqrt": jnp.sqrt,
        "relu": jax.nn.relu,
        "floor": jnp.floor,
        "expm1": jnp.expm1,
        "log1p": jnp.log1p,
        "log2": jnp.log2,
        "tan": jnp.tan,
        "asin": jnp.asin,
        "acos": jnp.acos,
        "atan": jnp.atan,
        "sinh": jnp.sinh,
        "cosh": jnp.cosh,
        "asinh": jnp.asinh,
        "acosh": jnp.acosh,
        "atanh": jnp.atanh,
        "erf": jax.scipy.special.erf,
        "add": jnp.add,
        "subtract": jnp.subtract,
        "multiply": jnp.multiply,
        "divide": jnp.divide,
        "maximum": jnp.maximum,
        "less": comparison(jnp.less),
        "equal": comparison(jnp.equal),
        "pow": jnp.pow,
        "atan2": jnp.atan2,
        "hypot": jnp.hypot,
        "where": lambda condition, x, y: jnp.where(condition != 0, x, y),
        "sum": reduction(jnp.sum),
        "broadcast_to": lambda x, shape: jnp.broadcast_to(x, shape),
        "reshape": lambda x, shape: jnp.reshape(x, shape),
        "permute_dims": lambda x, axes: jnp.permute_dims(x, axes),
        "concat": lambda *arrays, axis: jnp.concat(arrays, axis=axis),
        "take": lambda x, axis, indices: jnp.take(x, indices, axis=axis),
        "slice": lambda x, starts, stops, steps: x[tuple(map(slice, starts, stops, steps))],
        "pad": lambda x, low, high, interior: jax.lax.pad(x, jnp.zeros((), x.dtype), tuple(zip(low, high, interior))),
        "take_along_axis": lambda x, axis, indices: jnp.take_along_axis(x, indices, axis),
        "gather": lambda x, indices: x[tuple(np.moveaxis(indices, -1, 0))],
        "scatter_add": lambda x, updates, indices: x.at[tuple(np.moveaxis(indices, -1, 0))].add(updates),
        "cumulative_sum": lambda x, axis: jnp.cumsum(x, axis),
        # HIGHEST keeps float32 products from being computed in fewer bits.
        "matmul": lambda x, y: jnp.matmul(x, y, precision=HIGHEST),
        "solve": jnp.linalg.solve,
        "det": jnp.linalg.det,
        # These are composites.
        "sign": jnp.sign,
        "square": jnp.square,
        "reciprocal": jnp.reciprocal,
        "ceil": jnp.ceil,
        "round": jnp.round,
        "identity": jax.nn.identity,
        "minimum": jnp.minimum,
        "clip": lambda x, low, high: jnp.clip(x, low, high),
        "remainder": jnp.remainder,
        "not_equal": comparison(jnp.not_equal),
        "less_equal": comparison(jnp.less_equal),
        "greater": comparison(jnp.greater),
        "greater_equal": comparison(jnp.greater_equal),
        "logical_not": comparison(jnp.logical_not),
        "logical_and": comparison(jnp.logical_and),
        "logical_or": comparison(jnp.logical_or),
        "logical_xor": comparison(jnp.logical_xor),
        "softplus": jax.nn.softplus,
        "logaddexp": jnp.logaddexp,
        "elu": lambda x, alpha: jax.nn.elu(x, alpha),
        "gelu": lambda x, approximate: jax.nn.gelu(x, approximate=approximate == "tanh"),
        "mean": reduction(jnp.mean),
        "prod": reduction(jnp.prod),
        "max": reduction(jnp.max),
        "min": reduction(jnp.min),
        "var": lambda x, axes, keepdims, correction: jnp.var(x, axis=axes, keepdims=keepdims, correction=correction),
        "logsumexp": reduction(jax.nn.logsumexp),
        "norm": reduction(jnp.linalg.vector_norm),
        "cumulative_prod": lambda x, axis: jnp.cumprod(x, axis),
        "argmax": lambda x, axis, keepdims: jnp.argmax(x, axis=axis, keepdims=keepdims).astype(x.dtype),
        "stack": lambda *arrays, axis: jnp.stack(arrays, axis=axis),
        "split": lambda x, axis, sections, part: jnp.split(x, sections, axis)[part],
        "flip": lambda x, axes: jnp.flip(x, axes),
        "roll": lambda x, shift, axis: jnp.roll(x, shift, axis),
        "tile": lambda x, repetitions: jnp.tile(x, repetitions),
        "one_hot": lambda indices, classes, dtype: jax.nn.one_hot(indices, classes, dtype=dtype),
        "diagonal": lambda x, offset: jnp.linalg.diagonal(x, offset=offset),
        "tril": lambda x, offset: jnp.tril(x, offset),
        "triu": lambda x, offset: jnp.triu(x, offset),
        "sort": sort,
        "top_k": lambda x, axis, k: jax.lax.top_k(x, k, axis=axis)[0],
        "vecdot": lambda x, y, axis: jnp.linalg.vecdot(x, y, axis=axis, precision=HIGHEST),
        "outer": jnp.linalg.outer,
        "einsum": lambda *arrays, equation: jnp.einsum(equation, *arrays, precision=HIGHEST),
        "trace": lambda x, offset: jnp.linalg.trace(x, offset=offset),
        "inv": jnp.linalg.inv,
        "cholesky": lambda x, upper: jnp.linalg.cholesky(x, upper=upper),
        "triangular_solve": lambda a, b, upper: jax.scipy.linalg.solve_triangular(a, b, lower=not upper),
        "conv": conv,
        "conv_transpose": conv_transpose,
        "max_pool": max_pool,
        "avg_pool": avg_pool,
        "softmax": lambda x, axis: jax.nn.softmax(x, axis),
        "log_softmax": lambda x, axis: jax.nn.log_softmax(x, axis),
        "layer_norm": layer_norm,
        "embedding": lambda table, indices: jnp.take(table, indices, axis=0),
    }

    nests = True

    lives = ("until released",)

    laws = ("rademacher", "gaussian")

    statements = (*PLAIN_STATEMENTS, *MEMORY_STATEMENTS, *TAPE_STATEMENTS, *CUSTOM_STATEMENTS)

    def __init__(self) -> None:
        self.memory = JaxMemory(self)
        self._compiled = 0
        jax.monitoring.register_event_duration_secs_listener(self._count)

    def _count(self, event: str, _seconds: float, **_: object) -> None:
        self._compiled += event == COMPILED

    def tidy(self) -> None:
        if self._compiled > MOST_COMPILED:
            jax.clear_caches()
            self._compiled = 0

    def direction(self, law: str, seed: int, shapes: Sequence[Sequence[int]], dtype: np.dtype) -> Arrays:
        draw = jax.random.rademacher if law == "rademacher" else jax.random.normal
        keys = jax.random.split(jax.random.key(seed), len(shapes))
        return [draw(key, tuple(shape), dtype) for key, shape in zip(keys, shapes)]

    def array(self, value: np.ndarray) -> jax.Array:
        return jnp.asarray(value)

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return compiled(f)(inputs)

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        def pushed(primals, tangents):
            return jax.jvp(lambda *xs: f(xs), tuple(primals), tuple(tangents))[1]

        return compiled(pushed)(inputs, tangents)

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        def pulled(primals, cotangents):
            _, pull_back = jax.vjp(lambda *xs: f(xs), *primals)
            return pull_back(cotangents)

        try:
            return compiled(pulled)(inputs, cotangents)
        except ValueError as error:
            # JAX pulls back only through loops whose turns are counted before they run.
            if "Reverse-mode differentiation does not work for" not in str(error):
                raise
            raise Unsupported(str(error).partition("\n")[0]) from error

    def record(self, f: Function, inputs: Arrays, life: str) -> Pullback:
        _, pull_back = jax.vjp(lambda *xs: f(xs), *inputs)
        return lambda cotangents: pull_back(list(cotangents))

    hooks = True

    def hooked(self, value: jax.Array, called: Hook) -> jax.Array:
        # Users look at a cotangent so: by the identity with a rule of their own.
        @jax.custom_vjp
        def hook(x):
            return x

        def pulled(_, cotangent):
            called(cotangent)
            return (cotangent,)

        hook.defvjp(lambda x: (x, None), pulled)
        return hook(value)



def keep_compiled() -> None:
    """Lets JAX keep compiled programs in the virtual environment."""
    jax.config.update("jax_compilation_cache_dir", os.path.join(sys.prefix, "jax-cache"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


if __name__ == "__main__":
    if not WHOLE and sys.prefix != sys.base_prefix and jax.config.jax_compilation_cache_dir is None:
        keep_compiled()
    serve(JaxAdapter)
