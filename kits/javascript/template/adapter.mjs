// An adapter for adjudge: how the library is asked, and its functions by the names of adjudge's operators.
import { eagerEngine, serve } from "adjudge/conformance";
import { referenceConventions } from "adjudge/engines";

// The library: arrays with a tape, in reverse mode alone. Yours is imported instead.
const tape = [];

/** The functions by the names of adjudge's operators, each with its slope in each operand. */
const functions = {
  negative: [(x) => -x, () => -1],
  exp: [Math.exp, Math.exp],
  log: [Math.log, (x) => 1 / x],
  sin: [Math.sin, Math.cos],
  cos: [Math.cos, (x) => -Math.sin(x)],
  sqrt: [Math.sqrt, (x) => 0.5 / Math.sqrt(x)],
  add: [(x, y) => x + y, () => 1, () => 1],
  subtract: [(x, y) => x - y, () => 1, () => -1],
  multiply: [(x, y) => x * y, (_, y) => y, (x) => x],
  divide: [(x, y) => x / y, (_, y) => 1 / y, (x, y) => -(x / y) / y],
};

/** Computes a function of arrays, and notes its slopes on the tape. */
function computed([value, ...slopes], operands) {
  const [{ shape, data }] = operands;
  const each = (f) => data.map((_, n) => f(...operands.map((x) => x.data[n])));
  const result = { shape, data: each(value), parents: operands.map((x, n) => [x, each(slopes[n])]) };
  tape.push(result);
  return result;
}

/** Returns the cotangents of the inputs, from those of all of f's results. */
function vjp(f, inputs, cotangents) {
  tape.length = 0;
  const bars = new Map();
  const give = (x, bar) => bars.set(x, bars.get(x)?.map((one, n) => one + bar[n]) ?? bar);
  for (const [n, result] of f(inputs).entries()) give(result, cotangents[n].data);
  for (const result of tape.toReversed()) {
    const bar = bars.get(result);
    for (const [x, slope] of bar === undefined ? [] : result.parents) {
      const pulled = bar.map((one, n) => one * slope[n]);
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
