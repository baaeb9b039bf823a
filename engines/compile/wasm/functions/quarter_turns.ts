import binaryen from "binaryen";
import { DEPTH, twoOverPi } from "../../two_over_pi.ts";
import type { Definition, FunctionWriter, Library, Value } from "./library.ts";

/** Bits of a word of the product; two words hold a significand, and two products sum up in 64 bits. */
const WORD = 27;

/** Words of 2/π that matter: the product is off by at most 2⁵³⁻¹⁸⁹, and no remainder is below 2⁻⁶². */
const WORDS = 7;

/** Arithmetic on 64-bit integers, whose results are kept. */
interface Integers {
  readonly constant: (value: bigint) => binaryen.ExpressionRef;
  readonly get: (value: Value) => binaryen.ExpressionRef;
  readonly keep: (expression: binaryen.ExpressionRef) => Value;
}

function integers(writer: FunctionWriter): Integers {
  const { module } = writer.library;
  return {
    constant: (value) => module.i64.const(value),
    get: (value) => writer.get(value),
    keep: (expression) => writer.keep(binaryen.i64, expression),
  };
}

/** Loads the words of 2/π, lowest first, that matter for `M 2^exponent`; earlier ones give whole turns. */
function wordsFor(writer: FunctionWriter, exponent: Value): readonly Value[] {
  const { module, memory, table } = writer.library;
  const { constant, get, keep } = integers(writer);
  // `2/π M 2^exponent / 4` modulo 1 begins with the bit of 2/π after this many.
  const lowest = keep(module.i64.sub(constant(BigInt(DEPTH + 2 - WORD * WORDS)), get(exponent)));
  const start = module.i32.const(table.place(twoOverPi()));
  const base = writer.keep(binaryen.i32, start);
  return Array.from({ length: WORDS }, (_, word) => {
    const bit = keep(module.i64.add(get(lowest), constant(BigInt(WORD * word))));
    const byte = module.i32.wrap(module.i64.shr_u(get(bit), constant(3n)));
    const loaded = module.i64.load(0, 1, module.i32.add(get(base), byte), memory);
    const shifted = module.i64.shr_u(loaded, module.i64.and(get(bit), constant(7n)));
    return keep(module.i64.and(shifted, constant((1n << BigInt(WORD)) - 1n)));
  });
}

/** Multiplies `significand · factor` modulo `2^(27 · 7)`, lowest word first. */
function productWords(
  writer: FunctionWriter,
  significand: Value,
  factor: readonly Value[],
): readonly Value[] {
  const { module } = writer.library;
  const { constant, get, keep } = integers(writer);
  const mask = (1n << BigInt(WORD)) - 1n;
  const low = keep(module.i64.and(get(significand), constant(mask)));
  const high = keep(module.i64.shr_u(get(significand), constant(BigInt(WORD))));
  let carry = keep(constant(0n));
  let before = keep(constant(0n));
  return factor.map((word) => {
    const products = module.i64.add(
      module.i64.mul(get(low), get(word)),
      module.i64.mul(get(high), get(before)),
    );
    const sum = keep(module.i64.add(get(carry), products));
    carry = keep(module.i64.shr_u(get(sum), constant(BigInt(WORD))));
    before = word;
    return keep(module.i64.and(get(sum), constant(mask)));
  });
}

/** Returns 64 bits of the words, from `skipped` bits below their top. */
function window(writer: FunctionWriter, words: readonly Value[], skipped: number): Value {
  const { module } = writer.library;
  const { constant, get, keep } = integers(writer);
  let bits = keep(constant(0n));
  words.forEach((word, index) => {
    const shift = 64 + skipped - (WORDS - index) * WORD;
    if (shift >= 64 || shift <= -WORD) return;
    const count = constant(BigInt(Math.abs(shift)));
    const moved = shift >= 0 ? module.i64.shl(get(word), count) : module.i64.shr_u(get(word), count);
    bits = keep(module.i64.or(get(bits), moved));
  });
  return bits;
}

/**
 * Computes `π/2 · fraction / 2¹²⁸` of a nonnegative 128-bit integer with some bits in its upper 64. The
 * products of the upper 27 bits with those of π/2 are exact; one rounding and 2⁻²⁵ of one remain.
 */
function inRadians(writer: FunctionWriter, high: Value, low: Value): Value {
  const { module } = writer.library;
  const { constant, get, keep } = integers(writer);
  const real = (expression: binaryen.ExpressionRef): Value => writer.keep(binaryen.f64, expression);
  const zeros = keep(module.i64.clz(get(high)));
  const carried = module.i64.shr_u(
    module.i64.shr_u(get(low), constant(1n)),
    module.i64.sub(constant(63n), get(zeros)),
  );
  const aligned = keep(module.i64.or(module.i64.shl(get(high), get(zeros)), carried));
  const restMask = (1n << 37n) - 1n;
  const upper = real(module.f64.convert_u.i64(module.i64.and(get(aligned), constant(~restMask))));
  const lower = real(module.f64.convert_u.i64(module.i64.and(get(aligned), constant(restMask))));
  const product = (x: Value, factor: number): binaryen.ExpressionRef =>
    module.f64.mul(get(x), module.f64.const(factor));
  const rest = module.f64.add(product(upper, -1.3909067614167116e-8), product(lower, Math.PI / 2));
  const sum = module.f64.add(product(upper, 1.5707963407039642), rest);
  const scale = module.i64.shl(module.i64.sub(constant(1023n - 64n), get(zeros)), constant(52n));
  return real(module.f64.mul(sum, module.f64.reinterpret(scale)));
}

/** Makes a vector of the bits of two numbers. */
function pair(library: Library, first: binaryen.ExpressionRef, second: binaryen.ExpressionRef): number {
  const { module } = library;
  return module.i64x2.replace_lane(module.i64x2.splat(first), 1, second);
}

/** Reduces a number from ¾ on to its remainder and its quarter turns. */
function reduced(writer: FunctionWriter, x: Value): Value {
  const { module } = writer.library;
  const { constant, get, keep } = integers(writer);
  const bits = keep(module.i64.reinterpret(get(x)));
  const exponent = keep(module.i64.sub(module.i64.shr_u(get(bits), constant(52n)), constant(1023n + 52n)));
  const fraction = module.i64.and(get(bits), constant((1n << 52n) - 1n));
  const significand = keep(module.i64.or(fraction, constant(1n << 52n)));
  const words = productWords(writer, significand, wordsFor(writer, exponent));
  const high = window(writer, words, 0);
  const quarters = module.i64.shr_u(module.i64.add(get(high), constant(1n << 61n)), constant(62n));
  // After the quarter turns comes a fraction in [−½, ½); a negative one loses 2⁻¹²⁸ of its magnitude.
  const upper = window(writer, words, 2);
  const lower = window(writer, words, 66);
  const sign = keep(module.i64.shr_s(get(upper), constant(63n)));
  const magnitude = inRadians(
    writer,
    keep(module.i64.xor(get(upper), get(sign))),
    keep(module.i64.xor(get(lower), get(sign))),
  );
  const signed = module.i64.or(
    module.i64.reinterpret(get(magnitude)),
    module.i64.shl(get(sign), constant(63n)),
  );
  return writer.keep(binaryen.v128, pair(writer.library, signed, quarters));
}

/**
 * Reduces one number that is not negative [Payne and Hanek]: lanes 0 and 1 get the remainder, right to about
 * half a unit in its last place, and the quarter turns as an integer modulo 4; NaN of ∞ and NaN.
 * Source: M. Payne, R. Hanek, Radian reduction for trigonometric functions, 1983.
 */
export const quarterTurns: Definition = {
  name: "quarter_turns",
  parameter: binaryen.f64,
  result: binaryen.v128,
  write(writer, x) {
    const { library } = writer;
    const { module } = library;
    const unreduced = (value: binaryen.ExpressionRef): Value => {
      const none = module.i64.const(0n);
      return writer.keep(binaryen.v128, pair(library, module.i64.reinterpret(value), none));
    };
    return writer.choose(
      module.f64.lt(writer.get(x), module.f64.const(0.75)),
      () => unreduced(writer.get(x)),
      () =>
        writer.choose(
          module.f64.lt(writer.get(x), module.f64.const(Number.POSITIVE_INFINITY)),
          () => reduced(writer, x),
          () => unreduced(module.f64.sub(writer.get(x), writer.get(x))),
        ),
    );
  },
};
