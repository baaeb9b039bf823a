"""Holds operators of PyTorch's test suite against the truth: `python torch_sweep.py [DTYPE [NAME …]]`.

It needs PyTorch's test dependencies (`expecttest`). For each operator it traces some samples, judges the
values and cotangents that PyTorch answers, and lists what is outside of its bounds or refused.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections import Counter
from typing import Any, Iterator

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_flatten, tree_unflatten
from torch_kit import Truth, held

from adjudge.graph import Refused

# So many samples of an operator are asked, of so many numbers at most.
SAMPLES, NUMBERS = 12, 80


def samples(operator: Any, dtype: torch.dtype) -> Iterator[tuple[Any, list[torch.Tensor]]]:
    """Yields samples as functions of their tensors."""
    torch.manual_seed(0)
    drawn = list(operator.sample_inputs("cpu", dtype, requires_grad=False))
    random.Random(1).shuffle(drawn)
    count = 0
    for sample in drawn:
        leaves, spec = tree_flatten((sample.input, sample.args, sample.kwargs))
        places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        if not 0 < sum(leaves[place].numel() for place in places) <= NUMBERS:
            continue

        def function(
            *given: torch.Tensor, leaves: Any = leaves, spec: Any = spec, places: Any = places
        ) -> Any:
            whole = list(leaves)
            for place, x in zip(places, given):
                whole[place] = x
            first, rest, named = tree_unflatten(whole, spec)
            return operator.op(first, *rest, **named)

        count += 1
        yield function, [leaves[place].detach() for place in places]
        if count == SAMPLES:
            return


def main(dtype: torch.dtype, names: list[str]) -> None:
    """Sweeps over the operators."""
    truth = Truth()
    counts: Counter[str] = Counter()
    told: dict[str, str] = {}
    reached: set[str] = set()
    for operator in op_db:
        name = f"{operator.name}.{operator.variant_test_name}".rstrip(".")
        if (names and name not in names) or not operator.supports_autograd or dtype not in operator.dtypes:
            continue
        for function, arguments in samples(operator, dtype):
            try:
                _, reply = held(truth, function, arguments)
            except Refused as refused:
                counts["refused"] += 1
                told.setdefault(f"refused: {name}", refused.what)
                continue
            except (RuntimeError, NotImplementedError) as error:
                # PyTorch itself has no derivative there, or no value.
                counts["raised"] += 1
                told.setdefault(f"raised: {name}", str(error).partition("\n")[0])
                continue
            counts["samples"] += 1
            reached.add(name)
            for kind in ("within", "outside", "undecided"):
                counts[kind] += reply.get(kind, 0)
            if "error" in reply or reply["outside"]:
                counts["samples outside"] += 1
                told.setdefault(f"outside: {name}", reply.get("error") or reply["shown"][0])
    truth.close()
    for name, what in sorted(told.items()):
        print(f"{name}: {what}")
    print({"operators": len(reached), **counts})


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(getattr(torch, sys.argv[1] if len(sys.argv) > 1 else "float64"), sys.argv[2:])
