import type { RuleGraph } from "../../spec/derivatives/index.ts";
import { type Expansion, shapesOf } from "../../spec/expansion/index.ts";
import { isPrimitiveNode, type PrimitiveGraph } from "../../spec/graph/index.ts";
import { positionsOf, type Statement, type View } from "../../spec/programs/index.ts";
import { at, type Issue, type NodeId, nodeId, ok, present, type Result } from "../../spec/shapes/index.ts";
import { reverseRules } from "../reverse_needs.ts";
import type { Recording } from "./execute.ts";
import type { MemoryEvent } from "./recorder.ts";

/** An operand that a node read in place, and that the sweep may read there again [SEMANTICS §10.5]. */
export interface ReadInPlace {
  /** The operand is one of this node of the expanded graph. */
  readonly node: NodeId;
  /** The operand has this place among the node's. */
  readonly place: number;
  /** The operand lies in this memory, where the view sees it. */
  readonly memory: number;
  readonly view: View;
  /** The operand was read at this place among the events of the recording. */
  readonly time: number;
  /** Is true if the cotangent of some operand that depends on an input is computed from it (`needsOf`). */
  readonly isSaved: boolean;
}

/** A saved operand of which an element was overwritten later. */
export interface Hazard {
  readonly read: ReadInPlace;
  /** This statement overwrote it first. */
  readonly statement: Statement;
  /** It was overwritten at this place among the events of the recording. */
  readonly time: number;
  /** The memory stood for this node until then. */
  readonly before: NodeId;
}

/** Returns every operand read in place, in order. Fails: as {@link reverseRules} does. Cost: linear. */
export function readsInPlace<S>(
  recording: Recording<S>,
  expansion: Expansion<PrimitiveGraph>,
): Result<ReadInPlace[], Issue[]> {
  const rules = reverseRules(expansion.graph, shapesOf(expansion.graph));
  if (!rules.ok) return rules;
  const depending = dependingOnInputs(expansion.graph, rules.value);
  const readers = new Set(recording.events.flatMap((event) => (event.kind === "read" ? [event.node] : [])));
  const nodes = nodesByOrigin(expansion, readers);
  const reads = recording.events.flatMap((event, time) => {
    if (event.kind !== "read") return [];
    const { memory, view } = event;
    return operandsInPlace(recording, expansion, nodes, event.node, event.place).map(({ node, place }) => {
      const isSaved = savesOperand(expansion.graph, rules.value, depending, node, place);
      return { node, place, memory, view, time, isSaved };
    });
  });
  return ok(reads);
}

/**
 * The hazards among reads, in the order of the writes. A write beside what was read is none, nor is one over
 * what no rule reads. Cost: linear in the elements that are read and written.
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

/** Finds for each read the first later write to an element that it read. */
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

/** Says for each id whether its cotangent is propagated to an input. */
function dependingOnInputs(graph: PrimitiveGraph, rules: readonly RuleGraph[]): readonly boolean[] {
  const depending = graph.inputs.map(() => true);
  for (const [index, { parents }] of graph.nodes.entries()) {
    const { needs } = at(rules, index);
    depending.push(parents.some((parent, place) => needs[place] !== undefined && at(depending, parent)));
  }
  return depending;
}

/** Says whether a node's rule reads this operand for a cotangent that is propagated to an input. */
function savesOperand(
  { inputs, nodes }: PrimitiveGraph,
  rules: readonly RuleGraph[],
  depending: readonly boolean[],
  id: NodeId,
  place: number,
): boolean {
  const index = id - inputs.length;
  const { parents } = at(nodes, index);
  return at(rules, index).needs.some(
    (need, other) => need?.operands.includes(place) === true && at(depending, at(parents, other)),
  );
}

/** Finds the nodes of the expansion that come from some nodes of the recorded graph. */
function nodesByOrigin(
  { origins }: Expansion<PrimitiveGraph>,
  wanted: ReadonlySet<NodeId>,
): ReadonlyMap<NodeId, readonly NodeId[]> {
  const nodes = new Map<NodeId, NodeId[]>();
  for (const [id, origin] of origins.entries()) {
    if (!wanted.has(origin)) continue;
    const known = nodes.get(origin);
    if (known === undefined) nodes.set(origin, [nodeId(id)]);
    else known.push(nodeId(id));
  }
  return nodes;
}

/** Finds where the expansion reads an operand of a node of the recorded graph. */
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
