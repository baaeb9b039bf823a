import { unaryNames } from "./operators/elementary.ts";

/** JSON documents that this room's tests start from, fresh at every call, so that tests may damage them. */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Returns a node's JSON. */
export function node(op: string, parents: number[], attributes: { [name: string]: Json } = {}): Json {
  return { op, attributes, parents };
}

/** A graph's JSON, of inputs and environment entries given as `[name, shape]` and `[name, shape, kind]`. */
export function graph(
  inputs: [string, number[]][],
  environment: [string, number[], string][],
  nodes: Json[],
): { [key: string]: Json } {
  return {
    format: "adjudge.graph.v1",
    inputs: inputs.map(([name, shape]) => ({ name, shape })),
    environment: environment.map(([name, shape, kind]) => ({ name, shape, kind })),
    nodes,
  };
}

/** Returns a graph that uses every operator. */
export function everyOperator(): { [key: string]: Json } {
  return graph(
    [
      ["x", [2, 3]],
      ["y", [2, 3]],
    ],
    [
      ["c", [2, 3], "real"],
      ["rows", [4], "index"],
      ["cells", [3, 2], "index"],
      ["key", [2], "index"],
    ],
    [
      node("constant", [], { name: "c" }),
      node("stop_gradient", [0]),
      node("negative", [3]),
      node("exp", [0]),
      node("log", [5]),
      node("sin", [6]),
      node("cos", [6]),
      node("tanh", [7]),
      node("sqrt", [5]),
      node("relu", [1]),
      node("add", [0, 1]),
      node("subtract", [12, 4]),
      node("multiply", [12, 12]),
      node("divide", [0, 5]),
      node("maximum", [13, 14]),
      node("where", [11, 15, 16]),
      node("sum", [17], { axes: [0], keepdims: false }),
      node("broadcast_to", [18], { shape: [2, 3] }),
      node("reshape", [19], { shape: [3, 2] }),
      node("permute_dims", [20], { axes: [1, 0] }),
      node("concat", [21, 0, 21], { axis: 0 }),
      node("take", [22], { axis: 0, indices: "rows" }),
      node("matmul", [20, 21]),
      node("full", [], { shape: [3], value: 0.5 }),
      node("iota", [], { shape: [3, 3], axis: 1 }),
      node("bernoulli_mask", [], { shape: [3, 3], key: "key", rate: 0.25 }),
      node("floor", [24]),
      node("less", [26, 28]),
      node("equal", [29, 27]),
      node("slice", [30], { starts: [2, 0], stops: [-4, 3], steps: [-1, 2] }),
      node("pad", [31], { low: [0, 0], high: [0, 1], interior: [0, 0] }),
      node("take_along_axis", [32], { axis: 1, indices: "cells" }),
      node("gather", [32], { indices: "cells" }),
      node("scatter_add", [32, 34], { indices: "cells" }),
      node("cumulative_sum", [35], { axis: 0 }),
      ...unaryNames.slice(6).map((op) => node(op, [0])),
      node("pow", [0, 1]),
      node("atan2", [0, 1]),
      node("hypot", [0, 1]),
      node("solve", [24, 24]),
      node("det", [24]),
    ],
  );
}

/**
 * Returns a small graph whose names are those of `Object.prototype`, with a scalar and a tensor of no
 * elements.
 */
export function awkwardNames(): { [key: string]: Json } {
  return graph(
    [
      ["constructor", []],
      ["toString", [0, 3]],
    ],
    [
      ["__proto__", [], "real"],
      ["hasOwnProperty", [0], "index"],
    ],
    [
      node("constant", [], { name: "__proto__" }),
      node("add", [0, 2]),
      node("take", [1], { axis: 0, indices: "hasOwnProperty" }),
    ],
  );
}

/** Returns a tensor's JSON whose elements are 0, 1, 2, … modulo 3. */
export function tensor(shape: number[]): { [key: string]: Json } {
  const size = shape.reduce((product, extent) => product * extent, 1);
  const texts = ["0x0p+0", "0x1p+0", "0x1p+1"];
  return { shape, data: Array.from({ length: size }, (_, i) => texts[i % 3] ?? "") };
}

/** Returns a case over {@link everyOperator}. */
export function everyCase(): { [key: string]: Json } {
  return {
    format: "adjudge.case.v1",
    graph: everyOperator(),
    point: {
      inputs: [tensor([2, 3]), tensor([2, 3])],
      environment: { c: tensor([2, 3]), rows: tensor([4]), cells: tensor([3, 2]), key: tensor([2]) },
    },
    tangents: [tensor([2, 3]), tensor([2, 3])],
    seeds: [
      { id: 24, cotangent: tensor([3, 3]) },
      { id: 0, cotangent: tensor([2, 3]) },
    ],
    note: "every operator once",
  };
}

/** Returns a case over {@link awkwardNames}. */
export function awkwardCase(): { [key: string]: Json } {
  const environment = Object.fromEntries([
    ["__proto__", tensor([])],
    ["hasOwnProperty", tensor([0])],
  ]);
  return {
    format: "adjudge.case.v1",
    graph: awkwardNames(),
    point: { inputs: [tensor([]), tensor([0, 3])], environment },
    tangents: [tensor([]), tensor([0, 3])],
    seeds: [],
  };
}

/** Returns a vector over {@link everyCase} with a set of every kind, but for its id. */
export function everyVector(): { [key: string]: Json } {
  const { format: _, ...question } = everyCase();
  const exact = { kind: "exact", value: "-1/3" };
  const enclosure = { kind: "enclosure", low: "-0x1.8p-1", high: "inf" };
  return {
    format: "adjudge.vector.v1",
    id: "0".repeat(64),
    clause: "3.4",
    defects: ["A01"],
    links: ["https://example.org"],
    ...question,
    dtype: "float32",
    policy: { name: "maximumAtTie", choices: ["first", "second"] },
    expected: {
      values: [
        { id: 0, sets: [exact, enclosure, { kind: "nan" }, { kind: "any" }, { kind: "undecided" }, exact] },
      ],
      tangents: [
        {
          id: 1,
          sets: [
            { kind: "one_of", members: [exact, { kind: "nan" }] },
            { kind: "hull", members: [exact, enclosure] },
            exact,
            exact,
            exact,
            exact,
          ],
        },
      ],
      cotangents: [{ id: 0, sets: [exact, exact, exact, exact, exact, exact] }],
    },
    flags: ["tie", "hidden_by_ones"],
  };
}

/** Returns a node that is the derivative of an inner graph of one input, by it. */
export function derivativeOfGraph(
  inner: Json,
  parents: number[],
  attributes: { [name: string]: Json } = {},
): Json {
  return node("differentiate", parents, { graph: inner, mode: "jvp", of: 1, wrt: 0, ...attributes });
}

/** Returns a derivative of a derivative, with entries of Δ that the inner graphs read. */
export function nestedGraphs(): { [key: string]: Json } {
  const entries: [string, number[], string][] = [
    ["c", [3], "real"],
    ["rows", [2], "index"],
  ];
  const innermost = graph([["x", [3]]], entries, [
    node("take", [0], { axis: 0, indices: "rows" }),
    node("constant", [], { name: "c" }),
    node("multiply", [0, 2]),
    node("sum", [3], { axes: [0], keepdims: false }),
    node("tanh", [4]),
  ]);
  const middle = graph(
    [
      ["x", [3]],
      ["xDot", [3]],
    ],
    entries,
    [derivativeOfGraph(innermost, [0, 1], { of: 5 }), node("softmax", [0], { axis: 0 })],
  );
  return graph(
    [
      ["x", [3]],
      ["c̄", []],
    ],
    entries,
    [derivativeOfGraph(middle, [0, 0, 1], { mode: "vjp", of: 2 }), node("add", [0, 2])],
  );
}
