"""An adapter for adjudge: how the library is asked, and its functions by the names of adjudge's operators."""

import numpy as np

from adjudge import Adapter, Description, serve

# The library: NumPy with a tape, in reverse mode alone. Yours is imported instead.
tape = []


class Value:
    def __init__(self, data, *parents):
        # With each parent stands the function that makes its cotangent of this value's.
        self.data, self.shape, self.parents = data, data.shape, parents
        tape.append(self)

    def __add__(self, other):
        return Value(self.data + other.data, (self, lambda bar: bar), (other, lambda bar: bar))


def pointwise(value, *pulls):
    """Returns a function of arrays, from its value and each operand's cotangent of the value's."""

    def computed(*operands):
        data = [x.data for x in operands]
        pulled = [lambda bar, pull=pull: pull(bar, *data) for pull in pulls]
        return Value(np.asarray(value(*data)), *zip(operands, pulled))

    return computed


# The adapter: what the library is called, what it has, and how it is asked.
class MyAdapter(Adapter):
    description = Description(
        name="my library",
        version="0.1.0",
        links=[],
        modes=("evaluate", "vjp", "backward_dense"),
    )
    # A function for each operator, called with operands and attributes. What is left out is not asked.
    operators = {
        "constant": lambda name: name,
        "negative": pointwise(np.negative, lambda bar, x: -bar),
        "exp": pointwise(np.exp, lambda bar, x: bar * np.exp(x)),
        "log": pointwise(np.log, lambda bar, x: bar / x),
        "sin": pointwise(np.sin, lambda bar, x: bar * np.cos(x)),
        "cos": pointwise(np.cos, lambda bar, x: -bar * np.sin(x)),
        "sqrt": pointwise(np.sqrt, lambda bar, x: bar / (2 * np.sqrt(x))),
        "add": Value.__add__,
        "subtract": pointwise(np.subtract, lambda bar, x, y: bar, lambda bar, x, y: -bar),
        "multiply": pointwise(np.multiply, lambda bar, x, y: bar * y, lambda bar, x, y: bar * x),
        "divide": pointwise(np.divide, lambda bar, x, y: bar / y, lambda bar, x, y: -bar * (x / y) / y),
    }

    def array(self, value):
        return Value(value)

    def evaluate(self, f, inputs):
        return [value.data for value in f(inputs)]

    def vjp(self, f, inputs, cotangents):
        outputs = f(inputs)
        bars = {}

        def add(value, bar):
            bars[value] = bars[value] + bar if value in bars else bar

        for output, cotangent in zip(outputs, cotangents):
            add(output, cotangent.data)
        for value in reversed(tape):
            for parent, pull_back in value.parents:
                if value in bars:
                    add(parent, pull_back(bars[value]))
        return [bars.get(x, np.zeros(x.shape)) for x in inputs]

    def jvp(self, f, inputs, tangents):
        raise NotImplementedError

    def tidy(self):
        tape.clear()


if __name__ == "__main__":
    np.seterr(all="ignore")
    serve(MyAdapter)
