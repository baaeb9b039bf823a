import { at, type NodeId, nodeId } from "../../../spec/shapes/index.ts";
import type { Tensor } from "../../tensor.ts";
import { computed, idAt } from "../sweeping.ts";
import type { Taking } from "../system.ts";

/** The state of a run between two nodes: the values that a later node reads. */
export interface Snapshot<S> {
  /** So many nodes have been computed. */
  readonly at: number;
  readonly live: ReadonlyMap<NodeId, Tensor<S>>;
}

/** A run has come to some node; it owns the values that later nodes read, but not the caller's inputs. */
export class Walk<S> {
  readonly #taking: Taking<S>;
  /** These nodes (their indices, in order) read each id. */
  readonly #readers: readonly (readonly number[])[];
  #live = new Map<NodeId, Tensor<S>>();
  #at = 0;
  /** So many nodes have not been reversed; what only later nodes read need not be kept. */
  left: number;

  constructor(taking: Taking<S>) {
    const { inputs, nodes } = taking.subject.data;
    const readers: number[][] = taking.subject.shapes.map(() => []);
    for (const [index, { reads }] of nodes.entries()) for (const id of reads) at(readers, id).push(index);
    this.#taking = taking;
    this.#readers = readers;
    this.left = nodes.length;
    for (let id = 0; id < inputs.length; id++) taking.meter.holdValue(nodeId(id));
  }

  get at(): number {
    return this.#at;
  }

  /** Computes nodes up to a position. `again` where the recording had come that far already. */
  advance(to: number, again: "first" | "again"): void {
    for (let index = this.#at; index < to; index++) {
      const { reads } = at(this.#taking.subject.data.nodes, index);
      const value = computed(this.#taking, index, this.contextOf(reads), again);
      const id = idAt(this.#taking, index);
      this.#at = index + 1;
      this.#hold(id, value);
      for (const read of [...reads, id]) if (!this.#isRead(read)) this.#drop(read);
    }
  }

  /** Returns a context of these values. */
  contextOf(reads: readonly NodeId[]): Tensor<S>[] {
    const context: Tensor<S>[] = [];
    for (const id of reads) {
      const value = this.#live.get(id) ?? this.#taking.point.x[id];
      if (value !== undefined) context[id] = value;
    }
    return context;
  }

  /** The state as it is, for whoever holds it from then on. */
  snapshot(): Snapshot<S> {
    for (const id of this.#live.keys()) this.#taking.meter.holdValue(id);
    return { at: this.#at, live: new Map(this.#live) };
  }

  restore(snapshot: Snapshot<S>): void {
    for (const id of [...this.#live.keys()]) this.#drop(id);
    this.#at = snapshot.at;
    for (const [id, value] of snapshot.live) if (this.#isRead(id)) this.#hold(id, value);
  }

  /** A snapshot is given back. */
  free({ live }: Snapshot<S>): void {
    for (const id of live.keys()) this.#taking.meter.dropValue(id);
  }

  /** Gives back all that is held. */
  leave(): void {
    for (const id of [...this.#live.keys()]) this.#drop(id);
  }

  /** Says whether a node that has still to be computed or reversed reads this value. */
  #isRead(id: NodeId): boolean {
    const readers = at(this.#readers, id);
    let [low, high] = [0, readers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(readers, middle) < this.#at) low = middle + 1;
      else high = middle;
    }
    return (readers[low] ?? Number.POSITIVE_INFINITY) < this.left;
  }

  #hold(id: NodeId, value: Tensor<S>): void {
    this.#live.set(id, value);
    this.#taking.meter.holdValue(id);
  }

  #drop(id: NodeId): void {
    if (this.#live.delete(id)) this.#taking.meter.dropValue(id);
  }
}
