"""Where points are drawn: `var` describes an argument by its shape and what numbers it may be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from .errors import CheckError
from .kit.adapter import write_tensor

VALUES = ("positive", "probabilities", "spd", "sorted", "normal")
SPECIAL = ("ends", "kinks", "large", "small", "equal", "zeros", "infinite", "nan")


@dataclass(frozen=True, eq=False)
class Var:
    """An argument that the judge draws; made by `var`."""

    shape: tuple[int, ...]
    low: Optional[float] = None
    high: Optional[float] = None
    values: Optional[str] = None
    integers: Optional[int] = None
    special: Optional[tuple[str, ...]] = None
    dtype: Any = None

    def document(self) -> dict[str, Any]:
        """Returns the domain as a question has it."""
        said = {"low": self.low, "high": self.high, "values": self.values, "integers": self.integers}
        found: dict[str, Any] = {key: value for key, value in said.items() if value is not None}
        return found if self.special is None else {**found, "special": list(self.special)}

    def example(self, generator: np.random.Generator) -> np.ndarray:
        """Draws numbers of the domain as float64 or int64: what the function is traced with."""
        shape = self.shape
        if self.integers is not None:
            return generator.integers(0, self.integers, shape)
        if self.values == "probabilities":
            weights = generator.uniform(0.1, 1, shape)
            return weights / weights.sum(-1, keepdims=True)
        if self.values == "spd":
            factor = generator.normal(size=shape)
            return factor @ np.swapaxes(factor, -1, -2) + np.eye(shape[-1])
        low = self.low if self.low is not None else -2.0 if self.high is None else min(-2.0, self.high - 2)
        high = self.high if self.high is not None else max(2.0, low + 2)
        if self.values == "positive":
            low = max(low, min(0.25, high / 2))
        drawn = generator.uniform(low, high, shape)
        return np.sort(drawn, axis=-1) if self.values == "sorted" else drawn


def var(
    shape: Union[int, Sequence[int]] = (),
    low: Optional[float] = None,
    high: Optional[float] = None,
    *,
    positive: bool = False,
    integers: Optional[int] = None,
    values: Optional[str] = None,
    special: Optional[Sequence[str]] = None,
    dtype: Any = None,
) -> Var:
    """Describes an argument by what the judge may draw for it.

    `low` and `high` are a box. `positive` and `values` (`positive`, `probabilities`, `spd`, `sorted`,
    `normal`) say more of the numbers; `integers=10` are integers from 0 to 9, data that is not
    differentiated. `special` names the special values that are drawn too (`ends`, `kinks`, `equal`, `zeros`,
    `small`, `large` unless told; `infinite` and `nan` only if asked). `dtype` is NumPy's, or a type of
    PyTorch: then the function gets tensors.
    """
    extents = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    extents = tuple(int(n) for n in extents)
    if any(n < 0 for n in extents):
        raise CheckError(f"var: {list(extents)} is no shape", hint="give extents from 0 up, as var((3, 4))")
    if positive:
        if values not in (None, "positive"):
            raise CheckError(
                f"var: values={values!r} and positive=True are two domains", hint="give one of them"
            )
        values = "positive"
    if values is not None and values not in VALUES:
        raise CheckError(f"var: there are no values {values!r}", hint=f"they are one of {', '.join(VALUES)}")
    for name in special or ():
        if name not in SPECIAL:
            raise CheckError(
                f"var: there are no special values {name!r}", hint=f"they are of {', '.join(SPECIAL)}"
            )
    for name, end in (("low", low), ("high", high)):
        if end is not None and not math.isfinite(end):
            raise CheckError(f"var: {name}={end} is no end of a box", hint="leave it out where there is none")
    if low is not None and high is not None and not low <= high:
        raise CheckError(f"var: low={low} is above high={high}", hint="a box goes from low to high")
    if integers is not None:
        if int(integers) != integers or integers < 1:
            raise CheckError(
                f"var: integers={integers} leaves nothing to draw", hint="integers=10 draws 0 to 9"
            )
        if low is not None or high is not None or values is not None:
            raise CheckError("var: integers have no other domain", hint="integers=10 draws 0 to 9")
    if values == "spd" and (len(extents) < 2 or extents[-1] != extents[-2]):
        raise CheckError(
            f"var: {list(extents)} is no shape of symmetric matrices", hint="the last two extents are equal"
        )
    if values in ("probabilities", "sorted") and not extents:
        raise CheckError(f"var: a single number has no axis for {values}", hint="give a shape")
    ends = [None if end is None else float(end) for end in (low, high)]
    chosen = None if special is None else tuple(special)
    return Var(extents, ends[0], ends[1], values, None if integers is None else int(integers), chosen, dtype)


def near(value: np.ndarray) -> dict[str, Any]:
    """Returns the domain of numbers like those that an argument has."""
    return {"like": write_tensor(np.asarray(value, dtype=np.float64), as_text=False)}
