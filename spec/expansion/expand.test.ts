import { describe, expect, test } from "vitest";
import { graph } from "../builder/graph.ts";
import type { Composite } from "../composites/composite.ts";
import { type CompositeRows, compositeNames, composites } from "../composites/table.ts";
import { checkGraph } from "../documents/check.ts";
import type { Graph } from "../graph/graph.ts";
import { isPrimitiveGraph } from "../graph/primitives.ts";
import { InvariantError, ok } from "../shapes/result.ts";
import { exampleOf } from "./example.ts";
import { expand, expandUnless, shapesOf } from "./expand.ts";

const mixed: Graph = graph(({ input }) => {
  const x = input("x", [2]);
  x.exp().square().identity().add(x);
});

describe("expand", () => {
  test("leaves a graph of primitives as it is, the same object", () => {
    const primitive = graph(({ input }) => input("x").exp());
    const { graph: expanded, ids } = expand(primitive);
    expect(expanded).toBe(primitive);
    expect(ids).toEqual([0, 1]);
  });

  test("writes composites out, and says where each id went and whence each node comes", () => {
    const { graph: expanded, ids, origins } = expand(mixed);
    expect(expanded.nodes.map(({ op, parents }) => [op, ...parents])).toEqual([
      ["exp", 0],
      ["multiply", 1, 1],
      ["reshape", 2],
      ["add", 3, 0],
    ]);
    expect(ids).toEqual([0, 1, 2, 3, 4]);
    expect(origins).toEqual([0, 1, 2, 3, 4]);
  });

  test("gives every id one of its own, even to a composite that is its operand", () => {
    const { ids } = expand(graph(({ input }) => input("x").identity().identity()));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("counts the nodes inside a composite to its id", () => {
    const twice = graph(({ input }) => input("x").abs().abs());
    const { graph: expanded, ids, origins } = expand(twice);
    expect(origins).toHaveLength(expanded.nodes.length + 1);
    ids.forEach((id, original) => {
      expect(origins[id]).toBe(original);
    });
    expect(origins).toEqual([...origins].sort((a, b) => a - b));
  });

  test("keeps the composites that an engine has", () => {
    const { graph: kept } = expandUnless(mixed, (op) => op === "square");
    expect(kept.nodes.map(({ op }) => op)).toEqual(["exp", "square", "reshape", "add"]);
  });

  test("throws on a graph that checkGraph refuses", () => {
    const [node] = mixed.nodes;
    const bad: Graph = {
      ...mixed,
      nodes: node === undefined ? [] : [{ ...node, op: "logaddexp", attributes: {} }],
    };
    expect(checkGraph(bad).ok).toBe(false);
    expect(() => expand({ ...bad, inputs: [] })).toThrow(InvariantError);
  });
});

describe("a composite's row", () => {
  test.each(compositeNames)("of %s expands its example to primitives of the shape that it says", (op) => {
    const example = exampleOf(op);
    expect(checkGraph(example)).toEqual(ok(example));
    const { graph: expanded, ids } = expand(example);
    expect(isPrimitiveGraph(expanded)).toBe(true);
    expect(checkGraph(expanded)).toEqual(ok(expanded));
    expect(shapesOf(expanded)[ids.at(-1) ?? 0]).toEqual(shapesOf(example).at(-1));
    expect(composites[op].arity).toSatisfy(
      (arity: unknown) => typeof arity !== "number" || arity === example.inputs.length,
    );
  });

  test("that asks for the impossible is refused, not computed", () => {
    const endless: Composite<Readonly<Record<never, never>>> = {
      ...composites.square,
      expand: (_scope, _attributes, ...operands) => {
        const [x] = operands;
        if (x === undefined) throw new InvariantError("square has an operand");
        return Array.from({ length: 20_000 }).reduce<typeof x>((value) => value.negative(), x);
      },
    };
    const rows: CompositeRows = { ...composites, square: endless };
    expect(() => expandUnless(mixed, () => false, rows)).toThrow(/more than 16384 primitive nodes/);
  });
});
