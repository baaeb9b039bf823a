"""HIPS autograd: https://github.com/HIPS/autograd. NumPy with a tape."""

from __future__ import annotations

from importlib.metadata import version

import autograd.numpy as np
import numpy
from adjudge_kit import Adapter, Arrays, Description, serve
from autograd import make_jvp, make_vjp
from autograd.builtins import tuple as traced_tuple
from autograd.extend import notrace_primitive


def broadcast_to(x, shape):
    # autograd differentiates broadcast_to only at equal rank, so the new axes come first.
    return np.broadcast_to(np.reshape(x, (1,) * (len(shape) - np.ndim(x)) + np.shape(x)), shape)


class AutogradAdapter(Adapter):
    description = Description(
        name="autograd",
        version=version("autograd"),
        links=["https://github.com/HIPS/autograd"],
        dtypes=["float64"],
        conventions={"maximumAtTie": "split", "reluAtZero": "half"},
    )

    operators = {
        "constant": lambda name: name,
        "stop_gradient": notrace_primitive(lambda x: x),
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

    def jvp(self, f, inputs: Arrays, tangents: Arrays) -> Arrays:
        _, outputs = make_jvp(lambda *xs: traced_tuple(f(xs)), tuple(range(len(inputs))))(*inputs)(tuple(tangents))
        return outputs

    def vjp(self, f, inputs: Arrays, cotangents: Arrays) -> Arrays:
        pull_back, _ = make_vjp(lambda *xs: traced_tuple(f(xs)), tuple(range(len(inputs))))(*inputs)
        return pull_back(tuple(cotangents))


if __name__ == "__main__":
    serve(AutogradAdapter)
