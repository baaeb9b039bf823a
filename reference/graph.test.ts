import { expect, test } from "vitest";
import { InvariantError, nodeId, present } from "../spec/index.ts";
import { integer } from "./algebras/integer.ts";
import { contextShapes, type NodeData, nil, pullBack, snocNode, viewOf } from "./graph.ts";
import { noEnvironment, product, scalar } from "./hand.test.kit.ts";

const ring = present(integer.levels.ring, "a ring");

test("a graph is nil, or the graph and the node that it was made of", () => {
  const empty = nil<bigint>([[], [2]]);
  expect(viewOf(empty)).toEqual({ kind: "nil" });
  const [first, last] = [product(ring, 0, 0), product(ring, 2, 0)];
  const g = snocNode(empty, first);
  expect(viewOf(g)).toEqual({ kind: "snoc", g: empty, node: first });
  expect(viewOf(snocNode(g, last))).toEqual({ kind: "snoc", g, node: last });
  expect(contextShapes(g)).toEqual([[], [2], []]);
});

test("a node that contributes to an id that is not earlier is found out", () => {
  const own: NodeData<bigint> = { ...product(ring, 0, 0), vjp: (_, __, c) => new Map([[nodeId(1), c]]) };
  const graph = snocNode(nil<bigint>([[]]), own);
  const run = (): unknown => pullBack(graph, [scalar(1n), scalar(1n)], noEnvironment, 1, scalar(1n));
  expect(run).toThrow(InvariantError);
});
