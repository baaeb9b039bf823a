import {
  at,
  type Expansion,
  type Issue,
  isPrimitiveNode,
  type NodeId,
  nodeId,
  ok,
  type PrimitiveGraph,
  positionsOf,
  present,
  type Result,
  type RuleGraph,
  type Statement,
  shapesOf,
  type View,
} from "../../spec/index.ts";
import type { Recording } from "./execute.ts";
import type { MemoryEvent } from "./recorder.ts";
import { reverseRules } from "./reverse_needs.ts";

/** An operand that a node read in place, and that the sweep may read there again [SEMANTICS §10.5]. */
export interface ReadInPlace {
  /** The node of the expanded graph, */
  readonly node: NodeId;
  /** which of its operands, */
  readonly place: number;
  /** where it lies, */
  readonly memory: number;
  readonly view: View;
  /** when it was read, among the events of the recording, */
  readonly time: number;
  /** and whether the cotangent of some operand that depends on an input is computed from it (`needsOf`). */
  readonly isSaved: boolean;
}

/** A saved operand of which an element was overwritten later. */
export interface Hazard {
  readonly read: ReadInPlace;
  /** The first statement that did it, */
  readonly statement: Statement;
  /** when, */
  readonly time: number;
  /** and what the memory stood for until then. */
  readonly before: NodeId;
}

/** Every operand that was read in place, in the order of the reads. Fails: as {@link reverseRules} does. Cost: linear in the graph. */
export function readsInPlace<S>(
  recording: Recording<S>,
  expansion: Expansion<PrimitiveGraph>,
): Result<ReadInPlace[], Issue[]> {
  const rules = reverseRules(expansion.graph, shapesOf(expansion.graph));
  if (!rules.ok) return rules;
  const saved = savedOperands(expansion.graph, rules.value);
  const nodes = nodesByOrigin(expansion);
  const reads = recording.events.flatMap((event, time) => {
    if (event.kind !== "read") return [];
    const { memory, view } = event;
    return operandsInPlace(recording, expansion, nodes, event.node, event.place).map(({ node, place }) => {
      const isSaved = saved[node]?.includes(place) ?? false;
      return { node, place, memory, view, time, isSaved };
    });
  });
  return ok(reads);
}

/**
 * The hazards among reads, in the order of the writes. A write beside what was read is none, nor is one over what no rule reads.
 * Cost: linear in the elements that are read and written.
 */
export function hazardsOf(
  { events }: Pick<Recording<unknown>, "events">,
  reads: readonly ReadInPlace[],
): Hazard[] {
  const overwriting = nextWrites(events);
  const hazards = reads.flatMap((read): Hazard[] => {
    const write = read.isSaved ? overwriting[read.time] : undefined;
    return write === undefined ? [] : [{ read, ...write }];
  });
  return hazards.sort((a, b) => a.time - b.time || a.read.node - b.read.node);
}

/** By event that is a read, the first write after it to an element that it read, if there is one. */
function nextWrites(events: readonly MemoryEvent[]): readonly (Omit<Hazard, "read"> | undefined)[] {
  const next = new Map<number, Map<number, Omit<Hazard, "read">>>();
  const found: (Omit<Hazard, "read"> | undefined)[] = events.map(() => undefined);
  for (let time = events.length - 1; time >= 0; time--) {
    const event = at(events, time);
    const elements = next.get(event.memory) ?? new Map<number, Omit<Hazard, "read">>();
    next.set(event.memory, elements);
    for (const position of positionsOf(event.view)) {
      if (event.kind === "write") {
        elements.set(position, { statement: event.statement, time, before: event.before });
        continue;
      }
      const [write, earlier] = [elements.get(position), found[time]];
      if (write !== undefined && (earlier === undefined || write.time < earlier.time)) found[time] = write;
    }
  }
  return found;
}

/** By id, which operands the rule of a node reads for cotangents that go on to an input. */
function savedOperands(graph: PrimitiveGraph, rules: readonly RuleGraph[]): readonly (readonly number[])[] {
  const dependsOnInput = graph.inputs.map(() => true);
  const saved: (readonly number[])[] = graph.inputs.map(() => []);
  for (const [index, { parents }] of graph.nodes.entries()) {
    const { needs } = at(rules, index);
    const wanted = needs.filter((need, place) => need !== undefined && dependsOnInput[at(parents, place)]);
    saved.push([...new Set(wanted.flatMap((need) => need?.operands ?? []))]);
    dependsOnInput.push(wanted.length > 0);
  }
  return saved;
}

function nodesByOrigin({ origins }: Expansion<PrimitiveGraph>): ReadonlyMap<NodeId, readonly NodeId[]> {
  const nodes = new Map<NodeId, NodeId[]>();
  for (const [id, origin] of origins.entries()) {
    const known = nodes.get(origin);
    if (known === undefined) nodes.set(origin, [nodeId(id)]);
    else known.push(nodeId(id));
  }
  return nodes;
}

/** Where in the expansion an operand of a node of the recorded graph is read. */
function operandsInPlace<S>(
  { graph }: Recording<S>,
  { graph: expanded, ids }: Expansion<PrimitiveGraph>,
  nodes: ReadonlyMap<NodeId, readonly NodeId[]>,
  node: NodeId,
  place: number,
): { readonly node: NodeId; readonly place: number }[] {
  const written = present(graph.nodes[node - graph.inputs.length], "a node that read something");
  const operand = at(ids, at(written.parents, place));
  const own = nodes.get(node) ?? [];
  return own.flatMap((id) => {
    const parents = expanded.nodes[id - expanded.inputs.length]?.parents ?? [];
    return parents.flatMap((parent, at) =>
      parent === operand && (!isPrimitiveNode(written) || at === place) ? [{ node: id, place: at }] : [],
    );
  });
}
