"""What the judge said of one function."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Union

import numpy as np

from .kit.adapter import parse_number, read_tensor

# Verdicts that say that something is wrong.
WRONG = ("disagrees", "differs", "imprecise")


@dataclass(frozen=True)
class Witness:
    """The smallest question that was found whose answer is wrong."""

    # The inputs, in order, and data by name.
    inputs: list[np.ndarray]
    data: dict[str, np.ndarray]
    # What was asked: `evaluate`, `vjp` or `jvp`.
    mode: str
    # The cotangents of the outputs for `vjp`, the tangents of the inputs for `jvp`, nothing for `evaluate`.
    direction: list[np.ndarray]
    # Which tensor of the answer is wrong (of the inputs for `vjp`, else of the outputs), and which element.
    place: int
    element: tuple[int, ...]
    # What was answered, what is true, and how far off an answer may be: numbers, or words where it is none.
    answered: Union[float, str]
    expected: Union[float, str]
    allowed: Union[float, str]
    # What is to blame, as a sentence that names the primal's line where that is known.
    blame: str

    @staticmethod
    def read(message: Mapping[str, Any]) -> Witness:
        """Reads a witness as the judge sends it."""
        point = message["point"]
        # The judge sends what it drew for either mode.
        seeds = [seed["cotangent"] for seed in message["seeds"]]
        given = {"vjp": seeds, "jvp": message["tangents"], "evaluate": []}[message["mode"]]
        return Witness(
            inputs=[read_tensor(tensor) for tensor in point["inputs"]],
            data={name: read_tensor(tensor) for name, tensor in point["environment"].items()},
            mode=message["mode"],
            direction=[read_tensor(tensor) for tensor in given],
            place=message["place"],
            element=tuple(message["element"]),
            answered=number(message["answered"]),
            expected=number(message["expected"]),
            allowed=number(message["allowed"]),
            blame=message["blame"],
        )


def number(text: str) -> Union[float, str]:
    """Reads a number in exact form; a set of numbers stays as it is written."""
    try:
        return parse_number(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class Report:
    """What was asked of a function and what came of it; `check` returns one where nothing is wrong."""

    name: str
    # `agrees`, `disagrees`, `differs` (the values are not those of the primal), `imprecise` (it has fewer
    # digits than were demanded), `undecided`, `unsupported` or `crashed`.
    kind: str
    headline: str
    text: str
    # So many points were asked, with so many numbers, of which so many could be decided.
    points: int = 0
    numbers: int = 0
    decided: int = 0
    witness: Optional[Witness] = None
    # Reports of the derivatives that were asked too, where a higher order was.
    further: tuple[Report, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Tells whether something was decided and nothing is wrong."""
        return (
            self.kind in ("agrees", "undecided")
            and self.decided > 0
            and all(report.ok for report in self.further)
        )

    @staticmethod
    def read(name: str, verdict: Mapping[str, Any]) -> Report:
        """Reads a verdict as the judge sends it."""
        witness = verdict.get("witness")
        return Report(
            name=name,
            kind=verdict["kind"],
            headline=verdict["headline"],
            text=verdict["text"],
            points=verdict.get("points", 0),
            numbers=verdict.get("numbers", 0),
            decided=verdict.get("decided", 0),
            witness=None if witness is None else Witness.read(witness),
        )

    def __str__(self) -> str:
        return "\n".join([self.text, *(str(report) for report in self.further)])
