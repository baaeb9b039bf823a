"""A function as the judge asks about it: its primal as a graph, its domain, and the answers of its rule."""

from __future__ import annotations

import copy
import inspect
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Mapping, Optional, Protocol, Sequence

import numpy as np

from .domain import Var, near
from .errors import CheckError
from .fronts.traced import Traced, leaf_names, source_line, tree_of, written_at
from .graph import Refused
from .kit.adapter import read_tensor, write_tensor
from .libraries import Arrays, Function, Library, library_of

# A hand-written rule: `vjp(arguments, cotangent)` returns gradients, `jvp(arguments, tangents)` a tangent.
HandWritten = Callable[[Any, Any], Any]


class Rule(Protocol):
    """Answers derivatives of a function of flat lists, in arrays of a library."""

    def modes(self, made: Made) -> list[str]:
        """Returns which of `vjp` and `jvp` there are; what is in doubt is tried."""

    def vjp(self, made: Made, inputs: Arrays, cotangents: Arrays) -> list[Any]:
        """Returns the cotangent of each input."""

    def jvp(self, made: Made, inputs: Arrays, tangents: Arrays) -> list[Any]:
        """Returns the tangent of each output."""


@dataclass(frozen=True)
class Subject:
    """What is asked, at the arguments that it was given."""

    name: str
    # The function that is judged, and the one whose graph is its primal.
    function: Callable[..., Any]
    primal: Callable[..., Any]
    library: Library
    # The library of the primal's arrays, whose front writes it down.
    primal_library: Library
    rule: Rule
    # The arguments as the function gets them, and their names.
    arguments: tuple[Any, ...]
    names: tuple[str, ...]
    # Domains by the name of an argument or of a leaf of it.
    domains: Mapping[str, Var]
    wrt: Optional[frozenset[int]] = None
    asked: Optional[tuple[str, ...]] = None
    derive: tuple[str, ...] = ()
    points: int = 20
    seed: int = 1
    digits: Optional[float] = None
    accumulation: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def made(self) -> Made:
        """Writes the primal down at the arguments."""
        moving = [place for place, argument in enumerate(self.arguments) if moves(argument)]

        def primal(*given: Any) -> Any:
            return self.primal(*self.whole(given))

        traced = self.primal_library.trace(
            primal, [self.arguments[place] for place in moving], [self.names[place] for place in moving]
        )
        return Made(self, traced)

    def whole(self, given: Sequence[Any]) -> list[Any]:
        """Returns all arguments from those that move; others, such as texts and axes, are as they were."""
        rest = iter(given)
        return [next(rest) if moves(argument) else argument for argument in self.arguments]

    def leaves(self) -> list[tuple[int, str, Any]]:
        """Lists the leaves that are arrays: the argument's place, the leaf's name, and its value."""
        found = []
        for place, (name, argument) in enumerate(zip(self.names, self.arguments)):
            if moves(argument):
                paths = self.library.leaf_names(name, argument)
                found += [(place, path, leaf) for path, leaf in zip(paths, self.library.leaves(argument))]
        return found

    def domain_of(self, leaf: str) -> Optional[Var]:
        """Returns the domain that was given for a leaf, or for the argument that it is part of."""
        return self.domains.get(leaf, self.domains.get(leaf.partition("[")[0]))


def moves(argument: Any) -> bool:
    """Tells whether an argument has arrays or floats; others are part of the function."""
    leaves = tree_of(argument).leaves
    return any(
        isinstance(leaf, float) or library_of([leaf]) is not None or _is_custom(leaf) for leaf in leaves
    )


def _is_custom(leaf: Any) -> bool:
    """Tells whether a value is a tree of a kind that JAX knows."""
    import sys

    jax = sys.modules.get("jax")
    if jax is None or callable(leaf) or isinstance(leaf, (str, bytes, int)):
        return False
    inner = jax.tree_util.tree_leaves(leaf)
    return bool(inner) and inner[0] is not leaf and library_of(inner) is not None


@dataclass(frozen=True)
class Signature:
    """What a function, or a derivative of it, takes and returns."""

    # The shapes of inputs and outputs, and the places of the inputs that are differentiated.
    inputs: list[tuple[int, ...]]
    outputs: list[tuple[int, ...]]
    wanted: list[int]


class Made:
    """A subject traced at its arguments: a question."""

    def __init__(self, subject: Subject, traced: Traced) -> None:
        self.subject, self.traced = subject, traced
        # Integers that were drawn, by the name of their leaf; else they are as they were.
        self.data: Mapping[str, np.ndarray] = {}
        library = subject.library
        # The leaves that are floating, which are the graph's inputs in order.
        self.floats = [
            # A float of Python has the precision of the function.
            (place, name, np.asarray(leaf, dtype=traced.dtype) if isinstance(leaf, float) else leaf)
            for place, name, leaf in subject.leaves()
            if is_float(library, leaf)
        ]
        shapes = [tuple(entry["shape"]) for entry in traced.graph.inputs]
        if [np.shape(leaf) for _, _, leaf in self.floats] != shapes:
            raise CheckError(
                f"the arguments have floats of shapes {[np.shape(leaf) for _, _, leaf in self.floats]}, "
                f"and the graph inputs of shapes {shapes}",
                hint="give arrays, or tuples, lists and dicts of arrays",
            )
        if not traced.outputs:
            raise CheckError(
                "the function returns no floats, so there is nothing to judge", line_of(subject.primal)
            )

    # ---- The function of flat lists ----------------------------------------------------------------------

    def flat(self, inputs: Arrays) -> list[Any]:
        """Returns the outputs of the function at some values of its inputs."""
        subject = self.subject
        result = subject.function(*self.arguments(inputs))
        return self.parts(result, subject.name, line_of(subject.function))

    def parts(self, result: Any, who: str, line: Optional[str]) -> list[Any]:
        """Returns the outputs in what a function or a rule returned, which has the primal's structure."""
        hint = "it returns arrays of the structure and the shapes that the primal has"
        try:
            found = list(self.traced.flatten(result))
        except (ValueError, TypeError, Refused) as error:
            raise CheckError(
                f"{who} returns another structure than the primal: {error}", line, hint
            ) from error
        if len(found) != len(self.traced.outputs):
            raise CheckError(
                f"{who} returns {len(found)} arrays where the primal has {len(self.traced.outputs)}",
                line,
                hint,
            )
        for output, ref in zip(found, self.traced.outputs):
            if tuple(np.shape(output)) != ref.shape:
                raise CheckError(
                    f"{who} returns shape {list(np.shape(output))} where the primal has {list(ref.shape)}",
                    line,
                    hint,
                )
        return found

    def arguments(self, inputs: Arrays) -> list[Any]:
        """Returns all arguments of the function from the values of the inputs, with data that was drawn."""
        whole = self.subject.whole(self.traced.arguments(inputs))
        if not self.data:
            return whole
        return [self._with_data(name, argument) for name, argument in zip(self.subject.names, whole)]

    def _with_data(self, name: str, argument: Any) -> Any:
        if not moves(argument):
            return argument
        tree, library = tree_of(argument), self.subject.library
        names = leaf_names([name], [argument])
        leaves = [
            library.data(self.data[path], leaf) if path in self.data else leaf
            for path, leaf in zip(names, tree.leaves)
        ]
        return tree.rebuild(leaves)

    def given(self, environment: Mapping[str, Any]) -> Made:
        """Returns the same question with the data that was drawn for a point."""
        drawn = {name: read_tensor(environment[name]) for name in self.drawn() if name in environment}
        if not drawn:
            return self
        made = copy.copy(self)
        made.data = drawn
        return made

    def drawn(self) -> dict[str, Var]:
        """Returns the domain of each leaf of integers that has one."""
        library = self.subject.library
        found = {
            name: self.subject.domain_of(name)
            for _, name, leaf in self.subject.leaves()
            if not is_float(library, leaf)
        }
        return {name: var for name, var in found.items() if var is not None}

    def like_outputs(self, values: Sequence[np.ndarray]) -> list[Any]:
        """Returns numbers as arrays in the precision of the function."""
        return [self.subject.library.array(value, self.floats[0][2]) for value in values]

    def derived(self) -> Function:
        """Returns the function that is asked: a derivative of the function, where `derive` says so."""
        function: Function = self.flat
        for depth, mode in enumerate(self.subject.derive):
            function = self._derivative(function, mode, depth)
        return function

    def _derivative(self, function: Function, mode: str, depth: int) -> Function:
        library, rule = self.subject.library, self.subject.rule
        inner = self.signature(depth)
        count, wanted = len(inner.inputs), inner.wanted

        def pulled(inputs: Arrays) -> list[Any]:
            primals, bars = inputs[:count], inputs[count:]
            if depth == 0:
                found = rule.vjp(self, primals, bars)
            else:
                found = library.vjp(function, primals, bars, wanted)
            return [found[place] for place in wanted]

        def pushed(inputs: Arrays) -> list[Any]:
            primals = inputs[:count]
            dots = [library.zeros(x) for x in primals]
            for place, dot in zip(wanted, inputs[count:]):
                dots[place] = dot
            return (
                rule.jvp(self, primals, dots)
                if depth == 0
                else library.jvp(function, primals, dots, wanted)
            )

        return pushed if mode == "jvp" else pulled

    def signature(self, depth: int) -> Signature:
        """Returns what the derivative of some depth takes and returns; that of depth 0 is the function."""
        inputs = [tuple(np.shape(leaf)) for _, _, leaf in self.floats]
        outputs, wanted = [ref.shape for ref in self.traced.outputs], self.wanted()
        for mode in self.subject.derive[:depth]:
            # Cotangents of the outputs come after the inputs, or tangents of the inputs that are wanted.
            count, asked = len(inputs), [inputs[place] for place in wanted]
            inputs, outputs = (
                ([*inputs, *outputs], asked) if mode == "vjp" else ([*inputs, *asked], outputs)
            )
            wanted = [*wanted, *range(count, len(inputs))]
        return Signature(inputs, outputs, wanted)

    def wanted(self) -> list[int]:
        """Returns the places of the inputs whose derivatives are asked."""
        wrt = self.subject.wrt
        return [place for place, (argument, _, _) in enumerate(self.floats) if wrt is None or argument in wrt]

    # ---- The question ------------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        subject, traced = self.subject, self.traced
        drawn = self.drawn()
        fixed = [name for name in drawn if name in traced.fixed or name not in traced.graph.entries]
        for name in fixed:
            # What the graph takes as constants is drawn too, and the graph is made again at each point.
            if name not in traced.graph.entries:
                traced.graph.entry(self._numbers(name), "index", name)
        values = [self.subject.library.numbers(leaf) for _, _, leaf in self.floats]
        domains = [subject.domain_of(name) for _, name, _ in self.floats]
        environment = {name: tensor(value) for name, value in traced.graph.entries.items()}
        question: dict[str, Any] = {
            "format": "adjudge.question.v1",
            "name": subject.name,
            "graph": traced.graph.to_json(),
            "outputs": [ref.id for ref in traced.outputs],
            "environment": environment,
            "wrt": self.wanted(),
            "modes": self.modes(),
            "dtype": traced.dtype,
            "points": subject.points,
            "seed": subject.seed,
            "domain": {
                "inputs": [
                    near(value) if var is None else var.document() for var, value in zip(domains, values)
                ],
                "environment": {name: var.document() for name, var in drawn.items()},
            },
            "sources": [None] * len(traced.graph.nodes)
            if not traced.graph.lines
            else list(traced.graph.lines),
            "resizes": True,
        }
        if subject.derive:
            question["derive"] = list(subject.derive)
        elif not any(domains):
            # What the user gave is asked first.
            question["at"] = [{"inputs": [tensor(value) for value in values], "environment": environment}]
        if traced.pointwise or fixed:
            question["pointwise"] = True
        if subject.digits is not None:
            question["digits"] = subject.digits
        if subject.accumulation:
            question["accumulation"] = {name: dict(how) for name, how in subject.accumulation.items()}
        return question

    def _numbers(self, name: str) -> np.ndarray:
        return next(
            self.subject.library.numbers(leaf) for _, path, leaf in self.subject.leaves() if path == name
        )

    def modes(self) -> list[str]:
        """Returns what the function can be asked, as far as it was wanted."""
        subject = self.subject
        if subject.derive:
            has: list[str] = [mode for mode in ("vjp", "jvp") if mode in (subject.asked or ("vjp",))]
        else:
            has = subject.rule.modes(self)
        return ["evaluate", *(mode for mode in has if subject.asked is None or mode in subject.asked)]

    def answer(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        return self.given(request["point"]["environment"])._answered(request)

    def _answered(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        kind, library = request["kind"], self.subject.library
        given = [read_tensor(message) for message in request["point"]["inputs"]]
        if not self.subject.derive:
            inputs = [
                library.array(value, leaf) for value, (_, _, leaf) in zip(given, self.floats, strict=True)
            ]
        else:
            inputs = self.like_outputs(given)
        with np.errstate(all="ignore"):
            if kind == "evaluate":
                return [self.written(array) for array in self.derived()(inputs)]
            if kind == "jvp":
                dots = [
                    library.array(read_tensor(message), x)
                    for message, x in zip(request["tangents"], inputs, strict=True)
                ]
                found = self._answer_jvp(inputs, dots)
            else:
                found = self._answer_vjp(inputs, self._cotangents(request))
            return [self.written(array) for array in found]

    def _answer_jvp(self, inputs: Arrays, dots: Arrays) -> list[Any]:
        subject = self.subject
        if not subject.derive:
            return subject.rule.jvp(self, inputs, dots)
        wanted = self.signature(len(subject.derive)).wanted
        return subject.library.jvp(self.derived(), inputs, dots, wanted)

    def _answer_vjp(self, inputs: Arrays, bars: Arrays) -> list[Any]:
        subject = self.subject
        if not subject.derive:
            return subject.rule.vjp(self, inputs, bars)
        wanted = self.signature(len(subject.derive)).wanted
        return subject.library.vjp(self.derived(), inputs, bars, wanted)

    def _cotangents(self, request: Mapping[str, Any]) -> list[Any]:
        """Returns a cotangent for each output; those without a seed have 0."""
        seeds = {seed["id"]: read_tensor(seed["cotangent"]) for seed in request["seeds"]}
        outputs = [(ref.id, ref.shape) for ref in self.traced.outputs]
        if self.subject.derive:
            # The judge's graph of a derivative has ids of its own, and a seed for each, in their order.
            shapes = self.signature(len(self.subject.derive)).outputs
            outputs = list(zip(seeds, shapes, strict=True))
        unknown = [number for number in seeds if number not in dict(outputs)]
        if unknown:
            raise ValueError(f"a seed at {unknown}, which is no output")
        return self.like_outputs([seeds.get(number, np.zeros(shape)) for number, shape in outputs])

    def written(self, array: Any) -> dict[str, Any]:
        """Writes an array of an answer, which is in the precision of the function."""
        found = self.subject.library.dtype(array)
        if found != self.traced.dtype:
            raise TypeError(
                f"{self.subject.name} answers in {found} where it computes in {self.traced.dtype}"
            )
        return tensor(self.subject.library.numbers(array))

    # ---- The same question elsewhere ---------------------------------------------------------------------

    def resized(self, shapes: Sequence[Sequence[int]]) -> Made:
        library = self.subject.library
        given = [
            library.array(np.resize(library.numbers(leaf), tuple(shape)), leaf)
            for (_, _, leaf), shape in zip(self.floats, shapes, strict=True)
        ]
        made = replace(self.subject, arguments=tuple(self.arguments(given)))
        # A function that does not work at these shapes raises here.
        made.function(*made.arguments)
        return made.made()

    def at(self, point: Mapping[str, Any]) -> Made:
        library = self.subject.library
        given = [read_tensor(message) for message in point["inputs"]][: len(self.floats)]
        inputs = [library.array(value, leaf) for value, (_, _, leaf) in zip(given, self.floats, strict=True)]
        return replace(
            self.subject, arguments=tuple(self.given(point["environment"]).arguments(inputs))
        ).made()


class OwnRule:
    """The rule that a function carries: its library differentiates it."""

    def modes(self, made: Made) -> list[str]:
        library, asked = made.subject.library, made.subject.asked
        if asked is not None and "jvp" not in asked:
            return ["vjp"]
        inputs = [library.array(library.numbers(leaf), leaf) for _, _, leaf in made.floats]
        try:
            library.jvp(made.flat, inputs, [library.zeros(x) for x in inputs], made.wanted())
        except Exception:
            # A `custom_vjp` has no forward mode, and many a Function of PyTorch has none.
            if asked is not None:
                raise
            return ["vjp"]
        return ["vjp", "jvp"]

    def vjp(self, made: Made, inputs: Arrays, cotangents: Arrays) -> list[Any]:
        return made.subject.library.vjp(made.flat, inputs, cotangents, made.wanted())

    def jvp(self, made: Made, inputs: Arrays, tangents: Arrays) -> list[Any]:
        return made.subject.library.jvp(made.flat, inputs, tangents, made.wanted())


@dataclass(frozen=True)
class HandRule:
    """Rules that are written by hand and given beside the function."""

    backward: Optional[HandWritten] = None
    forward: Optional[HandWritten] = None

    def modes(self, made: Made) -> list[str]:
        library = made.subject.library
        inputs = [library.array(library.numbers(leaf), leaf) for _, _, leaf in made.floats]
        found = []
        # A rule whose answer has the wrong form is told before anything is judged.
        if self.backward is not None:
            bars = made.like_outputs([np.ones(ref.shape) for ref in made.traced.outputs])
            self._tried("vjp", self.backward, lambda: self.vjp(made, inputs, bars))
            found.append("vjp")
        if self.forward is not None:
            self._tried(
                "jvp", self.forward, lambda: self.jvp(made, inputs, [library.zeros(x) for x in inputs])
            )
            found.append("jvp")
        return found

    def _tried(self, name: str, rule: HandWritten, call: Callable[[], Any]) -> None:
        try:
            call()
        except Refused:
            raise
        except Exception as error:
            what = f"{name} raises {type(error).__name__} at the arguments that were given: {error}"
            hint = "it is called with a tuple of the arguments, and " + (
                "the cotangent" if name == "vjp" else "a tuple of tangents"
            )
            raise CheckError(what, raised_at(error) or line_of(rule), hint) from error

    def vjp(self, made: Made, inputs: Arrays, cotangents: Arrays) -> list[Any]:
        assert self.backward is not None
        cotangent = made.traced.rebuild(list(cotangents))
        return gradients_of(made, self.backward, self.backward(tuple(made.arguments(inputs)), cotangent))

    def jvp(self, made: Made, inputs: Arrays, tangents: Arrays) -> list[Any]:
        assert self.forward is not None
        library, line = made.subject.library, line_of(self.forward)
        # An argument that has no tangent is given zeros.
        dots = list(made.arguments(tangents))
        found = made.parts(self.forward(tuple(made.arguments(inputs)), tuple(dots)), "jvp", line)
        for dot, ref in zip(found, made.traced.outputs):
            checked(library, "jvp", "a tangent", dot, ref.shape, made.traced.dtype, line)
        return found


def gradients_of(made: Made, backward: HandWritten, result: Any) -> list[Any]:
    """Reads what a backward returns: a gradient for each argument, each that has floats, or each asked."""
    subject, library, line = made.subject, made.subject.library, line_of(backward)
    by_argument: dict[int, list[int]] = {}
    for place, (argument, _, _) in enumerate(made.floats):
        by_argument.setdefault(argument, []).append(place)
    floating = list(by_argument)
    asked = [argument for argument in floating if subject.wrt is None or argument in subject.wrt]
    names = ", ".join(subject.names[argument] for argument in asked)
    hint = f"return a tuple with a gradient for each of {names}"
    several = isinstance(result, (tuple, list))
    if not several and len(asked) > 1:
        raise CheckError(f"vjp returns one gradient, and {len(asked)} are asked: {names}", line, hint)
    parts = list(result) if several else [result]
    whole = len(subject.arguments)
    if (
        several
        and len(asked) == 1
        and len(by_argument[asked[0]]) > 1
        and len(parts) not in (whole, len(floating), 1)
    ):
        # The one argument is a tree, and so is its gradient.
        parts = [result]
    if len(parts) == whole and several:
        owners = list(range(whole))
    elif len(parts) == len(floating):
        owners = floating
    elif len(parts) == len(asked):
        owners = asked
    else:
        word = "gradient" if len(parts) == 1 else "gradients"
        raise CheckError(f"vjp returns {len(parts)} {word}, and {len(asked)} are asked: {names}", line, hint)
    found: list[Any] = [None] * len(made.floats)
    for owner, part in zip(owners, parts):
        places = by_argument.get(owner, [])
        if not places or (part is None and owner not in asked):
            continue
        name = subject.names[owner]
        if part is None:
            raise CheckError(
                f"vjp returns None for {name}, whose gradient is asked",
                line,
                f"return zeros like {name}, or leave it out of wrt=",
            )
        leaves = [leaf for leaf in library.leaves(part) if leaf is not None]
        every = [leaf for place, _, leaf in subject.leaves() if place == owner]
        if len(leaves) == len(every) != len(places):
            leaves = [bar for bar, leaf in zip(leaves, every) if is_float(library, leaf)]
        if len(leaves) != len(places):
            raise CheckError(
                f"vjp returns {len(leaves)} arrays for {name}, which has {len(places)} of floats",
                line,
                f"return a gradient of the structure of {name}",
            )
        for place, bar in zip(places, leaves):
            _, path, leaf = made.floats[place]
            found[place] = checked(
                library, "vjp", f"the gradient of {path}", bar, np.shape(leaf), made.traced.dtype, line
            )
    zeros = [library.zeros(library.array(library.numbers(leaf), leaf)) for _, _, leaf in made.floats]
    return [zero if bar is None else bar for bar, zero in zip(found, zeros)]


def checked(
    library: Library, rule: str, what: str, bar: Any, shape: Sequence[int], dtype: str, line: Optional[str]
) -> Any:
    """Returns an array of a rule's answer if it has the shape and precision that are due."""
    if isinstance(bar, (int, float)) and not isinstance(bar, bool):
        bar = np.asarray(float(bar)) if dtype == "float64" and library.name == "numpy" else bar
    if library_of([bar]) is None:
        raise CheckError(f"{rule} returns {type(bar).__name__} as {what}", line, "return an array")
    if tuple(np.shape(bar)) != tuple(shape):
        raise CheckError(
            f"{rule} returns {what} in shape {list(np.shape(bar))}, and {list(shape)} is due",
            line,
            "sum over the axes that were broadcast, and keep the argument's shape",
        )
    found = library.dtype(bar)
    if found != dtype:
        raise CheckError(
            f"{rule} returns {what} in {found}, and the function computes in {dtype}",
            line,
            f"return it as {dtype}",
        )
    return bar


def is_float(library: Library, leaf: Any) -> bool:
    """Tells whether a leaf is of a floating type, so that it is differentiated."""
    return "float" in library.dtype(leaf)


def tensor(value: np.ndarray) -> dict[str, Any]:
    """Writes a tensor in base64."""
    return write_tensor(np.asarray(value, dtype=np.float64), as_text=False)


def line_of(function: Callable[..., Any]) -> Optional[str]:
    """Returns where a function is written, as `file.py:12: def f(x):`."""
    found = inspect.unwrap(getattr(function, "func", function))
    code = getattr(getattr(found, "__func__", found), "__code__", None)
    return None if code is None else written_at(code.co_filename, code.co_firstlineno)


def raised_at(error: BaseException) -> Optional[str]:
    """Returns the user's line that an exception comes from."""
    return source_line(error.__traceback__) if error.__traceback__ is not None else None
