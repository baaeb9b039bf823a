import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { at, floatAt, sizeOf, stridesOf } from "../../../spec/index.ts";
import type { Numbers } from "./executable.ts";
import { apply, type Expression, literal, read, type ScalarFunction } from "./expression.ts";
import type { Access, Body, Instruction, LoopProgram, Piece, Read, ValueId } from "./program.ts";
import { walk } from "./walk.test.kit.ts";

/** A program with the numbers it is run on. */
export interface Specimen {
  readonly program: LoopProgram;
  readonly sources: readonly Float64Array[];
  readonly indices: readonly Uint32Array[];
}

/** The kind says what random programs are made of. */
export interface Kind {
  /**
   * Small integers and infinities that only sums enlarge, so that additions agree in any order but for the
   * sign of zero; otherwise any numbers, zeros of both signs, and infinities.
   */
  readonly integers: boolean;
  readonly instructions: number;
}

/** Makes random choices from a seed. */
export class Choice {
  readonly #generator: RandomGenerator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
    for (let n = 0; n < 8; n++) this.#generator.next();
  }

  /** Returns an integer in [0, n). */
  below(n: number): number {
    return (this.#generator.next() >>> 8) % n;
  }

  /** Returns an integer in [low, high]. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** Returns true with this probability. */
  happens(probability: number): boolean {
    return this.below(1 << 16) < probability * (1 << 16);
  }

  /** Returns one of several. */
  of<T extends NonNullable<unknown>>(...values: readonly [T, ...T[]]): T {
    return at(values, this.below(values.length));
  }
}

/**
 * Makes a random program: maps, folds, assemblies, scatters, scans and (mock) routines over extents 0 to 4,
 * that read earlier values whole, broadcast, permuted, reversed, strided, by lookup or at random.
 */
export function specimen(seed: number, kind: Kind): Specimen {
  const choice = new Choice(seed);
  const writer = new Writer(choice, kind);
  for (let n = 0; n < kind.instructions; n++) writer.instruction();
  return writer.finished();
}

/** Returns the values of a program on a specimen's sources; routines reverse and sum up their operands. */
export function valuesOf(
  { sources, indices }: Specimen,
  program: LoopProgram,
  precision: "float64" | "float32" = "float64",
): readonly Numbers[] {
  const rounded = precision === "float64" ? sources : sources.map((numbers) => Float32Array.from(numbers));
  return walk(program, precision, rounded, indices, ({ shape }, operands) => {
    const out = precision === "float64" ? new Float64Array(sizeOf(shape)) : new Float32Array(sizeOf(shape));
    for (const operand of operands)
      for (const [i, x] of operand.entries()) {
        const place = out.length - 1 - (i % Math.max(1, out.length));
        if (place >= 0) out[place] = floatAt(out, place) + x;
      }
    return out;
  });
}

/** Returns the results of a program on a specimen's sources. */
export function resultsOf(
  specimen: Specimen,
  program: LoopProgram,
  precision: "float64" | "float32" = "float64",
): readonly Numbers[] {
  const values = valuesOf(specimen, program, precision);
  return program.results.map((id) => at(values, id));
}

/** Lists where two answers differ; with `anyZero`, 0 equals −0. All NaNs are equal. */
export function differences(
  a: readonly Numbers[],
  b: readonly Numbers[],
  anyZero = false,
): readonly string[] {
  if (a.length !== b.length) return [`${a.length} results are ${b.length}`];
  return a.flatMap((numbers, n) => {
    const other = at(b, n);
    if (numbers.length !== other.length)
      return [`result ${n} has ${numbers.length} elements and ${other.length}`];
    return [...numbers].flatMap((x, i) => {
      const y = other[i];
      return Object.is(x, y) || (anyZero && x === y) ? [] : [`result ${n}, element ${i}: ${x} and ${y}`];
    });
  });
}

const indexSource = { name: "index", size: 6, limit: 2 };

class Writer {
  readonly #choice: Choice;
  readonly #kind: Kind;
  readonly #shapes: (readonly number[])[] = [];
  readonly #sources: Float64Array[] = [];
  readonly #instructions: Instruction[] = [];

  constructor(choice: Choice, kind: Kind) {
    this.#choice = choice;
    this.#kind = kind;
    for (let n = choice.between(1, 3); n > 0; n--) {
      const shape = this.#shape();
      this.#shapes.push(shape);
      this.#sources.push(Float64Array.from({ length: sizeOf(shape) }, () => this.#number()));
    }
  }

  finished(): Specimen {
    const count = this.#sources.length;
    const results = [this.#shapes.length - 1];
    for (let id = count; id < this.#shapes.length; id++) if (this.#choice.happens(0.15)) results.push(id);
    return {
      program: {
        sources: this.#sources.map((_, n) => ({
          origin: { kind: "input", position: n },
          shape: at(this.#shapes, n),
        })),
        indexSources: [{ name: indexSource.name, size: indexSource.size }],
        instructions: this.#instructions,
        results,
      },
      sources: this.#sources,
      indices: [Uint32Array.from({ length: indexSource.size }, () => this.#choice.below(indexSource.limit))],
    };
  }

  instruction(): void {
    if (this.#choice.happens(0.08)) this.#contribution();
    else this.#write(this.#made());
  }

  #write(made: Instruction): void {
    this.#instructions.push(made);
    this.#shapes.push(made.shape);
  }

  /** Makes a part of a value and adds it to that, as reverse sweeps do for slices and lookups. */
  #contribution(): void {
    const value = this.#any();
    const shape = at(this.#shapes, value);
    const over = shape.map((extent) => Math.ceil(extent / 2));
    const place = this.#within(shape, stridesOf(shape), over);
    const strides = stridesOf(shape);
    const body = this.#body(over);
    const inside = { offset: 0, strides, indirections: [] };
    if (this.#choice.happens(0.5))
      this.#write({ kind: "scatter", shape, base: undefined, over, place, ...body });
    else {
      const pieces = [{ shape: over, place: inside, ...body }];
      this.#write({ kind: "assemble", shape, isCovered: false, pieces });
    }
    this.#write(this.#sumOf(value, this.#shapes.length - 1));
  }

  /** Folds an earlier value over some of its last axes. */
  #reduced(): Instruction {
    const choice = this.#choice;
    const value = this.#any();
    const full = at(this.#shapes, value);
    const rank = choice.between(0, full.length);
    const reads = [{ value, offset: 0, strides: stridesOf(full), indirections: [] }];
    const expression = choice.happens(0.5) ? read(0) : apply("multiply", read(0), literal(choice.of(-1, 1)));
    const operation = choice.of("add", "maximum");
    return { kind: "fold", operation, shape: full.slice(0, rank), over: full.slice(rank), reads, expression };
  }

  #made(): Instruction {
    const choice = this.#choice;
    const again = this.#instructions[choice.below(Math.max(1, this.#instructions.length))];
    if (again !== undefined && choice.happens(0.06)) return again;
    const shape = this.#shape();
    switch (
      choice.of(
        "map",
        "map",
        "map",
        "map",
        "move",
        "move",
        "fold",
        "reduce",
        "assemble",
        "scatter",
        "scan",
        "sum",
        "routine",
      )
    ) {
      case "map":
        return { kind: "map", shape, ...this.#body(shape) };
      case "move":
        return { kind: "map", shape, ...this.#move(shape) };
      case "fold": {
        const over = this.#shape().slice(0, choice.between(0, 2));
        const operation = choice.of("add", "maximum");
        return { kind: "fold", operation, shape, over, ...this.#body([...shape, ...over]) };
      }
      case "reduce":
        return this.#reduced();
      case "assemble":
        return this.#assembled(shape);
      case "scatter":
        return this.#scattered(shape);
      case "scan": {
        if (shape.length === 0) return { kind: "map", shape, ...this.#body(shape) };
        const axis = choice.below(shape.length);
        return { kind: "scan", shape, axis, direction: choice.of(1, -1), ...this.#body(shape) };
      }
      case "sum":
        return this.#accumulated();
      case "routine":
        return {
          kind: "routine",
          shape,
          routine: { kind: "determinant", n: choice.between(1, 2) },
          operands: [this.#any(), this.#any()],
        };
    }
  }

  /** Adds an earlier value of the same shape. */
  #accumulated(): Instruction {
    const b = this.#any();
    const shape = at(this.#shapes, b);
    const alike = this.#shapes.flatMap((other, id) => (other.join() === shape.join() ? [id] : []));
    return this.#sumOf(at(alike, this.#choice.below(alike.length)), b);
  }

  #sumOf(a: ValueId, b: ValueId): Instruction {
    const shape = at(this.#shapes, b);
    const whole = { offset: 0, strides: stridesOf(shape), indirections: [] };
    const operands = [read(0), read(1)];
    return {
      kind: "map",
      shape,
      reads: [
        { value: a, ...whole },
        { value: b, ...whole },
      ],
      expression: apply("add", ...(this.#choice.happens(0.5) ? operands : operands.toReversed())),
    };
  }

  /** Assembles slabs or strided boxes of the result, which do not overlap. */
  #assembled(shape: readonly number[]): Instruction {
    const choice = this.#choice;
    const strides = stridesOf(shape);
    const axis = choice.below(Math.max(1, shape.length));
    const extent = shape.length === 0 ? 1 : at(shape, axis);
    const cuts: readonly number[] =
      shape.length === 0 || choice.happens(0.5) ? [0, extent] : [0, choice.between(0, extent), extent];
    const pieces: Piece[] = [];
    let isCovered = true;
    for (const [n, end] of cuts.entries()) {
      const start = cuts[n - 1];
      if (start === undefined) continue;
      if (choice.happens(0.25)) {
        isCovered = false;
        continue;
      }
      let offset = 0;
      const box = shape.map((full, a) => {
        const [low, high] = a === axis ? [start, end] : [0, full];
        const step = choice.happens(0.2) ? 2 : 1;
        const isReversed = choice.happens(0.15);
        const first = choice.happens(0.2) && high > low ? low + 1 : low;
        const count = Math.ceil((high - first) / step);
        if (count !== high - low) isCovered = false;
        offset += (isReversed ? first + step * Math.max(0, count - 1) : first) * at(strides, a);
        return { count, stride: (isReversed ? -step : step) * at(strides, a) };
      });
      const extents = box.map(({ count }) => count);
      const body = choice.happens(0.5) ? this.#move(extents) : this.#body(extents);
      pieces.push({
        shape: extents,
        place: { offset, strides: box.map(({ stride }) => stride), indirections: [] },
        ...body,
      });
    }
    return { kind: "assemble", shape, isCovered: isCovered && choice.happens(0.8), pieces };
  }

  #scattered(shape: readonly number[]): Instruction {
    const choice = this.#choice;
    const base = this.#shapes.flatMap((other, id) => (other.join() === shape.join() ? [id] : []));
    const over = sizeOf(shape) === 0 ? [0] : this.#shape();
    return {
      kind: "scatter",
      shape,
      base: base.length > 0 && choice.happens(0.6) ? base[choice.below(base.length)] : undefined,
      over,
      place: this.#access(shape, over),
      ...this.#body(over),
    };
  }

  #shape(): readonly number[] {
    const choice = this.#choice;
    if (this.#shapes.length > 0 && choice.happens(0.55)) return at(this.#shapes, this.#any());
    return Array.from({ length: choice.of(0, 1, 1, 2, 2, 2, 3) }, () =>
      choice.happens(0.03) ? 0 : choice.of(1, 2, 2, 3, 4),
    );
  }

  #any(): ValueId {
    const recent = this.#choice.happens(0.6) ? Math.max(0, this.#shapes.length - 4) : 0;
    return this.#choice.between(recent, this.#shapes.length - 1);
  }

  #move(extents: readonly number[]): Body {
    const found = this.#read(extents);
    return found === undefined
      ? { reads: [], expression: literal(0) }
      : { reads: [found], expression: read(0) };
  }

  #body(extents: readonly number[]): Body {
    const choice = this.#choice;
    const reads = Array.from({ length: choice.of(0, 1, 1, 2, 2, 3) }, () => this.#read(extents)).filter(
      (one) => one !== undefined,
    );
    const again = reads[0];
    if (again !== undefined && choice.happens(0.15)) reads.push({ ...again });
    const parts: Expression[] = [
      ...reads.map((_, n) => read(n)),
      literal(choice.of(0, -0, 1, 2, -1)),
      literal(choice.of(0, -0, 1)),
    ];
    const part = (): Expression => at(parts, choice.below(parts.length));
    for (let n = choice.between(0, 5); n > 0; n--) parts.push(this.#application(part));
    return {
      reads,
      expression: at(parts, choice.happens(0.8) ? parts.length - 1 : choice.below(parts.length)),
    };
  }

  #application(part: () => Expression): Expression {
    const name = this.#choice.of<ScalarFunction>(
      "add",
      "add",
      "subtract",
      "multiply",
      "negative",
      "select",
      "less",
      "equal",
      "divide",
      "tanh",
    );
    switch (name) {
      case "negative":
      case "tanh":
        return apply(this.#kind.integers ? "negative" : name, part());
      case "select":
        return apply("select", part(), part(), part());
      case "multiply":
      case "divide":
        // A product with a literal may meet the unit; a product of two sums of integers might not stay exact.
        if (this.#kind.integers)
          return apply(name === "multiply" ? name : "less", part(), literal(this.#choice.of(1, 0, -1)));
        return apply(name, part(), part());
      default:
        return apply(name, part(), part());
    }
  }

  #read(extents: readonly number[]): Read | undefined {
    for (let attempts = 0; attempts < 4; attempts++) {
      const value = this.#any();
      const shape = at(this.#shapes, value);
      if (sizeOf(shape) === 0 && sizeOf(extents) > 0) continue;
      return { value, ...this.#access(shape, extents) };
    }
    return undefined;
  }

  /** Makes an access that stays in a tensor of this shape for every index of a loop over `extents`. */
  #access(shape: readonly number[], extents: readonly number[]): Access {
    const choice = this.#choice;
    if (sizeOf(extents) === 0) return { offset: 0, strides: extents.map(() => 1), indirections: [] };
    if (sizeOf(shape) === sizeOf(extents) && choice.happens(0.5))
      return { offset: 0, strides: stridesOf(extents), indirections: [] };
    if (choice.happens(0.2)) return this.#within([sizeOf(shape)], [1], extents);
    return this.#within(shape, stridesOf(shape), extents);
  }

  /** Makes each axis of the loop go along one axis of the tensor or none, in steps; some by lookup. */
  #within(shape: readonly number[], rowMajor: readonly number[], extents: readonly number[]): Access {
    const choice = this.#choice;
    // An additional axis without room stands for none.
    const room = [...shape.map((extent) => extent - 1), 0];
    const steps = [...rowMajor, 0];
    const order = extents.map((_, axis) => axis);
    const strides = extents.map(() => 0);
    let offset = 0;
    const indirections: Access["indirections"][number][] = [];
    for (const [a, left] of room.entries()) {
      if (left < indexSource.limit - 1 || !choice.happens(0.25)) continue;
      const along = choice.below(extents.length + 1);
      const reach = at([...extents, 1], along) - 1;
      if (reach >= indexSource.size) continue;
      indirections.push({
        index: 0,
        offset: choice.below(indexSource.size - reach),
        strides: extents.map((_, axis) => (axis === along ? 1 : 0)),
        scale: at(steps, a),
      });
      room[a] = left - indexSource.limit + 1;
    }
    while (order.length > 0) {
      const axis = at(order.splice(choice.below(order.length), 1), 0);
      const a = choice.below(room.length);
      const last = at(extents, axis) - 1;
      const most = Math.floor(at(room, a) / Math.max(1, last));
      const step = choice.happens(0.7) ? Math.min(1, most) : choice.between(0, most);
      const sign = choice.happens(0.8) ? 1 : -1;
      strides[axis] = sign * step * at(steps, a);
      if (sign < 0) offset += step * last * at(steps, a);
      room[a] = at(room, a) - step * last;
    }
    for (const [a, stride] of rowMajor.entries()) offset += stride * choice.below(at(room, a) + 1);
    return { offset, strides, indirections };
  }

  #number(): number {
    const choice = this.#choice;
    if (this.#kind.integers) return choice.happens(0.06) ? Number.POSITIVE_INFINITY : choice.between(-3, 3);
    const fraction = (choice.below(2001) - 1000) / choice.of(1, 256, 3);
    return choice.happens(0.75) ? fraction : choice.of(0, -0, 1, -1, Number.POSITIVE_INFINITY);
  }
}
