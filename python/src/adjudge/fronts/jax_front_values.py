"""Values of a jaxpr while it is written down, and the steps that compute their numbers."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from ..graph import Ref


class NotSaid(Exception):
    """A rule cannot say an equation on integers or truth values; its result is then taken at the point."""


class Step:
    """A step of the function as it was met, so that its numbers can be computed when they are needed."""

    def __init__(self, compute: Callable[[list[Any]], list[Any]], operands: Sequence[Value]) -> None:
        self.compute, self.operands = compute, operands
        self.results: list[Any] = []

    def run(self) -> None:
        """Computes the results; the operands have their numbers."""
        if not self.results:
            self.results = self.compute([operand.number for operand in self.operands])


class Value:
    """A value of the jaxpr: numbers that are known, a value of the graph, or how to make one of them."""

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        *,
        number: Any = None,
        ref: Optional[Ref] = None,
        write: Optional[Callable[[], Ref]] = None,
        step: Optional[tuple[Step, int]] = None,
        data: frozenset[str] = frozenset(),
    ) -> None:
        self.shape, self.dtype = tuple(int(n) for n in shape), dtype
        # What JAX computed: known from the start, or found at the point.
        self.number = number
        # It is true if the number does not depend on the inputs.
        self.known = number is not None
        self.written, self.write, self.step = ref, write, step
        # So many steps wait to be written down before it.
        self.waits = 0
        # The integer arguments that the number depends on.
        self.data = data
        # It is true of a float that JAX rounded; it is written down as it was computed, since JAX may round
        # otherwise where it compiles the whole function.
        self.rounded = False
        # It is true of floats that no operator makes, such as random ones, and of what is made of them.
        self.opaque = False
        # The primitive and the operands of a rounded number.
        self.origin: tuple[str, Sequence[Value]] = ("", ())
        # The integer argument whose elements these are, in row-major order.
        self.label: Optional[str] = None
        # The integer argument that these truth values find negative elements of.
        self.negative: Optional[str] = None
        # The integer argument whose elements stand behind 0, 1, 2, …: pairs of row and column.
        self.columns: Optional[str] = None

    @property
    def floating(self) -> bool:
        """It is true of floats, and false of integers and truth values."""
        return bool(jnp.issubdtype(self.dtype, jnp.floating))

    @property
    def boolean(self) -> bool:
        """It is true of truth values."""
        return self.dtype == np.bool_


def known(number: Any) -> Value:
    """Returns numbers as a value."""
    if not hasattr(number, "shape") or isinstance(number, np.generic):
        number = np.asarray(number)
    if isinstance(number, jax.Array) and not jnp.issubdtype(number.dtype, jax.dtypes.extended):
        number = np.asarray(number)
    return Value(number.shape, number.dtype, number=number)


NOTHING = known(np.zeros(()))


def real(number: Any) -> np.ndarray:
    """Returns JAX's numbers as float64, which holds each of them."""
    return np.asarray(number).astype(np.float64)
