"""Runs optax' optimisers: reads cases as JSON, and prints their parameters after each call.

A case is `{optimiser, options, parameters, groups, gradients, clip?, schedule?, every?}`, written by
optimisers.test.ts: options and parameters by group, gradients by call and parameter. `coupled_decay` adds
decay to the gradient first. All is float64, on the CPU; each case is compiled as a whole.
"""

from __future__ import annotations

import json
import sys

import jax
import jax.numpy as jnp
import optax

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)


def scheduled(rate, schedule):
    """Returns the learning rate of a case, or the schedule that makes it."""
    if schedule is None:
        return rate
    kind = schedule["kind"]
    if kind == "step":
        return optax.exponential_decay(rate, schedule["every"], schedule["factor"], staircase=True)
    if kind == "cosine":
        return optax.cosine_decay_schedule(rate, schedule["period"], alpha=schedule["share"])
    return optax.linear_schedule(0.0, rate, schedule["warmUp"])


def transformation(case):
    """Returns the optimiser of a case, after what is done to gradients before."""

    def made(options):
        given = dict(options)
        decay = given.pop("coupled_decay", None)
        given["learning_rate"] = scheduled(given["learning_rate"], case.get("schedule"))
        optimiser = getattr(optax, case["optimiser"])(**given)
        return optimiser if decay is None else optax.chain(optax.add_decayed_weights(decay), optimiser)

    labels = {name: group for group, names in case["groups"].items() for name in names}
    parts = {group: made(options) for group, options in case["options"].items()}
    (first, *others) = parts.values()
    whole = optax.partition(parts, labels) if others else first
    clip = case.get("clip")
    if clip is not None:
        by = optax.clip if clip["kind"] == "value" else optax.clip_by_global_norm
        whole = optax.chain(by(clip["limit"]), whole)
    every = case.get("every")
    if every is not None:
        held = {"accumulator_dtype": every["accumulator"]} if "accumulator" in every else {}
        whole = optax.MultiSteps(whole, every["calls"], use_grad_mean=every["isMean"], **held)
    return whole


def follow(case):
    """Returns the parameters after each call."""
    whole = transformation(case)
    parameters = {name: jnp.array(x, dtype=jnp.float64) for name, x in case["parameters"].items()}

    def step(held, gradients):
        parameters, state = held
        updates, state = whole.update(gradients, state, parameters)
        parameters = optax.apply_updates(parameters, updates)
        return (parameters, state), parameters

    calls = case["gradients"]
    gradients = {name: jnp.array([call[name] for call in calls], dtype=jnp.float64) for name in parameters}
    _, path = jax.jit(lambda *begin: jax.lax.scan(step, begin, gradients))(parameters, whole.init(parameters))
    return [{name: x[i].tolist() for name, x in path.items()} for i in range(len(calls))]


if __name__ == "__main__":
    cases = json.load(sys.stdin)
    json.dump({"version": optax.__version__, "paths": [follow(case) for case in cases]}, sys.stdout, allow_nan=False)
