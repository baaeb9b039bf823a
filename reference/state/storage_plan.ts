import { at } from "../../spec/shapes/index.ts";
import type { Interval } from "./lifetimes.ts";

/** A block needs elements from one step to another, both included. A {@link Lifetime} is one. */
export interface Block extends Interval {
  readonly elements: number;
}

/** A place for every block in one arena: block `n` has the elements from `offsets[n]` on. */
export interface StoragePlan {
  readonly offsets: readonly number[];
  /** The elements of the arena. */
  readonly peak: number;
}

/** A plan can be wrong in these ways. */
export type PlanFault =
  /** There are not as many offsets as blocks. */
  | { readonly kind: "count"; readonly blocks: number; readonly offsets: number }
  /** A block begins or ends outside the arena. */
  | { readonly kind: "outside"; readonly block: number }
  /** Two blocks that are there at one step share an element. */
  | { readonly kind: "overlap"; readonly first: number; readonly second: number };

/** Says whether the lives of two blocks have a step in common. */
export function meet(a: Interval, b: Interval): boolean {
  return a.born <= b.last && b.born <= a.last;
}

/** Returns all faults of a plan: each block must be alone in its place for its life. Cost: quadratic. */
export function planFaults(blocks: readonly Block[], { offsets, peak }: StoragePlan): readonly PlanFault[] {
  if (offsets.length !== blocks.length)
    return [{ kind: "count", blocks: blocks.length, offsets: offsets.length }];
  const placed = blocks.map((block, n) => ({ ...block, n, from: at(offsets, n) }));
  const outside = placed.filter(
    ({ from, elements }) => !(Number.isInteger(from) && from >= 0 && from + elements <= peak),
  );
  const overlaps = placed.flatMap((a, n) =>
    placed
      .slice(n + 1)
      .filter(
        (b) => meet(a, b) && Math.max(a.from, b.from) < Math.min(a.from + a.elements, b.from + b.elements),
      )
      .map((b): PlanFault => ({ kind: "overlap", first: a.n, second: b.n })),
  );
  return [...outside.map(({ n }): PlanFault => ({ kind: "outside", block: n })), ...overlaps];
}

/** The most elements that are there at once, and the first step at which they are. */
export interface GreatestNeed {
  readonly elements: number;
  readonly step: number;
}

/** Returns the greatest simultaneous need: no plan has a smaller peak. Cost: linear in blocks and steps. */
export function greatestNeed(blocks: readonly Block[]): GreatestNeed {
  const changes: number[] = [];
  for (const { born, last, elements } of blocks) {
    changes[born] = (changes[born] ?? 0) + elements;
    changes[last + 1] = (changes[last + 1] ?? 0) - elements;
  }
  let held = 0;
  let most: GreatestNeed = { elements: 0, step: 0 };
  for (let step = 0; step < changes.length; step++) {
    held += changes[step] ?? 0;
    if (held > most.elements) most = { elements: held, step };
  }
  return most;
}

/**
 * Plans by best fit in order of time: each block takes the smallest free room that is large enough, the first
 * of several, and gives it back when its life ends. Of blocks born at one step the largest comes first. Cost:
 * sorting, and for each block a binary search in the free rooms and a move of the list's tail.
 */
export function planInTime(blocks: readonly Block[]): StoragePlan {
  const filled = blocks.flatMap(({ elements }, n) => (elements > 0 ? [n] : []));
  const births = filled.toSorted((a, b) => orderInTime(at(blocks, a), at(blocks, b)) || a - b);
  const deaths = filled.toSorted((a, b) => at(blocks, a).last - at(blocks, b).last);
  const offsets = blocks.map(() => 0);
  const rooms = new Rooms();
  let dead = 0;
  for (const n of births) {
    const { born, elements } = at(blocks, n);
    for (let over = deaths[dead]; over !== undefined && at(blocks, over).last < born; over = deaths[++dead])
      rooms.release(at(offsets, over), at(blocks, over).elements);
    offsets[n] = rooms.take(elements);
  }
  return { offsets, peak: rooms.peak };
}

function orderInTime(a: Block, b: Block): number {
  return a.born - b.born || b.elements - a.elements;
}

/** The free rooms of an endless arena: those between what is taken, never adjacent, and all above `top`. */
class Rooms {
  /** The rooms between blocks are in order of size and then place. */
  readonly #between: { readonly from: number; readonly size: number }[] = [];
  readonly #sizeFrom = new Map<number, number>();
  readonly #startOf = new Map<number, number>();
  #top = 0;
  peak = 0;

  take(size: number): number {
    const best = this.#between[this.#position(0, size)];
    if (best !== undefined) {
      this.#remove(best.from, best.size);
      if (best.size > size) this.#insert(best.from + size, best.size - size);
      return best.from;
    }
    const from = this.#top;
    this.#top += size;
    this.peak = Math.max(this.peak, this.#top);
    return from;
  }

  release(start: number, size: number): void {
    const before = this.#startOf.get(start);
    const from = before ?? start;
    const after = this.#sizeFrom.get(start + size);
    const to = start + size + (after ?? 0);
    if (before !== undefined) this.#remove(before, start - before);
    if (after !== undefined) this.#remove(start + size, after);
    if (to === this.#top) this.#top = from;
    else this.#insert(from, to - from);
  }

  #insert(from: number, size: number): void {
    this.#between.splice(this.#position(from, size), 0, { from, size });
    this.#sizeFrom.set(from, size);
    this.#startOf.set(from + size, from);
  }

  #remove(from: number, size: number): void {
    this.#between.splice(this.#position(from, size), 1);
    this.#sizeFrom.delete(from);
    this.#startOf.delete(from + size);
  }

  /** Returns the place in the list of the first room that is not before one from there and of that size. */
  #position(from: number, size: number): number {
    let [low, high] = [0, this.#between.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const room = at(this.#between, middle);
      if (room.size < size || (room.size === size && room.from < from)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * Plans by best fit in order of size: the largest block first, each in the smallest room between those that
 * are placed and are there at a step at which it is, or above them all. Source: Pisarchyk and Lee, Efficient
 * Memory Management for Deep Neural Net Inference (2020, https://arxiv.org/abs/2001.03288). Cost: quadratic.
 */
export function planBySize(blocks: readonly Block[]): StoragePlan {
  const order = blocks
    .map((_, n) => n)
    .toSorted(
      (a, b) => at(blocks, b).elements - at(blocks, a).elements || at(blocks, a).born - at(blocks, b).born,
    );
  const offsets = blocks.map(() => 0);
  const placed: (Block & { readonly from: number })[] = [];
  let peak = 0;
  for (const n of order) {
    const block = at(blocks, n);
    if (block.elements === 0) break;
    const from = roomFor(block, placed);
    offsets[n] = from;
    peak = Math.max(peak, from + block.elements);
    const place = placed.findLastIndex((other) => other.from <= from) + 1;
    placed.splice(place, 0, { ...block, from });
  }
  return { offsets, peak };
}

/** Finds the tightest place for a block among others, which come in the order of their places. */
function roomFor(block: Block, placed: readonly (Block & { readonly from: number })[]): number {
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const other of placed) {
    if (!meet(block, other)) continue;
    const room = other.from - end;
    if (room >= block.elements && room < least) {
      best = end;
      least = room;
    }
    end = Math.max(end, other.from + other.elements);
  }
  return best ?? end;
}
