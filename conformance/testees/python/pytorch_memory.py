"""How PyTorch remembers: tensors that are overwritten in place, and views that see it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Mapping, Sequence

import torch
from adjudge_kit import Arrays, Function, Refused, Unsupported
from adjudge_programs import CheckpointState, Inputs, Left, Memory, Run, Swept
from torch.utils.checkpoint import checkpoint

# What PyTorch says where it has looked, and an overwritten value is needed, or cannot be told from another.
REFUSALS = (
    "modified by an inplace operation",
    "being modified inplace",
    "used in an in-place operation",
    "refer to a single memory location",
    "a different set of tensors",
    "tensors saved for backward were different",
    "A different number of tensors was saved",
    "Recomputed values for the following tensors have different metadata",
)


@contextmanager
def refusing():
    """What PyTorch refuses is a refusal; what it says that it does not do is unsupported."""
    try:
        yield
    except NotImplementedError as error:
        raise Unsupported(str(error).partition("\n")[0]) from error
    except RuntimeError as error:
        if any(words in str(error) for words in REFUSALS):
            raise Refused(str(error).partition("\n")[0]) from error
        raise


class OwnDraws:
    """PyTorch's own generator, as it stands."""

    def __init__(self, state: torch.Tensor, drawn: int) -> None:
        self._state = state
        self.drawn = drawn
        self.told: list[torch.Tensor] = []

    def copy(self) -> OwnDraws:
        torch.set_rng_state(self._state)
        return OwnDraws(self._state, self.drawn)

    def next(self, kind: Mapping[str, Any], shape: Sequence[int], is_again: bool) -> torch.Tensor:
        if kind["kind"] == "bernoulli":
            drawn = torch.bernoulli(torch.full(tuple(shape), 1 - kind["rate"], dtype=torch.float64))
        else:
            drawn = torch.rand(tuple(shape), dtype=torch.float64)
        if not is_again:
            self.drawn += 1
            self.told.append(drawn)
            self._state = torch.get_rng_state()
        return drawn


class InPlace(Memory):
    """A location is a tensor of its own, a reference a view of it."""

    own_draws = True
    # `torch.no_grad` does it.
    marks_constants = False
    _is_forward = False

    def allocate(self, value: torch.Tensor) -> torch.Tensor:
        return value.clone()

    def view(self, reference: torch.Tensor, how: Mapping[str, Any]) -> torch.Tensor:
        with refusing():
            kind = how["kind"]
            if kind == "slice":
                for axis, (start, size, step) in enumerate(zip(how["starts"], how["sizes"], how["steps"])):
                    reference = reference[(slice(None),) * axis + (slice(start, start + size * step, step),)]
                return reference
            if kind == "permute":
                return reference.permute(how["axes"])
            if kind == "diagonal":
                # The first two axes become one, which PyTorch puts last.
                return torch.diagonal(reference, 0, 0, 1).movedim(-1, 0)
            if kind == "broadcast":
                return reference.expand(how["shape"])
            return reference.reshape(how["shape"])

    def read(self, reference: torch.Tensor) -> torch.Tensor:
        return reference

    def copy(self, value: torch.Tensor) -> torch.Tensor:
        return value.clone()

    def write(self, reference: torch.Tensor, value: torch.Tensor) -> None:
        with refusing():
            reference.copy_(value)

    def update(self, reference: torch.Tensor, op: str, function: Callable, value: torch.Tensor) -> None:
        in_place = {"add": "add_", "subtract": "sub_", "multiply": "mul_", "divide": "div_"}.get(op)
        with refusing():
            if in_place is None:
                reference.copy_(function(reference, value))
            else:
                getattr(reference, in_place)(value)

    def detach(self, reference: torch.Tensor) -> torch.Tensor:
        return reference.detach()

    def constant(self, value: torch.Tensor) -> torch.Tensor:
        return value.detach()

    def no_grad(self):
        if self._is_forward:
            raise Unsupported("torch.no_grad does not apply to forward mode, its documentation says")
        return torch.no_grad()

    def retained(self, value: torch.Tensor) -> torch.Tensor:
        # A value that depends on nothing has a cotangent all the same.
        return value if value.requires_grad else value.detach().requires_grad_()

    def checkpoint(self, body: Callable[[], None], state: CheckpointState) -> None:
        again = state.again()
        runs = [body]

        # What a user writes is a function: PyTorch calls it once more in the sweep.
        def function() -> None:
            (runs.pop() if runs else again)()

        with refusing():
            checkpoint(function, use_reentrant=False)

    def truth(self, value: torch.Tensor) -> bool:
        return bool(value.detach() != 0)

    def numpy(self, value: torch.Tensor):
        return value.numpy(force=True)

    def draws(self, key: Sequence[int], drawn: int) -> OwnDraws:
        torch.manual_seed(key[0] * 2**16 + key[1] + drawn)
        return OwnDraws(torch.get_rng_state(), drawn)

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        outer, self._is_forward = self._is_forward, True
        try:
            with refusing():
                return torch.func.jvp(lambda *xs: tuple(f(xs)), tuple(inputs), tuple(tangents))[1]
        finally:
            self._is_forward = outer

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        with refusing():
            _, pull_back = torch.func.vjp(lambda *xs: tuple(f(xs)), *inputs)
            return pull_back(tuple(cotangents))

    def entered(self, run: Run, parameters: Arrays, state: Arrays) -> Left:
        """The run whose sweep is asked for."""
        return run.enter(parameters, state)

    def sweep(self, run: Callable, inputs: Inputs, seeds: Mapping[int, torch.Tensor]) -> Swept:
        """One run, and the sweep of what it has left."""
        dry = run()
        wanted = frozenset(dry.enter(inputs.parameters, inputs.state).retained)
        swept = run()
        swept.wanted = wanted
        parameters, state = ([x.detach().requires_grad_() for x in part] for part in (inputs.parameters, inputs.state))
        with refusing():
            left = self.entered(swept, parameters, state)
            leaves = [*parameters, *state, *left.kept]
            reached = [(left.results[place], seed) for place, seed in seeds.items() if left.results[place].requires_grad]
            if reached:
                ys, cotangents = zip(*reached)
                pulled = torch.autograd.grad(ys, leaves, cotangents, allow_unused=True, materialize_grads=True)
            else:
                pulled = [torch.zeros_like(x) for x in leaves]
        count = len(parameters) + len(state)
        return Swept(left, pulled[:count], pulled[count:], swept)


class Compiled(InPlace):
    """The same, but that the run whose sweep is asked for is compiled by `torch.compile` first."""

    def __init__(self, backend: str) -> None:
        self._backend = backend

    def entered(self, run: Run, parameters: Arrays, state: Arrays) -> Left:
        torch._dynamo.reset()
        try:
            return torch.compile(run.enter, backend=self._backend)(parameters, state)
        except torch._dynamo.exc.TorchDynamoException as error:
            if any(words in str(error) for words in REFUSALS):
                raise Refused(f"{type(error).__name__}: {error}"[:400]) from error
            # Whatever the compiler says that it cannot do it has not done.
            raise Unsupported(f"{type(error).__name__}: {error}"[:400]) from error
