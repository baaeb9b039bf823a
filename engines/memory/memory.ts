import { isWhole, positionsOf, type View } from "../../spec/programs/index.ts";
import { at, floatAt, isSameShape } from "../../spec/shapes/index.ts";
import { ProgramFault } from "./fault.ts";
import type { Trace } from "./trace.ts";
import type { Held, Place, Saved, SavedInPlace, Seen } from "./value.ts";

/** A policy decides what becomes of saved operands that are overwritten too early [SEMANTICS §10.5]. */
export type OverwritePolicy = "copy" | "version" | "forbid";

/**
 * Locations, and the operands saved in them. Under `copy` a saved operand is copied before it is overwritten;
 * under `version` the sweep detects that, and refuses; under `forbid` the write does. A mutant overrides a
 * method.
 */
export class Memory {
  readonly policy: OverwritePolicy;
  /** The cache serves loops, which look through the same view many times. */
  readonly #positions: WeakMap<View, readonly number[]> = new WeakMap();

  constructor(policy: OverwritePolicy) {
    this.policy = policy;
  }

  /** Makes a location with a copy. */
  located({ shape, data, tangent, slot }: Held): Place {
    return {
      shape,
      data: data.slice(),
      tangent: tangent?.slice(),
      slot,
      isReleased: false,
      clock: 0,
      writtenAt: new Array<number>(data.length).fill(0),
      saved: new Set(),
    };
  }

  /** Copies a location, with all that belongs to its elements, for a body that is run again. */
  again(place: Place): Place {
    const { data, tangent, writtenAt } = place;
    return {
      ...place,
      data: data.slice(),
      tangent: tangent?.slice(),
      writtenAt: [...writtenAt],
      saved: new Set(),
    };
  }

  /** Reads what a view sees at present. */
  read(place: Place, view: View, trace: Trace): Held {
    const positions = this.positionsRead(place, view);
    return {
      shape: view.shape,
      data: gathered(place.data, positions),
      tangent: place.tangent && gathered(place.tangent, positions),
      slot: this.slotRead(place, view, positions, trace),
      seen: { place, positions, time: place.clock },
    };
  }

  /** Overwrites what a view sees with a value that was read before. */
  write(place: Place, view: View, value: Held, trace: Trace): void {
    const positions = this.positionsWritten(place, view);
    this.beforeWrite(place, positions);
    scatter(place.data, positions, value.data);
    this.moveTangent(place, positions, value);
    this.raise(place, positions);
    place.slot = this.slotWrittenThrough(place, view, positions, value, trace);
  }

  /** Saves an operand for the sweep: by its place where a rule needs it, else as it is. */
  save({ data, seen }: Held, isNeeded: boolean): Saved {
    if (seen === undefined || !(isNeeded || this.policy === "copy")) return { kind: "kept", data };
    const saved: SavedInPlace = { kind: "in place", seen, copy: undefined };
    seen.place.saved.add(saved);
    return saved;
  }

  /** Returns what was saved. Throws {@link ProgramFault} if it was overwritten and not copied. */
  recalled(saved: Saved): Float64Array {
    if (saved.kind === "kept") return saved.data;
    if (saved.copy !== undefined) return saved.copy;
    if (this.wasOverwritten(saved.seen)) {
      throw new ProgramFault("an operand that the sweep needs was overwritten after it was read.", "refused");
    }
    return gathered(saved.seen.place.data, saved.seen.positions);
  }

  protected positionsRead(_place: Place, view: View): readonly number[] {
    return this.#seenBy(view);
  }

  protected positionsWritten(_place: Place, view: View): readonly number[] {
    return this.#seenBy(view);
  }

  /** Copies what is saved and will be overwritten, or forbids the write. */
  protected beforeWrite(place: Place, positions: readonly number[]): void {
    if (place.saved.size === 0 || this.policy === "version") return;
    const written = new Set(positions);
    for (const saved of place.saved) {
      if (!this.touches(saved, written)) continue;
      if (this.policy === "forbid") {
        throw new ProgramFault("it overwrites what the sweep needs of an operand.", "refused");
      }
      saved.copy = this.copyOf(saved);
      place.saved.delete(saved);
    }
  }

  /** Says whether something saved has an element that is written. */
  protected touches({ seen }: SavedInPlace, written: ReadonlySet<number>): boolean {
    return seen.positions.some((position) => written.has(position));
  }

  protected copyOf({ seen: { place, positions } }: SavedInPlace): Float64Array {
    return gathered(place.data, positions);
  }

  protected moveTangent({ tangent }: Place, positions: readonly number[], value: Held): void {
    if (tangent !== undefined && value.tangent !== undefined) scatter(tangent, positions, value.tangent);
  }

  /** Advances the clock, and stamps the elements. */
  protected raise(place: Place, positions: readonly number[]): void {
    place.clock++;
    for (const position of positions) place.writtenAt[position] = place.clock;
  }

  protected wasOverwritten({ place, positions, time }: Seen): boolean {
    return positions.some((position) => at(place.writtenAt, position) > time);
  }

  /** Returns the number of what is read: a whole location is its value, a part a value of its own. */
  slotRead(place: Place, view: View, positions: readonly number[], trace: Trace): number {
    const { slot, shape, data } = place;
    if (!isWhole(view, data.length)) return trace.taken(slot, shape, positions, view.shape);
    return isSameShape(view.shape, shape) ? slot : trace.reshaped(slot, shape, view.shape);
  }

  /** Returns the number of the value that the location holds after a write. */
  slotWrittenThrough(
    { slot, shape, data }: Place,
    view: View,
    positions: readonly number[],
    value: Held,
    trace: Trace,
  ): number {
    if (!isWhole(view, data.length))
      return trace.overwritten(slot, shape, positions, value.slot, value.shape);
    return isSameShape(value.shape, shape) ? value.slot : trace.reshaped(value.slot, value.shape, shape);
  }

  #seenBy(view: View): readonly number[] {
    const known = this.#positions.get(view) ?? positionsOf(view);
    this.#positions.set(view, known);
    return known;
  }
}

/** Returns the elements at these positions. */
export function gathered(data: Float64Array, positions: readonly number[]): Float64Array {
  const elements = new Float64Array(positions.length);
  for (let i = 0; i < elements.length; i++) elements[i] = floatAt(data, at(positions, i));
  return elements;
}

/** Overwrites the elements at these positions. */
export function scatter(data: Float64Array, positions: readonly number[], elements: Float64Array): void {
  for (let i = 0; i < positions.length; i++) data[at(positions, i)] = floatAt(elements, i);
}
