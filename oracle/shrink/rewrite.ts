import { type Graph, idCount, type Node, type Seed } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, present, type Shape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { idealCotangents } from "./ideal.ts";
import { readsEntry } from "./inner.ts";

/** A subject is a case with what its edits need to know of every id. */
export interface Subject {
  readonly question: Case;
  readonly shapes: readonly Shape[];
  /** An input that replaces an id is given this value. */
  readonly values: readonly FlatTensor[];
}

/** An edit changes a graph and keeps every shape; a field left out changes nothing. */
export interface Edit {
  /** Each key is replaced by an earlier id of the same shape. */
  readonly aliases?: ReadonlyMap<NodeId, NodeId>;
  /** These nodes become inputs with the value they had. */
  readonly cuts?: ReadonlySet<NodeId>;
  readonly seeds?: readonly Seed[];
  /** If true, nodes that no seed depends on stay too. */
  readonly keepsDead?: boolean;
  /** Inputs and entries of Δ with such a name go, if nothing reads them and no seed lies on them. */
  readonly drops?: (name: string) => boolean;
}

/** Follows the replacements of `id` to the end. */
function resolve(aliases: Edit["aliases"], id: NodeId): NodeId {
  const other = aliases?.get(id);
  return other === undefined ? id : resolve(aliases, other);
}

/** Moves seeds along with their ids; where two come to lie on one id, the first stays. */
function movedSeeds(seeds: readonly Seed[], aliases: Edit["aliases"]): readonly Seed[] {
  const moved = new Map<NodeId, Seed>();
  for (const { id, cotangent } of seeds) {
    const target = resolve(aliases, id);
    if (!moved.has(target)) moved.set(target, { id: target, cotangent });
  }
  return [...moved.values()];
}

/** Collects the ids that some seed depends on, where cut nodes depend on nothing. */
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

/** Makes a name that the graph does not use yet. */
function freshName(taken: Set<string>): string {
  let index = 0;
  while (taken.has(`x${index}`)) index++;
  taken.add(`x${index}`);
  return `x${index}`;
}

/** Splits ids into inputs, nodes that become inputs, and nodes that stay; each in order. */
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

/** Rounds a value to float32, as all numbers of a case are. */
function asInput({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.map(Math.fround) };
}

/** Applies an edit to a case. Law: the result is well-typed if the case was, since every shape is kept. */
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
