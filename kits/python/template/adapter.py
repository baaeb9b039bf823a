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


def pointwise(value, *slopes):
    """Returns a function of arrays, from its value and its slope in each operand."""

    def computed(*operands):
        data = [x.data for x in operands]
        pulled = [lambda bar, slope=slope: bar * slope(*data) for slope in slopes]
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
        "negative": pointwise(np.negative, lambda x: -1.0),
        "exp": pointwise(np.exp, np.exp),
        "log": pointwise(np.log, lambda x: 1 / x),
        "sin": pointwise(np.sin, np.cos),
        "cos": pointwise(np.cos, lambda x: -np.sin(x)),
        "sqrt": pointwise(np.sqrt, lambda x: 0.5 / np.sqrt(x)),
        "add": pointwise(np.add, lambda x, y: 1.0, lambda x, y: 1.0),
        "subtract": pointwise(np.subtract, lambda x, y: 1.0, lambda x, y: -1.0),
        "multiply": pointwise(np.multiply, lambda x, y: y, lambda x, y: x),
        "divide": pointwise(np.divide, lambda x, y: 1 / y, lambda x, y: -(x / y) / y),
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
