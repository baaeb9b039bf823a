"""JAX compiles the function, or its value_and_grad, by jit."""

from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
from functions import function_of

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


def prepare(workload, data, mode, precision):
    def array(entry):
        kind, shape, numbers = entry
        return jnp.asarray(np.array(numbers).reshape(shape), dtype="int32" if kind == "index" else precision)

    xp = SimpleNamespace(**vars(jnp))
    xp.zeros = lambda shape: jnp.zeros(shape, dtype=precision)
    xp.take = lambda x, places, axis: jnp.take(x, places, axis=axis)
    xp.logsumexp = lambda x, axis: jax.nn.logsumexp(x, axis=axis)
    xp.relu, xp.log_softmax, xp.sigmoid = jax.nn.relu, jax.nn.log_softmax, jax.nn.sigmoid
    xp.softmax, xp.gelu = jax.nn.softmax, lambda x: jax.nn.gelu(x, approximate=False)
    xp.conv = lambda x, w, stride: jax.lax.conv_general_dilated(x, w, (stride, stride), ((1, 1), (1, 1)))
    xp.scan = jax.lax.scan
    xp.jvp, xp.grad = lambda f, x, along: jax.jvp(f, (x,), (along,))[1], jax.grad
    f = function_of(workload, xp, lambda name: array(data[name]))
    inputs = [array(entry) for entry in data.values() if entry[0] == "input"]
    if mode == "value":
        value = jax.jit(f)
        return lambda: (value(*inputs).block_until_ready(), [])
    pulled = jax.jit(jax.value_and_grad(f, argnums=tuple(range(len(inputs)))))
    return lambda: jax.block_until_ready(pulled(*inputs))
