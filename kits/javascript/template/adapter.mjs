// An adapter for adjudge: how the library is asked, and its functions by the names of adjudge's operators.
import { eagerEngine, serve } from "adjudge/conformance";
import { referenceConventions } from "adjudge/engines";

// The library: arrays with a tape, in reverse mode alone. Yours is imported instead.
const tape = [];

/** The functions by the names of adjudge's operators, each with its operands' cotangents of the value's. */
const functions = {
  negative: [(x) => -x, (bar) => -bar],
  exp: [Math.exp, (bar, x) => bar * Math.exp(x)],
  log: [Math.log, (bar, x) => bar / x],
  sin: [Math.sin, (bar, x) => bar * Math.cos(x)],
  cos: [Math.cos, (bar, x) => -bar * Math.sin(x)],
  sqrt: [Math.sqrt, (bar, x) => bar / (2 * Math.sqrt(x))],
  add: [(x, y) => x + y, (bar) => bar, (bar) => bar],
  subtract: [(x, y) => x - y, (bar) => bar, (bar) => -bar],
  multiply: [(x, y) => x * y, (bar, _, y) => bar * y, (bar, x) => bar * x],
  divide: [(x, y) => x / y, (bar, _, y) => bar / y, (bar, x, y) => (-bar * (x / y)) / y],
};

/** Computes a function of arrays, and notes on the tape how cotangents go back. */
function computed([value, ...pulls], operands) {
  const [{ shape, data }] = operands;
  const result = { shape, data: data.map((_, n) => value(...operands.map((x) => x.data[n]))) };
  tape.push({ result, operands, pulls });
  return result;
}

/** Returns the cotangents of the inputs, from those of all of f's results. */
function vjp(f, inputs, cotangents) {
  tape.length = 0;
  const bars = new Map();
  const give = (x, bar) => bars.set(x, bars.get(x)?.map((one, n) => one + bar[n]) ?? bar);
  for (const [n, result] of f(inputs).entries()) give(result, cotangents[n].data);
  for (const { result, operands, pulls } of tape.toReversed()) {
    const bar = bars.get(result);
    for (const [place, x] of bar === undefined ? [] : operands.entries()) {
      const pulled = bar.map((one, n) => pulls[place](one, ...operands.map(({ data }) => data[n])));
      give(x, pulled);
    }
  }
  return inputs.map((x) => ({ shape: x.shape, data: bars.get(x) ?? x.data.map(() => 0) }));
}

// The adapter: what the library is called, what it has, and how it is asked.
await serve(
  eagerEngine({
    description: {
      name: "my library",
      version: "0.1.0",
      language: "JavaScript",
      links: [],
      dtypes: ["float64"],
      conventions: { ...referenceConventions, compositeKinks: "own" },
      accuracy: {},
    },
    // A function for each operator, called with attributes and operands. What is left out is not asked.
    operators: Object.fromEntries(
      Object.entries(functions).map(([op, f]) => [op, (_, operands) => computed(f, operands)]),
    ),
    tensor: ({ shape, data }) => ({ shape, data: Float64Array.from(data) }),
    read: ({ shape, data }) => ({ shape, data }),
    vjp,
  }),
);
