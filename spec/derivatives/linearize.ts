import { type PrimitiveGraph, shapesOfPrimitives } from "../graph/index.ts";
import { at, InvariantError, type NodeId, nodeId } from "../shapes/index.ts";
import { type Derived, derivePrimitives } from "./derive.ts";
import { type Computed, pruned } from "./prune.ts";
import { dependents } from "./reverse.ts";

/** A linear map that depends on a point. */
export interface Linearized {
  /** The linear part reads these of the point: inputs are the graph's, results the linear part's first. */
  readonly known: Computed;
  /** From what is known and the tangents, the tangents of the results: linear in `tangents`. */
  readonly linear: Computed & { readonly tangents: readonly NodeId[] };
}

/** Splits a forward derivative at its tangents. Cost: linear in nodes and edges. */
export function split(forward: Derived): Linearized {
  const { inputs, nodes } = forward.graph;
  const moves = dependents(nodes, inputs.length, forward.seeds);
  const isRead = (id: NodeId): boolean => !(moves[id] ?? false);
  const needed = nodes.flatMap(({ parents }, index) =>
    moves[inputs.length + index] === true ? parents.filter(isRead) : [],
  );
  const residuals = [...new Set([...needed, ...forward.results.filter(isRead)])];
  const still = pointOf(forward.graph, moves);
  return {
    known: pruned(
      still.graph,
      residuals.map((id) => at(still.ids, id)),
    ),
    linear: linearPart(forward, moves, residuals),
  };
}

/** Extracts the nodes that no tangent moves, without the tangents' inputs; and their new ids. */
function pointOf(
  graph: PrimitiveGraph,
  moves: readonly boolean[],
): { readonly graph: PrimitiveGraph; readonly ids: readonly NodeId[] } {
  let next = 0;
  const ids = moves.map((isMoving) => nodeId(isMoving ? 0 : next++));
  const count = graph.inputs.length;
  return {
    ids,
    graph: {
      ...graph,
      inputs: graph.inputs.filter((_, id) => moves[id] !== true),
      nodes: graph.nodes.flatMap((node, index) =>
        moves[count + index] === true ? [] : [{ ...node, parents: node.parents.map((id) => at(ids, id)) }],
      ),
    },
  };
}

/** Extracts the nodes that tangents move, with the residuals as inputs before the tangents. */
function linearPart(
  { graph, seeds, results }: Derived,
  moves: readonly boolean[],
  residuals: readonly NodeId[],
): Linearized["linear"] {
  const shapes = shapesOfPrimitives(graph);
  const ids = new Map<NodeId, NodeId>();
  const inputs = [...residuals, ...seeds].map((id, place) => {
    ids.set(id, nodeId(place));
    const name = graph.inputs[id]?.name ?? `value ${id}`;
    return { name, shape: at(shapes, id) };
  });
  const nodes: PrimitiveGraph["nodes"][number][] = [];
  graph.nodes.forEach((node, index) => {
    const id = nodeId(graph.inputs.length + index);
    if (moves[id] !== true) return;
    ids.set(id, nodeId(inputs.length + nodes.length));
    nodes.push({ ...node, parents: node.parents.map((parent) => there(ids, parent)) });
  });
  return {
    graph: { ...graph, inputs, nodes },
    results: results.map((id) => there(ids, id)),
    tangents: seeds.map((id) => there(ids, id)),
  };
}

function there(ids: ReadonlyMap<NodeId, NodeId>, id: NodeId): NodeId {
  const place = ids.get(id);
  if (place === undefined) throw new InvariantError(`id ${id} is neither a residual nor linear`);
  return place;
}

/**
 * Returns the reverse derivative of a linear map: what is known, then the linear part with its arrows turned.
 * Its cotangents do not depend on where they are taken, so no result depends on a tangent, and those inputs
 * go.
 */
export function transposed({ known, linear }: Linearized): Derived {
  const { graph, tangents, results } = linear;
  const turned = derivePrimitives(graph, shapesOfPrimitives(graph), {
    mode: "vjp",
    of: results,
    wrt: tangents,
  });
  const reads = dependents(turned.graph.nodes, turned.graph.inputs.length, tangents);
  if (turned.results.some((id) => reads[id])) throw new InvariantError("a linear part is not linear");
  return joined(known, turned, tangents);
}

/** The known part, then the turned one at its results. Seeds become the last inputs. */
function joined(known: Computed, turned: Derived, dropped: readonly NodeId[]): Derived {
  const ownInputs = known.graph.inputs.length;
  const seeds = turned.seeds.map((_, place) => nodeId(ownInputs + place));
  const shifted = (id: NodeId): NodeId => (id < ownInputs ? id : nodeId(id + seeds.length));
  const ids = new Map<NodeId, NodeId>(known.results.map((id, place) => [nodeId(place), shifted(id)]));
  for (const [place, id] of turned.seeds.entries()) ids.set(id, at(seeds, place));
  for (const id of dropped) ids.set(id, nodeId(0));
  const count = ownInputs + seeds.length + known.graph.nodes.length;
  turned.graph.nodes.forEach((_, index) => {
    ids.set(nodeId(turned.graph.inputs.length + index), nodeId(count + index));
  });
  const nodes = [
    ...known.graph.nodes.map((node) => ({ ...node, parents: node.parents.map(shifted) })),
    ...turned.graph.nodes.map((node) => ({ ...node, parents: node.parents.map((id) => there(ids, id)) })),
  ];
  const inputs = [...known.graph.inputs, ...turned.seeds.map((id) => at(turned.graph.inputs, id))];
  const results = turned.results.map((id) => there(ids, id));
  return { ...pruned({ ...known.graph, inputs, nodes }, results), seeds };
}
