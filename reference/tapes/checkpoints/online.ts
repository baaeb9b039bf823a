import { at } from "../../../spec/shapes/index.ts";
import { binomialSplit, reversalOf } from "./binomial.ts";
import type { Action } from "./schedule.ts";

/** Snapshots that are taken while nobody knows how long the run will be. Owns the positions. */
export class Online {
  readonly #slots: number;
  /** Snapshot `i` is in slot `i`, and was taken at this position. */
  readonly #positions: number[] = [];
  #spacing = 1;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Returns for each slot the position of its snapshot. */
  get positions(): readonly number[] {
    return this.#positions;
  }

  /**
   * Tells whether to keep the state at this position of the run. If all slots are taken, every other one is
   * freed, and half as many are taken from then on; {@link Online.positions} says which are left.
   */
  arrive(position: number): boolean {
    if (position % this.#spacing !== 0) return false;
    if (this.#positions.length === this.#slots) {
      this.#spacing *= 2;
      const kept = this.#positions.filter((held) => held % this.#spacing === 0);
      this.#positions.splice(0, this.#positions.length, ...kept);
      if (position % this.#spacing !== 0 || kept.length === this.#slots) return false;
    }
    this.#positions.push(position);
    return true;
  }
}

/**
 * Reverses a chain of which these snapshots were taken, each in the slot of its place: the last part first,
 * by the binomial schedule with the slots that are free by then.
 */
export function* reversalFrom(
  positions: readonly number[],
  length: number,
  slots: number,
): Generator<Action> {
  for (let slot = positions.length - 1; slot >= 0; slot--) {
    const to = positions[slot + 1] ?? length;
    const isThere = false;
    yield* reversalOf({ from: at(positions, slot), to, slot, isThere }, slots, (a, b, free) =>
      binomialSplit(b - a, free),
    );
  }
}
