import {
  type EnvironmentEntry,
  type FlatTensor,
  isSameShape,
  type Node,
  type Shape,
  shapeOfNode,
  sizeOf,
  stridesOf,
} from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { idealCotangents } from "./ideal.ts";
import { allAxes, type Policy } from "./policies.ts";

function resized(policy: Policy, shape: Shape): Shape {
  return policy.axes(shape).map((axis) => policy.extent(shape, axis));
}

/** The elements of `x` that are left; where an extent grows, an element at the edge is repeated. */
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

/** The axes that `kept` leaves of `axes`, under their new numbers. */
function renumbered(kept: readonly number[], axes: readonly number[]): number[] {
  return axes.filter((axis) => kept.includes(axis)).map((axis) => kept.indexOf(axis));
}

/** The node for resized operands, `x` being the first one's shape before; `undefined` if its axis goes. */
function resizedNode(policy: Policy, node: Node, x: Shape): Node | undefined {
  const kept = policy.axes(x);
  switch (node.op) {
    case "sum":
      return { ...node, attributes: { ...node.attributes, axes: renumbered(kept, node.attributes.axes) } };
    case "permute_dims":
      return { ...node, attributes: { axes: renumbered(kept, node.attributes.axes) } };
    case "broadcast_to":
      return { ...node, attributes: { shape: resized(policy, node.attributes.shape) } };
    case "reshape":
      return { ...node, attributes: { shape: resized(policy, node.attributes.shape) } };
    case "concat": {
      const [axis] = renumbered(kept, [node.attributes.axis]);
      return axis === undefined ? undefined : { ...node, attributes: { axis } };
    }
    case "take": {
      const [axis] = renumbered(kept, [node.attributes.axis]);
      return axis === undefined ? undefined : { ...node, attributes: { ...node.attributes, axis } };
    }
    default:
      // No attribute speaks of axes or shapes.
      return node;
  }
}

/** An entry of Δ resized; lists of indices keep their one axis. */
function resizedEntry(policy: Policy, entry: EnvironmentEntry, value: FlatTensor): FlatTensor {
  if (entry.kind === "real") return sliced(policy, value);
  return sliced({ ...policy, axes: allAxes }, value);
}

/** Brings the indices that a `take` reads below the extent of its axis; `undefined` if it is 0. */
function clip(indices: FlatTensor, extent: number): FlatTensor | undefined {
  if (extent === 0 && indices.data.length > 0) return undefined;
  return { shape: indices.shape, data: indices.data.map((index) => Math.min(index, extent - 1)) };
}

/** The nodes for resized inputs with all shapes inferred anew, and clipped indices in `entries`. */
function resizedNodes(
  policy: Policy,
  { graph }: Case,
  before: readonly Shape[],
  shapes: Shape[],
  environment: readonly EnvironmentEntry[],
  entries: Map<string, FlatTensor>,
): readonly Node[] | undefined {
  const nodes: Node[] = [];
  for (const old of graph.nodes) {
    const node = resizedNode(policy, old, before[old.parents[0] ?? 0] ?? []);
    if (node === undefined) return undefined;
    const shape = shapeOfNode(node, shapes, environment);
    if (!shape.ok) return undefined;
    if (node.op === "take") {
      const { indices, axis } = node.attributes;
      const list = entries.get(indices);
      const clipped = list && clip(list, shapes[node.parents[0] ?? 0]?.[axis] ?? 0);
      if (clipped === undefined) return undefined;
      entries.set(indices, clipped);
    }
    nodes.push(node);
    shapes.push(shape.value);
  }
  return nodes;
}

/**
 * The case with every shape changed by `policy` and the numbers cut to fit; `undefined` where the graph would not be
 * well-typed, for then the axes depend on each other in a way that the policy does not respect.
 */
export function resize(question: Case, before: readonly Shape[], policy: Policy): Case | undefined {
  const { graph, point, tangents, seeds } = question;
  const entries = new Map<string, FlatTensor>();
  const environment = graph.environment.map((entry): EnvironmentEntry => {
    const value = resizedEntry(
      policy,
      entry,
      point.environment.get(entry.name) ?? idealCotangents(entry.shape),
    );
    entries.set(entry.name, value);
    return { ...entry, shape: value.shape };
  });
  const inputs = point.inputs.map((x) => sliced(policy, x));
  const shapes = inputs.map(({ shape }) => shape);
  const nodes = resizedNodes(policy, question, before, shapes, environment, entries);
  if (nodes === undefined) return undefined;
  return {
    graph: {
      ...graph,
      inputs: graph.inputs.map((input, i) => ({ ...input, shape: shapes[i] ?? [] })),
      environment,
      nodes,
    },
    point: { inputs, environment: entries },
    tangents: tangents.map((x) => sliced(policy, x)),
    seeds: seeds.map(({ id, cotangent }) => {
      const shape = shapes[id] ?? [];
      const cut = sliced(policy, cotangent);
      return { id, cotangent: isSameShape(cut.shape, shape) ? cut : idealCotangents(shape) };
    }),
  };
}
