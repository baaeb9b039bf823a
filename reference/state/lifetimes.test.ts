import { describe, expect, test } from "vitest";
import {
  expand,
  type Graph,
  graph,
  isPrimitiveGraph,
  nodeId,
  type PrimitiveGraph,
  present,
} from "../../spec/index.ts";
import { countedList, exponentOf } from "../scaling.test.kit.ts";
import { type LifetimeOptions, type Lifetimes, lifetimes, type Wanted } from "./lifetimes.ts";

function primitive(written: Graph): PrimitiveGraph {
  if (!isPrimitiveGraph(written)) throw new Error("composites in it");
  return written;
}

function ids(...positions: readonly number[]): Wanted["of"] {
  return positions.map(nodeId);
}

function livesOf(
  written: Graph,
  of: readonly number[],
  wrt: readonly number[],
  options: LifetimeOptions = {},
): Lifetimes {
  const found = lifetimes(primitive(written), { of: ids(...of), wrt: ids(...wrt) }, options);
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
}

/** Returns each value with its interval, as `1 0–8 for 3 2` or `c2 6–7`. */
function told({ values }: Lifetimes): string[] {
  return values.map((value) => {
    const { born, last } = value;
    const name = value.kind === "entry" ? value.name : value.kind === "primal" ? value.id : `c${value.id}`;
    const needed =
      value.kind !== "cotangent" && value.neededBy.length > 0 ? ` for ${value.neededBy.join(" ")}` : "";
    return `${name} ${born}–${last}${needed}`;
  });
}

const product = graph(({ input }) => {
  const x = input("x", [4]);
  const y = x.exp();
  y.multiply(y.sin()).sum({ axes: [0], keepdims: false });
});

describe("the lifetimes of a run", () => {
  test("have a step for each node, the turn, and a step for each node that is pulled back", () => {
    const { steps, turn } = livesOf(product, [4], [0]);
    expect(steps.map((step) => (step.kind === "turn" ? "turn" : `${step.kind} ${step.id}`))).toEqual([
      ...["forward 1", "forward 2", "forward 3", "forward 4"],
      "turn",
      ...["reverse 4", "reverse 3", "reverse 2", "reverse 1"],
    ]);
    expect(turn).toBe(4);
  });

  test("end with the last rule that reads a value, by the table of needs", () => {
    expect(told(livesOf(product, [4], [0]))).toEqual([
      // exp keeps its value, sin its operand, multiply both operands, sum nothing.
      ...["1 0–8 for 3 2 1", "2 1–6 for 3", "3 2–3", "4 3–8"],
      ...["c4 4–5", "c3 5–6", "c2 6–7", "c1 6–8", "c0 8–8"],
    ]);
  });

  test("count elements", () => {
    expect(livesOf(product, [4], [0]).values.map(({ elements }) => elements)).toEqual([
      4, 4, 4, 1, 1, 4, 4, 4, 4,
    ]);
  });

  test("count inputs and Δ only if they are asked to", () => {
    const written = graph(({ input, indices }) => {
      const x = input("x", [3]);
      const k = indices("k", [2]);
      x.take({ axis: 0, indices: k }).sin();
    });
    expect(told(livesOf(written, [2], [0]))).not.toContain("0 0–4 for 2");
    expect(told(livesOf(written, [2], [0], { countsGiven: true }))).toEqual([
      ...["k 0–4 for 1", "0 0–0", "1 0–3 for 2", "2 1–4"],
      ...["c2 2–3", "c1 3–4", "c0 4–4"],
    ]);
  });

  test("know nothing of what leads to no cotangent that is wanted", () => {
    const written = graph(({ input }) => {
      const [x, y] = [input("x"), input("y")];
      x.multiply(y.exp());
    });
    // Only y's side is pulled: of the operands, x alone is read.
    expect(told(livesOf(written, [3], [0]))).toEqual(["2 0–3 for 3", "3 1–3", "c3 2–3", "c0 3–3"]);
    expect(livesOf(written, [3], [0]).steps).toHaveLength(4);
  });

  test("stop where nothing is pulled back", () => {
    const written = graph(({ input }) => {
      const x = input("x");
      x.exp().stop_gradient().multiply(x.less(1));
    });
    expect(told(livesOf(written, [5], [0]))).toEqual(["1 0–1", "2 1–4", "3 2–3", "4 3–4", "5 4–5"]);
  });

  test("keep wanted cotangents of any id to the end, those of results among them", () => {
    expect(told(livesOf(product, [4, 1], [0, 2, 4]))).toEqual([
      ...["1 0–8 for 3 2 1", "2 1–6 for 3", "3 2–3", "4 3–8"],
      ...["c4 4–8", "c3 5–6", "c2 6–8", "c1 4–8", "c0 8–8"],
    ]);
  });

  test("are those of the turn alone in a graph without nodes", () => {
    const written = graph(({ input }) => input("x"));
    expect(told(livesOf(written, [0], [0], { countsGiven: true }))).toEqual(["0 0–0", "c0 0–0"]);
    expect(livesOf(written, [0], [0]).steps).toEqual([{ kind: "turn" }]);
  });

  test("are refused of ids that are not there, each with its place", () => {
    const refused = lifetimes(primitive(product), { of: ids(4, 5), wrt: ids(9, 0) });
    expect(refused).toMatchObject({
      ok: false,
      error: [
        { code: "lifetimes/id", pointer: "/of/1" },
        { code: "lifetimes/id", pointer: "/wrt/0" },
      ],
    });
  });

  test("are refused where a rule cannot be written", () => {
    const written = primitive(graph(({ input }) => input("x", [100_000, 8, 8]).det()));
    expect(lifetimes(written, { of: ids(1), wrt: ids(0) })).toMatchObject({
      ok: false,
      error: [{ code: "lifetimes/rule", pointer: "/nodes/0" }],
    });
  });
});

describe("the steps to find lifetimes", () => {
  const graphs: Readonly<Record<string, (size: number) => Graph>> = {
    "a chain": (size) =>
      graph(({ input }) => {
        let x = input("x");
        for (let i = 0; i < size; i++) x = x.sin();
      }),
    "a fan": (size) =>
      graph(({ input }) => {
        const x = input("x").sin();
        for (let i = 0; i < size; i++) x.multiply(x);
      }),
    "a row of operands": (size) =>
      graph(({ input }) => {
        const x = input("x", [1]);
        const parts = Array.from({ length: size }, () => x);
        x.concat(...parts, { axis: 0 }).sin();
      }),
  };

  /** Counts what is read of the nodes and of their parents. */
  function counted(written: Graph, find: (counted: PrimitiveGraph, wanted: Wanted) => unknown): number {
    const steps = { count: 0 };
    const nodes = primitive(expand(written).graph).nodes.map((node) => ({
      ...node,
      parents: countedList(steps, node.parents),
    }));
    const last = written.inputs.length + nodes.length - 1;
    find({ ...primitive(written), nodes: countedList(steps, nodes) }, { of: ids(last), wrt: ids(0) });
    return steps.count;
  }

  test.each(Object.entries(graphs))("grow with %s", (_, make) => {
    const exponent = exponentOf((size) => counted(make(size), lifetimes));
    expect(Math.abs(exponent - 1)).toBeLessThan(0.1);
  });

  test("would show a look for the readers of each value anew", () => {
    const anew = ({ nodes }: PrimitiveGraph): unknown =>
      nodes.map((_, id) => nodes.findLastIndex(({ parents }) => parents.some((parent) => parent === id)));
    const chain = present(graphs["a chain"], "a chain");
    expect(exponentOf((size) => counted(chain(size), anew))).toBeGreaterThan(1.5);
  });

  test("are no recursion: 10⁵ nodes have lifetimes too", () => {
    const chain = present(graphs["a chain"], "a chain")(100_000);
    const { values, steps } = livesOf(chain, [100_000], [0]);
    expect(steps).toHaveLength(200_001);
    expect(values).toHaveLength(200_001);
  });
});
