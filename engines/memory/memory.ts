import { isWhole, positionsOf, type View } from "../../spec/programs/index.ts";
import { at, floatAt, isSameShape } from "../../spec/shapes/index.ts";
import { ProgramFault } from "./fault.ts";
import type { Trace } from "./trace.ts";
import type { Held, Place, Saved, SavedInPlace, Seen } from "./value.ts";

/** What is done about an operand that was saved in place and is overwritten before the sweep reads it [SEMANTICS §10.5]. */
export type OverwritePolicy = "copy" | "version" | "forbid";

/**
 * Locations, and the operands that were saved in them. Under `copy` what is saved is copied before it is overwritten; under `version` the sweep finds out that it
 * was, and refuses; under `forbid` the write does. A fault is planted by overriding a method.
 */
export class Memory {
  readonly policy: OverwritePolicy;
  /** A loop looks through the same view many times. */
  readonly #positions: WeakMap<View, readonly number[]> = new WeakMap();

  constructor(policy: OverwritePolicy) {
    this.policy = policy;
  }

  /** A new location with a copy. */
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

  /** The same location once more, for a body that is run again; `data` and all that belongs to it is its own. */
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

  /** What a view sees at this moment. */
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

  /** Keeps an operand for the sweep: by its place where a rule needs it, else as it is. */
  save({ data, seen }: Held, isNeeded: boolean): Saved {
    if (seen === undefined || !(isNeeded || this.policy === "copy")) return { kind: "kept", data };
    const saved: SavedInPlace = { kind: "in place", seen, copy: undefined };
    seen.place.saved.add(saved);
    return saved;
  }

  /** What was saved. Throws {@link ProgramFault} where it was overwritten and nobody has copied it. */
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

  /** Copies what is saved and about to be overwritten, or forbids that. */
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

  /** Whether something saved has an element that is written. */
  protected touches({ seen }: SavedInPlace, written: ReadonlySet<number>): boolean {
    return seen.positions.some((position) => written.has(position));
  }

  protected copyOf({ seen: { place, positions } }: SavedInPlace): Float64Array {
    return gathered(place.data, positions);
  }

  protected moveTangent({ tangent }: Place, positions: readonly number[], value: Held): void {
    if (tangent !== undefined && value.tangent !== undefined) scatter(tangent, positions, value.tangent);
  }

  /** The clock goes on, and the elements are stamped. */
  protected raise(place: Place, positions: readonly number[]): void {
    place.clock++;
    for (const position of positions) place.writtenAt[position] = place.clock;
  }

  protected wasOverwritten({ place, positions, time }: Seen): boolean {
    return positions.some((position) => at(place.writtenAt, position) > time);
  }

  /** All of a location is the value that it holds; a part of it is a value of its own. */
  slotRead(place: Place, view: View, positions: readonly number[], trace: Trace): number {
    const { slot, shape, data } = place;
    if (!isWhole(view, data.length)) return trace.taken(slot, shape, positions, view.shape);
    return isSameShape(view.shape, shape) ? slot : trace.reshaped(slot, shape, view.shape);
  }

  /** The value that the location holds from now on. */
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

/** The elements at these positions. */
export function gathered(data: Float64Array, positions: readonly number[]): Float64Array {
  const elements = new Float64Array(positions.length);
  for (let i = 0; i < elements.length; i++) elements[i] = floatAt(data, at(positions, i));
  return elements;
}

/** Overwrites the elements at these positions. */
export function scatter(data: Float64Array, positions: readonly number[], elements: Float64Array): void {
  for (let i = 0; i < positions.length; i++) data[at(positions, i)] = floatAt(elements, i);
}
