"""adjudge: is the gradient of my function right?"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .checking import check, trace
    from .domain import Var, var
    from .errors import AdjudgeWarning, CheckError, GradientError, JudgeError, NotJudged, UnneededTolerance
    from .decorator import given
    from .graph import Refused
    from .kit.adapter import Adapter, Description, Unsupported, serve
    from .report import Report, Witness
    from .stand_ins import check_grads, check_jvp, check_vjp, gradcheck, gradgradcheck

# Where each name comes from; a module is imported when one of its names is used.
_MODULES = {
    "checking": ("check", "trace"),
    "domain": ("Var", "var"),
    "errors": (
        "AdjudgeWarning",
        "CheckError",
        "GradientError",
        "JudgeError",
        "NotJudged",
        "UnneededTolerance",
    ),
    "decorator": ("given",),
    "graph": ("Refused",),
    "kit.adapter": ("Adapter", "Description", "Unsupported", "serve"),
    "report": ("Report", "Witness"),
    "stand_ins": ("check_grads", "check_jvp", "check_vjp", "gradcheck", "gradgradcheck"),
}
_NAMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Adapter",
    "AdjudgeWarning",
    "CheckError",
    "Description",
    "GradientError",
    "JudgeError",
    "NotJudged",
    "Refused",
    "Report",
    "UnneededTolerance",
    "Unsupported",
    "Var",
    "Witness",
    "check",
    "check_grads",
    "check_jvp",
    "check_vjp",
    "given",
    "gradcheck",
    "gradgradcheck",
    "serve",
    "trace",
    "var",
]


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        found = getattr(importlib.import_module(f"adjudge.{_NAMES[name]}"), name)
        # It is looked up once.
        globals()[name] = found
        return found
    raise AttributeError(f"module 'adjudge' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})
