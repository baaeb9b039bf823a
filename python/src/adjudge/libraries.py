"""What a check needs of NumPy, JAX and PyTorch: arrays and derivatives. None is imported unless used."""

from __future__ import annotations

import importlib
import sys
import warnings
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence

import numpy as np

from .fronts.traced import Traced, leaf_names, tree_of

Arrays = Sequence[Any]
# A function from the values of a graph's inputs to those of its outputs, arrays of a library.
Function = Callable[[Arrays], list[Any]]


class Library:
    """A library of arrays; this one is NumPy, which has no derivatives."""

    name = "numpy"
    front = "numpy_front"
    # Whether the library differentiates functions.
    derives = False
    links: Sequence[str] = ("https://numpy.org",)
    conventions: Mapping[str, str] = {}

    def owns(self, value: Any) -> bool:
        """Tells whether a value is an array of this library."""
        return isinstance(value, (np.ndarray, np.generic))

    def version(self) -> str:
        return np.__version__

    def array(self, value: np.ndarray, like: Any) -> Any:
        """Returns float64 numbers rounded to the precision of a leaf, where that leaf is."""
        return rounded(value, np.asarray(like).dtype)

    def data(self, value: np.ndarray, like: Any) -> Any:
        """Returns whole numbers as an array like a leaf of integers."""
        return np.asarray(value).astype(np.asarray(like).dtype)

    def numbers(self, value: Any) -> np.ndarray:
        """Returns an array of the library as float64."""
        return np.asarray(value, dtype=np.float64)

    def dtype(self, value: Any) -> str:
        """Returns the name of an array's precision or type of integers."""
        return str(np.asarray(value).dtype)

    def leaves(self, value: Any) -> list[Any]:
        """Returns the leaves of a tree of arrays, in the order of the front."""
        return tree_of(value).leaves

    def leaf_names(self, name: str, value: Any) -> list[str]:
        """Returns the name of each leaf of an argument: `x`, or `params['w']`."""
        return leaf_names([name], [value])

    def zeros(self, like: Any) -> Any:
        """Returns zeros like an array."""
        return np.zeros_like(like)

    def trace(self, function: Callable[..., Any], arguments: Sequence[Any], names: Sequence[str]) -> Traced:
        """Writes a function down as a graph, with the front of this library."""
        # The function's own warnings were heard when it was called; those of tracing concern nobody.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            front = importlib.import_module(f"adjudge.fronts.{self.front}")
            return front.trace(function, arguments, names)

    def vjp(
        self, function: Function, inputs: Arrays, cotangents: Arrays, wanted: Sequence[int]
    ) -> list[Any]:
        """Returns the cotangent of each input, as the library differentiates the function.

        Only the inputs at the places that are wanted are differentiated: many a library refuses the others,
        such as the weights of a loss. The cotangents of those are zeros.
        """
        found = [self.zeros(x) for x in inputs]
        chosen = [inputs[place] for place in wanted]
        for place, bar in zip(wanted, self._vjp(of_chosen(function, inputs, wanted), chosen, cotangents)):
            found[place] = bar
        return found

    def jvp(self, function: Function, inputs: Arrays, tangents: Arrays, wanted: Sequence[int]) -> list[Any]:
        """Returns the tangent of each output, along tangents at the places that are wanted."""
        chosen, dots = ([values[place] for place in wanted] for values in (inputs, tangents))
        return self._jvp(of_chosen(function, inputs, wanted), chosen, dots)

    def _vjp(self, function: Function, inputs: Arrays, cotangents: Arrays) -> list[Any]:
        raise NotImplementedError

    def _jvp(self, function: Function, inputs: Arrays, tangents: Arrays) -> list[Any]:
        raise NotImplementedError

    def introduction(self) -> dict[str, Any]:
        """Returns what the library promises, as a reply to `hello`."""
        return {
            "name": self.name,
            "version": self.version(),
            "language": "Python",
            "links": list(self.links),
            "dtypes": ["float64", "float32", "float16", "bfloat16"],
            "operators": [],
            "modes": [],
            "conventions": dict(self.conventions),
            "accuracy": {},
            "brings": True,
        }


class Jax(Library):
    name = "jax"
    front = "jax_front"
    derives = True
    links = ("https://github.com/jax-ml/jax", "https://docs.jax.dev")
    # XLA's kernels for the CPU flush subnormals.
    conventions = {
        "maximumAtTie": "split",
        "reluAtZero": "zero",
        "compositeKinks": "own",
        "subnormals": "flushed",
    }

    def owns(self, value: Any) -> bool:
        jax = sys.modules.get("jax")
        return jax is not None and isinstance(value, jax.Array)

    def version(self) -> str:
        return sys.modules["jax"].__version__

    def array(self, value: np.ndarray, like: Any) -> Any:
        import jax.numpy as jnp

        dtype = jnp.asarray(like).dtype
        return jnp.asarray(rounded(value, dtype))

    def data(self, value: np.ndarray, like: Any) -> Any:
        import jax.numpy as jnp

        return jnp.asarray(value, dtype=jnp.asarray(like).dtype)

    def numbers(self, value: Any) -> np.ndarray:
        import jax

        # A key of random numbers is no array of numbers, and has one in it.
        is_key = isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key)
        return super().numbers(jax.random.key_data(value) if is_key else value)

    def dtype(self, value: Any) -> str:
        import jax.numpy as jnp

        return str(jnp.asarray(value).dtype)

    def leaves(self, value: Any) -> list[Any]:
        import jax

        return jax.tree_util.tree_leaves(value)

    def leaf_names(self, name: str, value: Any) -> list[str]:
        import jax

        paths, _ = jax.tree_util.tree_flatten_with_path(value)
        return [f"{name}{jax.tree_util.keystr(path)}" for path, _ in paths]

    def zeros(self, like: Any) -> Any:
        import jax.numpy as jnp

        return jnp.zeros_like(like)

    def _vjp(self, function: Function, inputs: Arrays, cotangents: Arrays) -> list[Any]:
        import jax

        _, pull_back = jax.vjp(lambda *given: function(given), *inputs)
        return list(pull_back(list(cotangents)))

    def _jvp(self, function: Function, inputs: Arrays, tangents: Arrays) -> list[Any]:
        import jax

        return jax.jvp(lambda *given: function(given), tuple(inputs), tuple(tangents))[1]


class Torch(Library):
    name = "torch"
    front = "torch_front"
    derives = True
    links = ("https://github.com/pytorch/pytorch", "https://docs.pytorch.org")
    conventions = {"maximumAtTie": "split", "reluAtZero": "zero", "compositeKinks": "own"}

    def owns(self, value: Any) -> bool:
        torch = sys.modules.get("torch")
        return torch is not None and isinstance(value, torch.Tensor)

    def version(self) -> str:
        return sys.modules["torch"].__version__.partition("+")[0]

    def array(self, value: np.ndarray, like: Any) -> Any:
        import torch

        if like.dtype == torch.bfloat16:
            # Rounded to odd first, so that it is rounded once.
            return torch.from_numpy(to_odd(value)).to(like.device, torch.bfloat16)
        dtype = np.dtype(str(like.dtype).removeprefix("torch."))
        return torch.from_numpy(np.ascontiguousarray(rounded(value, dtype)).reshape(np.shape(value))).to(
            like.device
        )

    def data(self, value: np.ndarray, like: Any) -> Any:
        import torch

        return torch.tensor(np.asarray(value)).to(like.device, like.dtype)

    def numbers(self, value: Any) -> np.ndarray:
        return value.detach().cpu().double().numpy()

    def dtype(self, value: Any) -> str:
        return str(value.dtype).removeprefix("torch.")

    def zeros(self, like: Any) -> Any:
        import torch

        return torch.zeros_like(like)

    def _vjp(self, function: Function, inputs: Arrays, cotangents: Arrays) -> list[Any]:
        import torch

        # A derivative of a derivative needs this one's graph.
        nested = any(x.requires_grad for x in [*inputs, *cotangents])
        # A copy keeps the tangent that forward mode gave it, which detaching drops.
        leaves = [x if x.requires_grad else x.clone().requires_grad_() for x in inputs]
        with torch.enable_grad():
            outputs = function(leaves)
        reached = [(output, bar) for output, bar in zip(outputs, cotangents) if output.requires_grad]
        if not reached:
            return [torch.zeros_like(x) for x in inputs]
        found = torch.autograd.grad(
            [output for output, _ in reached],
            leaves,
            [bar for _, bar in reached],
            allow_unused=True,
            create_graph=nested,
        )
        return [torch.zeros_like(x) if bar is None else bar for bar, x in zip(found, inputs)]

    def _jvp(self, function: Function, inputs: Arrays, tangents: Arrays) -> list[Any]:
        import torch
        from torch.autograd import forward_ad

        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(x.detach(), dot) for x, dot in zip(inputs, tangents)]
            unpacked = [forward_ad.unpack_dual(output) for output in function(duals)]
            return [
                torch.zeros_like(each.primal) if each.tangent is None else each.tangent for each in unpacked
            ]


def of_chosen(function: Function, inputs: Arrays, chosen: Sequence[int]) -> Function:
    """Returns a function of the inputs at some places; the others are as they were given."""

    def called(given: Arrays) -> list[Any]:
        whole = list(inputs)
        for place, value in zip(chosen, given):
            whole[place] = value
        return function(whole)

    return called


NUMPY, JAX, TORCH = Library(), Jax(), Torch()


def library_of(leaves: Iterable[Any]) -> Optional[Library]:
    """Returns the library whose arrays some values are, JAX or PyTorch before NumPy."""
    met = list(leaves)
    return next((library for library in (TORCH, JAX, NUMPY) if any(map(library.owns, met))), None)


def is_array(value: Any) -> bool:
    """Tells whether a value is an array of a library, a number of NumPy included."""
    return library_of([value]) is not None


def rounded(value: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Rounds float64 numbers once; those beyond the range become infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(to_odd(value) if dtype.name == "bfloat16" else value).astype(dtype)


def to_odd(value: np.ndarray) -> np.ndarray:
    """Rounds float64 numbers to float32, such that rounding that to bfloat16 is as if it were the only time.

    Inexact numbers become the neighbour whose last bit is set.
    """
    value = np.asarray(value, dtype=np.float64)
    with np.errstate(over="ignore"):
        near = value.astype(np.float32)
    below = np.where(np.abs(near.astype(np.float64)) > np.abs(value), np.nextafter(near, np.float32(0)), near)
    inexact = np.isfinite(value) & (near.astype(np.float64) != value)
    odd = (np.ascontiguousarray(below).reshape(below.shape).view(np.uint32) | np.uint32(1)).view(np.float32)
    return np.where(inexact, odd, near).reshape(value.shape)
