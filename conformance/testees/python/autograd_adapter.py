"""HIPS autograd: https://github.com/HIPS/autograd. NumPy with a tape."""

from __future__ import annotations

from importlib.metadata import version

import autograd.numpy as np
import numpy
from adjudge_kit import Adapter, Arrays, Description, Function, serve
from autograd import make_jvp, make_vjp
from autograd.builtins import tuple as traced_tuple
from autograd.tracer import getval


def broadcast_to(x, shape):
    # autograd differentiates broadcast_to only at equal rank (its issue 384), so new axes are added before.
    new_axes = (1,) * (len(shape) - np.ndim(x))
    return np.broadcast_to(np.reshape(x, new_axes + np.shape(x)) if new_axes else x, shape)


class AutogradAdapter(Adapter):
    description = Description(
        name="autograd",
        version=version("autograd"),
        links=["https://github.com/HIPS/autograd"],
        # Not float32: the cotangents of maximum and where leave it for float64.
        dtypes=["float64"],
        # relu has no function in NumPy; it is maximum's convention that gives it 1/2 at 0.
        conventions={"maximumAtTie": "split", "reluAtZero": "half"},
    )

    operators = {
        "constant": lambda name: name,
        # autograd has no function of that name; this is what its authors advise (issue 256).
        "stop_gradient": getval,
        "negative": np.negative,
        "exp": np.exp,
        "log": np.log,
        "sin": np.sin,
        "cos": np.cos,
        "tanh": np.tanh,
        "sqrt": np.sqrt,
        "relu": lambda x: np.maximum(x, 0.0),
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "divide": np.divide,
        "maximum": np.maximum,
        "where": lambda condition, x, y: np.where(condition != 0, x, y),
        "sum": lambda x, axes, keepdims: np.sum(x, axis=axes, keepdims=keepdims),
        "broadcast_to": broadcast_to,
        "reshape": lambda x, shape: np.reshape(x, shape),
        "permute_dims": lambda x, axes: np.transpose(x, axes),
        "concat": lambda *arrays, axis: np.concatenate(arrays, axis),
        # np.take has no derivative in autograd; indexing has.
        "take": lambda x, axis, indices: x[(slice(None),) * axis + (indices,)],
        "matmul": np.matmul,
    }

    def array(self, value: numpy.ndarray) -> numpy.ndarray:
        return value

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        push_forward = make_jvp(lambda *xs: traced_tuple(f(xs)), tuple(range(len(inputs))))(*inputs)
        _, outputs = push_forward(tuple(tangents))
        return outputs

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        pull_back, _ = make_vjp(lambda *xs: traced_tuple(f(xs)), tuple(range(len(inputs))))(*inputs)
        return pull_back(tuple(cotangents))


if __name__ == "__main__":
    serve(AutogradAdapter)
