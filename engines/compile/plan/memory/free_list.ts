import { at } from "../../../../spec/shapes/index.ts";

/**
 * Free places of one arena, in elements; all sizes and places are multiples of one alignment that the caller keeps.
 * A place is taken from the smallest free block that has room, and what is given back joins its free neighbours. A block may be empty.
 * Cost: a binary search in the free blocks, and moving the list's tail.
 */
export class FreeList {
  /** Free blocks, by size and then place. */
  readonly #blocks: { readonly start: number; readonly size: number }[] = [];
  readonly #sizeAtStart = new Map<number, number>();
  readonly #startAtEnd = new Map<number, number>();
  #length = 0;

  /** Elements of the arena so far. */
  get length(): number {
    return this.#length;
  }

  /** The place of a fresh block of this size; the arena grows only if no free block has room. */
  take(size: number): number {
    const best = this.#blocks[this.#position(0, size)];
    if (best !== undefined) {
      this.#remove(best.start, best.size);
      this.#insert(best.start + size, best.size - size);
      return best.start;
    }
    // The end of the arena grows by what its last block lacks.
    const start = this.#startAtEnd.get(this.#length) ?? this.#length;
    if (start < this.#length) this.#remove(start, this.#length - start);
    this.#length = start + size;
    return start;
  }

  /** Gives back a block that was taken. */
  release(start: number, size: number): void {
    let [from, to] = [start, start + size];
    const after = this.#sizeAtStart.get(to);
    if (after !== undefined) {
      this.#remove(to, after);
      to += after;
    }
    const before = this.#startAtEnd.get(from);
    if (before !== undefined) {
      this.#remove(before, from - before);
      from = before;
    }
    this.#insert(from, to - from);
  }

  #insert(start: number, size: number): void {
    this.#blocks.splice(this.#position(start, size), 0, { start, size });
    this.#sizeAtStart.set(start, size);
    this.#startAtEnd.set(start + size, start);
  }

  #remove(start: number, size: number): void {
    this.#blocks.splice(this.#position(start, size), 1);
    this.#sizeAtStart.delete(start);
    this.#startAtEnd.delete(start + size);
  }

  /** The first block that is not before one of this place and size. */
  #position(start: number, size: number): number {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = at(this.#blocks, middle);
      if (block.size < size || (block.size === size && block.start < start)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
