"""What a function of PyTorch answers of itself, on NumPy's arrays: the rule that is judged."""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import dataclass, replace
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

import numpy as np
import torch
from torch.autograd import forward_ad

from .torch_front_call import Call, with_inputs
from .torch_front_memory import numbers
from .traced import tree_of


@dataclass(frozen=True)
class Answers:
    """What a function answers of itself, on NumPy's arrays: the rule that is judged.

    Every method takes the inputs, which are the arguments' floating leaves and then the parameters asked for,
    and `data`: other integers and Booleans for arguments, by name.
    """

    # The modes that the function has: `jvp` only if PyTorch's forward mode runs through it.
    modes: tuple[str, ...]
    # How many inputs and outputs there are, and by which inputs autograd has derivatives.
    inputs: int
    outputs: int
    wanted: tuple[int, ...]
    _run: Callable[[Sequence[torch.Tensor], Mapping[str, Any]], list[torch.Tensor]]
    _dtype: torch.dtype
    # The inputs that the function was given first, if it is no derivative.
    point: Sequence[np.ndarray] = ()

    def evaluate(self, inputs: Sequence[Any], data: Mapping[str, Any] = {}) -> list[np.ndarray]:
        """Returns the outputs."""
        return [handed_out(y) for y in self._run(self._leaves(inputs), data)]

    def vjp(
        self, inputs: Sequence[Any], cotangents: Sequence[Any], data: Mapping[str, Any] = {}
    ) -> list[np.ndarray]:
        """Pulls cotangents of the outputs back to the inputs, by `torch.autograd.grad`."""
        leaves = self._leaves(inputs)
        return [
            handed_out(x) for x in pulled(self._run(leaves, data), leaves, self._plain(cotangents), False)
        ]

    def jvp(
        self, inputs: Sequence[Any], tangents: Sequence[Any], data: Mapping[str, Any] = {}
    ) -> list[np.ndarray]:
        """Pushes tangents of the inputs forward to the outputs, by PyTorch's forward mode."""
        return [handed_out(y) for y in pushed(self._run, self._leaves(inputs), self._plain(tangents), data)]

    def derive(self, mode: str, wrt: Optional[Sequence[int]] = None) -> Answers:
        """Returns the answers of the derivative, a function of the inputs and then cotangents or tangents."""
        count = self.inputs
        chosen = range(count) if wrt is None else wrt

        def run(given: Sequence[torch.Tensor], data: Mapping[str, Any]) -> list[torch.Tensor]:
            if mode == "jvp":
                return pushed(self._run, given[:count], given[count:], data)
            found = pulled(self._run(given[:count], data), given[:count], given[count:], True)
            return [found[place] for place in chosen]

        if mode == "jvp":
            tangents = tuple(count + place for place in range(count))
            return Answers(
                ("evaluate", "vjp"), 2 * count, self.outputs, self.wanted + tangents, run, self._dtype
            )
        seeds = tuple(count + place for place in range(self.outputs))
        return Answers(self.modes, count + self.outputs, len(chosen), self.wanted + seeds, run, self._dtype)

    def _plain(self, arrays: Sequence[Any]) -> list[torch.Tensor]:
        return [torch.from_numpy(np.array(array)).to(self._dtype) for array in arrays]

    def _leaves(self, inputs: Sequence[Any]) -> list[torch.Tensor]:
        return [x.requires_grad_() for x in self._plain(inputs)]


def handed_out(x: torch.Tensor) -> np.ndarray:
    """Returns a tensor as an array; bfloat16, which NumPy lacks, as float32."""
    plain = x.detach() if x.layout == torch.strided else x.detach().to_dense()
    return (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy(force=True)


def pulled(
    outputs: Sequence[torch.Tensor],
    leaves: Sequence[torch.Tensor],
    cotangents: Sequence[torch.Tensor],
    again: bool,
) -> list[torch.Tensor]:
    """Pulls cotangents back; what no output depends on gets zeros."""
    reached = [(y, c) for y, c in zip(outputs, cotangents) if y.requires_grad]
    if not reached:
        return [torch.zeros_like(x) for x in leaves]
    ys, seeds = zip(*reached)
    return list(
        torch.autograd.grad(ys, leaves, seeds, create_graph=again, allow_unused=True, materialize_grads=True)
    )


def pushed(
    run: Callable[..., list[torch.Tensor]],
    leaves: Sequence[torch.Tensor],
    tangents: Sequence[torch.Tensor],
    data: Any,
) -> list[torch.Tensor]:
    """Pushes tangents forward; outputs that depend on no input get zeros."""
    with forward_ad.dual_level():
        outputs = run([forward_ad.make_dual(x, t) for x, t in zip(leaves, tangents)], data)
        parts = [forward_ad.unpack_dual(y) for y in outputs]
        return [
            torch.zeros_like(part.primal) if part.tangent is None else part.tangent.clone() for part in parts
        ]


def answered(call: Call) -> Answers:
    """Returns how the function of a call answers."""

    def run(inputs: Sequence[torch.Tensor], data: Mapping[str, Any]) -> list[torch.Tensor]:
        expected = len(call.inputs) + len(call.parameters)
        if len(inputs) != expected:
            raise ValueError(f"{len(inputs)} inputs in place of {expected}")
        leaves = with_inputs(call, inputs)
        for place in set(call.inputs) - set(call.wanted):
            leaves[place] = leaves[place].detach()
        for place in call.data:
            leaves[place] = like(data.get(call.names[place]), leaves[place])
        with (
            swapped(call, inputs[len(call.inputs) :]) as called,
            torch.enable_grad(),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            returned = tree_of(called(*call.rebuild(leaves))).leaves
        return [leaf for leaf in returned if isinstance(leaf, torch.Tensor)]

    here = [numbers(call.leaves[place]) for place in call.inputs] + [numbers(x) for _, x in call.parameters]
    count = len(run([torch.from_numpy(x).to(call.dtype).requires_grad_() for x in here], {}))
    wanted = [place for place, leaf in enumerate(call.inputs) if leaf in call.wanted]
    wanted += range(len(call.inputs), len(here))
    found = Answers(("evaluate", "vjp"), len(here), count, tuple(wanted), run, call.dtype, here)
    # Forward mode is asked once, as only a run tells whether the function has it.
    with contextlib.suppress(NotImplementedError, RuntimeError):
        found.jvp(here, [np.ones_like(x) for x in here])
        found = replace(found, modes=(*found.modes, "jvp"))
    return found


def like(value: Any, leaf: torch.Tensor) -> torch.Tensor:
    """Returns data for an argument: other data, or a copy of what it was."""
    if value is None:
        return leaf.clone()
    return torch.from_numpy(np.array(value)).to(leaf.dtype).reshape(leaf.shape)


@contextlib.contextmanager
def swapped(call: Call, values: Sequence[torch.Tensor]) -> Iterator[Callable[..., Any]]:
    """Returns the function with other values for the parameters asked for."""
    if not call.parameters:
        yield call.function
        return
    module = call.function
    assert isinstance(module, torch.nn.Module)
    held = {name: value for (name, _), value in zip(call.parameters, values)}
    yield lambda *given: torch.func.functional_call(module, held, given)
