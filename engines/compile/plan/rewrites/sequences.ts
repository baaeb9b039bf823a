import { at, integerAt } from "../../../../spec/shapes/index.ts";

/** The hash table has so many places at first. */
const FIRST_PLACES = 256;

/**
 * Numbers sequences of numbers from 0 on; equal ones have one number. It does what a map does whose keys are
 * texts, without writing the texts. Cost: linear in the sequence.
 */
export class Sequences {
  /** All sequences, one after the other. */
  readonly #elements: number[] = [];
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];
  /** Each place has one more than the number of a sequence; 0 where it is empty. At most half are taken. */
  #places: Int32Array = new Int32Array(FIRST_PLACES);

  /** Counts the different sequences so far, which is the number that the next new one gets. */
  get count(): number {
    return this.#ends.length;
  }

  /** Returns the number of a sequence, which is {@link count} if it is new. */
  numberOf(sequence: readonly number[]): number {
    const hash = hashOf(sequence);
    let place = hash & (this.#places.length - 1);
    for (;;) {
      const number = integerAt(this.#places, place) - 1;
      if (number < 0) break;
      if (this.#hashes[number] === hash && this.#isAt(number, sequence)) return number;
      place = (place + 1) & (this.#places.length - 1);
    }
    for (const element of sequence) this.#elements.push(element);
    this.#hashes.push(hash);
    const number = this.#ends.push(this.#elements.length) - 1;
    this.#places[place] = number + 1;
    if (2 * number > this.#places.length) this.#grow();
    return number;
  }

  #isAt(number: number, sequence: readonly number[]): boolean {
    const start = number === 0 ? 0 : at(this.#ends, number - 1);
    if (at(this.#ends, number) - start !== sequence.length) return false;
    for (let n = 0; n < sequence.length; n++) if (this.#elements[start + n] !== sequence[n]) return false;
    return true;
  }

  #grow(): void {
    const places = new Int32Array(2 * this.#places.length);
    for (const [number, hash] of this.#hashes.entries()) {
      let place = hash & (places.length - 1);
      while (places[place] !== 0) place = (place + 1) & (places.length - 1);
      places[place] = number + 1;
    }
    this.#places = places;
  }
}

/** Mixes the elements, of which only 32 bits count, so that the low bits depend on all of them. */
function hashOf(sequence: readonly number[]): number {
  let hash = sequence.length;
  for (let n = 0; n < sequence.length; n++) {
    hash = Math.imul(hash ^ at(sequence, n), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
