import { describe, expect, it } from "vitest";
import { operatorNames } from "../composites/operators.ts";
import { primitiveNames } from "../operators/table.ts";
import { formatIssue } from "../shapes/result.ts";
import { awkwardNames, everyOperator, graph, type Json, node } from "../specimens.test.data.ts";
import { checkGraph, checkGraphText } from "./check.ts";

/** Returns `code pointer` of every issue; nothing if there is none. */
function faultsOf(json: unknown): string[] {
  const checked = checkGraph(json);
  return checked.ok ? [] : checked.error.map(({ code, pointer }) => `${code} ${pointer}`);
}

/** Returns a graph of these nodes with input `x` [2,3] and entries `c` (real) and `i` (index), both [2]. */
function withNodes(...nodes: Json[]): Json {
  const environment: [string, number[], string][] = [
    ["c", [2], "real"],
    ["i", [2], "index"],
  ];
  return graph([["x", [2, 3]]], environment, nodes);
}

describe("checkGraph", () => {
  it.each([
    ["every operator", everyOperator()],
    ["the names of Object.prototype", awkwardNames()],
    ["nothing at all", graph([], [], [])],
  ])("returns a graph of %s as it was written", (_, json) => {
    expect(checkGraph(json)).toEqual({ ok: true, value: json });
  });

  it("is shown every primitive by these tests", () => {
    const text = JSON.stringify(everyOperator().nodes);
    for (const op of primitiveNames) expect(text).toContain(`"op":"${op}"`);
  });

  it("returns data that shares nothing with its argument", () => {
    const json = everyOperator();
    const checked = checkGraph(json);
    const before = JSON.stringify(checked);
    JSON.stringify(json, (_, value: unknown) => {
      if (Array.isArray(value)) value.fill(99);
      return value;
    });
    expect(JSON.stringify(checked)).toBe(before);
  });

  it("turns −0, which JSON has, into 0", () => {
    const checked = checkGraphText(
      '{"format":"adjudge.graph.v1","inputs":[{"name":"x","shape":[-0]}],"environment":[],"nodes":[{"op":"sin","attributes":{},"parents":[-0]}]}',
    );
    expect(checked).toEqual({ ok: true, value: graph([["x", [0]]], [], [node("sin", [0])]) });
  });

  it.each<[string, Json, string[]]>([
    ["no object", 5, ["schema/type "]],
    ["an array", [], ["schema/type "]],
    ["another format", { ...graph([], [], []), format: "v2" }, ["schema/const /format"]],
    ["an unknown property", { ...graph([], [], []), extra: 1 }, ["schema/additionalProperties /extra"]],
    ["no nodes", { ...graph([], [], []), nodes: null }, ["schema/type /nodes"]],
    ["an empty name", graph([["", []]], [], []), ["schema/minLength /inputs/0/name"]],
    ["half a character in a name", graph([["\ud800", []]], [], []), ["graph/name /inputs/0/name"]],
    ["a break in a name", graph([["a\nend", []]], [], []), ["graph/name /inputs/0/name"]],
    ["a mark of direction", graph([], [["\u202e", [], "real"]], []), ["graph/name /environment/0/name"]],
    [
      "a name for an input and an environment entry",
      graph([["x", []]], [["x", [], "real"]], []),
      ["graph/name-twice /environment/0/name"],
    ],
    ["a shape of 10¹²", graph([["x", [1e6, 1e6]]], [], []), ["shape/too-large /inputs/0/shape"]],
    ["10¹² beside a 0", graph([["x", [0, 1e12]]], [], []), ["shape/too-large /inputs/0/shape"]],
    ["a fractional extent", graph([["x", [0.5]]], [], []), ["schema/type /inputs/0/shape/0"]],
    ["33 axes", graph([["x", new Array(33).fill(1)]], [], []), ["schema/maxItems /inputs/0/shape"]],
    ["a kind of entry", graph([], [["c", [], "complex"]], []), ["schema/enum /environment/0/kind"]],
    ["a node without op", withNodes({ parents: [] }), ["schema/required /nodes/0"]],
    ["an unknown operator", withNodes(node("mul", [0, 0])), ["graph/operator /nodes/0/op"]],
    ["an operator named like a method", withNodes(node("constructor", [0])), ["graph/operator /nodes/0/op"]],
    ["a parent too few", withNodes(node("add", [0])), ["graph/arity /nodes/0/parents"]],
    ["a concat of nothing", withNodes(node("concat", [], { axis: 0 })), ["graph/arity /nodes/0/parents"]],
    [
      "a missing attribute",
      withNodes(node("sum", [0], { axes: [] })),
      ["schema/required /nodes/0/attributes"],
    ],
    [
      "an attribute of another operator",
      withNodes(node("sin", [0], { axis: 0 })),
      ["schema/additionalProperties /nodes/0/attributes/axis"],
    ],
    ["a fractional parent", withNodes(node("sin", [0.5])), ["schema/type /nodes/0/parents/0"]],
    ["a negative parent", withNodes(node("sin", [-1])), ["schema/minimum /nodes/0/parents/0"]],
    ["a parent over 2⁵³", withNodes(node("sin", [1e300])), ["schema/maximum /nodes/0/parents/0"]],
    ["itself as a parent", withNodes(node("add", [0, 1])), ["graph/parent-order /nodes/0/parents/1"]],
    [
      "a later parent",
      withNodes(node("sin", [2]), node("sin", [0])),
      ["graph/parent-order /nodes/0/parents/0"],
    ],
    [
      "operands of two shapes",
      withNodes(node("sum", [0], { axes: [0], keepdims: true }), node("add", [0, 1])),
      ["shape/mismatch /nodes/1"],
    ],
    ["an axis too high", withNodes(node("concat", [0], { axis: 2 })), ["shape/axis /nodes/0"]],
    [
      "a value of 10¹² elements",
      withNodes(
        node("sum", [0], { axes: [0, 1], keepdims: false }),
        node("broadcast_to", [1], { shape: [1e12] }),
      ),
      ["shape/too-large /nodes/1"],
    ],
    [
      "an undeclared constant",
      withNodes(node("constant", [], { name: "toString" })),
      ["graph/environment /nodes/0"],
    ],
    [
      "an index entry as a constant",
      withNodes(node("constant", [], { name: "i" })),
      ["graph/environment /nodes/0"],
    ],
    [
      "a real entry as indices",
      withNodes(node("take", [0], { axis: 0, indices: "c" })),
      ["graph/environment /nodes/0"],
    ],
    [
      "a number beyond float64",
      withNodes(node("full", [], { shape: [], value: Number.POSITIVE_INFINITY })),
      ["schema/type /nodes/0/attributes/value"],
    ],
    [
      "a rate that is no probability",
      withNodes(node("bernoulli_mask", [], { shape: [], key: "i", rate: 1.5 })),
      ["schema/maximum /nodes/0/attributes/rate"],
    ],
    [
      "a real entry as a key",
      withNodes(node("bernoulli_mask", [], { shape: [], key: "c", rate: 0.5 })),
      ["graph/environment /nodes/0"],
    ],
    [
      "a step of 0",
      withNodes(node("slice", [0], { starts: [0, 0], stops: [2, 3], steps: [1, -0] })),
      ["shape/step /nodes/0"],
    ],
    [
      "a fractional start",
      withNodes(node("slice", [0], { starts: [0, 0.5], stops: [2, 3], steps: [1, 1] })),
      ["schema/type /nodes/0/attributes/starts/1"],
    ],
    [
      "a slice of one axis of two",
      withNodes(node("slice", [0], { starts: [0], stops: [2], steps: [1] })),
      ["shape/axes /nodes/0"],
    ],
    [
      "a negative padding",
      withNodes(node("pad", [0], { low: [0, -1], high: [0, 0], interior: [0, 0] })),
      ["schema/minimum /nodes/0/attributes/low/1"],
    ],
    [
      "a padding to over 2²⁷ elements",
      withNodes(node("pad", [0], { low: [0, 0], high: [0, 0], interior: [2 ** 27, 0] })),
      ["shape/too-large /nodes/0"],
    ],
    [
      "rows of indices longer than the rank",
      withNodes(node("sum", [0], { axes: [0], keepdims: false }), node("gather", [1], { indices: "i" })),
      ["shape/rank /nodes/1"],
    ],
    [
      "updates of another shape",
      withNodes(node("scatter_add", [0, 0], { indices: "i" })),
      ["shape/mismatch /nodes/0"],
    ],
    [
      "indices of another shape",
      withNodes(node("take_along_axis", [0], { axis: 0, indices: "i" })),
      ["shape/mismatch /nodes/0"],
    ],
  ])("refuses %s, and says where", (_, json, faults) => expect(faultsOf(json)).toEqual(faults));

  it("does not blame what is wrong only because something before it is", () => {
    const faults = faultsOf(
      graph(
        [["x", [-1]]],
        [["c", [0.5], "real"]],
        [
          node("add", [0, 0]),
          node("mul", [0, 0]),
          node("sum", [1], { axes: [9], keepdims: true }),
          node("constant", [], { name: "c" }),
          node("sin", [9]),
        ],
      ),
    );
    expect(faults).toEqual([
      "schema/minimum /inputs/0/shape/0",
      "schema/type /environment/0/shape/0",
      "graph/operator /nodes/1/op",
      "graph/parent-order /nodes/4/parents/0",
    ]);
  });

  it.each([
    ["mul", 'did you mean "multiply"?'],
    ["Matmul", 'did you mean "matmul"?'],
    ["substract", 'did you mean "subtract"?'],
    ["sum_all", 'did you mean "sum"?'],
    ["convolution", `the operators are ${operatorNames.join(", ")}`],
  ])("suggests the operator that %s was meant to be", (op, hint) => {
    const checked = checkGraph(withNodes(node(op, [0])));
    expect(checked.ok ? "" : checked.error[0]?.hint).toBe(hint);
  });

  it("writes issues that a person can act on", () => {
    const checked = checkGraph(withNodes(node("add", [0, 7])));
    expect(checked.ok ? "" : checked.error.map(formatIssue)).toEqual([
      "graph/parent-order at /nodes/0/parents/1: the parent's id is not smaller than the node's own, which is 1. Hint: ids count the inputs first, then the nodes, from 0; a node reads only what stands before it",
    ]);
  });

  it("stops after 100 issues", () => {
    const many = new Array(1000).fill(node("mul", []));
    expect(faultsOf(withNodes(...many))).toHaveLength(100);
    const declarations = new Array(1000).fill({ name: "x", shape: [-1] });
    expect(faultsOf({ ...graph([], [], many), inputs: declarations })).toHaveLength(100);
  });
});

describe("checkGraphText", () => {
  it("reads the graph that the text denotes", () => {
    expect(checkGraphText(JSON.stringify(everyOperator()))).toEqual({ ok: true, value: everyOperator() });
  });

  it("gives the place of a syntax error", () => {
    const checked = checkGraphText('{\n  "format": adjudge\n}');
    expect(checked.ok ? "" : checked.error.map(formatIssue)).toEqual([
      "json/syntax at the document: this is not JSON: line 2, column 13. Hint: expected there: a value",
    ]);
  });
});
