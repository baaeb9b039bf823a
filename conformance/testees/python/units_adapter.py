"""Tells which libraries with units of numbers accept the physics of docs/examples/dimensions.

    adjudge convert docs/examples/dimensions/heat.adj#accepted laws/heat/accepted.json
    python units_adapter.py laws

A file is to be accepted if that is its name, and else refused.

It asks the installed ones of pint (https://pint.readthedocs.io), which has no derivatives but difference
quotients, and saiunit (https://saiunit.readthedocs.io), whose `autograd.grad` is JAX's with units. It prints a
line of JSON for each file: what the library says, and whether that is right. It exits with 0 if every library
is right about every file, 1 if one is not, and 2 if none is installed.

It asks what a library says of units, not whether its numbers are right: inputs are arbitrary.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np


class Refused(Exception):
    """A library says that units do not fit."""


class Pint:
    name = "pint"

    def __init__(self):
        import pint

        self.registry = pint.UnitRegistry()
        self.refusals = (pint.DimensionalityError,)
        self.version = pint.__version__

    def quantity(self, numbers, unit):
        return self.registry.Quantity(numbers, unit.replace("·", "*"))

    def tanh(self, x):
        return np.tanh(x)

    def matmul(self, x, y):
        return x @ y

    def total(self, x):
        return x.sum()

    def broadcast(self, x, shape):
        return self.registry.Quantity(np.broadcast_to(x.magnitude, shape), x.units)

    def gradient(self, function, values, place):
        """Returns a difference quotient in each element, in both directions."""
        x = values[place]
        step = 1e-3
        parts = []
        for index in np.ndindex(x.magnitude.shape):
            shift = np.zeros(x.magnitude.shape)
            shift[index] = step
            moved = self.registry.Quantity(shift, x.units)
            ends = [function(*values[:place], end, *values[place + 1 :]) for end in (x + moved, x - moved)]
            parts.append((ends[0] - ends[1]) / self.registry.Quantity(2 * step, x.units))
        units = parts[0].units
        return self.registry.Quantity(np.reshape([part.magnitude for part in parts], x.magnitude.shape), units)


class Saiunit:
    name = "saiunit"

    def __init__(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        import saiunit

        self.library = saiunit
        self.refusals = (saiunit.UnitMismatchError, saiunit.DimensionMismatchError)
        self.version = saiunit.__version__
        self.array = jax.numpy.asarray
        names = {"kg": "kilogram", "m": "meter", "s": "second", "N": "newton", "Pa": "pascal", "K": "kelvin", "J": "joule"}
        self.names = {short: getattr(saiunit, long) for short, long in names.items()}

    def quantity(self, numbers, unit):
        return self.library.Quantity(self.array(numbers), unit=unit_of(unit, self.names, self.library.UNITLESS))

    def tanh(self, x):
        return self.library.math.tanh(x)

    def matmul(self, x, y):
        return self.library.math.matmul(x, y)

    def total(self, x):
        return self.library.math.sum(x)

    def broadcast(self, x, shape):
        return self.library.math.broadcast_to(x, shape)

    def gradient(self, function, values, place):
        return self.library.autograd.grad(function, argnums=place)(*values)


class Unxt:
    """Numbers with units whose functions are JAX's by quax; `experimental.grad` is told the inputs' units."""

    name = "unxt"

    def __init__(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        import quaxed.numpy
        import unxt
        from astropy.units import UnitConversionError

        self.library = unxt
        self.numpy = quaxed.numpy
        self.refusals = (UnitConversionError,)
        self.version = unxt.__version__

    def quantity(self, numbers, unit):
        return self.library.Quantity(self.numpy.asarray(numbers), unit.replace("·", "*").replace("^", "**"))

    def tanh(self, x):
        return self.numpy.tanh(x)

    def matmul(self, x, y):
        return self.numpy.matmul(x, y)

    def total(self, x):
        return self.numpy.sum(x)

    def broadcast(self, x, shape):
        return self.numpy.broadcast_to(x, shape)

    def gradient(self, function, values, place):
        units = tuple(value.unit for value in values)
        return self.library.experimental.grad(function, argnums=place, units=units)(*values)


def unit_of(text, names, one):
    """Parses a product of powers as the examples write it: `kg*m/s^2`, `1/(s)`, `N`."""
    result = one
    sign = 1
    for part in text.replace("·", "*").replace("(", "").replace(")", "").replace("/", "*/").split("*"):
        if part.startswith("/"):
            sign, part = -1, part[1:]
        name, _, exponent = part.partition("^")
        if name != "1":
            result = result * names[name] ** (sign * int(exponent or "1"))
    return result


def evaluate(graph, values, library):
    """Returns the values of a graph by id, with the operators that the examples use."""
    values = list(values)
    for node in graph["nodes"]:
        values.append(result_of(node["op"], node["attributes"], [values[parent] for parent in node["parents"]], library))
    return values


def result_of(op, attributes, operands, library):
    if op == "full":
        return library.quantity(np.full(attributes["shape"], float(attributes["value"])), "1")
    if op == "differentiate":
        return derivative(attributes, operands, library)
    if op == "broadcast_to":
        return library.broadcast(operands[0], tuple(attributes["shape"]))
    if op == "tanh":
        return library.tanh(operands[0])
    if op in ("sum", "mean"):
        total = library.total(operands[0])
        return total if op == "sum" else total / operands[0].size
    x, *rest = operands
    return {
        "add": lambda y: x + y,
        "subtract": lambda y: x - y,
        "multiply": lambda y: x * y,
        "divide": lambda y: x / y,
        "matmul": lambda y: library.matmul(x, y),
        "square": lambda: x * x,
    }[op](*rest)


def derivative(attributes, operands, library):
    """Differentiates along ones: each point has its own row, so both modes give the gradient of the sum."""
    inner, place = attributes["graph"], attributes["wrt"]
    count = len(inner["inputs"])

    def total(*values):
        return library.total(evaluate(inner, values, library)[attributes["of"]])

    return library.gradient(total, operands[:count], place)


def accepts(document, library):
    """Tells whether the library runs the graph to its end."""
    random = np.random.default_rng(7)
    units = document["inputs"]
    values = [
        library.quantity(random.uniform(0.5, 1.5, tuple(one["shape"])), units[one["name"]]) for one in document["graph"]["inputs"]
    ]
    try:
        evaluate(document["graph"], values, library)
        return True, ""
    except library.refusals as error:
        return False, " ".join(str(error).split())[:160]


def installed():
    for library in (Pint, Saiunit, Unxt):
        try:
            yield library()
        except ImportError:
            print(json.dumps({"library": library.name, "installed": False}))


def main(folder):
    libraries = list(installed())
    if not libraries:
        print("Neither pint nor saiunit is installed: pip install -r requirements-units.txt", file=sys.stderr)
        return 2
    paths = sorted(folder.glob("*/*.json"))
    isRight = True
    for library in libraries:
        for path in paths:
            accepted, said = accepts(json.loads(path.read_text(encoding="utf-8")), library)
            right = accepted == (path.stem == "accepted")
            isRight = isRight and right
            file = path.relative_to(folder).as_posix()
            told = {"library": library.name, "version": library.version, "file": file, "accepted": accepted}
            print(json.dumps({**told, "right": right, "said": said}), flush=True)
    return 0 if isRight else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
