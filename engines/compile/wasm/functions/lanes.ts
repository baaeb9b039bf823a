import binaryen from "binaryen";
import { bitsOf, type Format } from "./format.ts";
import type { Definition, FunctionWriter, Value } from "./library.ts";

/** A vector function does this to each number of a vector. */
export interface VectorDefinition {
  readonly name: string;
  readonly write: (lanes: Lanes, x: Value) => Value;
}

/** Makes the definition for vectors of a format: `v128 → v128`. */
export function vectorDefinition(format: Format, { name, write }: VectorDefinition): Definition {
  return {
    name: `${name}_${format.suffix}`,
    parameter: binaryen.v128,
    result: binaryen.v128,
    write: (writer, x) => write(new Lanes(writer, format), x),
  };
}

type Arithmetic = "add" | "sub" | "mul" | "div" | "pmin" | "pmax" | "lt" | "le" | "eq";

/** Writes instructions on vectors of numbers of one format, and on their bits, and keeps their results. */
export class Lanes {
  readonly format: Format;
  readonly writer: FunctionWriter;

  constructor(writer: FunctionWriter, format: Format) {
    this.writer = writer;
    this.format = format;
  }

  /** Puts a number into all lanes. */
  number(value: number): Value {
    return this.word(bitsOf(this.format, value));
  }

  /** Puts bits into all lanes. */
  word(bits: bigint): Value {
    const { module, memory, table } = this.writer.library;
    const bytes = new DataView(new ArrayBuffer(this.format.width / 8));
    if (this.format.width === 64) bytes.setBigUint64(0, bits, true);
    else bytes.setUint32(0, Number(bits), true);
    const address = module.i32.const(table.place(new Uint8Array(bytes.buffer)));
    return this.keep(
      this.format.width === 64
        ? module.v128.load64_splat(0, 8, address, memory)
        : module.v128.load32_splat(0, 4, address, memory),
    );
  }

  /** Sets the sign bit in all lanes. */
  sign(): Value {
    return this.word(1n << BigInt(this.format.width - 1));
  }

  add(x: Value, y: Value): Value {
    return this.#number("add", x, y);
  }

  subtract(x: Value, y: Value): Value {
    return this.#number("sub", x, y);
  }

  multiply(x: Value, y: Value): Value {
    return this.#number("mul", x, y);
  }

  divide(x: Value, y: Value): Value {
    return this.#number("div", x, y);
  }

  /** Takes the lesser; `x` if one is NaN. */
  atMost(x: Value, y: Value): Value {
    return this.#number("pmin", x, y);
  }

  /** Takes the greater; `x` if one is NaN. */
  atLeast(x: Value, y: Value): Value {
    return this.#number("pmax", x, y);
  }

  /** Gives all ones where it holds, all zeros where it does not or one is NaN. */
  less(x: Value, y: Value): Value {
    return this.#number("lt", x, y);
  }

  lessOrEqual(x: Value, y: Value): Value {
    return this.#number("le", x, y);
  }

  equal(x: Value, y: Value): Value {
    return this.#number("eq", x, y);
  }

  absolute(x: Value): Value {
    return this.keep(this.#numbers.abs(this.get(x)));
  }

  /** Rounds to the nearest integer, ties to even. */
  nearest(x: Value): Value {
    return this.keep(this.#numbers.nearest(this.get(x)));
  }

  and(x: Value, y: Value): Value {
    return this.keep(this.#module.v128.and(this.get(x), this.get(y)));
  }

  or(x: Value, y: Value): Value {
    return this.keep(this.#module.v128.or(this.get(x), this.get(y)));
  }

  xor(x: Value, y: Value): Value {
    return this.keep(this.#module.v128.xor(this.get(x), this.get(y)));
  }

  /** Takes `x` where the mask is ones, `y` where it is zeros. */
  select(mask: Value, x: Value, y: Value): Value {
    return this.keep(this.#module.v128.bitselect(this.get(x), this.get(y), this.get(mask)));
  }

  /** Adds the bits as integers, modulo a power of 2. */
  addWords(x: Value, y: Value): Value {
    return this.keep(this.#words.add(this.get(x), this.get(y)));
  }

  subtractWords(x: Value, y: Value): Value {
    return this.keep(this.#words.sub(this.get(x), this.get(y)));
  }

  shiftLeft(x: Value, count: number): Value {
    return this.keep(this.#words.shl(this.get(x), this.#module.i32.const(count)));
  }

  /** Shifts zeros in from the left. */
  shiftRight(x: Value, count: number): Value {
    return this.keep(this.#words.shr_u(this.get(x), this.#module.i32.const(count)));
  }

  /** Takes `then` if the mask is ones in all lanes, else `otherwise`. */
  ifAll(mask: Value, then: () => Value, otherwise: () => Value): Value {
    const module = this.#module;
    const signs = this.#words.bitmask(this.get(mask));
    const all = module.i32.eq(signs, module.i32.const(2 ** this.format.lanes - 1));
    return this.writer.choose(all, then, otherwise);
  }

  /** Takes the bytes of `x` and then `y` with these numbers. */
  shuffle(x: Value, y: Value, bytes: readonly number[]): Value {
    return this.keep(this.#module.i8x16.shuffle(this.get(x), this.get(y), bytes));
  }

  /** Calls another function. */
  call(definition: VectorDefinition, x: Value): Value {
    return this.keep(this.writer.library.call(vectorDefinition(this.format, definition), this.get(x)));
  }

  keep(expression: binaryen.ExpressionRef): Value {
    return this.writer.keep(binaryen.v128, expression);
  }

  get(value: Value): binaryen.ExpressionRef {
    return this.writer.get(value);
  }

  #number(name: Arithmetic, x: Value, y: Value): Value {
    return this.keep(this.#numbers[name](this.get(x), this.get(y)));
  }

  get #module(): binaryen.Module {
    return this.writer.library.module;
  }

  get #numbers(): binaryen.Module["f64x2"] | binaryen.Module["f32x4"] {
    return this.format.width === 64 ? this.#module.f64x2 : this.#module.f32x4;
  }

  get #words(): binaryen.Module["i64x2"] | binaryen.Module["i32x4"] {
    return this.format.width === 64 ? this.#module.i64x2 : this.#module.i32x4;
  }
}
