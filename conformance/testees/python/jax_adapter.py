"""JAX on the CPU: https://github.com/jax-ml/jax. Every case runs eagerly, as it does for a user without `jit`."""

from __future__ import annotations

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from adjudge_kit import Adapter, Arrays, Description, serve

jax.config.update("jax_enable_x64", True)


class JaxAdapter(Adapter):
    description = Description(
        name="JAX",
        version=jax.__version__,
        links=["https://github.com/jax-ml/jax", "https://docs.jax.dev"],
        dtypes=["float64", "float32"],
        # XLA's CPU kernels run with FTZ and DAZ set, in both precisions; copies keep subnormals.
        conventions={"maximumAtTie": "split", "reluAtZero": "zero", "subnormals": "flushed"},
    )

    operators = {
        "constant": lambda name: name,
        "stop_gradient": jax.lax.stop_gradient,
        "negative": jnp.negative,
        "exp": jnp.exp,
        "log": jnp.log,
        "sin": jnp.sin,
        "cos": jnp.cos,
        "tanh": jnp.tanh,
        "sqrt": jnp.sqrt,
        "relu": jax.nn.relu,
        "add": jnp.add,
        "subtract": jnp.subtract,
        "multiply": jnp.multiply,
        "divide": jnp.divide,
        "maximum": jnp.maximum,
        "where": lambda condition, x, y: jnp.where(condition != 0, x, y),
        "sum": lambda x, axes, keepdims: jnp.sum(x, axis=axes, keepdims=keepdims),
        "broadcast_to": lambda x, shape: jnp.broadcast_to(x, shape),
        "reshape": lambda x, shape: jnp.reshape(x, shape),
        "permute_dims": lambda x, axes: jnp.permute_dims(x, axes),
        "concat": lambda *arrays, axis: jnp.concat(arrays, axis=axis),
        "take": lambda x, axis, indices: jnp.take(x, indices, axis=axis),
        # HIGHEST: a float32 product is not to be computed in fewer bits.
        "matmul": lambda x, y: jnp.matmul(x, y, precision=jax.lax.Precision.HIGHEST),
    }

    def array(self, value: np.ndarray) -> jax.Array:
        return jnp.asarray(value)

    def jvp(self, f, inputs: Arrays, tangents: Arrays) -> Arrays:
        return jax.jvp(lambda *xs: f(xs), tuple(inputs), tuple(tangents))[1]

    def vjp(self, f, inputs: Arrays, cotangents: Arrays) -> Arrays:
        _, pull_back = jax.vjp(lambda *xs: f(xs), *inputs)
        return pull_back(cotangents)


if __name__ == "__main__":
    serve(JaxAdapter)
