"""`check`: is the gradient of this function right?"""

from __future__ import annotations

import copy
import inspect
import sys
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from .client import judge_for, turn
from .domain import Var
from .errors import AdjudgeWarning, CheckError, GradientError, JudgeError, NotJudged
from .fronts.traced import leaf_names, tree_of
from .graph import Refused
from .libraries import JAX, NUMPY, TORCH, Library, library_of
from .report import WRONG, Report
from .subject import HandRule, HandWritten, OwnRule, Rule, Subject, line_of, moves, raised_at

Wrt = Union[None, int, str, Sequence[Union[int, str]]]


@dataclass
class Settings:
    """What checks do unless they are told; pytest's options set it, and its report reads it."""

    points: int = 20
    seed: int = 1
    # Each is called with every report, those of wrong functions included.
    observers: list[Callable[[Report], None]] = field(default_factory=list)


settings = Settings()


def check(
    f: Callable[..., Any],
    *args: Any,
    vjp: Optional[HandWritten] = None,
    jvp: Optional[HandWritten] = None,
    reference: Optional[Callable[..., Any]] = None,
    wrt: Wrt = None,
    points: Optional[int] = None,
    seed: Optional[int] = None,
    order: int = 1,
    digits: Optional[float] = None,
    domain: Optional[Mapping[str, Var]] = None,
    name: Optional[str] = None,
    accumulation: Optional[Mapping[str, Mapping[str, str]]] = None,
) -> Report:
    """Judges the derivatives of `f` at `args`, and elsewhere; raises `GradientError` where one is wrong.

    `f` carries its own rule (JAX, PyTorch), or its rules are given: `vjp(arguments, cotangent)` returns a
    gradient for each argument that has floats (or for those in `wrt`), `jvp(arguments, tangents)` the tangent
    of the result. With `reference`, ordinary code for the same function, the values and derivatives of `f`
    are held to those of the reference; else to those of `f` itself, written down as a graph.

    Arguments are arrays, or `var(…)` to be drawn; points are drawn like the arrays, or from `domain`, which
    has a `var(…)` by name. Integers are data; what is no array is part of the function. `wrt` names
    arguments, or counts them from 0; parameters of a module of PyTorch are named too. `points` (20) are drawn
    by `seed` (1). `order=2` judges the derivatives' derivatives too. `digits` is a demand for that many
    significant digits. `accumulation` declares how sums are made, as docs/protocol.md tells.
    """
    __tracebackhide__ = True
    asked = Asked(
        vjp, jvp, reference, wrt, points, seed, order, digits, domain or {}, name, accumulation or {}
    )
    return run(f, args, asked)


@dataclass(frozen=True)
class Asked:
    """The options of a check."""

    vjp: Optional[HandWritten] = None
    jvp: Optional[HandWritten] = None
    reference: Optional[Callable[..., Any]] = None
    wrt: Wrt = None
    points: Optional[int] = None
    seed: Optional[int] = None
    order: int = 1
    digits: Optional[float] = None
    domain: Mapping[str, Var] = field(default_factory=dict)
    name: Optional[str] = None
    accumulation: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # These are for the functions that stand in for others' checks: which modes are asked, and by which of
    # them each further order is derived. The first order is left out where `first` is false.
    modes: Optional[tuple[str, ...]] = None
    derives: tuple[str, ...] = ("vjp",)
    first: bool = True


def run(f: Callable[..., Any], args: Sequence[Any], asked: Asked) -> Report:
    """Judges a function, and its derivatives up to the order that is asked."""
    __tracebackhide__ = True
    try:
        with turn():
            return _run(f, args, asked)
    except (GradientError, NotJudged, Refused, JudgeError) as error:
        # The text says where the user should look, and that is at none of our lines.
        raise error.with_traceback(None) from error.__cause__


def _run(f: Callable[..., Any], args: Sequence[Any], asked: Asked) -> Report:
    within = _within.get()
    if within is not None:
        within.checks += 1
        args = [within.drawn(argument) for argument in args]
        default = Asked()
        unsaid = {
            name: value
            for name, value in within.options.items()
            if getattr(asked, name) == getattr(default, name)
        }
        asked = replace(asked, **unsaid)
    if not isinstance(asked.order, int) or not 1 <= asked.order <= 3:
        raise CheckError(f"order={asked.order}", hint="give 1, 2 or 3")
    subject = subject_of(f, args, asked)
    if asked.order > 1 and not subject.library.derives:
        raise CheckError(
            f"{subject.name} has no derivatives of derivatives, since NumPy has none",
            line_of(f),
            "leave order out, or write the function and its rules with JAX or PyTorch",
        )
    levels: list[tuple[str, ...]] = [()]
    for _ in range(asked.order - 1):
        deepest = len(levels[-1])
        levels += [(*level, mode) for level in levels if len(level) == deepest for mode in asked.derives]
    levels = levels if asked.first else levels[1:]
    reports = [judged(replace(subject, derive=level)) for level in levels]
    report = replace(reports[0], further=tuple(reports[1:]))
    for observer in settings.observers:
        observer(report)
    for each in (report, *report.further):
        if each.kind == "undecided":
            warnings.warn(f"{each.name}: {each.headline}", AdjudgeWarning, stacklevel=4)
    return report


@dataclass
class Within:
    """A test whose arguments are examples of what is to be drawn."""

    examples: list[tuple[Any, Var]]
    options: Mapping[str, Any]
    # So many checks were made in it.
    checks: int = 0

    def drawn(self, argument: Any) -> Any:
        """Puts the `var` in the place of each example, an object that is known and not its numbers."""
        tree = tree_of(argument)
        leaves = [next((var for each, var in self.examples if each is leaf), leaf) for leaf in tree.leaves]
        return argument if all(new is old for new, old in zip(leaves, tree.leaves)) else tree.rebuild(leaves)


_within: ContextVar[Optional[Within]] = ContextVar("within", default=None)


@contextmanager
def noted(examples: Iterable[tuple[Any, Var]], options: Mapping[str, Any]) -> Iterator[Within]:
    """Has checks that are made meanwhile know which arguments are examples."""
    within = Within(list(examples), options)
    token = _within.set(within)
    try:
        yield within
    finally:
        _within.reset(token)


def judged(subject: Subject) -> Report:
    """Asks the judge, and raises unless something was decided and nothing is wrong."""
    verdict, raised = judge_for(subject.library.introduction()).ask(subject.made())
    report = Report.read(subject.name, verdict)
    if report.kind in WRONG:
        error: Exception = GradientError(report)
    elif report.kind in ("agrees", "undecided") and report.decided > 0:
        return report
    else:
        error = NotJudged(report)
    for observer in settings.observers:
        observer(report)
    raise error from raised


def trace(f: Callable[..., Any], *args: Any) -> dict[str, Any]:
    """Returns the graph of a function at some arguments, or at `var(…)`, as `adjudge.graph.v1` has it."""
    with turn():
        return subject_of(f, args, Asked(reference=f)).made().traced.graph.to_json()


# ---- What is asked ---------------------------------------------------------------------------------------


def subject_of(f: Callable[..., Any], args: Sequence[Any], asked: Asked) -> Subject:
    """Looks at a function and its arguments: which library they are of, and whether they can be judged."""
    if not callable(f):
        raise CheckError(
            f"check wants a function, not {type(f).__name__}", hint="check(f, x, w), not check(f(x, w))"
        )
    called = asked.name or name_of(f)
    f, args, names, asked = with_parameters(f, args, names_of(f, len(args)), asked)
    domains = dict(asked.domain)
    for name, argument in zip(names, args):
        leaves = tree_of(argument).leaves
        domains |= {
            path: leaf for path, leaf in zip(leaf_names([name], [argument]), leaves) if isinstance(leaf, Var)
        }
    known = {path.partition("[")[0] for path in domains}
    if not known <= set(names):
        raise CheckError(
            f"domain has {', '.join(sorted(known - set(names)))}, and {called} has {', '.join(names)}"
        )
    generator = np.random.default_rng(1)
    arguments, result = first_call(f, called, [with_examples(argument, generator) for argument in args])
    check_values(f, called, names, arguments, result)
    library = library_of([*all_leaves(arguments), *tree_of(result).leaves]) or NUMPY
    arguments = tuple(as_arrays(library, argument) for argument in arguments)
    primal, primal_library = f, library
    if asked.reference is not None and asked.reference is not f:
        primal = asked.reference
        _, other = first_call(primal, f"the reference {name_of(primal)}", list(arguments))
        primal_library = library_of([*all_leaves(arguments), *tree_of(other).leaves]) or NUMPY
    rule: Rule = (
        HandRule(asked.vjp, asked.jvp) if asked.vjp is not None or asked.jvp is not None else OwnRule()
    )
    if isinstance(rule, OwnRule) and not library.derives and asked.reference is not f:
        raise CheckError(
            f"{called} computes with NumPy, which differentiates nothing, so there is no gradient to judge",
            line_of(f),
            "give its rule, vjp=backward, a function of the arguments and the cotangent; or arrays of JAX or PyTorch",
        )
    return Subject(
        name=called[:256],
        function=f,
        primal=primal,
        library=library,
        primal_library=primal_library,
        rule=rule,
        arguments=arguments,
        names=names,
        domains=domains,
        wrt=places_of(asked.wrt, names, called),
        asked=asked.modes,
        points=at_least_one("points", settings.points if asked.points is None else asked.points),
        seed=settings.seed if asked.seed is None else asked.seed,
        digits=asked.digits,
        accumulation=asked.accumulation,
    )


def with_parameters(
    f: Callable[..., Any], args: Sequence[Any], names: tuple[str, ...], asked: Asked
) -> tuple[Callable[..., Any], Sequence[Any], tuple[str, ...], Asked]:
    """Makes arguments of the parameters of a module of PyTorch that `wrt` names."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(f, torch.nn.Module) or asked.wrt is None:
        return f, args, names, asked
    has = dict(f.named_parameters())
    wrt = [asked.wrt] if isinstance(asked.wrt, (int, str)) else list(asked.wrt)
    parameters = {name: has[name].detach() for name in wrt if name in has and name not in names}
    if not parameters:
        return f, args, names, asked

    def called(chosen: Mapping[str, Any], *rest: Any) -> Any:
        return torch.func.functional_call(f, chosen, rest)

    others = [
        names[each] if isinstance(each, int) and abs(each) < len(names) else each
        for each in wrt
        if each not in parameters
    ]
    asked = replace(asked, wrt=["parameters", *others])
    return called, [parameters, *args], ("parameters", *names), asked


def first_call(f: Callable[..., Any], called: str, arguments: list[Any]) -> tuple[tuple[Any, ...], Any]:
    """Calls the function, and says where it raises. One of PyTorch gets tensors in place of examples."""
    try:
        return tuple(arguments), f(*arguments)
    except Refused:
        raise
    except Exception as error:
        torch = sys.modules.get("torch")
        examples = [leaf for leaf in all_leaves(arguments) if isinstance(leaf, _Example)]
        if torch is not None and examples and isinstance(error, (TypeError, AttributeError)):
            try:
                tensors = [to_tensors(argument) for argument in arguments]
                return tuple(tensors), f(*tensors)
            except Exception:
                pass
        what = f"{called} raises {type(error).__name__} at the arguments that it was given: {error}"
        raise CheckError(
            what, raised_at(error), "call it with these arguments yourself, until it returns"
        ) from error


class _Example(np.ndarray):
    """Numbers that were drawn for a `var`, of no library yet."""


def with_examples(argument: Any, generator: np.random.Generator) -> Any:
    """Draws an example for each `var` of an argument."""
    tree = tree_of(argument)
    if not any(isinstance(leaf, Var) for leaf in tree.leaves):
        return argument
    return tree.rebuild([example(leaf, generator) if isinstance(leaf, Var) else leaf for leaf in tree.leaves])


def example(var: Var, generator: np.random.Generator) -> Any:
    """Draws an example of a `var`: an array of NumPy, or a tensor where its dtype is PyTorch's."""
    drawn = np.asarray(var.example(generator))
    if var.dtype is None:
        return drawn.view(_Example)
    if type(var.dtype).__module__ == "torch":
        import torch

        return torch.from_numpy(drawn).to(var.dtype)
    return drawn.astype(var.dtype)


def to_tensors(argument: Any) -> Any:
    import torch

    tree = tree_of(argument)
    return tree.rebuild(
        [torch.from_numpy(np.asarray(x)) if isinstance(x, _Example) else x for x in tree.leaves]
    )


def as_arrays(library: Library, argument: Any) -> Any:
    """Makes examples arrays of the library, and floats too where that is JAX or PyTorch."""
    if not moves(argument):
        return argument
    tree = tree_of(argument)
    leaves = [leaf.view(np.ndarray) if isinstance(leaf, _Example) else leaf for leaf in tree.leaves]
    if library is TORCH:
        import torch

        found = [
            torch.tensor(leaf, dtype=torch.float64) if isinstance(leaf, float) else leaf for leaf in leaves
        ]
        found = [torch.as_tensor(leaf) if isinstance(leaf, np.ndarray) else leaf for leaf in found]
        return tree.rebuild([leaf.detach() if isinstance(leaf, torch.Tensor) else leaf for leaf in found])
    if library is JAX:
        import jax.numpy as jnp

        return tree.rebuild(
            [
                jnp.asarray(leaf) if isinstance(leaf, (float, np.ndarray, np.generic)) else leaf
                for leaf in leaves
            ]
        )
    return tree.rebuild(leaves)


def check_values(
    f: Callable[..., Any], called: str, names: Sequence[str], arguments: Sequence[Any], result: Any
) -> None:
    """Refuses a function that returns no arrays, changes its arguments, or answers otherwise again."""
    line = line_of(f)
    for name, argument in zip(names, arguments):
        if any("complex" in library.dtype(leaf) for library, leaf in of_libraries(argument)):
            raise CheckError(
                f"{called} is given complex numbers, {name}",
                line,
                "give real and imaginary parts as arguments",
            )
    for leaf in tree_of(result).leaves:
        library = library_of([leaf])
        if library is None and not isinstance(leaf, (bool, int, float)) and not moves(leaf):
            kind = "complex" if isinstance(leaf, complex) else type(leaf).__name__
            raise CheckError(
                f"{called} returns {kind}",
                line,
                "return an array of floats, or a tuple, list or dict of them",
            )
        if library is not None and "complex" in library.dtype(leaf):
            raise CheckError(
                f"{called} returns {library.dtype(leaf)}", line, "return the real and the imaginary part"
            )
    if not any(
        library is not None and "float" in library.dtype(leaf) for library, leaf in of_libraries(result)
    ):
        raise CheckError(
            f"{called} returns no array of floats, so it has no derivative", line, "return an array of floats"
        )
    if not any(differentiable(leaf) for leaf in all_leaves(arguments)):
        what = f"{called} is given no array of floats, so nothing can be differentiated"
        raise CheckError(what, line, "give one of floats")
    before = [copy.deepcopy(library.numbers(leaf)) for library, leaf in of_libraries(list(arguments))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = f(*arguments)
    after = [library.numbers(leaf) for library, leaf in of_libraries(list(arguments))]
    if not all(same(old, new, 0) for old, new in zip(before, after)):
        raise CheckError(f"{called} changes its arguments", line, "work on a copy, as x = x.copy()")
    first, second = (
        [library.numbers(leaf) for library, leaf in of_libraries(value)] for value in (result, again)
    )
    if len(first) != len(second) or not all(same(old, new, 1e-3) for old, new in zip(first, second)):
        raise CheckError(
            f"{called} answers otherwise when it is called again with the same arguments",
            line,
            "give random numbers as an argument, or a key or seed that is fixed, and keep no state",
        )


def differentiable(leaf: Any) -> bool:
    """Tells whether a leaf of an argument has floats; a tree of JAX's own is known to when it is traced."""
    library = library_of([leaf])
    return isinstance(leaf, float) or ("float" in library.dtype(leaf) if library is not None else moves(leaf))


def of_libraries(value: Any) -> list[tuple[Library, Any]]:
    """Lists the arrays of a tree with their libraries."""
    found = [(library_of([leaf]), leaf) for leaf in tree_of(value).leaves]
    return [(library, leaf) for library, leaf in found if library is not None]


def same(old: np.ndarray, new: np.ndarray, relative: float) -> bool:
    """Tells whether numbers are the same, but for the order in which a library adds up."""
    if old.shape != new.shape:
        return False
    size = float(np.max(np.abs(old[np.isfinite(old)]), initial=0.0))
    return bool(np.allclose(old, new, rtol=relative, atol=relative * size, equal_nan=True))


def all_leaves(arguments: Sequence[Any]) -> list[Any]:
    return [leaf for argument in arguments for leaf in tree_of(argument).leaves]


def names_of(f: Callable[..., Any], count: int) -> tuple[str, ...]:
    """Returns the names of a function's first arguments, `x0`, `x1` … where it does not tell."""
    try:
        # A module of PyTorch tells by its `forward`.
        parameters = list(inspect.signature(getattr(f, "forward", f)).parameters.values())
    except (ValueError, TypeError):
        parameters = []
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
        elif parameter.kind == parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}{place}" for place in range(count - len(names))]
    names += [f"x{place}" for place in range(len(names), count)]
    return tuple(names[:count])


def name_of(f: Callable[..., Any]) -> str:
    """Returns what a function is called, or where it is written if it has no name."""
    found = (
        getattr(f, "__name__", None)
        or getattr(getattr(f, "func", None), "__name__", None)
        or type(f).__name__
    )
    if found != "<lambda>":
        return found
    line = line_of(f)
    return "lambda" if line is None else f"lambda at {':'.join(line.split(':')[:2])}"


def places_of(wrt: Wrt, names: Sequence[str], called: str) -> Optional[frozenset[int]]:
    """Returns the places of the arguments that `wrt` means."""
    if wrt is None:
        return None
    chosen = [wrt] if isinstance(wrt, (int, str)) else list(wrt)
    found = set()
    for each in chosen:
        place = names.index(each) if each in names else each
        if isinstance(place, bool) or not isinstance(place, int) or not -len(names) <= place < len(names):
            raise CheckError(
                f"wrt={each!r} is no argument of {called}",
                hint=f"they are {', '.join(names)}, or 0 to {len(names) - 1}",
            )
        found.add(place % len(names))
    if not found:
        raise CheckError("wrt names no argument", hint="leave it out, and all are meant")
    return frozenset(found)


def at_least_one(name: str, number: int) -> int:
    if not isinstance(number, (int, np.integer)) or number < 1:
        raise CheckError(f"{name}={number!r}", hint="give an integer from 1 up")
    return int(number)
