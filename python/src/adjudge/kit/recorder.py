"""Records an adapter's calls of its library as Python that anybody can run.

The adapter's module runs with an `__import__` that wraps what it imports of its library, so that each call
becomes a line of text as it is made, and the script cannot differ from the calls. A function passed to the
library is recorded when the library first calls it.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.util
import math
import operator
import types
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Sequence, Union

import numpy as np

# Values that stand in the text as they are.
PLAIN = (str, int, bool, type(None))
# Attributes of arrays that are not arrays.
STATIC = ("shape", "ndim", "dtype", "size", "rank")

INFIX = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "and_": "&", "or_": "|",
}  # fmt: skip
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")


class CannotPrint(Exception):
    """A value that an adapter passes to its library has no text; this says which."""


class Line:
    """A statement, and its target, if anybody can read that afterwards."""

    def __init__(self, text: str, target: Optional[str] = None) -> None:
        self.text, self.target, self.has_failed = text, target, False

    def written(self, depth: int) -> Iterator[str]:
        yield "    " * depth + (self.text if self.target is None else f"{self.target} = {self.text}")


class Block:
    """Statements under a head: a function, recorded when it is called, or a `with`."""

    def __init__(self, head: str, target: Optional[str] = None) -> None:
        self.head, self.target, self.has_failed = head, target, False
        self.lines: list[Union[Line, Block]] = []

    def written(self, depth: int) -> Iterator[str]:
        yield "    " * depth + self.head
        for line in self.lines:
            yield from line.written(depth + 1)
        if not self.lines:
            yield "    " * (depth + 1) + "pass"


class Recorder:
    """The recorded lines, and where the next one goes."""

    def __init__(self) -> None:
        self.main = Block("")
        self.modules: dict[str, None] = {}
        self._block: Optional[Block] = self.main
        self._count = 0

    @property
    def is_on(self) -> bool:
        return self._block is not None

    @contextlib.contextmanager
    def within(self, block: Optional[Block]) -> Iterator[None]:
        """Sends lines to `block`; `None` records nothing."""
        before, self._block = self._block, block
        try:
            yield
        finally:
            self._block = before

    def fresh(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"

    def put(self, line: Union[Line, Block]) -> None:
        if self._block is not None:
            self._block.lines.append(line)

    def called(self, text: str, call: Callable[[], Any]) -> Any:
        """Makes a call and names its result; its line stands first, so that a failing call is seen."""
        line = Line(text)
        self.put(line)
        try:
            value = call()
        except BaseException:
            line.has_failed = True
            raise
        if is_plain(value):
            if value is not None:
                self._withdraw(line)
            return value
        line.target = self.fresh("v")
        return self.wrapped(line.target, value)

    def _withdraw(self, line: Line) -> None:
        if self._block is not None:
            self._block.lines.remove(line)

    def wrapped(self, text: str, value: Any) -> Any:
        """Wraps a value so that it knows its text; of a tuple or a list each element."""
        if is_plain(value):
            return value
        if isinstance(value, (tuple, list)):
            return tuple(self.wrapped(f"{text}[{place}]", element) for place, element in enumerate(value))
        return Known(self, text, value)

    def function(self, function: Callable[..., Any]) -> tuple[str, Callable[..., Any]]:
        """Names a function of the adapter, and wraps it so that its first call records its body."""
        name = self.fresh("f")
        block = Block(f"def {name}(*_):", name)
        self.put(block)
        filled: list[bool] = []

        def written(*arguments: Any) -> Any:
            inner = None if filled else block
            names = [self.fresh("x") for _ in arguments]
            if not filled:
                filled.append(True)
                block.head = f"def {name}({', '.join(names)}):"
            with self.within(inner):
                results = function(*(self.wrapped(text, value) for text, value in zip(names, arguments)))
                self.put(Line(f"return {self.show(results)}"))
            return bare(results)

        return name, written

    def show(self, value: Any) -> str:
        """Returns the text of an argument. Raises `CannotPrint`."""
        if isinstance(value, Known):
            return value.known_text
        if isinstance(value, Module):
            self.modules[value.known_module] = None
            return value.known_path
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, (float, np.generic)):
            number = value.item() if isinstance(value, np.generic) else value
            return f'float("{number}")' if isinstance(number, float) and not math.isfinite(number) else repr(number)
        if isinstance(value, np.dtype):
            return repr(value.name)
        if isinstance(value, slice):
            return f"slice({self.show(value.start)}, {self.show(value.stop)}, {self.show(value.step)})"
        if isinstance(value, tuple):
            return f"({', '.join(map(self.show, value))}{',' if len(value) == 1 else ''})"
        if isinstance(value, list):
            return f"[{', '.join(map(self.show, value))}]"
        if is_plain(value) or value is Ellipsis:
            return repr(value)
        if type(value).__module__ == "torch":
            # This one is a precision or a device.
            self.modules["torch"] = None
            return repr(value)
        if type(value).__name__ in ("DType", "DataType"):
            return repr(value.name.lower())
        raise CannotPrint(f"{type(value).__name__} has no text")

    def _array(self, value: np.ndarray) -> str:
        self.modules["numpy"] = None
        listed = self.show(value.tolist())
        shaped = f".reshape({value.shape})" if value.size == 0 and value.ndim > 1 else ""
        return f'numpy.array({listed}, "{value.dtype.name}"){shaped}'

    def arguments(self, positional: Sequence[Any], named: dict[str, Any]) -> tuple[str, list[Any], dict[str, Any]]:
        """Returns the text of a call's arguments, and the arguments that the library gets."""
        texts, values = zip(*map(self._argument, positional)) if positional else ((), ())
        more = {key: self._argument(value) for key, value in named.items()}
        text = ", ".join([*texts, *(f"{key}={shown}" for key, (shown, _) in more.items())])
        return text, list(values), {key: value for key, (_, value) in more.items()}

    def _argument(self, value: Any) -> tuple[str, Any]:
        if isinstance(value, (types.FunctionType, types.MethodType)):
            return self.function(value) if self.is_on else ("", value)
        return self.show(value), bare(value)


class Module:
    """A part of a library that is not an array: a module, a function, a class."""

    def __init__(self, recorder: Recorder, path: str, value: Any, module: str) -> None:
        self.known_recorder, self.known_path, self.known_value, self.known_module = recorder, path, value, module

    def __getattr__(self, name: str) -> Any:
        found, path = getattr(self.known_value, name), f"{self.known_path}.{name}"
        if is_plain(found) or isinstance(found, float):
            return found
        is_module = isinstance(found, types.ModuleType)
        return Module(self.known_recorder, path, found, path if is_module else self.known_module)

    def __call__(self, *positional: Any, **named: Any) -> Any:
        recorder = self.known_recorder
        if self.known_module.partition(".")[0] == "numpy" and not any(map(holds_known, [*positional, *named.values()])):
            # NumPy of plain numbers gives a number.
            return self.known_value(*map(bare, positional), **{key: bare(value) for key, value in named.items()})
        text, values, options = recorder.arguments(positional, named)
        return recorder.called(f"{recorder.show(self)}({text})", lambda: self.known_value(*values, **options))


class Known:
    """A value of the library, and the text that stands for it."""

    # NumPy then leaves operators with its numbers to these methods.
    __array_ufunc__ = None

    def __init__(self, recorder: Recorder, text: str, value: Any) -> None:
        self.known_recorder, self.known_text, self.known_value = recorder, text, value

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.known_value, name)
        if name in STATIC and not callable(found):
            return found
        return self.known_recorder.wrapped(f"{self.known_text}.{name}", found)

    def __call__(self, *positional: Any, **named: Any) -> Any:
        text, values, options = self.known_recorder.arguments(positional, named)
        return self.known_recorder.called(f"{self.known_text}({text})", lambda: self.known_value(*values, **options))

    def __getitem__(self, index: Any) -> Any:
        found, text = self.known_value[bare(index)], f"{self.known_text}[{self.known_recorder.show(index)}]"
        if not hasattr(found, "shape"):
            return self.known_recorder.wrapped(text, found)
        return self.known_recorder.called(text, lambda: found)

    def __neg__(self) -> Any:
        return self.known_recorder.called(f"-{self.known_text}", lambda: -self.known_value)

    def __len__(self) -> int:
        return len(self.known_value)

    def __hash__(self) -> int:
        return id(self)

    def __enter__(self) -> Any:
        recorder = self.known_recorder
        entered = self.known_value.__enter__()
        block = Block(f"with {self.known_text}:")
        recorder.put(block)
        self.__dict__["known_within"] = recorder.within(block)
        self.__dict__["known_within"].__enter__()
        return self if entered is self.known_value else recorder.wrapped(self.known_text, entered)

    def __exit__(self, *raised: Any) -> Any:
        self.__dict__["known_within"].__exit__(None, None, None)
        return self.known_value.__exit__(*raised)


def infix(name: str, sign: str, is_turned: bool) -> Callable[[Known, Any], Any]:
    """Makes an operator's method, or the one that Python tries when the other operand lacks it."""
    apply = getattr(operator, name)

    def applied(self: Known, other: Any) -> Any:
        left, right = (other, self) if is_turned else (self, other)
        show = self.known_recorder.show
        return self.known_recorder.called(f"{show(left)} {sign} {show(right)}", lambda: apply(bare(left), bare(right)))

    return applied


for _name, _sign in INFIX.items():
    _plain = _name.rstrip("_")
    setattr(Known, f"__{_plain}__", infix(_name, _sign, False))
    if _name not in COMPARISONS:
        setattr(Known, f"__r{_plain}__", infix(_name, _sign, True))


def is_plain(value: Any) -> bool:
    """Tells whether a value is a word, a whole number or None, or made of such."""
    return all(map(is_plain, value)) if isinstance(value, (tuple, list)) else isinstance(value, PLAIN)


def holds_known(value: Any) -> bool:
    """Tells whether a value is, or contains, one that only the text knows."""
    return any(map(holds_known, value)) if isinstance(value, (tuple, list)) else isinstance(value, Known)


def bare(value: Any) -> Any:
    """Unwraps a value for the library."""
    if isinstance(value, (Known, Module)):
        return value.known_value
    if type(value) in (tuple, list):
        return type(value)(map(bare, value))
    if isinstance(value, slice):
        return slice(bare(value.start), bare(value.stop), bare(value.step))
    return value


def recorded_module(path: Path, recorder: Recorder, roots: Sequence[str]) -> types.ModuleType:
    """Loads an adapter and records its calls of the packages `roots`, those while it is imported included."""

    def bring(name: str, around: Any = None, local: Any = None, wanted: Sequence[str] = (), level: int = 0) -> Any:
        found = builtins.__import__(name, around, local, wanted, level)
        if name.partition(".")[0] not in roots:
            return found
        called = name if wanted else name.partition(".")[0]
        return Module(recorder, called, found, called)

    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": bring}
    exec(compile(path.read_text("utf8"), str(path), "exec"), module.__dict__)
    return module


def without_dead(lines: Sequence[Union[Line, Block]], is_read: Callable[[str], bool]) -> list[Union[Line, Block]]:
    """Drops lines that failed and were retried otherwise, and lines whose result nobody reads."""
    kept: list[Union[Line, Block]] = []
    after = ""
    for line in reversed(lines):
        if line.has_failed:
            continue
        if line.target is not None and not (is_read(line.target) or names(line.target, after)):
            continue
        if isinstance(line, Block):
            line.lines = without_dead(line.lines, lambda name, after=after: is_read(name) or names(name, after))
        kept.insert(0, line)
        after = "\n".join(line.written(0)) + "\n" + after
    return kept


def names(target: str, text: str) -> bool:
    """Tells whether the text contains that name."""
    padded = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text)
    return target in padded.split()
