"""Judges ten backwards written by hand, right and slightly wrong, and asks PyTorch's gradcheck the same.

Prints the table of docs/functions.md: `python strength/functions/main.py [POINTS]`, with the packages adjudge
and torch. A wrong one has a term that is off by a part of it; the figure is the largest number of points, over
ten seeds, until it was told. gradcheck is asked with its defaults at as many random points.
"""

from __future__ import annotations

import sys
from typing import Any, Optional

import numpy as np
import torch
from backwards import Backward, backwards

from adjudge import GradientError, check

OFF = (1e-2, 1e-4, 1e-7)
SEEDS = range(1, 11)
MOST = 20
# gradcheck takes some milliseconds a point.
GRADCHECK_POINTS = 200


def judged(one: Backward, off: float, points: int, seed: int) -> Optional[int]:
    """Returns after how many points a backward was told, if it was."""

    def backward(arguments: Any, cotangent: np.ndarray) -> Any:
        return one.backward(arguments, np.asarray(cotangent), off)

    try:
        check(one.value, *one.arguments, vjp=backward, points=points, seed=seed, name=one.name)
    except GradientError as error:
        return error.report.points
    return None


def differentiated(one: Backward, off: float) -> Any:
    """Makes a function of PyTorch of a backward in NumPy."""

    class Own(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *arguments: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(*arguments)
            return torch.as_tensor(one.value(*(each.detach().numpy() for each in arguments)))

        @staticmethod
        def backward(ctx: Any, cotangent: torch.Tensor) -> Any:
            arguments = [each.detach().numpy() for each in ctx.saved_tensors]
            gradients = iter(one.backward(arguments, cotangent.numpy(), off))
            return tuple(
                torch.as_tensor(next(gradients)) if each.is_floating_point() else None
                for each in ctx.saved_tensors
            )

    return Own.apply


def gradchecked(one: Backward, off: float, points: int) -> int:
    """Returns at how many points gradcheck says that a backward is wrong."""
    function = differentiated(one, off)
    generator = np.random.default_rng(1)
    told = 0
    for _ in range(points):
        drawn = [torch.as_tensor(each.example(generator)) for each in one.arguments]
        arguments = [each.requires_grad_() if each.is_floating_point() else each for each in drawn]
        asked = function
        if any(each.values == "spd" for each in one.arguments):
            # Differences leave the symmetric matrices, so it is asked for a function of the lower half.
            def asked(*given: torch.Tensor) -> torch.Tensor:
                return function(*(each.tril() + each.tril(-1).mT if each.dim() == 2 else each for each in given))

        told += not torch.autograd.gradcheck(asked, arguments, raise_exception=False)
    return told


def main() -> None:
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print("| backward | what is off | told after, of 1e-2, 1e-4, 1e-7 | right: points, accused | gradcheck: told | gradcheck: accused |")
    print("| --- | --- | --- | --- | --- | --- |")
    for one in backwards:
        told = []
        for off in OFF:
            found = [judged(one, 1 + off, MOST, seed) for seed in SEEDS]
            told.append("not" if None in found else str(max(each for each in found if each is not None)))
        right = judged(one, 1.0, points, 1)
        accused = "0" if right is None else f"at point {right}"
        theirs = [gradchecked(one, 1 + off, MOST) for off in OFF]
        false = gradchecked(one, 1.0, GRADCHECK_POINTS)
        of_points = ", ".join(str(each) for each in theirs)
        print(
            f"| {one.name} | {one.term} | {', '.join(told)} | {points}, {accused} "
            f"| {of_points} of {MOST} | {false} of {GRADCHECK_POINTS} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
