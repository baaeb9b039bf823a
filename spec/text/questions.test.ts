import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { type Drawing, drawings, drawnAt } from "../../oracle/generate/index.ts";
import { graph } from "../builder/index.ts";
import { operatorNames } from "../composites/index.ts";
import { type CaseData, checkCase, checkGraph, checkVector, encodeCase } from "../documents/index.ts";
import type { Graph } from "../graph/index.ts";
import { sampled } from "../sampled.test.kit.ts";
import { present } from "../shapes/index.ts";
import { awkwardCase, awkwardNames, everyCase, everyOperator, nestedGraphs } from "../specimens.test.data.ts";
import { caseText, frameOf, graphText, measuredText, readText, type TextDocument } from "./index.ts";

/** Returns the documents of a text that has no fault. */
function documentsOf(text: string): readonly TextDocument[] {
  const read = readText(text);
  if (read.ok) return read.value;
  throw new Error(read.error.map((fault) => frameOf("text", text, fault).join("\n")).join("\n"));
}

function graphOf(text: string): Graph {
  const checked = checkGraph(documentsOf(text)[0]?.json);
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value;
}

/** Shows every fault of a text. */
function shown(text: string): string[] {
  const read = readText(text);
  return read.ok ? [] : read.error.map((fault) => frameOf("f.adj", text, fault).join("\n"));
}

/** Tells whether a case is read from its text as the same case. */
function isSame(question: CaseData, text: string): boolean {
  const read = readText(text);
  const checked = read.ok ? checkCase(read.value[0]?.json) : read;
  return checked.ok && isDeepStrictEqual(encodeCase(checked.value), encodeCase(question));
}

describe("a text of calls", () => {
  test("is a case that is asked these in order, and is written so", () => {
    const text = `graph f(x: [])
  y = x * x
at x = 3
ask jvp
ask vjp with other seeds
ask evaluate loaded anew
`;
    const checked = checkCase(documentsOf(text)[0]?.json);
    if (!checked.ok) throw new Error(JSON.stringify(checked.error));
    expect(checked.value.calls).toEqual([
      { mode: "jvp" },
      { mode: "vjp", change: "seeds" },
      { mode: "evaluate", change: "load" },
    ]);
    expect(caseText(checked.value)).toContain(
      "ask jvp\nask vjp with other seeds\nask evaluate loaded anew\n",
    );
    expect(isSame(checked.value, caseText(checked.value))).toBe(true);
  });

  test("has no other calls, and is no vector", () => {
    expect(shown("graph f(x: [])\nat x = 3\nask vjp loaded again\n")[0]).toContain(
      'text/ask: there is no call "vjp loaded again".',
    );
    expect(shown("graph f(x: [])\nat x = 3\nask vjp\nexpect cotangent x = 1\n")[0]).toContain("calls");
  });
});

describe("a text", () => {
  test("of a graph, a point, a seed and an expectation is a vector", () => {
    const text = `# the gradient of x² at 3
graph square(x: [])
  y = x * x
at x = 3
seed y = 1
expect cotangent x = 6
`;
    const [document] = documentsOf(text);
    expect(document?.name).toBe("square");
    const vector = checkVector(document?.json);
    expect(vector).toMatchObject({
      ok: true,
      value: {
        dtype: "float64",
        expected: {
          values: [],
          tangents: [],
          cotangents: [{ id: 0, sets: [{ kind: "exact", value: "6" }] }],
        },
      },
    });
    const question = vector.ok ? vector.value.case : expect.unreachable("it is a vector");
    expect(question.seeds.map(({ id, cotangent }) => [id, ...cotangent.data])).toEqual([[1, 1]]);
    // What is left out is filled in with numbers that differ from 1 and each other.
    expect(question.tangents.map(({ data }) => [...data])).toEqual([[1.5]]);
  });

  test("stands for the graph that the builder makes of it, broadcasts and numbers included", () => {
    const built = graph(({ input, parameter, indices, take, where }) => {
      const x = input("x", [2, 3]);
      const w = input("w", [3]);
      const c = parameter("c", [3]);
      const i = indices("i", [2]);
      const scaled = x.multiply(w).add(2).subtract(c);
      const powered = scaled.negative().pow(3).divide(c);
      take(where(powered.less(0.5), powered, -1), { axis: 1, indices: i }).sum({
        axes: [0, 1],
        keepdims: false,
      });
    });
    const text = `graph f(x: [2, 3], w: [3]) given (c: [3], i: index [2])
  scaled = x * w + 2 - c
  powered: [2, 3] = (-scaled) ** 3 / c
  sum(take(where(powered < 0.5, powered, -1), axis=1, indices=i))
`;
    // The builder makes a constant where it is declared, a text where it is named.
    expect(
      graphOf(text)
        .nodes.map(({ op }) => op)
        .toSorted(),
    ).toEqual(built.nodes.map(({ op }) => op).toSorted());
  });

  test("binds signs as Python does", () => {
    const nodes = (line: string): readonly string[] =>
      graphOf(`graph f(x, y, z)\n  ${line}\n`).nodes.map(({ op, parents }) => `${op} ${parents.join(" ")}`);
    expect(nodes("-x ** y")).toEqual(["pow 0 1", "negative 3"]);
    expect(nodes("(-x) ** y")).toEqual(["negative 0", "pow 3 1"]);
    expect(nodes("x ** y ** z")).toEqual(["pow 1 2", "pow 0 3"]);
    expect(nodes("x - y - z")).toEqual(["subtract 0 1", "subtract 3 2"]);
    expect(nodes("x + y * z < z")).toEqual(["multiply 1 2", "add 0 3", "less 4 2"]);
  });

  test("has derivatives of graphs within it, which may name the entries of Δ around", () => {
    const { nodes } = graphOf(`graph f(x: [3], t: [3]) given (c: [3])
  d = vjp (u: [3]) => { s = u * u; sum(s * c) } by u at x along 1
  derivative (u: [3]) => exp(u) at d
`);
    expect(nodes.map(({ op }) => op)).toEqual(["full", "differentiate", "full", "differentiate"]);
    expect(nodes[1]).toMatchObject({
      attributes: { mode: "vjp", of: 4, wrt: 0, graph: { environment: [{ name: "c" }] } },
    });
  });
});

describe("what is written is read as the same", () => {
  const profiles = [...drawings.values()].flatMap((drawing: Drawing) =>
    Array.from({ length: 40 }, (_, index) => [drawing, index] as const),
  );
  const drawn = sampled("texts of cases", profiles, 120).map(([drawing, index]) => ({
    name: `${drawing.name} ${index}`,
    question: drawnAt(drawing, operatorNames, 11, index),
  }));

  test.each(drawn)("case $name", ({ question }) => {
    expect(isSame(question, caseText(question))).toBe(true);
    expect(isSame(question, caseText(question, "f", "nested"))).toBe(true);
  });

  const graphs = [everyOperator(), awkwardNames(), nestedGraphs()];
  test.each([...graphs.entries()])("graph %i of those with every operator, and nested ones", (_, json) => {
    const checked = checkGraph(json);
    if (!checked.ok) throw new Error(JSON.stringify(checked.error));
    expect(graphOf(graphText(checked.value))).toEqual(checked.value);
    expect(graphOf(graphText(checked.value, "f", { hasShapes: true }))).toEqual(checked.value);
    expect(graphOf(graphText(checked.value, "f", { named: new Set() }))).toEqual(checked.value);
  });

  test.each([
    ...[everyCase(), awkwardCase()].entries(),
  ])("case %i with awkward names and numbers", (_, json) => {
    const checked = checkCase(json);
    if (!checked.ok) throw new Error(JSON.stringify(checked.error));
    expect(isSame(checked.value, caseText(checked.value))).toBe(true);
  });

  test("where values stand in each other deeper than a reader takes", () => {
    const nodes = Array.from({ length: 10_000 }, (_, i) => ({ op: "exp", attributes: {}, parents: [i] }));
    const inputs = [{ name: "x", shape: [] }];
    const chain = { format: "adjudge.graph.v1", inputs, environment: [], nodes };
    const checked = checkGraph(chain);
    const text = checked.ok ? measuredText(checked.value, {}, "chain", "nested") : "";
    expect(graphOf(text)).toEqual(chain);
    expect(text.split("\n").length).toBeLessThan(500);
  });

  test("would not be, were two operands written the other way round, or a number rounded", () => {
    const { question } = present(drawn[0], "a case");
    const subtraction = documentsOf("graph f(x, y)\n  x - y\nat x = 0.1, y = 3\n")[0]?.json;
    const checked = checkCase(subtraction);
    if (!checked.ok) throw new Error("no case");
    const text = caseText(checked.value);
    expect(isSame(checked.value, text)).toBe(true);
    expect(isSame(checked.value, text.replace("x - y", "y - x"))).toBe(false);
    expect(isSame(checked.value, text.replace("0.1", "0.10000000000000002"))).toBe(false);
    expect(isSame(question, text)).toBe(false);
  });
});

describe("a mistake", () => {
  test("hides no other, and each is shown where it is", () => {
    const text = `graph f(x: [3], y: [2])
  a = x * y
  b = sum(x, axes=[0]
  c = softmx(x, axis=0)
at x = [1, 2], y = 0
`;
    expect(shown(text)).toEqual([
      `shape/broadcast: [3] and [2] do not broadcast to one shape.
 --> f.adj:2:7
  |
2 |   a = x * y
  |       ^^^^^ extents must be equal or 1, counted from the last axis`,
      `text/syntax: expected ")", found the end of the line.
 --> f.adj:3:22
  |
3 |   b = sum(x, axes=[0]
  |                      ^ close the bracket; a line that goes on is indented further than it began`,
      `text/operator: there is no operator "softmx".
 --> f.adj:4:7
  |
4 |   c = softmx(x, axis=0)
  |       ^^^^^^ did you mean "softmax"?`,
      `text/shape: a list of 2 stands where a list of 3 is due.
 --> f.adj:5:8
  |
5 | at x = [1, 2], y = 0
  |        ^^^^^^ the shape is [3] here; one number outside of any list stands for all elements`,
    ]);
  });

  test("in a line does not make its name unknown to the lines that read it", () => {
    const text = "graph f(x)\n  e = exp(x\n  s: [] = (x\n  y = e * s + z\n";
    expect(shown(text).map((frame) => frame.split("\n")[0])).toEqual([
      'text/syntax: expected ")", found the end of the line.',
      'text/syntax: expected ")", found the end of the line.',
      'text/name: there is no value "z".',
    ]);
  });

  test.each([
    ["graph f(x)\n  y = x * z\n", "text/name", "z"],
    ["graph f(x)\n  x = x * x\n", "text/name-twice", "x"],
    ["graph f(x, x)\n  x * x\n", "text/name-twice", "x"],
    ["graph f(x)\n  %3 = x * x\n", "text/id", "%3"],
    ["graph f(x)\n  y = sum(x, axis=0)\n", "schema/", "sum(x, axis=0)"],
    ["graph f(x)\n  y = exp(x, x)\n", "text/operands", "exp(x, x)"],
    ["graph f(x)\n  y: [3] = exp(x)\n", "text/shape", "y: [3] = exp(x)"],
    ["graph f(x)\n  y = inf\n", "text/name", "inf"],
    ["graph f(x)\n   y = x\n  z = x\n", "text/indentation", "z"],
    ["graph f(x)\n  call g(x)\n", "text/program", "call g(x)"],
    ["graph f(x)\n  exp(x)\nat y = 3\n", "text/name", "y"],
    ["graph f(x)\n  exp(x)\nseed %1 = 3\n", "text/point", "graph"],
    ["graph f(x)\n  exp(x)\nat x = 3\nat x = 4\n", "text/twice", "x"],
    ["graph f(x)\n  exp(x)\nat x = one\n", "text/number", "one"],
    ["graph f(x)\n  exp(x)\nat x = 1\nexpect gradient x = 1\n", "text/expect", "gradient"],
    ["graph f(x)\n  exp(x)\nat x = 1\nexpect value %1 = foo\n", "text/set", "foo"],
    ["graph f(x)\n  exp(x)\nat x = 1\nprecision float63\nclause 3.2\n", "text/precision", "float63"],
    ["graph f(x)\n  exp(x)\nat x = 1\nflags odd\nclause 3.2\n", "schema/enum", "odd"],
    ["graph f(x)\n  if x:\n    exp(x)\n", "text/statement", "if"],
    ["at x = 3\n", "text/place", "at x = 3"],
    ["# nothing\n", "text/empty", ""],
    ["graph f(x: [1.5])\n  exp(x)\n", "shape/", "x"],
    ["graph f(x)\n  y = x § x\n", "text/character", "§"],
    ["graph f(x: [2000000, 2000000])\n  exp(x)\n", "shape/", "x"],
    ["graph f(x)\n  y = vjp (u) => u * u at x\n", "text/along", "vjp"],
  ])("in %j has its code and its place", (text, code, where) => {
    const read = readText(text);
    const [fault] = read.ok ? [] : read.error;
    expect(fault?.code.startsWith(code) === true ? code : fault).toBe(code);
    expect(text.slice(fault?.place.start, fault?.place.end)).toBe(where);
    expect(fault?.hint.length).toBeGreaterThan(5);
  });
});
