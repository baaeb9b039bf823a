"""Runs PyTorch's optimisers: reads cases as JSON, and prints their parameters after each call.

A case is `{optimiser, options, parameters, groups, gradients, clip?, schedule?, every?}`, written by
optimisers.test.ts: options and parameters by group, gradients by call and parameter. A parameter without a
gradient in a call has None, as after `zero_grad()`. Everything is float64, on the CPU, with one thread.
"""

from __future__ import annotations

import json
import sys

import torch

torch.set_num_threads(1)


def scheduler(optimiser, schedule):
    """Returns the scheduler of a case; None without one."""
    lr_scheduler = torch.optim.lr_scheduler
    if schedule is None:
        return None
    kind = schedule["kind"]
    if kind == "step":
        return lr_scheduler.StepLR(optimiser, step_size=schedule["every"], gamma=schedule["factor"])
    if kind == "cosine":
        return lr_scheduler.CosineAnnealingLR(optimiser, T_max=schedule["period"], eta_min=schedule["least"])
    steps = schedule["warmUp"]
    if kind == "linear":
        return lr_scheduler.LinearLR(optimiser, start_factor=1 / steps, total_iters=steps - 1)
    return lr_scheduler.LambdaLR(optimiser, lambda step: min(1, step / steps))


def clip(parameters, how):
    if how["kind"] == "value":
        torch.nn.utils.clip_grad_value_(parameters, how["limit"])
    else:
        torch.nn.utils.clip_grad_norm_(parameters, how["limit"])


def follow(case):
    """Returns the parameters after each call."""
    held = {name: torch.tensor(x, dtype=torch.float64, requires_grad=True) for name, x in case["parameters"].items()}
    groups = [
        {"params": [held[name] for name in names], **case["options"][group]} for group, names in case["groups"].items()
    ]
    optimiser = getattr(torch.optim, case["optimiser"])(groups)
    rates = scheduler(optimiser, case.get("schedule"))
    every = case.get("every", {"calls": 1})["calls"]
    path = []
    for call, gradients in enumerate(case["gradients"]):
        for name, gradient in gradients.items():
            # Gradients are added to what is there, as a backward pass does.
            (held[name] * torch.tensor(gradient, dtype=torch.float64)).sum().backward()
        if (call + 1) % every == 0:
            if "clip" in case:
                clip(list(held.values()), case["clip"])
            optimiser.step()
            optimiser.zero_grad()
            if rates is not None:
                rates.step()
        path.append({name: x.detach().tolist() for name, x in held.items()})
    return path


if __name__ == "__main__":
    cases = json.load(sys.stdin)
    json.dump({"version": torch.__version__, "paths": [follow(case) for case in cases]}, sys.stdout, allow_nan=False)
