import { fail, ok, type Result } from "../../spec/shapes/index.ts";
import type { Block, StoragePlan } from "./storage_plan.ts";

/** A block was freed, another block overwrote it, or its place is outside the arena. */
export type ArenaFault =
  | { readonly kind: "freed" }
  | { readonly kind: "foreign"; readonly owner: number }
  | { readonly kind: "outside" };

/** Elements that no block owns have this owner. */
const NOBODY = -1;

/**
 * One list of elements holds all blocks of a plan, and another tells who wrote each. An element belongs to
 * its last writer, or to nobody once freed: then reading is a fault. No number could mark it, since any may
 * be real.
 */
export class Arena<S> {
  readonly #blocks: readonly Block[];
  readonly #offsets: readonly number[];
  readonly #elements: (S | undefined)[];
  readonly #owners: Int32Array;

  constructor(blocks: readonly Block[], { offsets, peak }: StoragePlan) {
    this.#blocks = blocks;
    this.#offsets = offsets;
    this.#elements = new Array<S | undefined>(peak);
    this.#owners = new Int32Array(peak).fill(NOBODY);
  }

  /** Writes a block's elements to its place. Without elements it only takes the place. Fails: `outside`. */
  write(block: number, data?: readonly S[]): Result<void, ArenaFault> {
    const [from, to] = this.#place(block);
    if (!(from >= 0 && to <= this.#owners.length)) return fail({ kind: "outside" });
    for (let place = from; place < to; place++) {
      this.#elements[place] = data?.[place - from];
      this.#owners[place] = block;
    }
    return ok(undefined);
  }

  /** Checks that nothing overwrote or freed a block. Fails: with the first fault. */
  check(block: number): Result<void, ArenaFault> {
    const [from, to] = this.#place(block);
    for (let place = from; place < to; place++) {
      const owner = this.#owners[place];
      if (owner === undefined) return fail({ kind: "outside" });
      if (owner === NOBODY) return fail({ kind: "freed" });
      if (owner !== block) return fail({ kind: "foreign", owner });
    }
    return ok(undefined);
  }

  /** Returns the elements of a block. Fails: as {@link check} does. */
  read(block: number): Result<readonly S[], ArenaFault> {
    const checked = this.check(block);
    if (!checked.ok) return checked;
    const [from, to] = this.#place(block);
    return ok(this.#elements.slice(from, to).flatMap((element) => (element === undefined ? [] : [element])));
  }

  /** Poisons what the block still has. */
  release(block: number): void {
    const [from, to] = this.#place(block);
    for (let place = from; place < to; place++) {
      if (this.#owners[place] !== block) continue;
      this.#owners[place] = NOBODY;
      this.#elements[place] = undefined;
    }
  }

  #place(block: number): readonly [from: number, to: number] {
    const from = this.#offsets[block] ?? Number.NaN;
    return [from, from + (this.#blocks[block]?.elements ?? 0)];
  }
}
