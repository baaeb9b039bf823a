import type { Watch } from "../../reference/package.ts";
import { at, floatAt } from "../../spec/index.ts";

/** How far back data lie when they are touched again: bytes touched, by what lies between. */
export interface Reuse {
  /** By n, the bytes touched whose distance is below 2ⁿ bytes and not below 2ⁿ⁻¹; the first are those of distance 0. */
  readonly byDistance: readonly number[];
  /** The bytes that were touched for the first time. */
  readonly first: number;
  /** All bytes touched. */
  readonly total: number;
}

/**
 * Follows a run's touches and counts LRU stack distances: of a touch of a datum, the bytes of all other data that have been touched since it was
 * last. A cache of so many bytes that gives up what was not used for longest has a datum if its distance and it are no more; so the histogram
 * says what every such cache would miss. Cost: logarithmic in the touches, each. Source: Mattson et al., Evaluation techniques for storage hierarchies (1970).
 */
export class StackDistances {
  /** By datum, when it was last touched. */
  readonly #last = new Map<string, number>();
  /** By time, the bytes of the datum that was touched then and not since: a tree of sums (Fenwick 1994). */
  #sums: Float64Array = new Float64Array(1 << 10);
  #time = 0;
  readonly #byDistance: number[] = [];
  #first = 0;
  #total = 0;

  /** Tells it a touch. */
  readonly touch: Watch = (datum, bytes) => {
    if (bytes === 0) return;
    this.#time += 1;
    if (this.#time >= this.#sums.length) this.#grow();
    this.#total += bytes;
    const before = this.#last.get(datum);
    if (before === undefined) this.#first += bytes;
    else {
      const own = this.#between(before - 1, before);
      this.#put(bucketOf(this.#between(before, this.#time - 1)), bytes);
      this.#add(before, -own);
    }
    this.#add(this.#time, bytes);
    this.#last.set(datum, this.#time);
  };

  reuse(): Reuse {
    const byDistance = Array.from(this.#byDistance, (bytes) => bytes ?? 0);
    return { byDistance, first: this.#first, total: this.#total };
  }

  #put(bucket: number, bytes: number): void {
    while (this.#byDistance.length <= bucket) this.#byDistance.push(0);
    this.#byDistance[bucket] = at(this.#byDistance, bucket) + bytes;
  }

  #between(after: number, until: number): number {
    return this.#upTo(until) - this.#upTo(after);
  }

  #upTo(time: number): number {
    let sum = 0;
    for (let place = time; place > 0; place -= place & -place) sum += floatAt(this.#sums, place);
    return sum;
  }

  #add(time: number, bytes: number): void {
    for (let place = time; place < this.#sums.length; place += place & -place)
      this.#sums[place] = floatAt(this.#sums, place) + bytes;
  }

  /** Twice the room: the node of the new half's end has the sum of all. */
  #grow(): void {
    const all = this.#upTo(this.#sums.length - 1);
    const sums = new Float64Array(2 * this.#sums.length);
    sums.set(this.#sums);
    sums[this.#sums.length] = all;
    this.#sums = sums;
  }
}

/** 0 for distance 0; else the least n with distance < 2ⁿ. */
function bucketOf(distance: number): number {
  return distance === 0 ? 0 : Math.floor(Math.log2(distance)) + 1;
}

/** The bytes touched that a cache of 2ⁿ bytes has to fetch: what lies further back, and what comes for the first time. */
export function missesOf({ byDistance, first }: Reuse, n: number): number {
  return byDistance.slice(n + 1).reduce((sum, bytes) => sum + bytes, first);
}
