import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { at, sizeOf, stridesOf } from "../../../spec/index.ts";
import type { Executable, Layout, Numbers, Precision } from "../plan/executable.ts";
import {
  apply,
  type Expression,
  literal,
  read,
  type ScalarFunction,
  scalarFunctions,
} from "../plan/expression.ts";
import type { Access, Body, Instruction, LoopProgram, Piece } from "../plan/program.ts";
import { walk } from "../plan/walk.test.kit.ts";

/** A program with sources and indices; the numbers are float32, so that both precisions have them. */
export interface Specimen {
  readonly program: LoopProgram;
  readonly sources: readonly Float32Array[];
  readonly indices: readonly Uint32Array[];
}

/** Lays out values row-major, one after the other. */
export function plainLayout(program: LoopProgram): Layout {
  const places: number[] = [];
  let length = 0;
  for (const { shape } of program.instructions) {
    places.push(length);
    length += sizeOf(shape);
  }
  return { places, length };
}

/** Rounds numbers to a precision. */
export function numbersIn(precision: Precision, numbers: Iterable<number>): Numbers {
  return precision === "float32" ? Float32Array.from(numbers) : Float64Array.from(numbers);
}

const meanings = new WeakMap<Specimen, Map<Precision, readonly Numbers[]>>();

/** Returns a specimen's meaning; the walk costs more than building and running it, and is done once. */
export function meaningOf(subject: Specimen, precision: Precision): readonly Numbers[] {
  const known = meanings.get(subject) ?? new Map<Precision, readonly Numbers[]>();
  const meaning = known.get(precision) ?? walked(subject, precision);
  meanings.set(subject, known.set(precision, meaning));
  return meaning;
}

function walked({ program, sources, indices }: Specimen, precision: Precision): readonly Numbers[] {
  const values = walk(
    program,
    precision,
    sources.map((source) => numbersIn(precision, source)),
    indices,
  );
  return program.results.map((id) => at(values, id));
}

/** Runs an executable on a specimen twice, because the first run may leave something behind. */
export function answerOf(
  { sources, indices }: Specimen,
  executable: Executable,
  precision: Precision,
): readonly Numbers[] {
  const numbers = sources.map((source) => numbersIn(precision, source));
  executable.run(numbers, indices);
  executable.run(numbers, indices);
  return executable.results;
}

/** Finds the first element where two answers differ in a bit; all NaNs are equal. */
export function difference(a: readonly Numbers[], b: readonly Numbers[]): string | undefined {
  if (a.length !== b.length) return `${a.length} and ${b.length} results`;
  for (const [n, numbers] of a.entries()) {
    const other = b[n];
    if (other?.length !== numbers.length)
      return `result ${n}: ${numbers.length} and ${other?.length} elements`;
    const at = numbers.findIndex((x, i) => !Object.is(x, other[i]));
    if (at >= 0) return `result ${n}, element ${at}: ${numbers[at]} and ${other[at]}`;
  }
  return undefined;
}

const specimens = new Map<number, Specimen>();

/** Makes a random program of every kind of loop and function, extents up to 11, any strides, and lookups. */
export function specimen(seed: number): Specimen {
  const known = specimens.get(seed) ?? new Writer(seed).specimen();
  specimens.set(seed, known);
  return known;
}

const functions = Object.keys(scalarFunctions).filter((name) => name in scalarFunctions);
const frequent: readonly ScalarFunction[] = [
  "add",
  "subtract",
  "multiply",
  "divide",
  "select",
  "less",
  "negative",
];
const special = [0, -0, 1, -1, Infinity, -Infinity, Number.NaN, 2 ** -149, -(2 ** -130), 3e38, 0.5, 2];

class Writer {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;
  readonly #shapes: (readonly number[])[] = [];
  readonly #indices: readonly Uint32Array[];
  /** Every index is below this. */
  readonly #limit = 3;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
    for (let n = 0; n < 8; n++) this.#generator.next();
    this.#indices = [5, 24].map((size) => Uint32Array.from({ length: size }, () => this.#below(this.#limit)));
  }

  specimen(): Specimen {
    const sources = Array.from({ length: 1 + this.#below(3) }, () => {
      const shape = this.#shape();
      this.#shapes.push(shape);
      return Float32Array.from({ length: sizeOf(shape) }, () => this.#number());
    });
    const instructions = Array.from({ length: 1 + this.#below(5) }, () => {
      const instruction = this.#instruction();
      this.#shapes.push(instruction.shape);
      return instruction;
    });
    const last = this.#shapes.length - 1;
    const results = [
      last,
      ...instructions.map((_, n) => sources.length + n).filter(() => this.#below(3) === 0),
    ];
    const program: LoopProgram = {
      sources: sources.map((_, position) => ({
        origin: { kind: "input", position },
        shape: at(this.#shapes, position),
      })),
      indexSources: this.#indices.map(({ length }, n) => ({ name: `index${n}`, size: length })),
      instructions,
      results,
    };
    return { program, sources, indices: this.#indices };
  }

  #below(n: number): number {
    return (this.#generator.next() >>> 7) % n;
  }

  #of<T extends NonNullable<unknown>>(values: readonly T[]): T {
    return at(values, this.#below(values.length));
  }

  #number(): number {
    if (this.#below(5) === 0) return this.#of(special);
    return (this.#below(2 ** 20) - 2 ** 19) / this.#of([2 ** 17, 2 ** 19, 3, 2 ** 30]);
  }

  #shape(): readonly number[] {
    const rank = this.#of([0, 1, 1, 2, 2, 2, 3, 3, 4]);
    const longest = at([1, 40, 12, 6, 4], rank);
    return Array.from({ length: rank }, () => (this.#below(60) === 0 ? 0 : 1 + this.#below(longest)));
  }

  #instruction(): Instruction {
    const shape = this.#shape();
    switch (this.#of(["map", "map", "fold", "fold", "fold", "assemble", "scatter", "scan"] as const)) {
      case "map":
        return { kind: "map", shape, ...this.#body(shape) };
      case "fold": {
        const over = this.#shape().slice(0, 2);
        const operation = this.#of(["add", "add", "maximum"] as const);
        return { kind: "fold", shape, over, operation, ...this.#body([...shape, ...over]) };
      }
      case "assemble":
        return this.#assembled(shape);
      case "scatter": {
        const over = sizeOf(shape) === 0 ? [0] : this.#shape();
        const bases = this.#shapes.flatMap((other, id) => (`${other}` === `${shape}` ? [id] : []));
        const base = bases[this.#below(bases.length + 1)];
        return { kind: "scatter", shape, base, over, place: this.#access(shape, over), ...this.#body(over) };
      }
      case "scan": {
        if (shape.length === 0) return { kind: "map", shape, ...this.#body(shape) };
        const axis = this.#below(shape.length);
        return { kind: "scan", shape, axis, direction: this.#of([1, -1] as const), ...this.#body(shape) };
      }
    }
  }

  /** Assembles two slabs along one axis, of which one may be missing or reversed. */
  #assembled(shape: readonly number[]): Instruction {
    const axis = this.#below(Math.max(1, shape.length));
    const strides = stridesOf(shape);
    const [extent, step] = shape.length === 0 ? [1, 0] : [at(shape, axis), at(strides, axis)];
    const cut = this.#below(extent + 1);
    const slab = (from: number, to: number): Piece => {
      const extents = shape.map((extent, n) => (n === axis ? to - from : extent));
      const isReversed = to > from && this.#below(3) === 0;
      const place = {
        offset: (isReversed ? to - 1 : from) * step,
        strides: strides.map((stride, n) => (n === axis && isReversed ? -stride : stride)),
        indirections: [],
      };
      return { shape: extents, place, ...this.#body(extents) };
    };
    if (shape.length === 0) {
      return { kind: "assemble", shape, isCovered: false, pieces: this.#below(2) === 0 ? [] : [slab(0, 1)] };
    }
    const pieces = [slab(0, cut), slab(cut, extent)];
    const isCovered = this.#below(2) === 0;
    return { kind: "assemble", shape, isCovered, pieces: isCovered ? pieces : pieces.slice(this.#below(2)) };
  }

  #body(extents: readonly number[]): Body {
    const ids = this.#shapes.flatMap((shape, id) => (sizeOf(shape) > 0 || sizeOf(extents) === 0 ? [id] : []));
    const reads = (ids.length === 0 ? [] : Array.from({ length: this.#below(4) }, () => this.#of(ids))).map(
      (value) => ({ value, ...this.#access(at(this.#shapes, value), extents) }),
    );
    const parts: Expression[] = [
      ...reads.map((_, n) => read(n)),
      literal(this.#number()),
      literal(this.#number()),
    ];
    for (let n = this.#below(8); n > 0; n--) {
      const name = this.#below(2) === 0 ? this.#of(frequent) : this.#of(functions);
      if (!isScalarFunction(name)) continue;
      const operands = Array.from({ length: scalarFunctions[name] }, () => this.#of(parts));
      parts.push(apply(name, ...operands));
    }
    // Most products of two reads become parts of matrix products.
    const [x, y] = parts;
    const isProduct = reads.length === 2 && this.#below(2) === 0 && x !== undefined && y !== undefined;
    return { reads, expression: isProduct ? apply("multiply", x, y) : at(parts, parts.length - 1) };
  }

  /** Makes an access that stays in range: each loop takes some of the room left, mostly in dense steps. */
  #access(shape: readonly number[], extents: readonly number[]): Access {
    const size = sizeOf(shape);
    if (sizeOf(extents) === 0) return { offset: 0, strides: extents.map(() => 1), indirections: [] };
    if (size === sizeOf(extents) && this.#below(2) === 0) {
      return { offset: 0, strides: stridesOf(extents), indirections: [] };
    }
    let room = size - 1;
    let offset = 0;
    const indirections: Access["indirections"][number][] = [];
    if (this.#below(4) === 0 && room >= this.#limit - 1) {
      const scale = 1 + this.#below(Math.floor(room / (this.#limit - 1)));
      const [index, length] = this.#below(2) === 0 ? [0, 5] : [1, 24];
      const inside = this.#strides(extents, length - 1);
      indirections.push({ index, offset: inside.offset, strides: inside.strides, scale });
      room -= scale * (this.#limit - 1);
    }
    const direct = this.#strides(extents, room);
    offset += direct.offset;
    return { offset, strides: direct.strides, indirections };
  }

  #strides(extents: readonly number[], room: number): { offset: number; strides: number[] } {
    const strides = extents.map(() => 0);
    const axes = extents.map((_, axis) => axis);
    if (this.#below(2) === 0) axes.reverse();
    let left = room;
    let offset = 0;
    let dense = 1;
    for (const axis of axes) {
      const steps = at(extents, axis) - 1;
      const most = steps === 0 ? 0 : Math.floor(left / steps);
      if (most === 0 || this.#below(4) === 0) continue;
      const stride = dense <= most && this.#below(4) > 0 ? dense : 1 + this.#below(most);
      const isReversed = this.#below(6) === 0;
      strides[axis] = isReversed ? -stride : stride;
      if (isReversed) offset += stride * steps;
      left -= stride * steps;
      dense = stride * (steps + 1);
    }
    return { offset: offset + this.#below(left + 1), strides };
  }
}

function isScalarFunction(name: string): name is ScalarFunction {
  return name in scalarFunctions;
}
