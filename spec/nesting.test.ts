import { describe, expect, it, test } from "vitest";
import { checkCase } from "./documents/case.ts";
import { checkGraph, checkGraphText } from "./documents/check.ts";
import { decodePoint } from "./documents/point.ts";
import { effortOf, overBudget } from "./expansion/budget.ts";
import { expand } from "./expansion/expand.ts";
import { expandedIndexLimitsOf } from "./expansion/index_limits.ts";
import type { Graph } from "./graph/graph.ts";
import { InvariantError } from "./shapes/result.ts";
import { derivativeOfGraph, graph, type Json, nestedGraphs, node } from "./specimens.test.data.ts";

/** Returns `code pointer` of every issue; nothing if there is none. */
function faultsOf(json: unknown): string[] {
  const checked = checkGraph(json);
  return checked.ok ? [] : checked.error.map(({ code, pointer }) => `${code} ${pointer}`);
}

function checkedGraph(json: unknown): Graph {
  const checked = checkGraph(json);
  if (!checked.ok) throw new InvariantError(JSON.stringify(checked.error));
  return checked.value;
}

const sine = graph([["x", [2]]], [], [node("sin", [0])]);

/** A graph of these nodes with two inputs [2], a scalar, and entries `c` (real) and `i` (index). */
function around(...nodes: Json[]): Json {
  const inputs: [string, number[]][] = [
    ["x", [2]],
    ["y", [2]],
    ["z", []],
  ];
  return graph(
    inputs,
    [
      ["c", [2], "real"],
      ["i", [2], "index"],
    ],
    nodes,
  );
}

const inner = "/nodes/0/attributes/graph";

describe("checkGraph of a graph with inner graphs", () => {
  it("returns it as it was written", () => {
    const json = nestedGraphs();
    expect(JSON.stringify(checkGraph(json))).toBe(JSON.stringify({ ok: true, value: json }));
  });

  it.each<[string, Json, string]>([
    [
      "no graph at all",
      node("differentiate", [0, 1], { mode: "jvp", of: 1, wrt: 0 }),
      "schema/required /nodes/0/attributes",
    ],
    ["text for a graph", derivativeOfGraph("sine", [0, 1]), "schema/type /nodes/0/attributes/graph"],
    ["another format", derivativeOfGraph({ ...sine, format: "v2" }, [0, 1]), `schema/const ${inner}/format`],
    [
      "a graph without nodes' list",
      derivativeOfGraph({ ...sine, nodes: 3 }, [0, 1]),
      `schema/type ${inner}/nodes`,
    ],
    [
      "an inner node that reads itself",
      derivativeOfGraph({ ...sine, nodes: [node("sin", [1])] }, [0, 1]),
      `graph/parent-order ${inner}/nodes/0/parents/0`,
    ],
    [
      "an inner operator that there is not",
      derivativeOfGraph({ ...sine, nodes: [node("sine", [0])] }, [0, 1]),
      `graph/operator ${inner}/nodes/0/op`,
    ],
    [
      "inner shapes that do not fit",
      derivativeOfGraph({ ...sine, nodes: [node("matmul", [0, 0])] }, [0, 1]),
      `shape/rank ${inner}/nodes/0`,
    ],
    [
      "a fault two levels down",
      derivativeOfGraph(
        { ...sine, nodes: [derivativeOfGraph({ ...sine, nodes: [node("sin", [])] }, [0, 0])] },
        [0, 1],
      ),
      `graph/arity ${inner}/nodes/0/attributes/graph/nodes/0/parents`,
    ],
    [
      "a mode that there is not",
      derivativeOfGraph(sine, [0, 1], { mode: "grad" }),
      "schema/enum /nodes/0/attributes/mode",
    ],
    ["an of that is no id", derivativeOfGraph(sine, [0, 1], { of: 2 }), "derive/id /nodes/0"],
    ["an of below 0", derivativeOfGraph(sine, [0, 1], { of: -1 }), "schema/minimum /nodes/0/attributes/of"],
    ["a wrt that is no id", derivativeOfGraph(sine, [0, 1], { wrt: 7 }), "derive/id /nodes/0"],
    ["a wrt that is computed", derivativeOfGraph(sine, [0, 1], { wrt: 1 }), "derive/id /nodes/0"],
    ["an operand too few", derivativeOfGraph(sine, [0]), "graph/arity /nodes/0"],
    ["an operand too many", derivativeOfGraph(sine, [0, 1, 1]), "graph/arity /nodes/0"],
    ["an operand of another shape", derivativeOfGraph(sine, [2, 1]), "shape/mismatch /nodes/0"],
    ["a tangent of another shape", derivativeOfGraph(sine, [0, 2]), "shape/mismatch /nodes/0"],
    [
      "a cotangent of another shape",
      derivativeOfGraph(sine, [0, 2], { mode: "vjp" }),
      "shape/mismatch /nodes/0",
    ],
    [
      "an entry of Δ that is not declared outside",
      derivativeOfGraph({ ...sine, environment: [{ name: "d", kind: "real", shape: [2] }] }, [0, 1]),
      "graph/environment /nodes/0",
    ],
    [
      "an entry of Δ that is of another kind outside",
      derivativeOfGraph({ ...sine, environment: [{ name: "i", kind: "real", shape: [2] }] }, [0, 1]),
      "graph/environment /nodes/0",
    ],
    [
      "an entry of Δ that has another shape outside",
      derivativeOfGraph({ ...sine, environment: [{ name: "c", kind: "real", shape: [3] }] }, [0, 1]),
      "graph/environment /nodes/0",
    ],
    [
      "an inner node that reads the Δ around it, undeclared",
      derivativeOfGraph({ ...sine, nodes: [node("constant", [], { name: "c" })] }, [0, 1]),
      `graph/environment ${inner}/nodes/0`,
    ],
  ])("refuses %s", (_, json, fault) => {
    expect(faultsOf(around(json))).toEqual([fault]);
  });

  it("says in its hint what would be right", () => {
    const checked = checkGraph(around(derivativeOfGraph(sine, [0])));
    expect(checked).toMatchObject({ error: [{ hint: expect.stringContaining("a parent for each input") }] });
  });
});

/** Returns `levels` derivatives around a chain, each multiplied by the operand. */
function nested(levels: number, chain: Json[], mode: "jvp" | "vjp"): Json {
  let within = graph([["x", []]], [], chain);
  let of = chain.length;
  for (let level = 0; level < levels; level++) {
    within = graph(
      [["x", []]],
      [],
      [
        node("full", [], { shape: [], value: 1 }),
        derivativeOfGraph(within, [0, 1], { mode, of }),
        node("multiply", [0, 2]),
      ],
    );
    of = 3;
  }
  return within;
}

/** Nests so many levels of so many derivatives each, of the level below. */
function selfSimilar(levels: number, width: number): Json {
  let within = graph([["x", []]], [], [node("sin", [0])]);
  let of = 1;
  for (let level = 0; level < levels; level++) {
    const below = { graph: within, of };
    within = graph(
      [["x", []]],
      [],
      Array.from({ length: width }, (_, id) => derivativeOfGraph(below.graph, [id, 0], { of: below.of })),
    );
    of = width;
  }
  return within;
}

const chainOf = (op: string, length: number, twice: boolean): Json[] =>
  Array.from({ length }, (_, id) => node(op, twice ? [id, id] : [id]));

describe("graphs within graphs within graphs", () => {
  it("are well-formed eight deep, and nine deep refused where the ninth stands", () => {
    expect(faultsOf(nested(8, [node("negative", [0])], "jvp"))).toEqual([]);
    const ninth = `/nodes/1/attributes/graph`.repeat(9);
    expect(faultsOf(nested(9, [node("negative", [0])], "jvp"))).toEqual([`graph/nesting ${ninth}`]);
  });

  it.each<[string, () => Json]>([
    ["eight levels of ten nodes", () => nested(8, chainOf("tanh", 10, false), "vjp")],
    ["eight levels of ten powers", () => nested(8, chainOf("pow", 10, true), "jvp")],
    ["eight levels of two", () => selfSimilar(8, 2)],
  ])("are refused where they stand for too much: %s", (_, json) => {
    const faults = faultsOf(json());
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(/^graph\/expansion \/nodes/);
  });

  it("count together: what each of many inner graphs stands for is written out once, and then no more", () => {
    // The derivative of the first node is small; what stands behind it is not.
    const heavy = graph([["x", [30]]], [], chainOf("cos", 3_000, false));
    const many = graph(
      [["x", [30]]],
      [],
      Array.from({ length: 100 }, () => derivativeOfGraph(heavy, [0, 0], { of: 1 })),
    );
    const checked = checkGraph(many);
    expect(checked.ok ? [] : checked.error.map(({ code }) => code)).toEqual(["graph/expansion"]);
  });

  it("take no stack, as a text 64 deep or as data a hundred thousand deep", () => {
    let deep: Json = sine;
    for (let level = 0; level < 100_000; level++)
      deep = { ...sine, nodes: [derivativeOfGraph(deep, [0, 0])] };
    expect(faultsOf(deep)).toEqual([expect.stringMatching(/^graph\/nesting /)]);
    const text = '{"nodes":['.repeat(40) + "]}".repeat(40);
    expect(checkGraphText(text)).toMatchObject({ ok: false, error: [{ code: "json/too-deep" }] });
  });

  it("may declare thousands of entries of Δ", () => {
    const entries = Array.from({ length: 5_000 }, (_, i): [string, number[], string] => [
      `e${i}`,
      [],
      "real",
    ]);
    const within = graph([["x", []]], entries, [node("sin", [0])]);
    expect(faultsOf(graph([["x", []]], entries, [derivativeOfGraph(within, [0, 0])]))).toEqual([]);
  });
});

describe("what is asked of a graph knows its inner graphs", () => {
  // The derivative of id 2 needs no row of x: the node that takes them is in the inner graph alone.
  const rows: [string, number[], string][] = [["rows", [2], "index"]];
  const taking = graph([["x", [3]]], rows, [
    node("take", [0], { axis: 0, indices: "rows" }),
    node("sin", [0]),
  ]);
  const json = graph([["x", [3]]], rows, [derivativeOfGraph(taking, [0, 0], { of: 2 })]);

  test("an index that only an inner graph uses has that graph's limit", () => {
    const checked = checkedGraph(json);
    expect(expand(checked).graph.nodes.map(({ op }) => op)).not.toContain("take");
    expect([...expandedIndexLimitsOf(checked)]).toEqual([["rows", [3]]]);
    const x = { shape: [3], data: [1, 2, 3] };
    const pointWith = (index: number): unknown => ({
      inputs: [x],
      environment: { rows: { shape: [2], data: [0, index] } },
    });
    expect(decode(checked, pointWith(2))).toBe("ok");
    expect(decode(checked, pointWith(3))).toMatch(/^[a-z]+\/[a-z-]+ \/point\/environment\/rows/);
  });

  test("a case's seed at a derivative has the derivative's shape", () => {
    const derived = graph([["x", [2]]], [], [derivativeOfGraph(sine, [0, 0])]);
    const two = { shape: [2], data: [1, 2] };
    const seeded = (cotangent: Json, id: number): unknown => ({
      format: "adjudge.case.v1",
      graph: derived,
      point: { inputs: [two], environment: {} },
      tangents: [two],
      seeds: [{ id, cotangent }],
    });
    expect(checkCase(seeded(two, 1)).ok).toBe(true);
    for (const wrong of [seeded({ shape: [3], data: [1, 2, 3] }, 1), seeded(two, 2)]) {
      const checked = checkCase(wrong);
      expect(checked.ok ? [] : checked.error.map(({ pointer }) => pointer)).toEqual([
        expect.stringMatching(/^\/seeds\/0/),
      ]);
    }
  });

  test("the budget counts what an inner graph stands for", () => {
    const plain = checkedGraph(sine);
    const derived = checkedGraph(graph([["x", [2]]], [], [derivativeOfGraph(sine, [0, 0])]));
    expect(effortOf(derived).work).toBeGreaterThan(effortOf(plain).work);
    expect(overBudget(derived, { elements: 4, work: 100 })?.code).toBe("budget/elements");
  });
});

function decode(checked: Graph, point: unknown): string {
  const decoded = decodePoint(checked, JSON.parse(JSON.stringify(point)), "/point");
  return decoded.ok ? "ok" : decoded.error.map(({ code, pointer }) => `${code} ${pointer}`).join();
}
