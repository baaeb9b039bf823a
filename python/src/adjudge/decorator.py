"""`given`: a test whose arguments the judge draws."""

from __future__ import annotations

import functools
import inspect
import sys
from typing import Any, Callable

import numpy as np

from .checking import check, example, name_of, noted, to_tensors
from .domain import Var
from .errors import CheckError
from .subject import line_of

# The options of `check` that a test may be given beside what is drawn.
OPTIONS = frozenset(
    name for name in inspect.signature(check).parameters if name not in ("f", "args", "domain")
)


def given(**drawn: Any) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Makes a test of a function: its arguments of these names are drawn as each `var(…)` says.

    A test that returns something is the function that is judged. One that returns nothing asks `check`
    itself, about functions of its arguments. Options of `check` stand beside what is drawn:
    `given(x=var(3), points=50)`. What is left of the arguments is the test's own, such as fixtures.
    """
    variables = {name: value for name, value in drawn.items() if isinstance(value, Var)}
    options = {name: value for name, value in drawn.items() if name not in variables}
    for name in options:
        if name not in OPTIONS:
            hint = f"give var(…) for what is drawn, else an option of check: {', '.join(sorted(OPTIONS))}"
            raise CheckError(f"given: {name} is no var, and no option of check", hint=hint)
    if not variables:
        raise CheckError(
            "given: nothing is drawn", hint="name an argument of the test, as given(x=var((3, 4)))"
        )

    def decorate(test: Callable[..., Any]) -> Callable[..., None]:
        signature = inspect.signature(test)
        missing = [name for name in variables if name not in signature.parameters]
        if missing:
            has = ", ".join(signature.parameters) or "none"
            raise CheckError(
                f"given: {name_of(test)} has no argument {missing[0]}; it has {has}", line_of(test)
            )

        def run(*own: Any, **named: Any) -> None:
            __tracebackhide__ = True

            def judged(*values: Any) -> Any:
                return test(*own, **named, **dict(zip(variables, values)))

            functools.update_wrapper(judged, test)
            # Its own arguments are those that are drawn.
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            parameters = [inspect.Parameter(name, kind) for name in variables]
            judged.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]

            def tried(examples: list[Any]) -> tuple[Any, int]:
                __tracebackhide__ = True
                with noted(zip(examples, variables.values()), options) as within:
                    return judged(*examples), within.checks

            generator = np.random.default_rng(1)
            examples = [example(var, generator) for var in variables.values()]
            try:
                result, checks = tried(examples)
            except (TypeError, AttributeError):
                # A function of PyTorch takes no arrays of NumPy.
                if "torch" not in sys.modules:
                    raise
                result, checks = tried([to_tensors(each) for each in examples])
            if result is not None:
                check(judged, *variables.values(), **{"name": name_of(test), **options})
            elif checks == 0:
                hint = "return the value whose gradient is judged, or call check"
                raise CheckError(f"{name_of(test)} returns nothing and checks nothing", line_of(test), hint)

        functools.update_wrapper(run, test)
        # pytest gives fixtures for the arguments that are left, and must not see the others.
        del run.__wrapped__  # type: ignore[attr-defined]
        left = [parameter for name, parameter in signature.parameters.items() if name not in variables]
        own = signature.replace(parameters=left, return_annotation=None)
        run.__signature__ = own  # type: ignore[attr-defined]
        return run

    return decorate
