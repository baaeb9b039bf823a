import { at, floatAt, integerAt } from "../../../../spec/shapes/index.ts";

/** The hash table has so many places at first. */
const FIRST_PLACES = 256;

/**
 * Numbers sequences of numbers from 0 on; equal ones have one number. A sequence is written element by
 * element and then closed. It does what a map does whose keys are texts, without writing the texts.
 * Cost: linear in the sequence.
 */
export class Sequences {
  /** All different sequences one after the other, then the one that is being written. */
  #elements: Float64Array = new Float64Array(FIRST_PLACES);
  /** Elements that are written. */
  #length = 0;
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];
  /** Each place has one more than the number of a sequence; 0 where it is empty. At most half are taken. */
  #places: Int32Array = new Int32Array(FIRST_PLACES);

  /** Writes one more element. */
  write(element: number): void {
    if (this.#length === this.#elements.length) {
      const more = new Float64Array(2 * this.#length);
      more.set(this.#elements);
      this.#elements = more;
    }
    this.#elements[this.#length] = element;
    this.#length += 1;
  }

  /** Ends the sequence, and returns its number: that of the first equal one, or the next if it is new. */
  close(): number {
    const start = this.#ends.at(-1) ?? 0;
    const hash = this.#hashFrom(start);
    let place = hash & (this.#places.length - 1);
    for (;;) {
      const number = integerAt(this.#places, place) - 1;
      if (number < 0) break;
      if (this.#hashes[number] === hash && this.#isAt(number, start)) {
        this.#length = start;
        return number;
      }
      place = (place + 1) & (this.#places.length - 1);
    }
    this.#hashes.push(hash);
    const number = this.#ends.push(this.#length) - 1;
    this.#places[place] = number + 1;
    if (2 * this.#ends.length > this.#places.length) this.#grow();
    return number;
  }

  /** Mixes the elements, of which only 32 bits count, so that the low bits depend on all of them. */
  #hashFrom(start: number): number {
    let hash = this.#length - start;
    for (let n = start; n < this.#length; n++) {
      hash = Math.imul(hash ^ floatAt(this.#elements, n), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** Says whether the sequence with this number is the one that begins at `start`. */
  #isAt(number: number, start: number): boolean {
    const first = number === 0 ? 0 : at(this.#ends, number - 1);
    const length = this.#length - start;
    if (at(this.#ends, number) - first !== length) return false;
    for (let n = 0; n < length; n++)
      if (this.#elements[first + n] !== this.#elements[start + n]) return false;
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
