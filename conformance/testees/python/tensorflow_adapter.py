"""TensorFlow on the CPU, eager: https://www.tensorflow.org. It has `GradientTape` and `ForwardAccumulator`.

No derivative passes the assignment of a `tf.Variable`, so locations of programs are tensors within a tape,
which are never overwritten. With `--function`, `tf.function` traces every question as a whole, and loops and
branches are TensorFlow's `while_loop` and `cond`. With `--variables` the inputs of a tape are `tf.Variable`s,
as a layer's weights are. Each is an engine of its own.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from typing import Any, Callable

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf
from adjudge.kit.adapter import Adapter, Arrays, Description, Function, Hook, Pullback, Unsupported, serve
from adjudge.kit.functional import Functional
from adjudge.kit.programs import CUSTOM_STATEMENTS, MEMORY_STATEMENTS, PLAIN_STATEMENTS, Inputs, Left, Run

# Whether questions are traced as a whole, and whether inputs of tapes are variables.
FUNCTION = "--function" in sys.argv
VARIABLES = "--variables" in sys.argv


def traced(f):
    # Within a trace a function is part of it: what it leaves in a run would be out of reach otherwise.
    return tf.function(f, autograph=False) if FUNCTION and tf.executing_eagerly() else f


def comparison(compare):
    return lambda *operands: tf.cast(compare(*operands), operands[0].dtype)


def logical(combine):
    return comparison(lambda *operands: combine(*(operand != 0 for operand in operands)))


def reduction(reduce):
    return lambda x, axes, keepdims: reduce(x, axis=axes, keepdims=keepdims)


def only_if(is_taken, limit):
    if not is_taken:
        raise Unsupported(limit)


def pad(x, low, high, interior):
    for axis, gap in enumerate(interior):
        extent = x.shape[axis]
        if gap > 0 and extent > 1:
            # tf.pad pads outside only: zeros go after each element, and those after the last are cut off.
            before, after = x.shape[:axis], x.shape[axis + 1 :]
            sides = [(0, gap if place == axis + 1 else 0) for place in range(x.shape.rank + 1)]
            spread = tf.pad(tf.reshape(x, (*before, extent, 1, *after)), sides)
            x = tf.gather(tf.reshape(spread, (*before, extent * (gap + 1), *after)), np.arange(extent * (gap + 1) - gap), axis=axis)
    return tf.pad(x, tuple(zip(low, high))) if low else x


def sliced(x, starts, stops, steps):
    return x[tuple(map(slice, starts, stops, steps))] if starts else x


def last(function, name):
    """Makes a function of the last axis alone."""

    def of_last(x, axis, **attributes):
        only_if(axis == x.shape.rank - 1, f"{name} is along the last axis")
        return function(x, **attributes)

    return of_last


def var(x, axes, keepdims, correction):
    count = int(np.prod([x.shape[axis] for axis in axes]))
    variance = tf.math.reduce_variance(x, axis=axes, keepdims=keepdims)
    return variance * (count / (count - correction)) if correction else variance


def argmax(x, axis, keepdims):
    places = tf.cast(tf.argmax(x, axis), x.dtype)
    return tf.expand_dims(places, axis) if keepdims else places


def trace(x, offset):
    only_if(-x.shape[-2] < offset < x.shape[-1], "tf.linalg.diag_part has the diagonals of a matrix alone")
    return tf.reduce_sum(tf.linalg.diag_part(x, k=offset), -1)


def cholesky(x, upper):
    lower = tf.linalg.cholesky((x + tf.linalg.matrix_transpose(x)) / 2)
    return tf.linalg.matrix_transpose(lower) if upper else lower


class TensorFlowMemory(Functional):
    """Branches and loops are Python's in eager mode, and TensorFlow's where it traces."""

    rolls_loops = FUNCTION

    def put(self, flat, positions, values):
        # A `ForwardAccumulator` fails at the gradient of an update whose indices have one column: the cotangent
        # of what that gathers is no tensor ('IndexedSlices' object has no attribute '_id'). So these have two.
        places = tf.pad(tf.reshape(positions, (-1, 1)), ((0, 0), (0, 1)))
        return tf.reshape(tf.tensor_scatter_nd_update(tf.reshape(flat, (-1, 1)), places, values), (-1,))

    def place(self, value):
        return tf.cast(value, tf.int32) if tf.is_symbolic_tensor(value) else super().place(value)

    def truth(self, value):
        return None if tf.is_symbolic_tensor(value) else bool(value.numpy() != 0)

    def branch(self, condition, body, otherwise, arrays):
        return tf.cond(condition != 0, lambda: body(arrays), lambda: otherwise(arrays))

    def turns(self, times, turn, arrays):
        _, left = tf.while_loop(lambda count, _: count < times, lambda count, now: (count + 1, turn(count, now)), (0, arrays))
        return left

    def while_holds(self, holds, fuel, turn, arrays):
        def goes_on(count, now):
            return tf.logical_and(count < fuel, holds(now) != 0)

        _, left = tf.while_loop(goes_on, lambda count, now: (count + 1, turn(now)), (0, arrays))
        return left, holds(left) != 0

    def cast(self, value, dtype):
        return tf.cast(value, dtype)

    def entered(self, run: Run, inputs: Inputs) -> Left:
        if not FUNCTION:
            return super().entered(run, inputs)
        told = []

        def arrays(parameters, state):
            left = run.enter(parameters, state)
            told.append(left)
            return left.results, left.state, [array for _, array in left.sent], left.drawn, left.exhausted, left.too_deep

        results, state, sent, drawn, exhausted, too_deep = traced(arrays)(list(inputs.parameters), list(inputs.state))
        channels = [channel for channel, _ in told[0].sent]
        left = dataclasses.replace(told[0], results=results, state=state, sent=list(zip(channels, sent)))
        return dataclasses.replace(left, drawn=drawn, exhausted=exhausted, too_deep=too_deep)


class TensorFlowAdapter(Adapter):
    description = Description(
        name="TensorFlow",
        version=tf.__version__ + (" (tf.function)" if FUNCTION else " (variables)" if VARIABLES else ""),
        links=["https://github.com/tensorflow/tensorflow", "https://www.tensorflow.org/api_docs/python/tf"],
        dtypes=["float64", "float32"],
        conventions={"compositeKinks": "own"},
    )

    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: tf.fill(shape, np.asarray(value, dtype)),
        "stop_gradient": tf.stop_gradient,
        "negative": tf.negative,
        "exp": tf.exp,
        "log": tf.math.log,
        "sin": tf.sin,
        "cos": tf.cos,
        "tanh": tf.tanh,
        "sqrt": tf.sqrt,
        "relu": tf.nn.relu,
        "floor": tf.floor,
        "expm1": tf.math.expm1,
        "log1p": tf.math.log1p,
        "tan": tf.tan,
        "asin": tf.asin,
        "acos": tf.acos,
        "atan": tf.atan,
        "sinh": tf.sinh,
        "cosh": tf.cosh,
        "asinh": tf.asinh,
        "acosh": tf.acosh,
        "atanh": tf.atanh,
        "erf": tf.math.erf,
        "add": tf.add,
        "subtract": tf.subtract,
        "multiply": tf.multiply,
        "divide": tf.divide,
        "maximum": tf.maximum,
        "less": comparison(tf.less),
        "equal": comparison(tf.equal),
        "pow": tf.pow,
        "atan2": tf.atan2,
        "where": lambda condition, x, y: tf.where(condition != 0, x, y),
        "sum": reduction(tf.reduce_sum),
        "broadcast_to": lambda x, shape: tf.broadcast_to(x, shape),
        "reshape": lambda x, shape: tf.reshape(x, shape),
        "permute_dims": lambda x, axes: tf.transpose(x, axes),
        "concat": lambda *arrays, axis: tf.concat(arrays, axis),
        "take": lambda x, axis, indices: tf.gather(x, indices, axis=axis),
        "slice": sliced,
        "pad": pad,
        "gather": lambda x, indices: tf.gather_nd(x, indices),
        "cumulative_sum": lambda x, axis: tf.cumsum(x, axis),
        "matmul": tf.matmul,
        "solve": tf.linalg.solve,
        "det": tf.linalg.det,
        # These are composites.
        "abs": tf.abs,
        "sign": tf.sign,
        "square": tf.square,
        "reciprocal": tf.math.reciprocal,
        "ceil": tf.math.ceil,
        "round": tf.round,
        "identity": tf.identity,
        "minimum": tf.minimum,
        "remainder": tf.math.floormod,
        "not_equal": comparison(tf.not_equal),
        "less_equal": comparison(tf.less_equal),
        "greater": comparison(tf.greater),
        "greater_equal": comparison(tf.greater_equal),
        "logical_not": logical(tf.logical_not),
        "logical_and": logical(tf.logical_and),
        "logical_or": logical(tf.logical_or),
        "logical_xor": logical(tf.math.logical_xor),
        "sigmoid": tf.sigmoid,
        "softplus": tf.math.softplus,
        "silu": tf.nn.silu,
        "leaky_relu": lambda x, slope: tf.nn.leaky_relu(x, slope),
        "gelu": lambda x, approximate: tf.nn.gelu(x, approximate == "tanh"),
        "softmax": lambda x, axis: tf.nn.softmax(x, axis),
        "log_softmax": lambda x, axis: tf.nn.log_softmax(x, axis),
        "embedding": lambda x, indices: tf.gather(x, indices),
        "mean": reduction(tf.reduce_mean),
        "prod": reduction(tf.reduce_prod),
        "max": reduction(tf.reduce_max),
        "min": reduction(tf.reduce_min),
        "var": var,
        "logsumexp": reduction(tf.reduce_logsumexp),
        "norm": lambda x, axes, keepdims: tf.sqrt(tf.reduce_sum(tf.square(x), axes, keepdims)),
        "cumulative_prod": lambda x, axis: tf.math.cumprod(x, axis),
        "argmax": argmax,
        "stack": lambda *arrays, axis: tf.stack(arrays, axis),
        "split": lambda x, axis, sections, part: tf.split(x, sections, axis)[part],
        "flip": lambda x, axes: tf.reverse(x, axes),
        "roll": lambda x, shift, axis: tf.roll(x, shift, axis),
        "top_k": last(lambda x, k: tf.math.top_k(x, k).values, "tf.math.top_k"),
        "sort": lambda x, axis, descending: tf.sort(x, axis, "DESCENDING" if descending else "ASCENDING"),
        "outer": lambda x, y: tf.tensordot(x, y, 0),
        "einsum": lambda *arrays, equation: tf.einsum(equation, *arrays),
        "trace": trace,
        "inv": tf.linalg.inv,
        "cholesky": cholesky,
        "triangular_solve": lambda a, b, upper: tf.linalg.triangular_solve(a, b, lower=not upper),
    }

    nests = True

    lives = ("once", "until released")

    # `tf.recompute_grad` is left out: it has no forward mode and receives from channels again.
    statements = tuple(
        kind
        for kind in (*PLAIN_STATEMENTS, *MEMORY_STATEMENTS, *CUSTOM_STATEMENTS, "detach", "no_grad", "differentiate")
        # In a body that `tf.function` traces these have no meaning.
        if not (FUNCTION and kind in ("draw", "receive", "send", "break", "return", "retain"))
    )

    def __init__(self) -> None:
        self.memory = TensorFlowMemory(self)

    def array(self, value: np.ndarray) -> tf.Tensor:
        return tf.constant(value)

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return traced(f)(list(inputs))

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        # Inputs that are no tensors yet, or share a tensor, get tensors of their own.
        primals = [tf.identity(x) for x in inputs]
        # The accumulator is outside of the trace, within which it knows no `tf.cond` in another one.
        with tf.autodiff.ForwardAccumulator(primals, list(tangents)) as forward:
            outputs = traced(f)(primals)
        return [forward.jvp(output, tf.UnconnectedGradients.ZERO) for output in outputs]

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        # A variable within a tape would cut what is differentiated again.
        return self._pulled(f, inputs, cotangents, tf.Variable if VARIABLES else tf.identity)

    def inner_vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return self._pulled(f, inputs, cotangents, tf.identity)

    def _pulled(self, f: Function, inputs: Arrays, cotangents: Arrays, own: Callable[[tf.Tensor], Any]) -> Arrays:
        def pulled(inputs, cotangents):
            # A tape tells inputs apart by their tensors.
            primals = [own(x) for x in inputs]
            with tf.GradientTape() as tape:
                tape.watch(primals)
                # A result that is an input, or two that are one tensor, become separate tensors.
                outputs = [tf.identity(output) for output in f(primals)]
            found = tape.gradient(outputs, primals, list(cotangents), tf.UnconnectedGradients.ZERO)
            return [tf.convert_to_tensor(cotangent) for cotangent in found]

        try:
            return traced(pulled)(list(inputs), list(cotangents))
        except LookupError as error:
            raise Unsupported(str(error)) from error

    def record(self, f: Function, inputs: Arrays, life: str) -> Pullback:
        primals = [tf.identity(x) for x in inputs]
        with tf.GradientTape(persistent=life == "until released") as tape:
            tape.watch(primals)
            outputs = [tf.identity(output) for output in f(primals)]

        def pull_back(cotangents: Arrays) -> Arrays:
            pulled = tape.gradient(outputs, primals, list(cotangents), tf.UnconnectedGradients.ZERO)
            return [tf.convert_to_tensor(cotangent) for cotangent in pulled]

        return pull_back

    hooks = True

    def hooked(self, value: tf.Tensor, called: Hook) -> tf.Tensor:
        # Users look at a cotangent so: by the identity with a gradient of their own.
        @tf.custom_gradient
        def hook(x):
            def pulled(cotangent):
                called(cotangent)
                return cotangent

            return tf.identity(x), pulled

        return hook(value)



if __name__ == "__main__":
    serve(TensorFlowAdapter)
