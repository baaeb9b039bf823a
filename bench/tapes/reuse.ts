import type { Watch } from "../../reference/package.ts";
import { at, floatAt } from "../../spec/index.ts";

/** Touched bytes are counted by how far back their last touch lies. */
export interface Reuse {
  /** Entry n counts bytes whose distance is in [2ⁿ⁻¹, 2ⁿ); the first counts distance 0. */
  readonly byDistance: readonly number[];
  /** This many bytes were touched for the first time. */
  readonly first: number;
  /** This many bytes were touched. */
  readonly total: number;
}

/**
 * Follows a run's touches and counts LRU stack distances: from a datum's last touch, the bytes of all other
 * data touched since. An LRU cache has a datum if its distance and size fit into it, so the histogram says
 * what every such cache would miss. Cost: logarithmic in the touches, each. Source: Mattson et al.,
 * Evaluation techniques for storage hierarchies (1970).
 */
export class StackDistances {
  /** Each datum has the time of its last touch. */
  readonly #last = new Map<string, number>();
  /** Each time has the bytes of the datum last touched then: a tree of sums (Fenwick 1994). */
  #sums: Float64Array = new Float64Array(1 << 10);
  #time = 0;
  readonly #byDistance: number[] = [];
  #first = 0;
  #total = 0;

  /** Counts a touch. */
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

  /** Doubling the room, the node at the new end gets the sum of all. */
  #grow(): void {
    const all = this.#upTo(this.#sums.length - 1);
    const sums = new Float64Array(2 * this.#sums.length);
    sums.set(this.#sums);
    sums[this.#sums.length] = all;
    this.#sums = sums;
  }
}

/** Returns 0 for distance 0, else the least n with distance < 2ⁿ. */
function bucketOf(distance: number): number {
  return distance === 0 ? 0 : Math.floor(Math.log2(distance)) + 1;
}

/** Returns the touched bytes that a cache of 2ⁿ bytes fetches: those from further back, and new ones. */
export function missesOf({ byDistance, first }: Reuse, n: number): number {
  return byDistance.slice(n + 1).reduce((sum, bytes) => sum + bytes, first);
}
