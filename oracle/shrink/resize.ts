import { expandedIndexLimitsOf, shapeOfNode, shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Node, NodeOf } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import { isSameShape, type Shape, sizeOf, stridesOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { idealCotangents } from "./ideal.ts";
import { readerOf } from "./inner.ts";
import { allAxes, type Policy } from "./policies.ts";

function resized(policy: Policy, shape: Shape): Shape {
  return policy.axes(shape).map((axis) => policy.extent(shape, axis));
}

/** Cuts `x` to the policy's shape; where an extent grows, an element at the edge is repeated. */
function sliced(policy: Policy, x: FlatTensor): FlatTensor {
  const shape = resized(policy, x.shape);
  const axes = policy.axes(x.shape);
  const from = stridesOf(x.shape);
  const to = stridesOf(shape);
  const data = new Float64Array(sizeOf(shape)).map((_, position) => {
    const source = x.shape.reduce((offset, before, axis) => {
      const place = axes.indexOf(axis);
      const after = shape[place] ?? 1;
      const coordinate = Math.floor(position / (to[place] ?? Number.POSITIVE_INFINITY)) % after;
      const first = policy.keeps === "first" ? 0 : before - after;
      return offset + Math.min(Math.max(first + coordinate, 0), before - 1) * (from[axis] ?? 0);
    }, 0);
    return x.data[source] ?? 1;
  });
  return { shape, data };
}

/** Keeps those of `axes` that are in `kept`, under their new numbers. */
function renumbered(kept: readonly number[], axes: readonly number[]): number[] {
  return axes.filter((axis) => kept.includes(axis)).map((axis) => kept.indexOf(axis));
}

/** Keeps the numbers that belong to kept axes. */
function keptOf(kept: readonly number[], numbers: readonly number[]): number[] {
  return numbers.filter((_, axis) => kept.includes(axis));
}

/** Nodes of these operators have an attribute `axis`. */
type AlongAxis = NodeOf<"iota" | "concat" | "take" | "take_along_axis" | "cumulative_sum">;

/** Gives the node's axis its new number; returns `undefined` if the axis goes. */
function onAxis<N extends AlongAxis>(node: N, kept: readonly number[]): N | undefined {
  const [axis] = renumbered(kept, [node.attributes.axis]);
  return axis === undefined ? undefined : { ...node, attributes: { ...node.attributes, axis } };
}

/** Fits a node to resized operands, `x` being the first one's old shape; `undefined` if its axis goes. */
function resizedNode(policy: Policy, node: Node, x: Shape): Node | undefined {
  const kept = policy.axes(x);
  switch (node.op) {
    case "full":
    case "bernoulli_mask":
      return resizedMaker(policy, node);
    case "iota": {
      const moved = onAxis(node, policy.axes(node.attributes.shape));
      return moved && resizedMaker(policy, moved);
    }
    case "sum":
      return { ...node, attributes: { ...node.attributes, axes: renumbered(kept, node.attributes.axes) } };
    case "permute_dims":
      return { ...node, attributes: { axes: renumbered(kept, node.attributes.axes) } };
    case "broadcast_to":
    case "reshape":
      return { ...node, attributes: { shape: resized(policy, node.attributes.shape) } };
    case "concat":
    case "take":
    case "take_along_axis":
    case "cumulative_sum":
      return onAxis(node, kept);
    case "slice": {
      const { starts, stops, steps } = node.attributes;
      const [a, b, c] = [keptOf(kept, starts), keptOf(kept, stops), keptOf(kept, steps)];
      return { ...node, attributes: { starts: a, stops: b, steps: c } };
    }
    case "pad": {
      const { low, high, interior } = node.attributes;
      const [a, b, c] = [keptOf(kept, low), keptOf(kept, high), keptOf(kept, interior)];
      return { ...node, attributes: { low: a, high: b, interior: c } };
    }
    default:
      // These have no attribute about axes or shapes.
      return node;
  }
}

/** Resizes a node without operands, whose attributes say its shape. */
function resizedMaker<N extends NodeOf<"full" | "iota" | "bernoulli_mask">>(policy: Policy, node: N): N {
  return { ...node, attributes: { ...node.attributes, shape: resized(policy, node.attributes.shape) } };
}

/**
 * Resizes an entry of Δ. Indices along one axis are sliced like any tensor; a list of indices keeps its
 * axis, rows of them keep their length, and a key keeps both its words.
 */
function resizedEntry(
  policy: Policy,
  { graph }: Case,
  entry: EnvironmentEntry,
  value: FlatTensor,
): FlatTensor {
  if (entry.kind === "real") return sliced(policy, value);
  const reader = readerOf(graph.nodes, entry.name);
  switch (reader?.op) {
    case "take_along_axis":
      return sliced(policy, value);
    case "bernoulli_mask":
      return value;
    case "gather":
    case "scatter_add":
      return sliced(rowsOf(policy), value);
    default:
      return sliced({ ...policy, axes: allAxes }, value);
  }
}

/** Changes the number of rows of indices, but not their length. */
function rowsOf(policy: Policy): Policy {
  return {
    ...policy,
    axes: (shape) => [...policy.axes(shape.slice(0, -1)), shape.length - 1],
    extent: (shape, axis) =>
      axis === shape.length - 1 ? (shape[axis] ?? 1) : policy.extent(shape.slice(0, -1), axis),
  };
}

/** Brings the indices that a node reads below their limits; returns `undefined` if one of these is 0. */
function clip(indices: FlatTensor, limits: readonly number[]): FlatTensor | undefined {
  if (limits.includes(0) && indices.data.length > 0) return undefined;
  const data = indices.data.map((index, i) => Math.min(index, (limits[i % limits.length] ?? 1) - 1));
  return { shape: indices.shape, data };
}

/** Clips every index to what the nodes allow; returns `undefined` where no index is allowed. */
function clipped(
  graph: Graph,
  entries: ReadonlyMap<string, FlatTensor>,
): ReadonlyMap<string, FlatTensor> | undefined {
  const result = new Map(entries);
  for (const [name, limits] of expandedIndexLimitsOf(graph)) {
    const indices = entries.get(name);
    const fitting = indices && clip(indices, limits);
    if (fitting === undefined) return undefined;
    result.set(name, fitting);
  }
  return result;
}

/** Fits the nodes to resized inputs, and infers all shapes anew. */
function resizedNodes(
  policy: Policy,
  graph: Graph,
  before: readonly Shape[],
  shapes: Shape[],
  environment: readonly EnvironmentEntry[],
): readonly Node[] | undefined {
  const nodes: Node[] = [];
  for (const old of graph.nodes) {
    const node =
      old.op === "differentiate"
        ? resizedDerivative(policy, old, shapes, environment)
        : resizedNode(policy, old, before[old.parents[0] ?? 0] ?? []);
    if (node === undefined) return undefined;
    const shape = shapeOfNode(node, shapes, environment);
    if (!shape.ok) return undefined;
    nodes.push(node);
    shapes.push(shape.value);
  }
  return nodes;
}

/** Resizes a derivative's inner graph like the one around it: its inputs get the operands' new shapes. */
function resizedDerivative(
  policy: Policy,
  node: NodeOf<"differentiate">,
  outer: readonly Shape[],
  environment: readonly EnvironmentEntry[],
): Node | undefined {
  const { graph } = node.attributes;
  const own = environment.filter(({ name }) => graph.environment.some((entry) => entry.name === name));
  const inputs = graph.inputs.map((input, place) => ({
    ...input,
    shape: outer[node.parents[place] ?? 0] ?? [],
  }));
  const shapes = inputs.map(({ shape }) => shape);
  const nodes = resizedNodes(policy, graph, shapesOf(graph), shapes, own);
  if (nodes === undefined) return undefined;
  return {
    ...node,
    attributes: { ...node.attributes, graph: { ...graph, inputs, environment: own, nodes } },
  };
}

/**
 * Changes every shape of a case by `policy` and cuts the numbers to fit. Returns `undefined` where the graph
 * would not be well-typed, since its axes depend on each other in a way that the policy ignores.
 */
export function resize(question: Case, before: readonly Shape[], policy: Policy): Case | undefined {
  const { graph, point, tangents, seeds } = question;
  const entries = new Map<string, FlatTensor>();
  const environment = graph.environment.map((entry): EnvironmentEntry => {
    const value = resizedEntry(
      policy,
      question,
      entry,
      point.environment.get(entry.name) ?? idealCotangents(entry.shape),
    );
    entries.set(entry.name, value);
    return { ...entry, shape: value.shape };
  });
  const inputs = point.inputs.map((x) => sliced(policy, x));
  const shapes = inputs.map(({ shape }) => shape);
  const nodes = resizedNodes(policy, graph, before, shapes, environment);
  if (nodes === undefined) return undefined;
  const smaller: Graph = {
    ...graph,
    inputs: graph.inputs.map((input, i) => ({ ...input, shape: shapes[i] ?? [] })),
    environment,
    nodes,
  };
  const fitting = clipped(smaller, entries);
  if (fitting === undefined) return undefined;
  return {
    graph: smaller,
    point: { inputs, environment: fitting },
    tangents: tangents.map((x) => sliced(policy, x)),
    seeds: seeds.map(({ id, cotangent }) => {
      const shape = shapes[id] ?? [];
      const cut = sliced(policy, cotangent);
      return { id, cotangent: isSameShape(cut.shape, shape) ? cut : idealCotangents(shape) };
    }),
  };
}
