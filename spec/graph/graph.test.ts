import { expect, it } from "vitest";
import { shapesOf } from "../expansion/expand.ts";
import { nodeId } from "../shapes/node_id.ts";
import { InvariantError } from "../shapes/result.ts";
import { entriesNamedBy, type Graph, idCount, nodeAt } from "./graph.ts";

const graph: Graph = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [2] }],
  environment: [
    { name: "c", shape: [2], kind: "real" },
    { name: "i", shape: [3], kind: "index" },
  ],
  nodes: [
    { op: "constant", attributes: { name: "c" }, parents: [] },
    { op: "add", attributes: {}, parents: [nodeId(0), nodeId(1)] },
    { op: "take", attributes: { axis: 0, indices: "i" }, parents: [nodeId(2)] },
  ],
};

it("shapesOf gives the shape of every id, inputs first", () => {
  expect(shapesOf(graph)).toEqual([[2], [2], [2], [3]]);
  expect(idCount(graph)).toBe(4);
});

it("nodeAt counts ids over inputs and nodes", () => {
  expect(nodeAt(graph, nodeId(0))).toBeUndefined();
  expect(nodeAt(graph, nodeId(2))?.op).toBe("add");
  expect(nodeAt(graph, nodeId(4))).toBeUndefined();
});

it("entriesNamedBy gives a shape rule the entries that the node names, and none of the others", () => {
  const environment = new Map(graph.environment.map((entry) => [entry.name, entry]));
  const names = graph.nodes.map((node) => entriesNamedBy(node, environment).map(({ name }) => name));
  expect(names).toEqual([["c"], [], ["i"]]);
});

it("shapesOf throws on a graph that checkGraph refuses", () => {
  expect(() => shapesOf({ ...graph, environment: [] })).toThrow(InvariantError);
});
