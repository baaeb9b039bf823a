"""PyTorch runs autograd on tensors, eagerly, on one thread."""

from types import SimpleNamespace

import torch
from functions import function_of

torch.set_num_threads(1)


def scan(step, carry, rows):
    results = []
    for row in rows:
        carry, result = step(carry, row)
        results.append(result)
    return carry, torch.stack(results)


def prepare(workload, data, mode, precision):
    dtype = torch.float32 if precision == "float32" else torch.float64

    def tensor(entry):
        kind, shape, numbers = entry
        whole = torch.tensor(numbers, dtype=torch.float64).reshape(shape)
        return whole.to(torch.int64 if kind == "index" else dtype)

    xp = SimpleNamespace(
        exp=torch.exp,
        log=torch.log,
        sqrt=torch.sqrt,
        cos=torch.cos,
        sin=torch.sin,
        tanh=torch.tanh,
        sigmoid=torch.sigmoid,
        relu=torch.relu,
        sum=torch.sum,
        max=torch.max,
        min=lambda x, axis: torch.min(x, axis).values,
        logsumexp=torch.logsumexp,
        log_softmax=torch.log_softmax,
        concatenate=torch.cat,
        stack=torch.stack,
        eye=lambda n: torch.eye(n, dtype=dtype),
        scan=scan,
        transpose=torch.permute,
        take=lambda x, places, axis: torch.index_select(x, axis, places),
        cross=torch.linalg.cross,
        softmax=torch.softmax,
        gelu=torch.nn.functional.gelu,
        conv=lambda x, w, stride: torch.nn.functional.conv2d(x, w, stride=stride, padding=1),
        jvp=lambda f, x, along: torch.func.jvp(f, (x,), (along,))[1],
        grad=torch.func.grad,
        zeros=lambda shape: torch.zeros(shape, dtype=dtype),
    )
    f = function_of(workload, xp, lambda name: tensor(data[name]))
    inputs = [tensor(entry) for entry in data.values() if entry[0] == "input"]
    if mode == "value":

        def run():
            with torch.no_grad():
                return f(*inputs), []

        return run
    for x in inputs:
        x.requires_grad_()

    def run():
        value = f(*inputs)
        return value.detach(), torch.autograd.grad(value, inputs)

    return run
