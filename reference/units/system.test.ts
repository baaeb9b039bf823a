import { expect, test } from "vitest";
import { type Graph, graph, nodeId, present, undeclared, type Value } from "../../spec/index.ts";
import { type DimensionSystem, dimensionSystem, valueWith } from "./index.ts";

/** Graphs with entries of Δ and without, of primitives and of composites, which are written out. */
const graphs: Readonly<Record<string, Graph>> = {
  "of entries and composites": graph(({ input, parameter, indices }) => {
    const [x, y] = [input("x", [2]), input("y", [2])];
    const rows = indices("rows", [3, 1]);
    const k = parameter("k", [2]);
    const mean = x.subtract(k).mean({ axes: [0], keepdims: true });
    return mean.add(y.softmax({ axis: 0 })).gather({ indices: rows });
  }),
  "of one entry and primitives": graph(({ input, parameter }) =>
    input("x", [2])
      .multiply(parameter("k", [2]))
      .sum({ axes: [0], keepdims: false }),
  ),
  "of composites alone": graph(({ input }) => input("x", [3]).softmax({ axis: 0 }).log()),
};

function systemOf(given: Graph): DimensionSystem {
  const made = dimensionSystem(given, undeclared());
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

test.each(
  Object.entries(graphs),
)("values of a graph %s are those of its ids and entries, each once", (_, given) => {
  const { graph: expanded, grids, valueOf: placeOf, valueOfEntry, originOf } = systemOf(given);
  const ids = [...given.inputs, ...given.nodes].map((_, id) => nodeId(id));
  expect(ids.map((id) => originOf(placeOf(id)))).toEqual(ids);
  const entries = given.environment.map(({ name }) => present(valueOfEntry(name), name));
  expect(entries).toEqual(entries.map((_, place) => given.inputs.length + place));
  expect(entries.map(originOf)).toEqual(entries.map(() => undefined));
  const values = grids.map((_, value) => value);
  expect(values).toHaveLength(expanded.inputs.length + entries.length + expanded.nodes.length);
  // What a composite is written out to belongs to it, and its own value is the last of these.
  for (const value of values.filter((one) => !entries.includes(one))) {
    const origin = present(originOf(value), `the origin of ${value}`);
    expect(placeOf(origin)).toBeGreaterThanOrEqual(value);
    if (origin > 0) expect(placeOf(nodeId(origin - 1))).toBeLessThan(value);
  }
});

test.each(
  Object.entries(graphs),
)("an unknown of a graph %s is of the value whose block it is", (_, given) => {
  const system = systemOf(given);
  const { grids, unknowns, aspect } = system;
  const owners = grids.flatMap(({ count }, value) => Array.from({ length: count }, () => value));
  expect(unknowns).toBe(aspect.bases.length + owners.length);
  expect(owners.map((_, n) => valueWith(system, aspect.bases.length + n))).toEqual(owners);
});

/** Graphs of a matrix and of zeros of its shape, which have every dimension. */
const ofZeros: Readonly<Record<string, Graph>> = Object.fromEntries(
  Object.entries<(m: Value, zero: Value) => Value>({
    sum: (m, zero) => m.add(zero),
    "product with zeros": (m, zero) => m.multiply(zero),
    "matrix product with zeros": (m, zero) => m.matmul(zero),
    "matrix product of zeros": (m, zero) => zero.matmul(m),
    "determinant of zeros": (_, zero) => zero.det(),
    "system of zeros": (m, zero) => zero.solve(m),
    "system with zeros": (m, zero) => m.solve(zero),
    maximum: (m, zero) => m.maximum(zero),
    quotient: (m, zero) => zero.divide(m),
    "sum of zeros": (_, zero) => zero.sum({ axes: [0], keepdims: false }),
  }).map(([name, write]) => [
    name,
    graph(({ input, full }) => write(input("m", [2, 2]), full({ shape: [2, 2], value: 0 }))),
  ]),
);

test.each(
  Object.entries(ofZeros),
)("zeros have every dimension: no equation of a %s has theirs", (_, given) => {
  const system = systemOf(given);
  const measured = system.equations.map(({ terms }) =>
    terms.map(
      ([unknown]) => unknown < system.aspect.bases.length || system.isMeasured(valueWith(system, unknown)),
    ),
  );
  expect(measured.flat().every(Boolean)).toBe(true);
});
