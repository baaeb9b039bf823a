import { at } from "../../../../spec/shapes/index.ts";

/**
 * Free places of one arena, in elements; the caller keeps sizes and places multiples of one alignment. A
 * place is taken from the smallest free block that has room. A released block joins its free neighbours.
 * Cost: a binary search in the free blocks, and moving the list's tail.
 */
export class FreeList {
  /** Free blocks, sorted by size and then by place. */
  readonly #blocks: { readonly start: number; readonly size: number }[] = [];
  readonly #sizeAtStart = new Map<number, number>();
  readonly #startAtEnd = new Map<number, number>();
  #length = 0;

  /** Returns the elements of the arena so far. */
  get length(): number {
    return this.#length;
  }

  /** Returns the place of a fresh block; the arena grows only if no free block has room. */
  take(size: number): number {
    const best = this.#blocks[this.#position(0, size)];
    if (best !== undefined) {
      this.#remove(best.start, best.size);
      this.#insert(best.start + size, best.size - size);
      return best.start;
    }
    // The arena grows by what its last free block lacks.
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

  /** Finds the first block that does not precede one of this place and size. */
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
