"""JAX on the CPU: https://github.com/jax-ml/jax.

Every case runs eagerly, as it does for a user without `jit`. JAX then compiles a small program for each
operator and shape that it has not met before, which takes longer than anything else here. In a virtual
environment the programs are kept on disk, so that the next run only loads them;
`JAX_ENABLE_COMPILATION_CACHE=false` turns that off.
"""

from __future__ import annotations

import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
from adjudge_kit import Adapter, Arrays, Description, Function, serve

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)
if sys.prefix != sys.base_prefix and jax.config.jax_compilation_cache_dir is None:
    jax.config.update("jax_compilation_cache_dir", os.path.join(sys.prefix, "jax-cache"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)

# A compiled program takes about 3 MB, and JAX keeps them all. This many at once are enough to be fast.
MOST_COMPILED = 1000
COMPILED = "/jax/core/compile/backend_compile_duration"


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

    def __init__(self) -> None:
        self._compiled = 0
        jax.monitoring.register_event_duration_secs_listener(self._count)

    def _count(self, event: str, _seconds: float, **_: object) -> None:
        self._compiled += event == COMPILED

    def tidy(self) -> None:
        if self._compiled > MOST_COMPILED:
            jax.clear_caches()
            self._compiled = 0

    def array(self, value: np.ndarray) -> jax.Array:
        return jnp.asarray(value)

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return jax.jvp(lambda *xs: f(xs), tuple(inputs), tuple(tangents))[1]

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        _, pull_back = jax.vjp(lambda *xs: f(xs), *inputs)
        return pull_back(cotangents)


if __name__ == "__main__":
    serve(JaxAdapter)
