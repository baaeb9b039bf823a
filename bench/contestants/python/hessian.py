"""Compute a Hessian-vector product by JAX for bench/hessian.ts: hessian.py ASKED.json ANSWERED.json."""

import json
import sys
import time
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
from functions import function_of

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

with open(sys.argv[1]) as file:
    asked = json.load(file)
precision = asked["precision"]


def array(entry):
    kind = "int32" if entry["kind"] == "index" else precision
    return jnp.asarray(np.array(entry["data"]).reshape(entry["shape"]), dtype=kind)


xp = SimpleNamespace(**vars(jnp))
xp.zeros = lambda shape: jnp.zeros(shape, dtype=precision)
xp.take = lambda x, places, axis: jnp.take(x, places, axis=axis)
xp.logsumexp = lambda x, axis: jax.nn.logsumexp(x, axis=axis)
xp.relu, xp.log_softmax = jax.nn.relu, jax.nn.log_softmax
entries = {entry["name"]: entry for entry in asked["entries"]}
f = function_of(asked["workload"], xp, lambda name: array(entries[name]))
inputs = [array(entry) for entry in asked["entries"] if entry["kind"] == "input"]
moved = asked["moved"]
direction = jnp.asarray(np.array(asked["direction"]).reshape(inputs[moved].shape), dtype=precision)


@jax.jit
def product(inputs, direction):
    def gradient(x):
        return jax.grad(f, argnums=moved)(*inputs[:moved], x, *inputs[moved + 1 :])

    return jax.jvp(gradient, (inputs[moved],), (direction,))[1]


result = product(inputs, direction).block_until_ready()
times = []
for _ in range(asked["turns"]):
    start = time.perf_counter()
    product(inputs, direction).block_until_ready()
    times.append((time.perf_counter() - start) * 1e6)
with open(sys.argv[2], "w") as file:
    json.dump({"microseconds": min(times), "product": np.asarray(result, dtype="float64").ravel().tolist()}, file)
