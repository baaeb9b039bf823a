import type { Graph, Input, Node } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, type Shape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";

/** A forward gradient is asked as a graph that computes it, at a point, with an estimate's id by input. */
export interface EstimateQuestion {
  readonly case: Case;
  readonly estimates: readonly NodeId[];
}

/**
 * Returns `(∇f · v) v` as a graph: the tangents of `t ↦ x + t v` at 0, one `differentiate` for each seed,
 * paired with cotangents, summed, and multiplied by `v`. So estimates are bounded as values are.
 */
export function estimateQuestion(
  { graph, point, seeds }: Pick<Case, "graph" | "point" | "seeds">,
  direction: readonly FlatTensor[],
): EstimateQuestion {
  const count = graph.inputs.length;
  const inner = alongLine(graph);
  const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });
  const named = (prefix: string) => (shape: Shape, place: number) => ({ name: `${prefix}${place}`, shape });
  const given: readonly (readonly [Input, FlatTensor])[] = [
    ...graph.inputs.map((input, i): [Input, FlatTensor] => [input, at(point.inputs, i)]),
    ...graph.inputs.map((input, i): [Input, FlatTensor] => [
      named(`${input.name}#v`)(input.shape, i),
      at(direction, i),
    ]),
    [{ name: "#t", shape: [] }, scalar(0)],
    [{ name: "#one", shape: [] }, scalar(1)],
    ...seeds.map(({ cotangent }, i): [Input, FlatTensor] => [named("#c")(cotangent.shape, i), cotangent]),
  ];
  const nodes: Node[] = [];
  const push = (node: Node): NodeId => nodeId(given.length + nodes.push(node) - 1);
  const ids = (from: number, length: number): NodeId[] => Array.from({ length }, (_, i) => nodeId(from + i));
  const [line, one] = [ids(0, 2 * count + 1), nodeId(2 * count + 1)];
  let slope: NodeId | undefined;
  for (const [place, { id, cotangent }] of seeds.entries()) {
    const { shape } = cotangent;
    const tangent = push({
      op: "differentiate",
      attributes: { graph: inner.graph, mode: "jvp", of: inner.idOf(id), wrt: nodeId(2 * count) },
      parents: [...line, one],
    });
    const product = push({
      op: "multiply",
      attributes: {},
      parents: [nodeId(2 * count + 2 + place), tangent],
    });
    const term =
      shape.length === 0
        ? product
        : push({
            op: "sum",
            attributes: { axes: shape.map((_, axis) => axis), keepdims: false },
            parents: [product],
          });
    slope = slope === undefined ? term : push({ op: "add", attributes: {}, parents: [slope, term] });
  }
  const whole = slope ?? nodeId(2 * count);
  const estimates = graph.inputs.map(({ shape }, i) => {
    const spread =
      shape.length === 0 ? whole : push({ op: "broadcast_to", attributes: { shape }, parents: [whole] });
    return push({ op: "multiply", attributes: {}, parents: [spread, nodeId(count + i)] });
  });
  const inputs = given.map(([input]) => input);
  const tensors = given.map(([, tensor]) => tensor);
  return {
    case: {
      graph: { format: "adjudge.graph.v1", inputs, environment: graph.environment, nodes },
      point: { inputs: tensors, environment: point.environment },
      tangents: tensors,
      seeds: [],
    },
    estimates,
  };
}

/** Returns the graph on the line `x + t v`, with inputs x, v and t, and the places of the old ids. */
function alongLine(graph: Graph): { readonly graph: Graph; readonly idOf: (id: NodeId) => NodeId } {
  const count = graph.inputs.length;
  const inputs = [
    ...graph.inputs,
    ...graph.inputs.map(({ name, shape }) => ({ name: `${name}#v`, shape })),
    { name: "#t", shape: [] },
  ];
  const nodes: Node[] = [];
  const push = (node: Node): NodeId => nodeId(inputs.length + nodes.push(node) - 1);
  const moved = graph.inputs.map(({ shape }, i) => {
    const t = nodeId(2 * count);
    const spread = shape.length === 0 ? t : push({ op: "broadcast_to", attributes: { shape }, parents: [t] });
    const step = push({ op: "multiply", attributes: {}, parents: [spread, nodeId(count + i)] });
    return push({ op: "add", attributes: {}, parents: [nodeId(i), step] });
  });
  const first = inputs.length + nodes.length;
  const idOf = (id: NodeId): NodeId => (id < count ? at(moved, id) : nodeId(first + id - count));
  for (const node of graph.nodes) push({ ...node, parents: node.parents.map(idOf) });
  return { graph: { format: "adjudge.graph.v1", inputs, environment: graph.environment, nodes }, idOf };
}
