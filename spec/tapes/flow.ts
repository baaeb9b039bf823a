import { needsOf } from "../derivatives/index.ts";
import { expand, shapesOf } from "../expansion/index.ts";
import { entriesNamedBy, type Graph, type NodeOf } from "../graph/index.ts";
import type { EnvironmentEntry, PrimitiveName } from "../operators/index.ts";
import { at, type NodeId, type Shape } from "../shapes/index.ts";

/** Cotangents propagate so through a graph, whatever they are. */
export interface Flow {
  /**
   * It says of each id whether an input moves it: it is an input, or its operator pulls back to an operand
   * that an input moves [SEMANTICS §4.13]. What comes to any other id goes to no input, and an engine need
   * not compute it.
   */
  readonly isMoved: readonly boolean[];
  /** Says whether `to` is a node to which cotangents of `from` propagate. Cost: linear. */
  leads(from: NodeId, to: NodeId): boolean;
}

/** The flow of a well-formed graph, composites written out. Cost: the rule of each node is written once. */
export function flowOf(graph: Graph): Flow {
  const { graph: written, ids } = expand(graph);
  const shapes = shapesOf(written);
  const declared = new Map(written.environment.map((entry) => [entry.name, entry]));
  const isMoved = written.inputs.map(() => true);
  const gives: (readonly NodeId[])[] = written.inputs.map(() => []);
  for (const node of written.nodes) {
    const pulls = pulledPlaces(node, shapes, at(shapes, isMoved.length), entriesNamedBy(node, declared));
    const moved = node.parents.filter((id, place) => pulls[place] === true && isMoved[id] === true);
    isMoved.push(moved.length > 0);
    gives.push(moved);
  }
  return {
    isMoved: ids.map((id) => isMoved[id] === true),
    leads: (from, to) => to >= graph.inputs.length && isReached(gives, at(ids, from), at(ids, to)),
  };
}

/** Says for each operand whether the operator's rule pulls anything back to it. */
function pulledPlaces<K extends PrimitiveName>(
  node: NodeOf<K>,
  shapes: readonly Shape[],
  value: Shape,
  environment: readonly EnvironmentEntry[],
): readonly boolean[] {
  const operands = node.parents.map((id) => at(shapes, id));
  return needsOf(node, { operands, value }, environment).pulls.map((pull) => pull !== undefined);
}

function isReached(gives: readonly (readonly NodeId[])[], from: NodeId, to: NodeId): boolean {
  const reached = new Set<number>([from]);
  for (let id: number = from; id > to; id--)
    if (reached.has(id)) for (const parent of at(gives, id)) reached.add(parent);
  return from !== to && reached.has(to);
}
