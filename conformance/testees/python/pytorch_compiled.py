"""Programs under `torch.compile`: each is written as a Python function, which is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable

import torch
import torch._dynamo
import torch._inductor.config
from adjudge.kit.adapter import Refused, Unsupported
from adjudge.kit.programs import Inputs, Left, LoadedProgram, Run
from pytorch_memory import InPlace, refusing, seen_otherwise
from pytorch_source import function_of

# With a lower limit, a program with many graph breaks would run eagerly after some of them.
torch._dynamo.config.recompile_limit = 64
torch._dynamo.config.accumulated_recompile_limit = 1024
# Inductor's own generator draws other numbers for a gradient than for a value, as PyTorch documents.
torch._inductor.config.fallback_random = True


class Compiled(InPlace):
    """Memory of compiled programs, with the same limits as eager PyTorch."""

    def __init__(self, backend: str, reads_copies: bool = False, breaks: int = 0) -> None:
        super().__init__(reads_copies=reads_copies)
        self._breaks = breaks
        self._compile: Callable[[Any], Any] = torch.compile(backend=backend, fullgraph=False)
        self._program: Any = None
        self._function: Any = None

    def entered(self, run: Run, inputs: Inputs) -> Left:
        if self._program is not run.program:
            # Code compiled for other programs is forgotten.
            torch._dynamo.reset()
            self._program, self._function = run.program, self._compile(function_of(run.program, self._breaks))
        told: list[torch.Tensor] = []
        sent: list[tuple[str, torch.Tensor]] = []
        received = {channel: list(tensors) for channel, tensors in run.received.items()}
        locations = [value.clone() for value in inputs.state]
        # Other names of locations are arguments that share their memory, as tied parameters do.
        named = dict(zip((location["name"] for location in run.program.state), locations))
        for alias in run.program.aliases:
            named[alias["name"]] = seen_otherwise(named[alias["of"]], alias["how"])
        with refusing(), unwrapping(), keeping_hooks():
            results = self._function(told, sent, received, run.environment, *named.values(), *inputs.parameters)
        for drawn in told:
            run.draws.tell(drawn)
        return Left(list(results), locations, sent, [], [], run.draws.drawn, run.draws.told)


@contextmanager
def unwrapping() -> Iterator[None]:
    """Raises the error inside a compiler's exception instead, where it says what PyTorch refuses."""
    try:
        yield
    except (Refused, Unsupported):
        raise
    except Exception as error:
        inner = error.__cause__
        if type(error).__module__.startswith("torch._dynamo") and isinstance(inner, RuntimeError):
            raise inner from error
        raise


@contextmanager
def keeping_hooks() -> Iterator[None]:
    """Allows hooks on saved tensors afterwards: tracing that fails in `torch.func.vjp` leaves them forbidden.

    PyTorch would refuse all later checkpoints of the process.
    """
    try:
        yield
    finally:
        torch._C._autograd._saved_tensors_hooks_enable()
