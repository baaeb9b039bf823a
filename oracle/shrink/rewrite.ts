import { type Graph, idCount, type Node, type Seed } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, present, type Shape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { idealCotangents } from "./ideal.ts";
import { readsEntry } from "./inner.ts";

/** A case with what edits of it need to know of every id. */
export interface Subject {
  readonly question: Case;
  readonly shapes: readonly Shape[];
  /** The value of every id: what an input that replaces it is given. */
  readonly values: readonly FlatTensor[];
}

/** A change to a graph that keeps every shape. What is left out stays as it is. */
export interface Edit {
  /** Ids that are replaced by an earlier one of the same shape. */
  readonly aliases?: ReadonlyMap<NodeId, NodeId>;
  /** Nodes that become inputs with the value they had. */
  readonly cuts?: ReadonlySet<NodeId>;
  readonly seeds?: readonly Seed[];
  /** Nodes that no seed depends on stay too. */
  readonly keepsDead?: boolean;
  /** Which inputs and entries of Δ go, by name, of those that nothing reads and no seed stands on. */
  readonly drops?: (name: string) => boolean;
}

/** The id that stands for `id`, after all replacements. */
function resolve(aliases: Edit["aliases"], id: NodeId): NodeId {
  const other = aliases?.get(id);
  return other === undefined ? id : resolve(aliases, other);
}

/** At most one seed for each id: where two come to stand on one, the first stays. */
function movedSeeds(seeds: readonly Seed[], aliases: Edit["aliases"]): readonly Seed[] {
  const moved = new Map<NodeId, Seed>();
  for (const { id, cotangent } of seeds) {
    const target = resolve(aliases, id);
    if (!moved.has(target)) moved.set(target, { id: target, cotangent });
  }
  return [...moved.values()];
}

/** The ids that some seed depends on, where cut nodes depend on nothing. */
function reached(graph: Graph, seeds: readonly Seed[], edit: Edit): ReadonlySet<NodeId> {
  const found = new Set(seeds.map(({ id }) => id));
  for (let id = idCount(graph) - 1; id >= graph.inputs.length; id--) {
    const isOpen = edit.keepsDead === true || found.has(nodeId(id));
    if (!isOpen || edit.cuts?.has(nodeId(id)) || edit.aliases?.has(nodeId(id))) continue;
    for (const parent of graph.nodes[id - graph.inputs.length]?.parents ?? []) {
      found.add(resolve(edit.aliases, parent));
    }
  }
  return found;
}

/** A name that the graph does not use yet. */
function freshName(taken: Set<string>): string {
  let index = 0;
  while (taken.has(`x${index}`)) index++;
  taken.add(`x${index}`);
  return `x${index}`;
}

/** The ids that stay inputs, those that become inputs, and the nodes that stay; each in order. */
function partition(
  { graph }: Case,
  found: ReadonlySet<NodeId>,
  edit: Edit,
): readonly [NodeId[], NodeId[], NodeId[]] {
  const parts: readonly [NodeId[], NodeId[], NodeId[]] = [[], [], []];
  for (let position = 0; position < idCount(graph); position++) {
    const id = nodeId(position);
    if (edit.aliases?.has(id)) continue;
    if (position < graph.inputs.length) {
      const name = graph.inputs[position]?.name ?? "";
      if (found.has(id) || edit.drops?.(name) !== true) parts[0].push(id);
    } else if (edit.cuts?.has(id)) {
      if (found.has(id)) parts[1].push(id);
    } else if (found.has(id) || edit.keepsDead === true) parts[2].push(id);
  }
  return parts;
}

/** A value as an input: in float32, as all numbers of a case are. */
function asInput({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.map(Math.fround) };
}

/** The case after an edit. Well-typed if the case was: every shape is kept. */
export function rewrite({ question, shapes, values }: Subject, edit: Edit): Case {
  const { graph, point, tangents } = question;
  const seeds = movedSeeds(edit.seeds ?? question.seeds, edit.aliases);
  const found = reached(graph, seeds, edit);
  const [kept, cut, computed] = partition(question, found, edit);
  const position = new Map([...kept, ...cut, ...computed].map((id, i) => [id, nodeId(i)]));
  const moved = (id: NodeId): NodeId =>
    present(position.get(resolve(edit.aliases, id)), "an id that was kept");

  const names = new Set(graph.inputs.map(({ name }) => name));
  const nodes = computed.map((id): Node => {
    const node = present(graph.nodes[id - graph.inputs.length], "a node");
    return { ...node, parents: node.parents.map(moved) };
  });
  const environment = graph.environment.filter(
    ({ name }) => edit.drops?.(name) !== true || readsEntry(nodes, name),
  );
  return {
    graph: {
      ...graph,
      inputs: [
        ...kept.map((id) => present(graph.inputs[id], "an input")),
        ...cut.map((id) => ({ name: freshName(names), shape: shapes[id] ?? [] })),
      ],
      environment,
      nodes,
    },
    point: {
      inputs: [
        ...kept.map((id) => present(point.inputs[id], "an input's value")),
        ...cut.map((id) => asInput(present(values[id], "a node's value"))),
      ],
      environment: new Map(
        [...point.environment].filter(([name]) => environment.some((e) => e.name === name)),
      ),
    },
    tangents: [
      ...kept.map((id) => present(tangents[id], "a tangent")),
      ...cut.map((id) => idealCotangents(shapes[id] ?? [])),
    ],
    seeds: seeds.map(({ id, cotangent }) => ({ id: moved(id), cotangent })),
  };
}
