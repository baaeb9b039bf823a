import { type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";

/** A tape has cost so much so far. This is counted while it runs, not timed. */
export interface Measure {
  /** Lines of the tape when the recording was over. */
  readonly entries: number;
  /** Elements that it held then for the way back; a value that many lines name is held once. */
  readonly savedElements: number;
  /** These elements take so many bytes. */
  readonly bytes: number;
  /** Nodes computed again after the recording, by all sweeps. */
  readonly recomputedOperations: number;
  /** Bytes of elements read and written: by nodes, by saving, and by rules with their cotangents. */
  readonly bytesMoved: number;
  /** The most bytes held at once for the way back, saved or computed again. Cotangents do not count. */
  readonly livePeak: number;
}

/** Hears each datum read or written, in order: an id, behind "cotangent" or "kept", and its bytes. */
export type Watch = (datum: string, bytes: number) => void;

interface Holding {
  readonly bits: number;
  count: number;
}

/** Counts what one tape holds and does. Owned by the tape. */
export class Meter {
  readonly #shapes: readonly Shape[];
  readonly #bits: number;
  readonly #watch: Watch | undefined;
  readonly #held = new Map<string, Holding>();
  #live = 0;
  #peak = 0;
  #moved = 0;
  #recomputed = 0;
  #recorded: Pick<Measure, "entries" | "savedElements" | "bytes"> | undefined;
  #elements = 0;

  constructor(shapes: readonly Shape[], bitsPerElement: number, watch?: Watch) {
    this.#shapes = shapes;
    this.#bits = bitsPerElement;
    this.#watch = watch;
  }

  /** The value of an id is held, once more where it is already; `bits` where it is not stored as it is. */
  hold(id: NodeId | string, elements: number, bits: number = elements * this.#bits): void {
    const key = String(id);
    const holding = this.#held.get(key);
    if (holding !== undefined) {
      holding.count += 1;
      return;
    }
    this.#held.set(key, { bits, count: 1 });
    this.#live += bits;
    this.#elements += elements;
    this.#touchKept(key, elements * this.#bits, bits);
    this.#peak = Math.max(this.#peak, this.#live);
  }

  /** One of those who hold it lets go. */
  drop(id: NodeId | string, elements: number): void {
    const key = String(id);
    const holding = this.#held.get(key);
    if (holding === undefined) return;
    holding.count -= 1;
    if (holding.count > 0) return;
    this.#held.delete(key);
    this.#live -= holding.bits;
    this.#elements -= elements;
  }

  /** The value of an id is held; see {@link Meter.hold}. */
  holdValue(id: NodeId): void {
    this.hold(id, this.#sizeOf(id));
  }

  /** See {@link Meter.drop}. */
  dropValue(id: NodeId): void {
    this.drop(id, this.#sizeOf(id));
  }

  /** A node was computed, and these are what it read and wrote. */
  moved(ids: readonly NodeId[]): void {
    for (const id of ids) this.#touch(id, this.#sizeOf(id) * this.#bits);
  }

  /** Values were read for a rule, in whatever form they are held. */
  movedSaved(ids: readonly NodeId[]): void {
    for (const id of ids) {
      const whole = this.#sizeOf(id) * this.#bits;
      this.#touchKept(String(id), whole, this.#held.get(String(id))?.bits ?? whole);
    }
  }

  /** Cotangents were read and written. */
  movedCotangents(ids: Iterable<NodeId>): void {
    for (const id of ids) this.#touch(id, this.#sizeOf(id) * this.#bits, "cotangent ");
  }

  /** Counts elements of something else that were read or written. */
  movedElements(datum: string, count: number): void {
    this.#touch(datum, count * this.#bits);
  }

  /** A node was computed again. */
  recomputed(): void {
    this.#recomputed += 1;
  }

  /** The recording is over. */
  recorded(entries: number): void {
    this.#recorded = { entries, savedElements: this.#elements, bytes: bytesOf(this.#live) };
  }

  measure(): Measure {
    return {
      entries: 0,
      savedElements: 0,
      bytes: 0,
      ...this.#recorded,
      recomputedOperations: this.#recomputed,
      bytesMoved: bytesOf(this.#moved),
      livePeak: bytesOf(this.#peak),
    };
  }

  /** Counts a kept value; kept in another form it is a datum apart from the value. */
  #touchKept(key: string, whole: number, bits: number): void {
    this.#touch(key, bits, bits === whole ? "" : "kept ");
  }

  #touch(datum: NodeId | string, bits: number, kind = ""): void {
    this.#moved += bits;
    this.#watch?.(`${kind}${datum}`, bytesOf(bits));
  }

  #sizeOf(id: NodeId): number {
    return sizeOf(this.#shapes[id] ?? []);
  }
}

function bytesOf(bits: number): number {
  return Math.ceil(bits / 8);
}
