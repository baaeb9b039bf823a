import { at, floatAt, InvariantError, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { gathered, type Memory, scatter } from "./memory.ts";
import type { Operation, Surroundings } from "./operation.ts";
import type { Trace } from "./trace.ts";
import type { Held, Saved } from "./value.ts";

/** Cotangents that go back to values, by their numbers. */
export type Pulled = readonly (readonly [slot: number, cotangent: Float64Array])[];

/** The sweep does one of these at an entry of the tape. */
type Entry =
  | { readonly kind: "step"; readonly slot: number; pull(cotangent: Float64Array): Pulled }
  /** The values from `first` on and before `end` are computed again. */
  | {
      readonly kind: "again";
      readonly first: number;
      readonly end: number;
      readonly replay: (trace: Trace) => void;
    };

/** The cotangents that a sweep has gathered; a slot that nothing reached has none. */
export type Cotangents = Map<number, Float64Array>;

/** A value whose cotangent is asked for too. */
export interface RetainedSlot {
  readonly slot: number;
  readonly value: FlatTensor;
}

/** An operator as it was applied. */
export interface Application {
  readonly operation: Operation;
  /** The numbers of the operands, what was saved of them, and their shapes. */
  readonly slots: readonly number[];
  readonly saved: readonly Saved[];
  readonly shapes: readonly Shape[];
  readonly surroundings: Surroundings;
}

/**
 * A tape that is written while a program runs, with a pullback for each value. Values are numbered whether
 * they are kept or not, so that a body that is run again has the same numbers. A mutant overrides a method.
 */
export class Tape implements Trace {
  readonly retained: RetainedSlot[] = [];
  readonly #memory: Memory;
  readonly #isSingle: boolean;
  readonly #entries: Entry[] = [];
  /** The values that depend on an input. */
  readonly #moving: Set<number>;
  #next: number;
  #isKept = true;

  constructor(memory: Memory, isSingle: boolean, first = 0, moving: Set<number> = new Set()) {
    this.#memory = memory;
    this.#isSingle = isSingle;
    this.#next = first;
    this.#moving = moving;
  }

  input(_value: FlatTensor): number {
    this.#moving.add(this.#next);
    return this.#next++;
  }

  applied(operation: Operation, operands: readonly Held[], surroundings: Surroundings): number {
    const slot = this.#next++;
    const moved = operands.map(
      (operand, place) => operation.receives[place] === true && this.#moving.has(operand.slot),
    );
    if (moved.includes(true)) this.#moving.add(slot);
    if (!this.#isKept || !operation.receives.includes(true)) return slot;
    const needs = this.#memory.policy === "copy" ? undefined : operation.needs(moved);
    const application: Application = {
      operation,
      slots: operands.map((operand) => operand.slot),
      saved: operands.map((operand, place) => this.#memory.save(operand, needs?.[place] ?? true)),
      shapes: operands.map(({ shape }) => shape),
      surroundings,
    };
    return this.#step(slot, (cotangent) => this.pullApplied(application, cotangent));
  }

  constant(_value: FlatTensor): number {
    return this.#next++;
  }

  taken(of: number, from: Shape, positions: readonly number[], _to: Shape): number {
    const pull = (cotangent: Float64Array): Pulled => this.pullTaken(of, from, positions, cotangent);
    return this.#step(this.#following([of]), pull);
  }

  overwritten(of: number, _shape: Shape, positions: readonly number[], by: number, _byShape: Shape): number {
    const pull = (cotangent: Float64Array): Pulled => this.pullOverwritten(of, positions, by, cotangent);
    return this.#step(this.#following([of, by]), pull);
  }

  reshaped(of: number, _from: Shape, _to: Shape): number {
    return this.#step(this.#following([of]), (cotangent) => [[of, cotangent.slice()]]);
  }

  detached(_of: number): number {
    return this.#next++;
  }

  retain(slot: number, value: FlatTensor): void {
    this.retained.push({ slot, value });
  }

  again<T>(run: () => T, replay: () => (trace: Trace) => void): T {
    if (!this.#isKept) return run();
    const entry = { kind: "again", first: this.#next, replay: replay() } as const;
    this.#isKept = false;
    const left = run();
    this.#isKept = true;
    this.#entries.push({ ...entry, end: this.#next });
    return left;
  }

  /** Sweeps back from the seeds in `cotangents`, adding to them. */
  sweep(cotangents: Cotangents): void {
    for (const entry of this.#entries.toReversed()) {
      if (entry.kind === "again") {
        this.sweepAgain(entry, cotangents);
        continue;
      }
      const cotangent = cotangents.get(entry.slot);
      if (cotangent === undefined) continue;
      for (const [slot, pulled] of entry.pull(cotangent)) this.accumulate(cotangents, slot, pulled);
    }
  }

  /** Adds to the cotangent of a value. */
  accumulate(cotangents: Cotangents, slot: number, pulled: Float64Array): void {
    const sum = cotangents.get(slot);
    if (sum === undefined) {
      cotangents.set(slot, pulled);
      return;
    }
    for (let i = 0; i < sum.length; i++) {
      const total = floatAt(sum, i) + floatAt(pulled, i);
      sum[i] = this.#isSingle ? Math.fround(total) : total;
    }
  }

  /** Runs a body again, and sweeps what that writes down. */
  sweepAgain(
    { first, end, replay }: Extract<Entry, { readonly kind: "again" }>,
    cotangents: Cotangents,
  ): void {
    let isReached = false;
    for (let slot = first; slot < end && !isReached; slot++) isReached = cotangents.has(slot);
    if (!isReached) return;
    const inner = new Tape(this.#memory, this.#isSingle, first, this.#moving);
    replay(inner);
    if (inner.#next !== end) throw new InvariantError("a body that was run again did something else");
    inner.sweep(cotangents);
  }

  /** Pulls back by the operator's rule. */
  pullApplied(
    { operation, slots, saved, shapes, surroundings }: Application,
    cotangent: Float64Array,
  ): Pulled {
    const operands = saved.map((one, place) => ({
      shape: at(shapes, place),
      data: this.recalled(one),
    }));
    const pulled = operation.cotangents(operands, cotangent, surroundings);
    return slots.flatMap((slot, place) =>
      operation.receives[place] === true ? [[slot, at(pulled, place)] as const] : [],
    );
  }

  /** Pulls a view back: each element gets what arrives at all its views, others get 0. */
  pullTaken(of: number, from: Shape, positions: readonly number[], cotangent: Float64Array): Pulled {
    const pulled = new Float64Array(sizeOf(from));
    for (const [i, position] of positions.entries()) {
      const total = floatAt(pulled, position) + floatAt(cotangent, i);
      pulled[position] = this.#isSingle ? Math.fround(total) : total;
    }
    return [[of, pulled]];
  }

  /** Returns what was saved of an operand. */
  recalled(saved: Saved): Float64Array {
    return this.#memory.recalled(saved);
  }

  /** Pulls a write back: overwritten elements get nothing, and the written value gets its part. */
  pullOverwritten(of: number, positions: readonly number[], by: number, cotangent: Float64Array): Pulled {
    const stays = cotangent.slice();
    scatter(stays, positions, new Float64Array(positions.length));
    return [
      [of, stays],
      [by, gathered(cotangent, positions)],
    ];
  }

  /** Numbers a value that moves if one of these does. */
  #following(slots: readonly number[]): number {
    if (slots.some((slot) => this.#moving.has(slot))) this.#moving.add(this.#next);
    return this.#next++;
  }

  #step(slot: number, pull: (cotangent: Float64Array) => Pulled): number {
    if (this.#isKept) this.#entries.push({ kind: "step", slot, pull });
    return slot;
  }
}
