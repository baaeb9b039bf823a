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
  const { nodes, push, multiply, spread, add } = writing(given.length);
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
    const product = multiply(nodeId(2 * count + 2 + place), tangent);
    const term =
      shape.length === 0
        ? product
        : push({
            op: "sum",
            attributes: { axes: shape.map((_, axis) => axis), keepdims: false },
            parents: [product],
          });
    slope = slope === undefined ? term : add(slope, term);
  }
  const whole = slope ?? nodeId(2 * count);
  const estimates = graph.inputs.map(({ shape }, i) => multiply(spread(whole, shape), nodeId(count + i)));
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

/** Writes nodes behind so many inputs. */
function writing(inputs: number) {
  const nodes: Node[] = [];
  const push = (node: Node): NodeId => nodeId(inputs + nodes.push(node) - 1);
  return {
    nodes,
    push,
    multiply: (x: NodeId, y: NodeId) => push({ op: "multiply", attributes: {}, parents: [x, y] }),
    add: (x: NodeId, y: NodeId) => push({ op: "add", attributes: {}, parents: [x, y] }),
    spread: (x: NodeId, shape: Shape) =>
      shape.length === 0 ? x : push({ op: "broadcast_to", attributes: { shape }, parents: [x] }),
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
  const { nodes, push, multiply, spread, add } = writing(inputs.length);
  const moved = graph.inputs.map(({ shape }, i) =>
    add(nodeId(i), multiply(spread(nodeId(2 * count), shape), nodeId(count + i))),
  );
  const first = inputs.length + nodes.length;
  const idOf = (id: NodeId): NodeId => (id < count ? at(moved, id) : nodeId(first + id - count));
  for (const node of graph.nodes) push({ ...node, parents: node.parents.map(idOf) });
  return { graph: { format: "adjudge.graph.v1", inputs, environment: graph.environment, nodes }, idOf };
}
