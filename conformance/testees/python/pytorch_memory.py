"""PyTorch's memory: tensors that are overwritten in place, and views that see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Callable, Mapping, Optional, Sequence

import numpy as np
import pytorch_device
import torch
from adjudge.kit.adapter import Arrays, Function, Refused, Unsupported
from adjudge.kit.programs import (
    Block,
    Custom,
    Inputs,
    Leaving,
    Made,
    Memory,
    Names,
    ProgramError,
    Reference,
    Run,
    Seeds,
    Swept,
    Value,
    named_in,
)
from torch.utils.checkpoint import checkpoint

# PyTorch says these where a value that the sweep needs was overwritten, or may have been.
REFUSALS = (
    "modified by an inplace operation",
    "a different set of tensors",
    "tensors saved for backward were different",
    "A different number of tensors was saved",
    "Recomputed values for the following tensors have different metadata",
)

# PyTorch says these of what it does not do.
LIMITS = (
    "Nested forward mode AD is not supported",
    "would mutate a captured Tensor",
    "don't yet support saved tensor hooks",
    "does not support RNG ops in recompute regions",
    # PyTorch says this of views that a compiled function returns.
    "would override the custom backward associated with the custom Function",
    # And this where it returns several, and a later one compiled for the same program overwrites one of them.
    "Such functions do not allow the output views to be modified inplace",
    # PyTorch says this of a function that overwrites a view and returns another tensor besides.
    "your Function modifies inplace an input that is a view",
)

TYPES = {np.dtype(np.float64): torch.float64, np.dtype(np.float32): torch.float32}

IN_PLACE = {"add": "add_", "subtract": "sub_", "multiply": "mul_", "divide": "div_"}


@contextmanager
def refusing() -> Iterator[None]:
    """Turns what PyTorch refuses into a refusal, and what it does not do into unsupported."""
    try:
        yield
    except NotImplementedError as error:
        raise Unsupported(str(error).partition("\n")[0]) from error
    except RuntimeError as error:
        for line in str(error).splitlines():
            if any(words in line for words in REFUSALS):
                raise Refused(line) from error
            if any(words in line for words in LIMITS):
                raise Unsupported(line) from error
        raise


class OwnDraws:
    """PyTorch's own generator at its present state."""

    def __init__(self, state: torch.Tensor, drawn: int, latest: dict[str, torch.Tensor]) -> None:
        self._state = state
        self.drawn = drawn
        self.told: list[torch.Tensor] = []
        # The generator's state after the latest draw of a run, for the next call.
        self._latest = latest
        latest["state"] = state

    def copy(self) -> OwnDraws:
        pytorch_device.generator().set_rng_state(self._state)
        return OwnDraws(self._state, self.drawn, self._latest)

    def at(self, drawn: int) -> OwnDraws:
        return OwnDraws(self._latest["state"], drawn, {})

    def mark(self) -> Callable[[], None]:
        """Makes what lets the generator draw again all that it draws from here on."""
        state, drawn, told = torch.get_rng_state(), self.drawn, len(self.told)

        def rewind() -> None:
            torch.set_rng_state(state)
            self.drawn = drawn
            del self.told[told:]

        return rewind

    def next(self, kind: Mapping[str, Any], shape: Sequence[int], is_again: bool) -> torch.Tensor:
        drawn = random_tensor(kind, shape)
        if not is_again:
            self.tell(drawn)
        return drawn

    def tell(self, drawn: torch.Tensor) -> None:
        self.drawn += 1
        self.told.append(drawn)
        self._latest["state"] = pytorch_device.generator().get_rng_state()


def random_tensor(kind: Mapping[str, Any], shape: Sequence[int]) -> torch.Tensor:
    if kind["kind"] == "bernoulli":
        return torch.bernoulli(torch.full(tuple(shape), 1 - kind["rate"], dtype=torch.float64))
    return torch.rand(tuple(shape), dtype=torch.float64)


@dataclass(frozen=True)
class Seen:
    """A location, as a tensor that shares its memory."""

    tensor: torch.Tensor
    is_detached: bool = False


class InPlace(Memory):
    """A location is a tensor of its own, a reference a view of it.

    Under `torch.no_grad` and through `Tensor.detach`, PyTorch changes contents and keeps the derivative. So a
    value written there is detached first to be constant; with `is_literal` it is not, which the judge
    reports. With `reads_copies` operators get copies of locations, as users pass where PyTorch refuses.
    """

    own_draws = True

    def __init__(self, is_literal: bool = False, reads_copies: bool = False) -> None:
        self._is_literal = is_literal
        self.reads_copies = reads_copies

    def allocate(self, value: torch.Tensor) -> Seen:
        return Seen(value.clone())

    def view(self, reference: Seen, how: Mapping[str, Any]) -> Seen:
        return replace(reference, tensor=seen_otherwise(reference.tensor, how))

    def read(self, reference: Seen) -> torch.Tensor:
        seen = reference.tensor.detach() if reference.is_detached else reference.tensor
        return seen.clone() if self.reads_copies else seen

    def copy(self, value: torch.Tensor) -> torch.Tensor:
        return value.clone()

    def write(self, reference: Seen, value: torch.Tensor) -> None:
        self._changed(reference, "copy_", value)

    def write_constant(self, reference: Seen, value: torch.Tensor) -> None:
        if not self._is_literal:
            return self.write(reference, value.detach())
        with torch.no_grad():
            return self.write(reference, value)

    def update(self, reference: Seen, op: str, function: Callable, value: torch.Tensor) -> None:
        if reference.is_detached:
            # The old contents become constant too.
            self.write(reference, function(self.read(reference), value))
        elif op in IN_PLACE:
            self._changed(reference, IN_PLACE[op], value)
        else:
            self.write(reference, function(reference.tensor, value))

    def write_rows(self, reference: Seen, rows: Sequence[int], op: Any, function: Any, value: torch.Tensor) -> bool:
        if reference.is_detached:
            return False
        with refusing():
            return rows_written(reference.tensor, rows, op, function, value)

    def write_where(self, reference: Seen, mask: torch.Tensor, op: Any, function: Any, value: torch.Tensor) -> bool:
        if reference.is_detached:
            return False
        with refusing():
            masked_written(reference.tensor, mask, op, function, value)
        return True

    def write_scatter(self, reference: Seen, mask: torch.Tensor, op: Any, function: Any, row: torch.Tensor) -> bool:
        if reference.is_detached:
            return False
        with refusing():
            scattered_written(reference.tensor, mask, op, function, row)
        return True

    def _changed(self, reference: Seen, method: str, value: torch.Tensor) -> None:
        """Applies an in-place method, to a copy of `value` where PyTorch asks for it as both share memory."""
        value = value.detach() if reference.is_detached else value
        check_once(reference.tensor)
        with refusing():
            try:
                getattr(reference.tensor, method)(value)
            except RuntimeError as error:
                if "some elements of the input tensor and the written-to tensor" not in str(error):
                    raise
                getattr(reference.tensor, method)(value.clone())

    def again(self, references: Sequence[Seen]) -> list[Seen]:
        copies: dict[int, torch.Tensor] = {}
        seen = []
        for reference in references:
            tensor = reference.tensor
            whole = whole_of(tensor)
            copy = copies.setdefault(id(whole), whole.clone())
            if copy.stride() != whole.stride():
                raise Unsupported("a location whose copy has other strides")
            part = copy if tensor is whole else copy.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
            seen.append(replace(reference, tensor=part))
        return seen

    def is_shared(self, one: Seen, other: Seen) -> bool:
        return whole_of(one.tensor) is whole_of(other.tensor)

    def detach(self, reference: Seen) -> Seen:
        return Seen(reference.tensor.detach()) if self._is_literal else replace(reference, is_detached=True)

    def constant(self, value: torch.Tensor) -> torch.Tensor:
        return value.detach()

    def no_grad(self) -> torch.no_grad:
        return torch.no_grad()

    def retained(self, value: torch.Tensor) -> torch.Tensor:
        # A value that depends on nothing has a cotangent all the same.
        return value if value.requires_grad else value.detach().requires_grad_()

    def checkpoint(self, run: Run, block: Block, names: Names) -> Optional[Leaving]:
        left: list[Optional[Leaving]] = []
        runs = [run.again(block, names), lambda: left.append(run.block(block, Names(names)))]

        # A user writes a function, which PyTorch calls again in the sweep. It takes the tensors that it
        # reads, so that PyTorch can check them.
        def function(*_: torch.Tensor) -> None:
            (runs.pop() if len(runs) > 1 else runs[0])()

        with refusing():
            checkpoint(function, *tensors_named(block, names), use_reentrant=False)
        return left[0]

    def overwrites(self, reference: Seen) -> bool:
        # Through a detached tensor PyTorch would keep the old derivative.
        return not reference.is_detached and level() < 2

    def custom(self, own: Custom, operands: Arrays) -> Made:
        if level() >= 2:
            # PyTorch 2.15 fails an assertion of its own where such functions are nested in others.
            return super().custom(own, operands)
        box = Box(own)
        # What is overwritten is the location itself, where operators get copies too.
        given = [own.places[i].tensor if i in own.places else operand for i, operand in enumerate(operands)]
        with refusing():
            results = Said.apply(box, *given)
        count = len(results) - len(own.marked)
        return Made(results[:count], box.saved, results[count:])

    def hook(self, value: torch.Tensor, derivative: Function) -> torch.Tensor:
        # Forward mode knows no hooks.
        if level() > 0:
            return super().hook(value, derivative)
        if not value.requires_grad:
            return value.clone()
        # What others see of the value has no hook.
        through = value.view_as(value)
        through.register_hook(lambda cotangent: pulled_back(derivative, [value.detach()], [cotangent])[0])
        return through.view_as(through)

    def place(self, value: torch.Tensor) -> int:
        return self.whole(value.detach().item())

    def truth(self, value: torch.Tensor) -> bool:
        return bool(value.detach() != 0)

    def cast(self, value: torch.Tensor, dtype: np.dtype) -> torch.Tensor:
        return value.to(TYPES[dtype])

    def numpy(self, value: torch.Tensor) -> Any:
        return value.numpy(force=True)

    def draws(self, key: Sequence[int], drawn: int) -> OwnDraws:
        torch.manual_seed(key[0] * 2**16 + key[1] + drawn)
        return OwnDraws(pytorch_device.generator().get_rng_state(), drawn, {})

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        with refusing():
            return torch.func.jvp(lambda *xs: tuple(f(xs)), tuple(inputs), tuple(tangents))[1]

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        with refusing():
            _, pull_back = torch.func.vjp(lambda *xs: tuple(f(xs)), *inputs)
            return pull_back(tuple(cotangents))

    def sweep(self, run: Callable[[], Run], inputs: Inputs, seeds: Seeds) -> Swept:
        """Runs once and sweeps; a run before it finds the values that `retain` wants."""
        swept = run()
        if swept.program.retains:
            swept.wanted = frozenset(self.entered(swept, inputs).retained)
            wanted, swept = swept.wanted, run()
            swept.wanted = wanted
        parameters, state = ([x.detach().requires_grad_() for x in part] for part in (inputs.parameters, inputs.state))
        with refusing():
            left = self.entered(swept, replace(inputs, parameters=parameters, state=state))
            leaves = [*parameters, *state, *left.kept]
            reached = [(left.results[place], seed) for place, seed in seeds.items() if left.results[place].requires_grad]
            if reached and leaves:
                ys, cotangents = zip(*reached)
                pulled = torch.autograd.grad(ys, leaves, cotangents, allow_unused=True, materialize_grads=True)
            else:
                pulled = [torch.zeros_like(x) for x in leaves]
        count = len(parameters) + len(state)
        return Swept(left, pulled[:count], pulled[count:])


def level() -> int:
    """Counts the transforms of `torch.func` around."""
    return torch._C._functorch.maybe_current_level() or 0


def pulled_back(function: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
    _, pull_back = torch.func.vjp(lambda *xs: tuple(function(xs)), *inputs)
    return pull_back(tuple(cotangents))


class Box:
    """What the passes of a function share besides tensors."""

    def __init__(self, own: Custom) -> None:
        self.own = own
        # The operands that the function overwrites, as they were, and what it saves.
        self.before: dict[int, torch.Tensor] = {}
        self.saved: Arrays = []


class Said(torch.autograd.Function):
    """A function whose derivative another one says: what users write with `save_for_backward` and `mark_dirty`."""

    @staticmethod
    def forward(box: Box, *operands: torch.Tensor) -> tuple[torch.Tensor, ...]:
        box.before = {place: operands[place].clone() for place in box.own.places}
        made = box.own.value(operands)
        box.saved = made.saved
        # What is overwritten is returned as the tensor that it is.
        after = [operands[place] if place in box.own.places else array for place, array in zip(box.own.marked, made.after)]
        # An operand that is returned is another tensor.
        return (*(value.clone() for value in made.values), *after)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, ...]) -> None:
        box, *operands = inputs
        ctx.box, ctx.count = box, len(operands)
        ctx.mark_dirty(*(operands[place] for place in box.own.places))
        kept = [box.before.get(place, operand) for place, operand in enumerate(operands)]
        ctx.save_for_backward(*kept, *box.saved)
        ctx.save_for_forward(*kept, *box.saved)

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor) -> tuple[Optional[torch.Tensor], ...]:
        # PyTorch computes what a checkpoint saved again, each time that it is asked.
        tensors = ctx.saved_tensors
        kept, saved = tensors[: ctx.count], tensors[ctx.count :]
        return (None, *pulled_back(lambda xs: ctx.box.own.derivative([*xs, *saved]), kept, cotangents))

    @staticmethod
    def jvp(ctx: Any, *tangents: Optional[torch.Tensor]) -> tuple[torch.Tensor, ...]:
        own, (_, *given) = ctx.box.own, tangents
        tensors = ctx.saved_tensors
        kept, saved = tensors[: ctx.count], tensors[ctx.count :]
        along = [torch.zeros_like(x) if tangent is None else tangent for x, tangent in zip(kept, given)]
        _, moved = torch.func.jvp(lambda *xs: tuple(own.derivative([*xs, *saved])), kept, tuple(along))
        results, first = list(moved), len(moved) - len(own.marked)
        # The tangent of what is overwritten is overwritten too.
        for after, place in enumerate(own.marked, first):
            if place in own.places and given[place] is not None:
                results[after] = given[place].copy_(moved[after])
        return tuple(results)


def whole_of(tensor: torch.Tensor) -> torch.Tensor:
    """Returns the tensor that others are views of."""
    return tensor if tensor._base is None else tensor._base


def seen_otherwise(tensor: torch.Tensor, how: Mapping[str, Any]) -> torch.Tensor:
    """Makes a view as PyTorch does; a reshape that strides cannot express is a copy."""
    kind = how["kind"]
    if kind == "slice":
        within(tensor, how["starts"], how["sizes"], forwards(how["steps"]))
        parts = zip(how["starts"], how["sizes"], how["steps"])
        slices = tuple(slice(start, start + size * step, step) for start, size, step in parts)
        return tensor[slices] if slices else tensor
    if kind == "permute":
        return tensor.permute(how["axes"])
    if kind == "diagonal":
        # The diagonal replaces two axes by one, which PyTorch puts last.
        row, column = how.get("axes", (0, 1))
        return torch.diagonal(tensor, how.get("offset", 0), row, column).movedim(-1, min(row, column))
    if kind == "unfold":
        return tensor.unfold(how["axis"], how["size"], how["step"])
    if kind == "strided":
        return strided(tensor, how["start"], how["shape"], forwards(how["strides"]))
    return tensor.expand(how["shape"]) if kind == "broadcast" else tensor.reshape(how["shape"])


def within(tensor: torch.Tensor, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> None:
    """Refuses a slice that leaves its axis, where PyTorch cuts it off."""
    for start, size, step, extent in zip(starts, sizes, steps, tensor.shape):
        if size > 0 and start + (size - 1) * step >= extent:
            raise ProgramError("a view leaves its axis")


def strided(tensor: torch.Tensor, start: int, shape: Sequence[int], strides: Sequence[int]) -> torch.Tensor:
    """Sees elements of a tensor with one axis; PyTorch counts in memory, from its beginning."""
    (stride,) = tensor.stride()
    return tensor.as_strided(tuple(shape), [by * stride for by in strides], tensor.storage_offset() + start * stride)


def forwards(steps: Sequence[int]) -> Sequence[int]:
    """Returns the steps, of which PyTorch has no negative ones."""
    if any(step < 0 for step in steps):
        raise Unsupported("PyTorch has no view that goes backwards")
    return steps


def rows_written(tensor: torch.Tensor, rows: Sequence[int], op: Any, function: Any, value: torch.Tensor) -> bool:
    """Writes rows at once, as users do, if PyTorch says what happens where a row is named twice."""
    is_distinct = len(set(rows)) == len(rows)
    if not (is_distinct or op == "add") or repeats(tensor):
        return False
    places = torch.tensor(rows, dtype=torch.long)
    if op is None:
        tensor[places] = value
    elif not is_distinct:
        tensor.index_put_((places,), value, accumulate=True)
    elif op in IN_PLACE:
        tensor[places] = getattr(tensor[places], IN_PLACE[op])(value)
    else:
        tensor[places] = function(tensor[places], value)
    return True


def masked_written(tensor: torch.Tensor, mask: torch.Tensor, op: Any, function: Any, value: torch.Tensor) -> None:
    """Writes, or updates, the elements where a mask is not 0, as users do."""
    check_once(tensor)
    chosen = mask != 0
    if op is None and value.ndim == 0:
        tensor.masked_fill_(chosen, value)
        return
    part = value if value.ndim == 0 else value[chosen]
    if op in IN_PLACE:
        # Python means this by `tensor[chosen] *= part`.
        part = getattr(tensor[chosen], IN_PLACE[op])(part)
    elif op is not None:
        part = function(tensor[chosen], part)
    tensor[chosen] = part


def scattered_written(tensor: torch.Tensor, mask: torch.Tensor, op: Any, function: Any, row: torch.Tensor) -> None:
    """Writes, or updates, the elements where a mask is not 0 with those of a row in their order, as users do."""
    check_once(tensor)
    chosen = mask != 0
    count = int(chosen.sum())
    if count > row.numel():
        raise ProgramError("a row ends before the places where a mask is not 0")
    if op is None:
        # PyTorch asks for a copy where both share memory.
        tensor.masked_scatter_(chosen, row.clone())
    elif op in IN_PLACE:
        tensor[chosen] = getattr(tensor[chosen], IN_PLACE[op])(row[:count])
    else:
        tensor[chosen] = function(tensor[chosen], row[:count])


def each_row_written(
    tensor: torch.Tensor,
    rows: Sequence[int],
    op: Any,
    function: Any,
    value: torch.Tensor,
    is_constant: bool = False,
) -> None:
    """Writes rows at once or, where PyTorch does not say what that does, one after the other.

    What is written is constant under differentiation if `is_constant`.
    """
    if not is_constant and rows_written(tensor, rows, op, function, value):
        return
    for place, row in enumerate(rows):
        part = value[place] if op is None else function(tensor[row], value[place])
        tensor[row].copy_(part.detach() if is_constant else part)


def check_once(tensor: torch.Tensor) -> None:
    """Refuses a write through windows that overlap, of which PyTorch says that it may go wrong."""
    if repeats(tensor):
        raise ProgramError("an element is written through a view that sees it more than once")


def repeats(tensor: torch.Tensor) -> bool:
    """Tells whether a tensor has some place of its memory twice."""
    axes = sorted((stride, extent) for stride, extent in zip(tensor.stride(), tensor.shape) if extent > 1)
    if tensor.numel() == 0 or all(stride > sum(by * (most - 1) for by, most in axes[:i]) for i, (stride, _) in enumerate(axes)):
        return False
    places = [0]
    for stride, extent in axes:
        places = [place + stride * i for place in places for i in range(extent)]
    return len(set(places)) < len(places)


def tensors_named(block: Block, names: Names) -> list[torch.Tensor]:
    """Returns the tensors in reach that a block names."""
    wanted = named_in(block)
    found = [own[name] for own, name in names.all() if name in wanted]
    values = [one.array for one in found if isinstance(one, Value)]
    return [*values, *(one.at.tensor for one in found if isinstance(one, Reference))]
