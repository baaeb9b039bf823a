"""What a check raises and warns of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .graph import Refused

if TYPE_CHECKING:
    from .report import Report


class GradientError(AssertionError):
    """The function or its rule is wrong: the text is the judge's, `report` has the numbers."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(report.text)


class NotJudged(Exception):
    """Nothing could be said of the function: it could not be asked, or no number was decided."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(report.text)


class CheckError(Refused, ValueError):
    """A check cannot be made as it was asked: the text says what is wrong, where, and what to do."""


class JudgeError(RuntimeError):
    """The judge cannot be started, or it broke off."""


class AdjudgeWarning(UserWarning):
    """adjudge has something to say that is no error, such as that some numbers were left undecided."""


class UnneededTolerance(AdjudgeWarning):
    """A tolerance was given; adjudge derives what is allowed, and reads none."""
