import {
  checkStored,
  formatStorageType,
  type Grid,
  parseStorageType,
  type StorageType,
  type Stored,
} from "../../reference/numerics/storage/index.ts";
import { counted, quote, type Shape } from "../../spec/shapes/index.ts";

/** A tensor as a framework stores it: its codes, its grids and its shape. */
export interface Kept extends Stored {
  readonly shape: Shape;
}

/** The rounding of a question: half away from zero, or stochastic from a seed. */
export type AskedRounding = "half_away" | { readonly seed: number };

const bytes = new DataView(new ArrayBuffer(4));

/** Writes a float32 in eight hexadecimal digits. */
export function floatWord(x: number): string {
  bytes.setFloat32(0, x);
  return bytes.getUint32(0).toString(16).padStart(8, "0");
}

/** Writes the number of elements, and the elements. */
export function floatWords(numbers: readonly number[]): string[] {
  return [String(numbers.length), ...numbers.map(floatWord)];
}

/** Writes the rank and the extents. */
export function shapeWords(shape: Shape): string[] {
  return [String(shape.length), ...shape.map(String)];
}

/** Writes how codes are rounded. */
export function roundingWord(rounding: AskedRounding): string {
  return rounding === "half_away" ? rounding : `stochastic:${rounding.seed}`;
}

/** Writes the type, the shape, a word for each code and two for each grid. */
export function keptWords({ type, shape, codes, grids }: Kept): string[] {
  return [
    formatStorageType(type),
    ...shapeWords(shape),
    ...codes.map(type.kind === "float32" ? floatWord : String),
    ...grids.flatMap(({ scale, zero }) => [floatWord(scale), String(zero)]),
  ];
}

/** Writes two hexadecimal digits for each byte; `-` for none. */
export function byteWord(packed: Uint8Array): string {
  return packed.length === 0 ? "-" : Buffer.from(packed).toString("hex");
}

/** Answers have no use for tensors of more dimensions. */
const MOST_DIMENSIONS = 16;

/** Reads an answer's words in turn; a first that does not fit is kept as {@link fault}, the rest ignored. */
export class Words {
  readonly #words: readonly string[];
  #next = 0;
  #fault: string | undefined;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** Says what does not fit, unread words included; asked once all is read. */
  fault(): string | undefined {
    if (this.#fault === undefined && this.#next < this.#words.length)
      this.#fault = `${counted(this.#words.length - this.#next, "word")} too many`;
    return this.#fault;
  }

  word(what: string): string {
    const word = this.#words[this.#next++];
    if (word === undefined) this.#misfit(`${what} is missing`);
    return word ?? "";
  }

  integer(what: string): number {
    const word = this.word(what);
    const number = Number(word);
    if (/^[+-]?\d{1,16}$/.test(word) && Number.isSafeInteger(number)) return number + 0;
    this.#misfit(`${what} is ${quote(word)}, no integer`);
    return 0;
  }

  float(what: string): number {
    const word = this.word(what);
    if (!/^[\da-f]{8}$/i.test(word)) {
      this.#misfit(`${what} is ${quote(word)}, not the eight hexadecimal digits of a float32`);
      return 0;
    }
    bytes.setUint32(0, Number.parseInt(word, 16));
    return bytes.getFloat32(0);
  }

  /** Reads a number of elements, and the elements. */
  floats(): number[] {
    return this.#many(this.integer("the number of elements"), () => this.float("an element"));
  }

  integers(): number[] {
    return this.#many(this.integer("the number of elements"), () => this.integer("an element"));
  }

  bytes(): Uint8Array {
    const word = this.word("the bytes");
    if (word === "-") return new Uint8Array();
    if (!/^(?:[\da-f]{2})+$/i.test(word)) this.#misfit("the bytes are not two hexadecimal digits each");
    return Uint8Array.from(Buffer.from(word, "hex"));
  }

  type(): StorageType {
    const type = parseStorageType(this.word("the type"));
    if (type.ok) return type.value;
    this.#misfit(type.error[0]?.message ?? "the type is none");
    return { kind: "float32" };
  }

  kept(): Kept {
    const type = this.type();
    const rank = this.integer("the rank");
    if (rank > MOST_DIMENSIONS) this.#misfit(`the rank is ${rank}`);
    const shape = this.#fault === undefined ? this.#many(rank, () => this.integer("an extent")) : [];
    const count = shape.reduce((size, extent) => size * extent, 1);
    const codes = this.#many(count, () =>
      type.kind === "float32" ? this.float("an element") : this.integer("a code"),
    );
    const grids: Grid[] = [];
    while (this.#fault === undefined && this.#next < this.#words.length && hasGrids(type, count, grids))
      grids.push({ scale: this.float("a scale"), zero: this.integer("a zero point") });
    const kept = { type, shape, codes, grids };
    const checked = this.#fault === undefined ? checkStored(kept) : undefined;
    if (checked !== undefined && !checked.ok) this.#misfit(checked.error[0]?.message ?? "the tensor is none");
    return kept;
  }

  #many<T>(count: number, read: () => T): T[] {
    if (count < 0 || count > this.#words.length - this.#next)
      this.#misfit(
        `${counted(count, "element")} announced, and ${counted(this.#words.length - this.#next, "word")} there`,
      );
    const all: T[] = [];
    while (this.#fault === undefined && all.length < count) all.push(read());
    return all;
  }

  #misfit(what: string): void {
    this.#fault ??= what;
  }
}

/** Tells whether the tensor needs more grids than these. */
function hasGrids(type: StorageType, count: number, { length }: readonly Grid[]): boolean {
  if (type.kind === "float32" || type.kind === "int32") return false;
  const size = "groupSize" in type ? (type.groupSize ?? count) : count;
  return length < (count === 0 ? 0 : Math.ceil(count / size));
}
