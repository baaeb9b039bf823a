"""The recorder of PyTorch's front: it writes each operator of ATen that runs down as nodes of a graph."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NoReturn, Optional, Sequence

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ..graph import Graph, Operand, Ref, Refused
from . import (
    torch_front_backward,
    torch_front_elementwise,
    torch_front_layers,
    torch_front_linear,
    torch_front_moves,
    torch_front_reductions,
)
from .torch_front_memory import (
    Constant,
    Store,
    address,
    flat_layout,
    layout_of,
    numbers,
    positions,
    whole_storage,
)
from .torch_front_rules import RULES, Made, named
from .traced import source_line

# The rules enter themselves into the table when their modules are loaded.
_LOADED = (
    torch_front_backward,
    torch_front_elementwise,
    torch_front_layers,
    torch_front_linear,
    torch_front_moves,
    torch_front_reductions,
)

# These make memory that holds nothing yet.
EMPTY = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted")

# No derivative flows through these.
STOPS = frozenset(
    "stop_gradient constant full iota one_hot argmax floor ceil round sign equal not_equal less less_equal".split()
    + "greater greater_equal logical_not logical_and logical_or logical_xor".split()
)

# These change how a tensor looks at its storage, which is looked up at each use anyway.
METADATA = ("squeeze_", "unsqueeze_", "t_", "transpose_", "as_strided_", "swapaxes_", "swapdims_", "detach_")

# These say nothing about numbers, or only check them.
SILENT = (
    "_linalg_check_errors",
    "_assert_async",
    "_assert_tensor_metadata",
    "is_same_size",
    "_has_same_storage_numel",
)

REFERENCE = "write the function with operators of PyTorch, or give such a function by reference="


def dtype_name(dtype: torch.dtype) -> str:
    """Returns `float64` for `torch.float64`."""
    return str(dtype).partition(".")[2]


class Recorder(TorchDispatchMode):
    """Writes down the operators that run, as nodes of a graph."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        # Nothing is compiled here, and saying so would load the compiler, which takes seconds.
        return False

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        self.graph = Graph()
        self.dtype = dtype
        # Whether another point, or other data, may give another graph.
        self.pointwise = False
        self.fixed: frozenset[str] = frozenset()
        # How deep within custom functions, or within decompositions, we are.
        self.depth = 0
        # The operator that is being taken apart, if any.
        self._whole = ""
        self._stores: dict[int, Store] = {}
        self._constants: dict[int, Constant] = {}
        # Storages that were made while the function ran, and what holds them: no address is used twice.
        self._made: set[int] = set()
        self._held: list[Any] = []
        self._leaves: list[torch.Tensor] = []
        # Secondary results in another precision, which are refused if they are read.
        self._mixed: dict[int, Refused] = {}
        # The storages of the arguments, which a function must not overwrite.
        self._arguments: dict[int, str] = {}
        # Data among the arguments: what they are called, and whether the graph has them as index or real.
        self._data: dict[int, tuple[str, torch.Tensor]] = {}
        self._declared: dict[str, str] = {}
        # What storages from outside held before the function wrote into them, and entries read of them.
        self._before: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        self._outside: dict[str, set[int]] = {}
        # Storages from outside that numbers which were read follow from.
        self._used: frozenset[int] = frozenset()
        # Whether a value's derivative is zero anyway, by its id.
        self._flat: dict[int, bool] = {}

    # ---- Arguments -------------------------------------------------------------------------------------

    def take_input(self, x: torch.Tensor, name: str) -> None:
        """Declares a tensor to be an input of the graph."""
        self._hold(x)
        self._leaves.append(x)
        self._arguments[address(x)] = name
        store = self._stores.setdefault(address(x), Store(self.graph))
        store.seen[layout_of(x)] = self.graph.input(name, x.shape)

    def take_data(self, x: torch.Tensor, name: str) -> None:
        """Declares integers or Booleans to be data of the graph."""
        self._hold(x)
        self._arguments[address(x)] = name
        self._data[address(x)] = (name, x)
        self._constants[address(x)] = Constant(fixed=frozenset([name]))

    def _hold(self, x: torch.Tensor) -> None:
        self._held.append(x.untyped_storage())

    # ---- What rules ask --------------------------------------------------------------------------------

    def of(self, x: Any) -> Operand:
        """Returns an operand: a value of the graph, or numbers."""
        if not isinstance(x, torch.Tensor):
            if isinstance(x, complex):
                raise Refused("complex numbers are not judged", hint="give real and imaginary parts apart")
            return x
        if x.dtype.is_complex:
            raise Refused("complex numbers are not judged", hint="give real and imaginary parts apart")
        if x.layout != torch.strided:
            raise Refused("a tensor that is not dense is not judged", hint="use x.to_dense()")
        if address(x) in self._mixed:
            raise self._mixed[address(x)]
        store = self._stores.get(address(x))
        if store is None:
            return self._constant(x)
        if self._is_unwritten(x):
            raise self._unwritten_refusal()
        ref = store.read(layout_of(x))
        if self.depth == 0 and self._is_cut(x) and not self.is_flat(ref.id):
            return self.graph.op("stop_gradient", ref)
        return ref

    def _is_cut(self, x: torch.Tensor) -> bool:
        """Tells whether autograd has no derivative of a tensor by the inputs, or starts anew at it."""
        if not x.dtype.is_floating_point:
            return False
        return not x.requires_grad or (x.is_leaf and not any(x is each for each in self._leaves))

    def is_flat(self, id: int) -> bool:
        """Tells whether no derivative flows through a value anyway."""
        first = len(self.graph.inputs)
        if id not in self._flat:
            # Parents come first, so what is asked of them has been answered, or is soon.
            for place in range(len(self._flat), id + 1):
                node = self.graph.nodes[place - first] if place >= first else None
                stops = node is not None and node["op"] in STOPS
                self._flat[place] = node is not None and (
                    stops or all(self._flat[parent] for parent in node["parents"])
                )
        return self._flat[id]

    def ref(self, x: Any) -> Ref:
        """Returns an operand as a value of the graph."""
        return self.graph.ref(self.of(x))

    def row(self, x: Any) -> Ref:
        """Returns an operand's elements in one row."""
        ref = self.ref(x)
        return self.graph.reshape(ref, (math.prod(ref.shape),))

    def window(self, x: torch.Tensor, out: torch.Tensor) -> Ref:
        """Returns what lies where `out` does, which shares the storage of `x`."""
        self.of(x)
        return self._stores[address(x)].read(layout_of(out))

    def is_tracked(self, x: Any) -> bool:
        """Tells whether something depends on inputs."""
        if isinstance(x, (tuple, list)):
            return any(self.is_tracked(item) for item in x)
        return isinstance(x, torch.Tensor) and x.layout == torch.strided and address(x) in self._stores

    def is_stopped(self, x: Any) -> bool:
        """Tells whether something depends on inputs, but autograd has no derivative of it."""
        with torch._C.DisableTorchFunction():
            return (
                isinstance(x, torch.Tensor)
                and x.dtype.is_floating_point
                and not x.requires_grad
                and self.is_tracked(x)
            )

    def concrete(self, x: torch.Tensor) -> torch.Tensor:
        """Returns numbers that decide which elements are meant; they may be others at another point."""
        if self.is_tracked(x):
            self.pointwise = True
        else:
            self._note(x)
        return x

    def indices(self, x: torch.Tensor, shape: Optional[Sequence[int]] = None) -> str:
        """Returns the name of an entry of indices: an argument's own name where it is that argument."""
        wanted = tuple(x.shape if shape is None else shape)
        name = self._named(x, "index")
        if name is not None and wanted == tuple(self._data[address(x)][1].shape):
            if name not in self.graph.entries:
                self.graph.entry(numbers(x), "index", name)
                self._declared[name] = "index"
            return name
        return self.graph.entry(numbers(self.concrete(x)).reshape(wanted), "index")

    def _named(self, x: torch.Tensor, kind: str) -> Optional[str]:
        """Returns the name of the argument of data that a tensor is, if that can be of a kind."""
        if address(x) not in self._data:
            return None
        name, data = self._data[address(x)]
        if layout_of(x) != layout_of(data) or self._declared.get(name, kind) != kind:
            return None
        return name if kind == "real" or not bool((data < 0).any()) else None

    def _constant(self, x: torch.Tensor) -> Operand:
        name = None if x.dtype.is_floating_point else self._named(x, "real")
        if name is not None:
            if name not in self.graph.entries:
                self.graph.entry(numbers(x), "real", name)
                self._declared[name] = "real"
            return self.graph.named(name)
        self._note(x)
        if self._is_unwritten(x):
            raise self._unwritten_refusal()
        value = numbers(x)
        if address(x) not in self._made and address(x) not in self._data and value.size:
            # A constant from outside is an entry, so that it is seen whether the function changes it.
            if address(x) in self._before:
                raise self._state_refusal()
            name = self.graph.entry(value, "real")
            self._outside.setdefault(name, set()).add(address(x))
            return self.graph.op("constant", name=name)
        return float(value) if value.ndim == 0 else value

    def _note(self, x: torch.Tensor) -> None:
        known = self._constants.get(address(x), Constant())
        self.pointwise = self.pointwise or known.pointwise
        self.fixed |= known.fixed
        self._used |= known.sources

    def _is_unwritten(self, x: torch.Tensor) -> bool:
        known = self._constants.get(address(x))
        if known is None or known.unwritten is None or x.numel() == 0:
            return False
        if known.unwritten.size != flat_layout(x)[1][0]:
            return bool(known.unwritten.any())
        return bool(known.unwritten[positions(layout_of(x))].any())

    def _unwritten_refusal(self) -> Refused:
        return Refused(
            "a result was not written by operators of PyTorch, but by a kernel that is not seen",
            hint=REFERENCE,
        )

    def _state_refusal(self) -> Refused:
        return Refused(
            "the result depends on a tensor outside of the function, which the function changes",
            hint="give the state as an argument, and return the new one",
        )

    # ---- Dispatch --------------------------------------------------------------------------------------

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        self.graph.line = source_line() or self.graph.line
        with torch._C.DisableTorchFunction():
            try:
                return self._dispatch(func, args, kwargs)
            except Refused as refused:
                if refused.line is not None or self.graph.line is None:
                    raise
                raise Refused(refused.what, self.graph.line, refused.hint) from None

    def _dispatch(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        name = func._schema.name.partition("::")[2]
        given = named(func, args, kwargs)
        tensors = [
            x
            for value in vars(given).values()
            for x in (value if isinstance(value, (list, tuple)) else [value])
        ]
        tensors = [x for x in tensors if isinstance(x, torch.Tensor) and x.layout == torch.strided]
        if any(x.device.type == "meta" for x in tensors):
            # PyTorch asks for shapes alone where a tangent is zero, below autograd: whether a derivative flows is
            # not to be seen then.
            what = "forward mode over reverse mode within the function is not followed"
            raise Refused(what, hint="take torch.func.jacrev of jacrev, or torch.autograd.functional.hessian")
        tracked = any(self.is_tracked(x) for x in tensors)
        if tracked and any(x.dtype.is_complex for x in tensors):
            raise Refused("complex numbers are not judged", hint="give real and imaginary parts apart")
        if torch.Tag.nondeterministic_seeded in func.tags and getattr(given, "generator", None) is None:
            self._refuse_random(name, given)
        if name in SILENT:
            return func(*args, **kwargs)
        if name == "_local_scalar_dense":
            return self._scalar(func, given)
        if name == "equal":
            self.pointwise = self.pointwise or tracked
            return func(*args, **kwargs)
        written = [
            argument.name
            for argument in func._schema.arguments
            if argument.alias_info and argument.alias_info.is_write
        ]
        if written:
            return self._write(func, name, given, written, tracked, args, kwargs)
        if not tracked:
            return self._plain(func, name, tensors, args, kwargs)
        return self._apply(func, name, given, args, kwargs)

    def _refuse_random(self, name: str, given: SimpleNamespace) -> None:
        # Attention draws for its dropout alone.
        if name.startswith("_scaled_dot_product") and not getattr(given, "dropout_p", 0):
            return
        if name == "native_dropout" and not given.train:
            return
        if name.startswith("rrelu") and not given.training:
            return
        hint = "call .eval() first, or give the random numbers as an argument"
        raise Refused(f"PyTorch's {name} draws random numbers, others at each call", hint=hint)

    def _scalar(self, func: Any, given: SimpleNamespace) -> Any:
        x = given.self
        if self.is_tracked(x):
            if self.depth > 0 and x.dtype.is_floating_point:
                raise Refused(
                    "a number leaves the tensors within a custom function",
                    hint="keep it in a tensor, or give reference=",
                )
            self.pointwise = True
        else:
            self._note(x)
        return func(x)

    def _plain(
        self, func: Any, name: str, tensors: list[torch.Tensor], args: Any, kwargs: dict[str, Any]
    ) -> Any:
        """Runs an operator of numbers alone: its result is numbers."""
        out = func(*args, **kwargs)
        unknown = any(self._is_unwritten(x) for x in tensors)
        origin = self._origin(tensors)
        shared = [] if name == "lift_fresh" else [address(x) for x in tensors]
        for made in results(out):
            if made.layout == torch.strided and address(made) not in shared:
                self._keep(made, origin)
                if name in EMPTY and made.dtype.is_complex:
                    raise Refused(
                        "complex numbers are not judged", hint="give real and imaginary parts apart"
                    )
                if name in EMPTY or unknown:
                    self._known(made).unwritten = np.ones(flat_layout(made)[1], dtype=bool)
        return out

    def _known(self, x: torch.Tensor) -> Constant:
        return self._constants.setdefault(address(x), Constant())

    def _origin(self, tensors: Sequence[torch.Tensor]) -> Constant:
        """Returns what numbers follow from that are made of tensors."""
        known = [self._known(x) for x in tensors]
        outside = [address(x) for x in tensors if self._is_outside(x)]
        return Constant(
            any(each.pointwise for each in known),
            frozenset().union(*(each.fixed for each in known)),
            frozenset(outside).union(*(each.sources for each in known)),
        )

    def _is_outside(self, x: torch.Tensor) -> bool:
        return not any(address(x) in known for known in (self._made, self._data, self._stores))

    def _keep(self, made: torch.Tensor, origin: Constant) -> None:
        """Notes that a tensor of numbers was made while the function ran."""
        self._hold(made)
        self._made.add(address(made))
        self._constants[address(made)] = replace(origin)

    def _apply(self, func: Any, name: str, given: SimpleNamespace, args: Any, kwargs: dict[str, Any]) -> Any:
        """Runs an operator of values of the graph, by its rule or by what it consists of."""
        if name in EMPTY:
            return self._plain(func, name, [], args, kwargs)
        if (
            is_view(func)
            and isinstance(getattr(given, "self", None), torch.Tensor)
            and self._is_unwritten(given.self)
        ):
            # What is not yet written everywhere is looked up when it is read.
            return func(*args, **kwargs)
        entered = RULES.get(name) if func.namespace == "aten" else None
        if entered is None:
            return self._decomposed(func, args, kwargs)
        statistics = (
            results([given.running_mean, given.running_var])
            if name == "native_batch_norm" and given.training
            else []
        )
        self.remember(statistics)
        given.out = func(*args, **kwargs)
        given.func, given.args, given.kwargs = func, args, kwargs
        try:
            made = entered.make(self, given)
        except (Refused, AssertionError):
            raise
        except Exception as error:
            what = f"PyTorch's {name} cannot be said as a graph with these arguments: {error}"
            raise Refused(what, hint=REFERENCE) from error
        if made is NotImplemented:
            return self._decomposed(func, args, kwargs)
        self._record(given.out, made, name)
        self._spoil(statistics)
        return given.out

    def _decomposed(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        decomposition = torch._decomp.decomposition_table.get(func)
        outer = self._whole
        self._whole = outer or func._schema.name
        self.depth += 1
        try:
            with self:
                if decomposition is not None:
                    return decomposition(*args, **kwargs)
                out = func.decompose(*args, **kwargs)
            if out is not NotImplemented:
                return out
            self._refuse(func, args)
        finally:
            self.depth -= 1
            self._whole = outer

    def _refuse(self, func: Any, args: Any) -> NoReturn:
        """Refuses an operator that has neither a rule nor a decomposition."""
        if any(x.dtype.is_complex for x in results(args)) or "fft" in func._schema.name:
            raise Refused("complex numbers are not judged", hint="give real and imaginary parts apart")
        kind = "operator" if self._whole.startswith(("aten", "prims")) else "custom operator"
        raise Refused(
            f"PyTorch's {kind} {self._whole.replace('::', '.')} cannot be said as a graph", hint=REFERENCE
        )

    def _record(self, out: Any, made: Made, name: str) -> None:
        """Keeps what an operator made, output by output."""
        outs = [out] if isinstance(out, torch.Tensor) else list(out)
        values: list[Any] = [made] if isinstance(out, torch.Tensor) else list(made)  # type: ignore[arg-type]
        if len(outs) != len(values):
            raise AssertionError(f"{name}: {len(outs)} outputs and {len(values)} values")
        for place, (tensor, value) in enumerate(zip(outs, values)):
            if not isinstance(tensor, torch.Tensor):
                continue
            if place > 0 and self._is_mixed(tensor):
                self._keep(tensor, Constant(pointwise=True))
                self._mixed[address(tensor)] = self._mixture(tensor)
                continue
            if value is None:
                # Numbers that depend on the point, such as the order of a sort.
                self._keep(tensor, Constant(pointwise=True))
                continue
            self.put(tensor, value, name)

    def put(self, tensor: torch.Tensor, value: Operand, name: str) -> None:
        """Says which value a tensor holds."""
        if tensor.dtype.is_complex:
            raise Refused("complex numbers are not judged", hint="give real and imaginary parts apart")
        if self._is_mixed(tensor):
            raise self._mixture(tensor)
        ref = self.graph.ref(value)
        if ref.shape != tuple(tensor.shape):
            raise AssertionError(
                f"{name}: a value of shape {ref.shape} for a tensor of shape {tuple(tensor.shape)}"
            )
        if address(tensor) not in self._stores:
            self._hold(tensor)
            self._made.add(address(tensor))
            self._stores[address(tensor)] = Store(self.graph)
        self._stores[address(tensor)].note(layout_of(tensor), ref)

    def is_fresh(self, made: Sequence[torch.Tensor], operands: Sequence[torch.Tensor]) -> bool:
        """Tells whether tensors are all that lies in memory of their own, and are values of the graph."""
        shared = {address(x) for x in operands if x.layout == torch.strided}
        return bool(made) and all(
            self.is_tracked(x)
            and address(x) not in shared
            and x.numel() == flat_layout(x)[1][0]
            and not self._stores[address(x)].written
            and not self._is_mixed(x)
            for x in made
        )

    def replace(self, tensor: torch.Tensor, value: Ref) -> None:
        """Says that a tensor, which is fresh, holds another value than was written down."""
        if value.shape != tuple(tensor.shape):
            raise AssertionError(f"a value of shape {value.shape} for a tensor of shape {tuple(tensor.shape)}")
        self._stores[address(tensor)] = Store(self.graph, {layout_of(tensor): value})

    def _is_mixed(self, x: torch.Tensor) -> bool:
        return x.dtype.is_floating_point and x.dtype != self.dtype and self.depth == 0

    def _mixture(self, x: torch.Tensor) -> Refused:
        what = f"the function mixes {dtype_name(self.dtype)} and {dtype_name(x.dtype)}"
        return Refused(what, hint="compute in one precision, without autocast")

    # ---- Writes ----------------------------------------------------------------------------------------

    def _write(
        self,
        func: Any,
        name: str,
        given: SimpleNamespace,
        written: list[str],
        tracked: bool,
        args: Any,
        kwargs: dict[str, Any],
    ) -> Any:
        """Runs an operator that writes into some of its arguments."""
        targets = [x for key in written for x in results([getattr(given, key)])]
        if any(address(x) in self._arguments for x in targets):
            which = next(self._arguments[address(x)] for x in targets if address(x) in self._arguments)
            raise Refused(
                f"the function overwrites its argument {which}",
                hint="clone it first: side effects are not judged",
            )
        if name in METADATA:
            return func(*args, **kwargs)
        self.remember(targets)
        if not tracked:
            out = func(*args, **kwargs)
            origin = self._origin(results(list(vars(given).values())))
            for x in targets:
                unwritten = self._known(x).unwritten
                self._constants[address(x)] = replace(origin, unwritten=unwritten)
                self._clear(x)
            return out
        if (
            name.startswith(("_native_batch_norm_legit", "_batch_norm_with_update"))
            or name == "rrelu_with_noise"
        ):
            return self._batch_norm(func, name, given, targets, args, kwargs)
        pure = self._pure(func, name)
        if pure is None or len(targets) != 1:
            raise Refused(
                f"PyTorch's {func._schema.name.replace('::', '.')} writes in place what cannot be said",
                hint=REFERENCE,
            )
        [target] = targets
        if address(target) not in self._made:
            what = "the function writes into a tensor outside of itself"
            raise Refused(what, hint="return the value instead: side effects are not judged")
        value = self._value_of(pure, name, given, target, args, kwargs)
        if (
            self.depth == 0
            and not torch.is_grad_enabled()
            and target.requires_grad
            and address(target) in self._stores
        ):
            value = self._unseen(target, value)
        self._overwrite(
            target, value, func, args, kwargs, self._missing(given.src, target) if name == "copy_" else False
        )
        return target if func._schema.returns else None

    def _pure(self, func: Any, name: str) -> Any:
        """Returns the operator that computes what another one writes."""
        packet = getattr(torch.ops.aten, name.rstrip("_") if name.endswith("_") else name, None)
        if func.namespace != "aten" or packet is None:
            return None
        own = [
            argument
            for argument in func._schema.arguments
            if not (argument.alias_info and argument.alias_info.is_write and argument.kwarg_only)
        ]
        for overload in packet.overloads():
            found = getattr(packet, overload)
            theirs = found._schema.arguments
            if any(argument.alias_info and argument.alias_info.is_write for argument in theirs):
                continue
            if [argument.name for argument in theirs] == [argument.name for argument in own] and all(
                str(a.type) == str(b.type) for a, b in zip(own, theirs)
            ):
                return found
        return None

    def _value_of(
        self, pure: Any, name: str, given: SimpleNamespace, target: torch.Tensor, args: Any, kwargs: Any
    ) -> Ref:
        own = {argument.name for argument in pure._schema.arguments}
        values = {key: value for key, value in vars(given).items() if key in own}
        if name == "copy_":
            if self._is_unwritten(given.src) and self.is_tracked(given.src):
                return self.graph.broadcast_to(
                    self._stores[address(given.src)].read(layout_of(given.src)), target.shape
                )
            return self.graph.broadcast_to(self.of(given.src), target.shape)
        if name in ("fill_", "zero_"):
            return self.graph.broadcast_to(self.of(getattr(given, "value", 0)), target.shape)
        # What an operator writes over is not read, if nothing was there.
        positional = [values[argument.name] for argument in pure._schema.arguments if not argument.kwarg_only]
        others = {
            argument.name: values[argument.name] for argument in pure._schema.arguments if argument.kwarg_only
        }
        out = self._apply(
            pure,
            pure._schema.name.partition("::")[2],
            named(pure, positional, others),
            tuple(positional),
            others,
        )
        self.depth += 1
        value = self.ref(out)
        self.depth -= 1
        if out.dtype != target.dtype and not target.dtype.is_floating_point:
            value = trunc_to(self.graph, value, target.dtype)
        return value

    def _missing(self, source: torch.Tensor, target: torch.Tensor) -> Any:
        """Returns which elements of a copy are copies of what no operator has written."""
        unwritten = self._known(source).unwritten
        if unwritten is None or not self._is_unwritten(source):
            return False
        return np.broadcast_to(unwritten[positions(layout_of(source))], tuple(target.shape))

    def _overwrite(
        self, target: torch.Tensor, value: Ref, func: Any, args: Any, kwargs: dict[str, Any], missing: Any
    ) -> None:
        store = self._stores.get(address(target))
        if store is None:
            whole = flat_layout(target)
            # What no operator has written holds zeros here, and is refused if it is read.
            contents = np.nan_to_num(numbers(whole_storage(target)))
            store = self._stores[address(target)] = Store(self.graph)
            store.seen[whole] = self.graph.constant(contents)
        func(*args, **kwargs)
        if value.shape != tuple(target.shape):
            raise AssertionError(
                f"{func}: a value of shape {value.shape} for a tensor of shape {tuple(target.shape)}"
            )
        store.write(layout_of(target), value)
        self._clear(target, missing)

    def _clear(self, target: torch.Tensor, missing: Any = False) -> None:
        """Notes that elements were written, but for those that are missing."""
        known = self._constants.get(address(target))
        if known is not None and known.unwritten is not None and target.numel():
            known.unwritten[positions(layout_of(target))] = missing

    def _unseen(self, target: torch.Tensor, value: Ref) -> Ref:
        """Returns what is written under `no_grad`: autograd keeps the derivative of what was there before."""
        g, before = self.graph, self._stores[address(target)].read(layout_of(target))
        if self.is_flat(before.id):
            return value
        return g.add(g.op("stop_gradient", value), g.subtract(before, g.op("stop_gradient", before)))

    def _batch_norm(
        self,
        func: Any,
        name: str,
        given: SimpleNamespace,
        targets: list[torch.Tensor],
        args: Any,
        kwargs: Any,
    ) -> Any:
        given.out = func(*args, **kwargs)
        given.func, given.args, given.kwargs = func, args, kwargs
        self._record(given.out, RULES[name].make(self, given), name)
        self._spoil(targets)
        return given.out

    def _spoil(self, targets: Sequence[torch.Tensor]) -> None:
        """Notes that statistics were updated past the graph: what reads them is refused."""
        for x in targets:
            self._known(x).unwritten = np.ones(flat_layout(x)[1], dtype=bool)

    def remember(self, targets: Sequence[torch.Tensor]) -> None:
        """Keeps the contents of tensors from outside, which an operator is about to change."""
        for x in targets:
            if address(x) not in self._made and address(x) not in self._before:
                self._before[address(x)] = (whole_storage(x), whole_storage(x).clone())

    # ---- The end ---------------------------------------------------------------------------------------

    def restore(self) -> None:
        """Gives tensors from outside the contents that they had."""
        with torch.no_grad():
            for x, contents in self._before.values():
                x.copy_(contents)

    def check_state(self, graph: Graph) -> None:
        """Refuses a result that depends on what the function has changed outside of itself."""
        if self._used & set(self._before):
            raise self._state_refusal()
        for entry in graph.environment:
            if self._outside.get(entry["name"], set()) & set(self._before):
                raise self._state_refusal()


def trunc_to(graph: Graph, value: Ref, dtype: torch.dtype) -> Ref:
    """Returns floating numbers as integers or Booleans have them."""
    if dtype == torch.bool:
        return graph.not_equal(value, 0)
    return graph.where(graph.less(value, 0), graph.ceil(value), graph.floor(value))


def is_view(func: Any) -> bool:
    """Tells whether an operator returns another look at the same memory."""
    return any(each.alias_info is not None and not each.alias_info.is_write for each in func._schema.returns)


def results(out: Any) -> list[torch.Tensor]:
    """Returns the tensors among what an operator takes or returns."""
    if isinstance(out, torch.Tensor):
        return [out]
    if isinstance(out, (tuple, list)):
        return [x for item in out for x in results(item)]
    return []
