"""The array that a function of NumPy is run on: it has numbers, and stands for a value of a graph.

NumPy itself computes the numbers beside, so that shapes, promotion and errors are NumPy's. Views are followed:
arrays that share memory share a `Store`, and a write into one of them is seen by all, as in NumPy.
"""

from __future__ import annotations

import math
import weakref
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..graph import Graph, Operand, Ref, Refused
from .traced import source_line


# Its functions take the class of this file, which their types do not tell.
numpy: Any = np


def is_floating(dtype: np.dtype) -> bool:
    """Tells whether numbers of this type are floating; bfloat16 is one, though NumPy does not know it."""
    return dtype.kind == "f" or dtype.name == "bfloat16"


def is_plain_array(value: Any) -> bool:
    """Tells whether it is an array of NumPy itself; a traced one says of its class that it is one."""
    return type(value) is not Array and isinstance(value, np.ndarray)


class Tracing:
    """One run of a function: the graph that grows, and what was read of the numbers on the way."""

    def __init__(self, dtype: np.dtype) -> None:
        self.graph = Graph()
        self.dtype = dtype
        # It is true once a branch, a loop or an index was decided by numbers that depend on the inputs.
        self.pointwise = False
        # Arguments of integers whose numbers the graph was made for, so that no others may be drawn.
        self.fixed: set[str] = set()
        # How each argument of integers entered the environment: its numbers, or indices.
        self.kinds: dict[str, str] = {}
        self.live: list[tuple[weakref.ref[Array], Optional[str]]] = []

    def refuse(self, what: str, hint: Optional[str] = None) -> Refused:
        """Returns the exception, with the line that is running."""
        return Refused(what, source_line() or self.graph.line, hint)

    def operand(self, value: Any) -> Operand:
        """Returns what the builder takes: a value of the graph, or numbers in the function's precision."""
        if isinstance(value, Array):
            if value.is_known():
                return self.rounded(value._value)
            return value._current()
        return self.rounded(value)

    def ref(self, value: Any) -> Ref:
        """Returns an operand as a value of the graph."""
        return self.graph.ref(self.operand(value))

    def rounded(self, value: Any) -> np.ndarray:
        """Returns numbers as the function has them: a float of Python takes the precision of the arrays."""
        data = np.asarray(value)
        if data.dtype.kind == "c":
            raise self.refuse("complex numbers are not judged", "compute with real and imaginary parts")
        if data.dtype.kind not in "fiub" and data.dtype.name != "bfloat16":
            raise self.refuse(f"{type(value).__name__} is no number", "give numbers or arrays of numbers")
        if is_floating(data.dtype):
            data = data.astype(self.dtype)
        return data.astype(np.float64)

    def read(self, array: Array) -> np.ndarray:
        """Returns the numbers of an array on which the way through the function depends from here on."""
        if array._store.inputs:
            self.pointwise = True
        self.fixed |= array._store.names
        return array._value

    def wrap(self, value: Any, ref: Optional[Ref], given: Sequence[Any], opaque: bool = False) -> Any:
        """Returns a result of NumPy as an array that stands for `ref`, or as numbers if all is data."""
        scalar = not isinstance(value, np.ndarray)
        data = np.asarray(value)
        arrays = [one for one in given if isinstance(one, Array)]
        for one in arrays:
            if data.size and np.may_share_memory(data, one._store.root):
                return Array(self, one._store, data, ref, scalar)
        if ref is None and (opaque or not is_floating(data.dtype)):
            if opaque:
                for one in arrays:
                    self.read(one)
            return value
        self.check(data)
        if ref is not None and ref.shape != data.shape:
            raise AssertionError(f"a value of shape {ref.shape} stands for numbers of shape {data.shape}")
        writable = not any(is_plain_array(one) and np.may_share_memory(data, one) for one in given)
        names = frozenset().union(*(one._store.names for one in arrays if not one.is_known()))
        inputs = any(one._store.inputs for one in arrays)
        if ref is None:
            names, inputs = frozenset(), False
        root = data if data.flags.owndata else data.copy(order="K")
        return Array(self, Store(self, root, ref, writable, inputs, names), root, ref, scalar)

    def check(self, data: np.ndarray) -> None:
        """Refuses numbers of a type that the graph does not have."""
        if data.dtype.kind == "c":
            raise self.refuse("complex numbers are not judged", "compute with real and imaginary parts")
        if is_floating(data.dtype) and data.dtype != self.dtype:
            raise self.refuse(
                f"the function mixes {self.dtype.name} and {data.dtype.name}",
                f"make constants {self.dtype.name}, for example by astype; integers with {self.dtype.name} may widen it",
            )
        if data.dtype.kind not in "fbi" and not is_floating(data.dtype):
            raise self.refuse(f"numbers of type {data.dtype.name} are not followed", "use floats, or integers of 64 bits")


class Store:
    """Memory that arrays share: numbers, and for each element where its value in the graph comes from."""

    def __init__(
        self,
        tracing: Tracing,
        root: np.ndarray,
        ref: Optional[Ref],
        writable: bool,
        inputs: bool,
        names: frozenset[str],
    ) -> None:
        self.tracing, self.root, self.writable = tracing, root, writable
        # What the elements depend on: inputs of the graph, and arguments of integers.
        self.inputs, self.names = inputs, names
        # It is false where all elements are data.
        self.traced = ref is not None
        # An argument of integers has a name, and a value of the graph once its numbers are computed with.
        self.argument: Optional[str] = None
        # It counts the writes; an array whose own count is lower reads its value anew.
        self.version = 0
        self._ref = ref
        # Flat values of the graph, or data; element i is element `which[i]` of all of them in a row.
        self._sources: list[Union[Ref, np.ndarray]] = []
        self._which = np.zeros(0, np.int64)
        # Source k begins with element `starts[k]` of all in a row; the last one is where the next begins.
        self._starts = [0]
        # The row-major index of each element, in the layout of the memory.
        self._logical: Optional[np.ndarray] = None

    @classmethod
    def of_argument(cls, tracing: Tracing, data: np.ndarray, name: str) -> Store:
        """Returns the memory of an argument of integers, which is data of the graph's environment."""
        store = cls(tracing, data, None, False, False, frozenset([name]))
        store.traced, store.argument = True, name
        return store

    def _whole(self) -> Ref:
        """Returns the value of all the memory before any write."""
        if self._ref is None:
            tracing, name = self.tracing, self.argument
            if name is None:
                self._ref = tracing.ref(self.root)
            elif tracing.kinds.setdefault(name, "real") == "real":
                tracing.graph.entry(self.root, "real", name)
                self._ref = tracing.graph.named(name)
            else:
                # It picks elements elsewhere, and no entry is both: these numbers are one that stays.
                tracing.fixed.add(name)
                self._ref = tracing.graph.constant(self.root)
        return self._ref

    def positions(self, view: np.ndarray) -> np.ndarray:
        """Returns for each element of a view of the memory the row-major index that it has in the whole."""
        if self._logical is None:
            self._logical = np.empty_like(self.root, dtype=np.int64, subok=False)
            self._logical[...] = np.arange(self.root.size).reshape(self.root.shape)
        if view is self.root:
            return self._logical
        size = self.root.itemsize
        start = _start_of(self.root)
        offset = (view.__array_interface__["data"][0] - start) // size * 8
        memory = self._logical.ravel(order="K")
        return np.ndarray(view.shape, np.int64, memory, offset, tuple(step // size * 8 for step in view.strides)).copy()

    def begin(self) -> None:
        """Remembers what the memory holds before NumPy writes into it for the first time."""
        if not self._sources:
            self._sources = [self.tracing.graph.reshape(self._whole(), [-1]) if self.traced else self.root.flatten()]
            self._which, self._starts = np.arange(self.root.size), [0, self.root.size]

    def write(self, places: np.ndarray, ref: Optional[Ref], data: np.ndarray, inputs: bool, names: frozenset[str]) -> None:
        """Gives the elements at `places` the values of `ref`, or data where there is none."""
        source = self.tracing.graph.reshape(ref, [-1]) if ref is not None else data.flatten()
        if places.size == self.root.size and np.array_equal(places.reshape(-1), np.arange(places.size)):
            # Nothing of what was here before is left.
            self._sources, self._which, self._starts = [source], np.arange(places.size), [0, places.size]
        else:
            first = self._starts[-1]
            self._sources.append(source)
            self._starts.append(first + places.size)
            # NumPy's own assignment says which of several values for one element stays.
            self._which[places.reshape(-1)] = first + np.arange(places.size)
        self.version += 1
        self.inputs, self.names = self.inputs or inputs, self.names | names
        self.traced = self.traced or ref is not None

    def value_of(self, view: np.ndarray) -> Ref:
        """Returns the value that a view of the memory has now."""
        graph = self.tracing.graph
        if view.size == 0:
            return graph.full(view.shape, 0)
        if self.version == 0:
            whole = self._whole()
            return whole if view is self.root else graph.reshape(self._taken([graph.reshape(whole, [-1])], self.positions(view)), view.shape)
        return self.value_at(self.positions(view), view)

    def value_at(self, places: np.ndarray, data: np.ndarray) -> Ref:
        """Returns the value of the elements at `places`, which have these numbers, after a write."""
        graph, which = self.tracing.graph, self._which[places]
        starts = np.asarray(self._starts)
        used, owner = np.unique(np.searchsorted(starts, which, side="right") - 1, return_inverse=True)
        parts = [self._sources[place] for place in used]
        if not any(isinstance(part, Ref) for part in parts):
            return self.tracing.ref(data)
        padded = self._padded(data, which, used, starts)
        if padded is not None:
            return padded
        first = np.cumsum([0, *map(_size, parts)])[:-1]
        moved = which - (starts[used] - first)[owner.reshape(which.shape)]
        refs = [self.tracing.ref(part) if isinstance(part, np.ndarray) else part for part in parts]
        return graph.reshape(self._taken(refs, moved), data.shape)

    def _padded(self, view: np.ndarray, which: np.ndarray, used: np.ndarray, starts: np.ndarray) -> Optional[Ref]:
        """Returns the view if it is one traced value among zeros, at even distances along each axis."""
        traced = [place for place in used if isinstance(self._sources[place], Ref)]
        if len(traced) != 1 or view.ndim == 0:
            return None
        inside = (which >= starts[traced[0]]) & (which < starts[traced[0] + 1])
        if np.any(view[~inside] != 0) or np.any(np.signbit(view[~inside])):
            return None
        lines = [np.flatnonzero(np.any(inside, axis=tuple(i for i in range(view.ndim) if i != axis))) for axis in range(view.ndim)]
        counts = [len(line) for line in lines]
        steps = [int(line[1] - line[0]) if len(line) > 1 else 1 for line in lines]
        if any(np.any(np.diff(line) != step) for line, step in zip(lines, steps)) or math.prod(counts) != np.count_nonzero(inside):
            return None
        source = self._sources[traced[0]]
        if not np.array_equal(which[inside], np.arange(starts[traced[0]], starts[traced[0] + 1])) or _size(source) != math.prod(counts):
            return None
        graph = self.tracing.graph
        low = [int(line[0]) for line in lines]
        high = [n - 1 - int(line[-1]) for n, line in zip(view.shape, lines)]
        return graph.pad(graph.reshape(source, counts), low, high, [step - 1 for step in steps])

    def _taken(self, parts: Sequence[Ref], which: np.ndarray) -> Ref:
        """Returns elements of flat values in a row."""
        graph = self.tracing.graph
        row, flat = graph.concat(parts, 0), which.reshape(-1)
        if flat.size and np.array_equal(flat, np.arange(flat[0], flat[0] + flat.size)):
            return graph.slice(row, [int(flat[0])], [int(flat[0]) + flat.size])
        return graph.take(row, flat, 0)


def _start_of(data: np.ndarray) -> int:
    """Returns the address of an array's first byte in memory."""
    back = sum((n - 1) * step for n, step in zip(data.shape, data.strides) if step < 0)
    return int(data.__array_interface__["data"][0]) + back


def _size(source: Union[Ref, np.ndarray]) -> int:
    return math.prod(source.shape)


class Array(NDArrayOperatorsMixin):
    """What the user's function gets in place of an array, and computes with."""

    def __init__(self, tracing: Tracing, store: Store, value: np.ndarray, ref: Optional[Ref], scalar: bool = False) -> None:
        self._tracing, self._store, self._value, self._ref, self._scalar = tracing, store, value, ref, scalar
        self._version = store.version if ref is not None else -1
        if store.traced:
            tracing.live.append((weakref.ref(self), tracing.graph.line))

    # ---- What it is ------------------------------------------------------------------------------------

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        # A function may ask whether it was given an array; NumPy itself looks at the true type.
        return Array if self._scalar else np.ndarray

    def is_known(self) -> bool:
        """Tells whether all of it is data, which depends on no argument."""
        return not self._store.traced

    def _current(self) -> Ref:
        """Returns the value of the graph, as the last write left it."""
        if self._version != self._store.version:
            self._ref, self._version = self._store.value_of(self._value), self._store.version
        assert self._ref is not None
        return self._ref

    def _numbers(self) -> Any:
        """Returns what NumPy computes with beside."""
        return self._value[()] if self._scalar else self._value

    shape = property(lambda self: self._value.shape)
    dtype = property(lambda self: self._value.dtype)
    ndim = property(lambda self: self._value.ndim)
    size = property(lambda self: self._value.size)
    itemsize = property(lambda self: self._value.itemsize)
    nbytes = property(lambda self: self._value.nbytes)
    strides = property(lambda self: self._value.strides)
    flags = property(lambda self: self._value.flags)
    device = property(lambda self: "cpu")
    real = property(lambda self: self)
    imag = property(lambda self: np.zeros_like(self))
    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        return f"<{self.dtype.name} array of shape {self.shape} being traced>"

    # ---- How NumPy calls on it -------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        from .numpy_front_ufuncs import call_ufunc

        return call_ufunc(self._tracing, ufunc, method, inputs, options)

    def __array_function__(self, function: Callable[..., Any], types: Any, arguments: Sequence[Any], options: Mapping[str, Any]) -> Any:
        from .numpy_front_functions import call_function

        return call_function(self._tracing, function, arguments, options)

    def __array_namespace__(self, *, api_version: Optional[str] = None) -> Any:
        # NumPy's own namespace is the standard's, and its functions ask their arguments.
        return np

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if not self._may_be_read() or self.dtype.kind == "b" and self._store.inputs:
            raise self._read_refused("numbers of a traced array are taken out of it")
        return np.array(self._tracing.read(self), dtype=dtype)

    # ---- Numbers that are read -------------------------------------------------------------------------

    def _may_be_read(self) -> bool:
        return not self._store.inputs or self.dtype.kind in "bi"

    def _read_refused(self, what: str) -> Refused:
        if self.dtype.kind == "b":
            return self._tracing.refuse(
                "which elements there are depends on the numbers of the inputs",
                "choose by np.where(condition, a, b), which keeps the shape",
            )
        return self._tracing.refuse(
            what,
            "leave float(…) and np.array(…) out, use NumPy's functions in place of math's, and assign into"
            " arrays made by np.zeros (called as such) in the function",
        )

    def __bool__(self) -> bool:
        return bool(self._tracing.read(self))

    def __int__(self) -> int:
        return int(self._tracing.read(self))

    __trunc__ = __int__

    def __index__(self) -> int:
        if self.dtype.kind != "i":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self._tracing.read(self).__index__()

    def __floor__(self) -> int:
        return math.floor(self._tracing.read(self)[()])

    def __ceil__(self) -> int:
        return math.ceil(self._tracing.read(self)[()])

    def __round__(self, digits: Optional[int] = None) -> Any:
        return np.round(self, digits or 0)

    def __float__(self) -> float:
        if not self._may_be_read():
            raise self._read_refused("float(…) takes a number out of a traced array, and with it the gradient")
        return float(self._tracing.read(self))

    def __complex__(self) -> complex:
        raise self._tracing.refuse("complex numbers are not judged", "compute with real and imaginary parts")

    def __str__(self) -> str:
        raise self._tracing.refuse(
            "a traced value is printed or written as a text, which is a side effect", "leave the printing out of the function"
        )

    def __format__(self, form: str) -> str:
        return str(self)

    def item(self, *place: Any) -> Any:
        """Returns one element, which stays traced."""
        return self.reshape(-1)[0] if not place and self.size == 1 else self[tuple(place)] if len(place) > 1 else self.reshape(-1)[place[0]]

    def tolist(self) -> Any:
        """Returns nested lists of elements, which stay traced."""
        return [part.tolist() if part.ndim else part for part in self] if self.ndim else self

    def __contains__(self, value: Any) -> bool:
        return bool(np.any(self == value))

    # ---- Indexing and writing --------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        from .numpy_front_index import picked

        return picked(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        from .numpy_front_index import put

        put(self, key, value)

    def _in_place(self, function: Callable[..., Any], other: Any) -> Any:
        return function(self, other) if self._scalar else function(self, other, out=(self,))

    def __pow__(self, exponent: Any) -> Any:
        # NumPy computes these powers of arrays by other functions.
        if isinstance(exponent, (int, float)) and not isinstance(exponent, bool) and is_floating(self.dtype):
            fast = {-1: np.reciprocal, 0.5: np.sqrt, 1: np.positive, 2: np.square}.get(exponent)
            if fast is not None:
                return fast(self)
        return np.power(self, exponent)

    # ---- Methods ---------------------------------------------------------------------------------------

    def reshape(self, *shape: Any, order: str = "C", copy: Optional[bool] = None) -> Any:
        return numpy.reshape(self, shape[0] if len(shape) == 1 else shape, order=order)

    def transpose(self, *axes: Any) -> Any:
        return numpy.transpose(self, None if not axes else axes[0] if len(axes) == 1 else axes)

    def flatten(self, order: str = "C") -> Any:
        return numpy.copy(numpy.ravel(self, order=order))

    def copy(self, order: str = "C") -> Any:
        return numpy.copy(self, order=order)

    def __copy__(self) -> Any:
        return numpy.copy(self)

    def __deepcopy__(self, _: Any) -> Any:
        return numpy.copy(self)

    def astype(self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True) -> Any:
        from .numpy_front_elementwise import cast

        return cast(self._tracing, self, np.dtype(dtype), casting, copy)

    def clip(self, min: Any = None, max: Any = None, out: Any = None, **options: Any) -> Any:  # noqa: A002
        return numpy.clip(self, min, max, out=out, **options)

    def dot(self, other: Any, out: Any = None) -> Any:
        return numpy.dot(self, other, out=out)

    def conj(self) -> Any:
        return numpy.conjugate(self)

    conjugate = conj

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
        self[...] = numpy.sort(self, axis=axis)

    def fill(self, value: Any) -> None:
        self[...] = value

    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        numpy.put(self, indices, values, mode=mode)

    @property
    def flat(self) -> Any:
        return iter(numpy.ravel(self))

    def to_device(self, device: Any, *, stream: Any = None) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            function = getattr(np, METHODS[name])
            return lambda *arguments, **options: function(self, *arguments, **options)
        if name.startswith("__") or not hasattr(np.ndarray, name):
            raise AttributeError(f"array has no attribute {name!r}")
        raise self._tracing.refuse(f"the method {name} of an array has no place in a graph", "use the functions that docs/python-fronts.md lists")


# These methods are functions of NumPy with the array as their first argument.
METHODS = {
    name: name
    for name in """all any argmax argmin argsort argpartition compress cumprod cumsum choose diagonal max mean min
    nonzero prod ptp ravel repeat round searchsorted squeeze std sum swapaxes take trace var""".split()
}


def _in_place_operator(function: np.ufunc) -> Callable[[Array, Any], Any]:
    return lambda self, other: self._in_place(function, other)


for _name, _function in {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "matmul": np.matmul,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}.items():
    setattr(Array, f"__i{_name}__", _in_place_operator(_function))
