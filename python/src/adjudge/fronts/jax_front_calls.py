"""Rules for primitives of a jaxpr that branch or loop."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import JaxprEqn

from .jax_front_rules import RULES
from .jax_front_shapes import part
from .jax_front_values import Step, Value
from .jax_front_writer import Writer

# A loop that runs longer than this at the point is refused.
MOST_TURNS = 10_000

Walk = Callable[[Writer, JaxprEqn, Sequence[Value], Sequence[bool]], list[Value]]


def walks(name: str) -> Callable[[Walk], Walk]:
    """Registers a rule that writes functions within an equation down."""

    def register(function: Walk) -> Walk:
        function.walks = True  # type: ignore[attr-defined]
        RULES[name] = function
        return function

    return register


# ---- Branches and loops ----------------------------------------------------------------------------------


@walks("cond")
def _cond(w: Writer, equation: JaxprEqn, operands: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
    branches = equation.params["branches"]
    index = max(0, min(int(w.now(operands[0])), len(branches) - 1))
    return w.inline(branches[index], operands[1:], needed)


@walks("while")
def _while(w: Writer, equation: JaxprEqn, operands: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
    p = equation.params
    asks, does = p["cond_nconsts"], p["body_nconsts"]
    ask, do, carry = operands[:asks], operands[asks : asks + does], list(operands[asks + does :])
    line = w.graph.line
    for _ in range(MOST_TURNS):
        (goes,) = w.inline(p["cond_jaxpr"], [*ask, *carry], [True])
        running = np.asarray(w.now(goes))
        if not running.any():
            return carry
        turned = w.inline(p["body_jaxpr"], [*do, *carry], [True] * len(carry))
        # A loop under vmap goes on where it goes on.
        carry = turned if running.all() else [_chosen(w, running, new, old) for new, old in zip(turned, carry)]
        w.graph.line = line
    raise w.refusal(f"a loop takes more than {MOST_TURNS} turns", "judge one turn of it")


def _chosen(w: Writer, where: np.ndarray, new: Value, old: Value) -> Value:
    """Returns a new value where something holds at the point, else the old one."""
    mask = np.broadcast_to(where.reshape(where.shape + (1,) * (len(new.shape) - where.ndim)), new.shape)
    if new.known and old.known:
        return Value(new.shape, new.dtype, number=jnp.where(mask, new.number, old.number), data=new.data | old.data)
    step = Step(lambda numbers: [jnp.where(mask, *numbers)], [new, old])
    chosen = Value(
        new.shape,
        new.dtype,
        write=lambda: w.graph.where(mask.astype(np.float64), w.operand(new), w.operand(old)),
        step=(step, 0),
        data=new.data | old.data,
    )
    if chosen.floating:
        w.ref(chosen)
    return chosen


@walks("scan")
def _scan(w: Writer, equation: JaxprEqn, operands: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
    p = equation.params
    consts, carried = p["num_consts"], p["num_carry"]
    fixed, carry, rows = operands[:consts], list(operands[consts : consts + carried]), operands[consts + carried :]
    wanted = [True] * carried + list(needed[carried:])
    outs: list[list[Value]] = [[] for _ in needed[carried:]]
    line = w.graph.line
    turns = range(p["length"])
    for turn in reversed(turns) if p["reverse"] else turns:
        made = w.inline(p["jaxpr"], [*fixed, *carry, *(_row(w, x, turn) for x in rows)], wanted)
        carry = made[:carried]
        for out, value in zip(outs, made[carried:]):
            out.append(value)
        w.graph.line = line
    shapes = [var.aval for var in equation.outvars[carried:]]
    stacked = []
    for out, aval, flag in zip(outs, shapes, needed[carried:]):
        stacked.append(_stacked(w, out[::-1] if p["reverse"] else out, aval, flag))
    return [*carry, *stacked]


def _row(w: Writer, x: Value, turn: int) -> Value:
    """Returns the entry of a scanned array that one turn gets."""
    shape = x.shape[1:]
    if x.known:
        return Value(shape, x.dtype, number=x.number[turn], data=x.data)
    step = Step(lambda numbers: [numbers[0][turn]], [x])
    row = Value(shape, x.dtype, write=lambda: w.graph.reshape(part(w, w.ref(x), 0, turn, turn + 1), shape), step=(step, 0), data=x.data)
    return row


def _stacked(w: Writer, rows: Sequence[Value], aval: Any, flag: bool) -> Value:
    """Returns the results of the turns as one array."""
    if not flag or not rows:
        return Value(aval.shape, aval.dtype, number=np.zeros(aval.shape, aval.dtype) if not _is_key(aval) else jnp.zeros(()))
    data = frozenset().union(*(row.data for row in rows))
    if all(row.known for row in rows):
        return Value(aval.shape, aval.dtype, number=jnp.stack([jnp.asarray(row.number) for row in rows]), data=data)
    value = Value(
        aval.shape,
        aval.dtype,
        write=lambda: w.graph.op("stack", *map(w.ref, rows), axis=0),
        step=(Step(lambda numbers: [jnp.stack([jnp.asarray(number) for number in numbers])], rows), 0),
        data=data,
    )
    if value.floating:
        w.ref(value)
    return value


def _is_key(aval: Any) -> bool:
    return bool(jnp.issubdtype(aval.dtype, jax.dtypes.extended))
