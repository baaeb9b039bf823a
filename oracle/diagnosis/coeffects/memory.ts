import type { Lifetimes, PrimalLifetime } from "../../../reference/state/index.ts";
import { binomialSchedule } from "../../../reference/tapes/checkpoints/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { assertNever, at, type NodeId, nodeId } from "../../../spec/shapes/index.ts";
import { type Amount, type Envelope, envelopeOf, plus, sumOfEnvelopes } from "./amounts.ts";
import { storageOf } from "./escape.ts";

/** A graph runs forward, with tangents or without, or in reverse, keeping values or few snapshots. */
export type Mode =
  | { readonly kind: "forward"; readonly tangents: number }
  | { readonly kind: "reverse" }
  | { readonly kind: "checkpointed"; readonly slots: number };

/** A run needs this memory beside what it is given, in elements, by the length of an axis. */
export interface Memory {
  /** It holds this much when the forward pass ends and the reverse sweep begins. */
  readonly kept: Envelope;
  /** This is the peak of values, without cotangents. */
  readonly values: Envelope;
  /** This is the peak of values and cotangents. */
  readonly peak: Envelope;
  /** This counts the computations of nodes beyond the first of each. */
  readonly computedAgain: number;
  /** These values are in a snapshot when the sweep begins. */
  readonly inSnapshots: ReadonlySet<NodeId>;
}

const none: ReadonlySet<NodeId> = new Set();

/** This is a graph with its lifetimes, and the number of elements of each value. */
export interface Placing {
  readonly graph: PrimitiveGraph;
  readonly lifetimes: Lifetimes;
  readonly sizes: readonly Amount[];
  /** These nodes copy nothing: they stand for entries of Δ, which are the caller's. */
  readonly given: ReadonlySet<NodeId>;
  readonly hasViews: boolean;
}

/** Computes a mode's memory. Cost: linear in nodes and edges; with snapshots, in what is computed again. */
export function memoryOf(placing: Placing, mode: Mode): Memory {
  switch (mode.kind) {
    case "forward":
      return forwardMemory(placing, mode.tangents);
    case "reverse":
      return reverseMemory(placing);
    case "checkpointed":
      return checkpointedMemory(placing, mode.slots);
    default:
      return assertNever(mode);
  }
}

interface Interval {
  readonly born: number;
  readonly last: number;
  readonly elements: Amount;
}

/** Finds the most elements of intervals that share a step; both ends belong to an interval. */
function peakOf(intervals: readonly Interval[]): Envelope {
  const steps = intervals.reduce((most, { last }) => Math.max(most, last + 2), 0);
  const change = Array.from({ length: steps }, (): Amount => []);
  for (const { born, last, elements } of intervals) {
    change[born] = plus(at(change, born), elements);
    change[last + 1] = plus(at(change, last + 1), elements, -1);
  }
  let live: Amount = [];
  return envelopeOf(
    change.map((step) => {
      live = plus(live, step);
      return live;
    }),
  );
}

/** Lists how long the storage of each computed value is used, by itself and its views. */
function storedFor(
  { graph, lifetimes, sizes, given, hasViews }: Placing,
  lastOf: (value: PrimalLifetime) => number,
): Interval[] {
  const storage = storageOf(graph, hasViews);
  const last = new Map<NodeId, number>();
  for (const value of lifetimes.values) {
    if (value.kind !== "primal") continue;
    const owner = at(storage, value.id);
    last.set(owner, Math.max(last.get(owner) ?? 0, lastOf(value)));
  }
  return graph.nodes.flatMap((_, index) => {
    const id = nodeId(graph.inputs.length + index);
    if (storage[id] !== id || given.has(id)) return [];
    return [{ born: index, last: last.get(id) ?? index, elements: at(sizes, id) }];
  });
}

function forwardMemory(placing: Placing, tangents: number): Memory {
  const end = placing.graph.nodes.length - 1;
  const intervals = storedFor(placing, (value) => (value.isResult ? end : value.lastForward));
  const peak = peakOf(intervals).map((amount) => plus([], amount, 1 + tangents));
  return { kept: [], values: peak, peak, computedAgain: 0, inSnapshots: none };
}

function reverseMemory(placing: Placing): Memory {
  const { lifetimes, sizes } = placing;
  const primal = storedFor(placing, ({ last }) => last);
  const cotangents = lifetimes.values.flatMap((value) =>
    value.kind === "cotangent" ? [{ ...value, elements: at(sizes, value.id) }] : [],
  );
  const kept = primal.reduce<Amount>(
    (sum, { born, last, elements }) =>
      born < lifetimes.turn && last > lifetimes.turn ? plus(sum, elements) : sum,
    [],
  );
  const peak = peakOf([...primal, ...cotangents]);
  return { kept: [kept], values: peakOf(primal), peak, computedAgain: 0, inSnapshots: none };
}

/**
 * Takes snapshots where the binomial schedule does, of what later nodes read. Cotangents count as in reverse
 * mode; views do not, since a snapshot copies values.
 */
function checkpointedMemory({ graph, lifetimes, sizes, given }: Placing, slots: number): Memory {
  const stored = sizes.map((size, id) => (given.has(nodeId(id)) ? [] : size));
  const walk = new Walk(graph, stored);
  const snapshots = new Map<number, { readonly at: number; readonly ids: readonly NodeId[] }>();
  let kept: Amount = [];
  let [hasTurned, computed] = [false, 0];
  let inSnapshots = none;
  for (const action of binomialSchedule(graph.nodes.length, slots)) {
    if (action.kind === "store") {
      const before = snapshots.get(action.slot);
      const ids = walk.standing();
      walk.hold(ids);
      if (before !== undefined) walk.drop(before.ids);
      snapshots.set(action.slot, { at: action.at, ids });
    } else if (action.kind === "restore") walk.restore(snapshots.get(action.slot)?.ids ?? [], action.at);
    else if (action.kind === "advance") {
      walk.advance(action.to);
      computed += action.to - action.from;
    } else if (action.kind === "reverse") {
      if (!hasTurned) {
        kept = walk.live;
        const held = [...snapshots.values()].flatMap(({ ids }) => ids);
        inSnapshots = new Set(held.filter((id) => !given.has(id)));
      }
      hasTurned = true;
      walk.left = action.step;
      for (const [slot, snapshot] of snapshots) {
        if (snapshot.at < action.step) continue;
        walk.drop(snapshot.ids);
        snapshots.delete(slot);
      }
    }
  }
  const cotangents = lifetimes.values.flatMap((value) =>
    value.kind === "cotangent" ? [{ ...value, elements: at(sizes, value.id) }] : [],
  );
  const computedAgain = Math.max(0, computed - (graph.nodes.length - 1));
  const peak = sumOfEnvelopes(walk.peak, peakOf(cotangents));
  return { kept: [kept], values: walk.peak, peak, computedAgain, inSnapshots };
}

/** Tracks what a run holds: only values that later nodes read, and snapshots. */
class Walk {
  live: Amount = [];
  peak: Envelope = [];
  /** This many nodes have not been reversed. */
  left: number;
  readonly #graph: PrimitiveGraph;
  readonly #sizes: readonly Amount[];
  readonly #readers: readonly (readonly number[])[];
  readonly #count = new Map<NodeId, number>();
  #standing = new Set<NodeId>();
  #at = 0;

  constructor(graph: PrimitiveGraph, sizes: readonly Amount[]) {
    const readers: number[][] = sizes.map(() => []);
    for (const [index, { parents }] of graph.nodes.entries())
      for (const id of new Set(parents)) at(readers, id).push(index);
    this.#graph = graph;
    this.#sizes = sizes;
    this.#readers = readers;
    this.left = graph.nodes.length;
  }

  standing(): NodeId[] {
    return [...this.#standing];
  }

  hold(ids: Iterable<NodeId>): void {
    for (const id of ids) {
      const count = this.#count.get(id) ?? 0;
      this.#count.set(id, count + 1);
      if (count === 0) this.live = plus(this.live, at(this.#sizes, id));
    }
    this.peak = envelopeOf([...this.peak, this.live]);
  }

  drop(ids: Iterable<NodeId>): void {
    for (const id of ids) {
      const count = (this.#count.get(id) ?? 0) - 1;
      this.#count.set(id, count);
      if (count === 0) this.live = plus(this.live, at(this.#sizes, id), -1);
    }
  }

  restore(ids: readonly NodeId[], position: number): void {
    this.drop(this.#standing);
    this.#at = position;
    this.#standing = new Set(ids.filter((id) => this.#isRead(id)));
    this.hold(this.#standing);
  }

  advance(to: number): void {
    for (; this.#at < to; this.#at++) {
      const id = nodeId(this.#graph.inputs.length + this.#at);
      this.#standing.add(id);
      this.hold([id]);
      const after = this.#at + 1;
      for (const read of new Set([...at(this.#graph.nodes, this.#at).parents, id])) {
        if (!this.#standing.has(read) || this.#isRead(read, after)) continue;
        this.#standing.delete(read);
        this.drop([read]);
      }
    }
  }

  #isRead(id: NodeId, from: number = this.#at): boolean {
    return at(this.#readers, id).some((reader) => reader >= from && reader < this.left);
  }
}
