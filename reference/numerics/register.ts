import { fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";
import { type PositFormat, positFormatNamed, positName } from "../../spec/wire/index.ts";
import { greatestCode } from "../algebras/posit_format.ts";
import { formatPosit } from "./posit_text.ts";
import { isExactQuire, quireOperations, quirePlaces } from "./quire.ts";

/** A number, or the product of two, is added; they are codes. */
export type Summand = readonly [x: bigint] | readonly [x: bigint, y: bigint];

/**
 * A register that sums are taken in: integers in two's complement, in units of its last place. Law: where all
 * partial sums are numbers of the register, its word is their integer sum.
 */
export interface Register {
  readonly name: string;
  readonly bits: number;
  /** The least word stands for an error, which stays. */
  readonly hasNotReal: boolean;
  /** The last place is 2 to minus this power; the codes of a tensor with a scale are integers. */
  readonly places: number;
  /** A term that is no multiple of the last place is rounded to one as it enters. */
  readonly roundsTerms: boolean;
  /** Posits of a format, whose codes are ordered as numbers, or the codes of a tensor with a scale. */
  readonly codes:
    | { readonly kind: "posit"; readonly format: PositFormat }
    | { readonly kind: "integer"; readonly bits: number };
  readonly least: bigint;
  readonly greatest: bigint;
  /** Returns a summand in units of the last place, exactly. */
  units(summand: Summand): bigint;
  /** Adds two words of the register. */
  add(x: bigint, y: bigint): bigint;
  /** The word after a summand was added to nothing so often, by the register's own additions. */
  sum(summand: Summand, times: bigint): bigint;
  format(code: bigint): string;
}

/** The quire of the posits of a format [Posit Standard (2022), 3.4]. */
export function quireRegister(format: PositFormat): Register {
  const quire = quireOperations(format);
  const once = (summand: Summand): bigint =>
    summand.length === 1 ? quire.addPosit(0n, summand[0]) : quire.multiplyAdd(0n, summand[0], summand[1]);
  return {
    name: `quire:${positName(format)}`,
    bits: quire.bits,
    hasNotReal: true,
    places: quirePlaces(format),
    roundsTerms: !isExactQuire(format),
    codes: { kind: "posit", format },
    least: -greatestCode(format),
    greatest: greatestCode(format),
    units: once,
    add: quire.add,
    sum: (summand, times) => doubled(once(summand), times, quire.add),
    format: (code) => formatPosit(format, code),
  };
}

/** Words of an int32, and how wide the codes are unless that is said. */
const WORD = 32;
const USUAL_CODES = 8;

/** Makes a register of words of 32 bits that wrap round, for sums of products of `bits` bits. */
export function int32Register(bits: number): Register {
  const add = (x: bigint, y: bigint): bigint => BigInt.asIntN(WORD, x + y);
  const units = ([x, y = 1n]: Summand): bigint => x * y;
  return {
    name: `int32:${bits}`,
    bits: WORD,
    hasNotReal: false,
    places: 0,
    roundsTerms: false,
    codes: { kind: "integer", bits },
    least: -(1n << BigInt(bits - 1)),
    greatest: (1n << BigInt(bits - 1)) - 1n,
    units,
    add,
    sum: (summand, times) => doubled(add(0n, units(summand)), times, add),
    format: String,
  };
}

/**
 * Adds a summand this often to nothing, by doubling. Law: the same as one by one, since partial sums of one
 * sign leave the register for good, or wrap and then count modulo its size. Cost: logarithmic.
 */
function doubled(once: bigint, times: bigint, add: (x: bigint, y: bigint) => bigint): bigint {
  let total = 0n;
  let power = once;
  for (let left = times; left > 0n; left >>= 1n) {
    if (left % 2n === 1n) total = add(total, power);
    if (left > 1n) power = add(power, power);
  }
  return total;
}

/** The names that people mean. */
const usualNames = [
  "quire:posit8",
  "quire:posit16",
  "quire:posit32",
  "quire:posit64",
  "quire:bposit16",
  "quire:bposit32",
  "int32",
  "int32:4",
  "int32:12",
];

/**
 * Returns a register by its name: `quire:posit32` or `quire:bposit32`, of any format that posits are offered
 * in; `int32`, for codes of 8 bits, or `int32:12`, of 2 to 16. Fails: `widths/accumulator`, `posit/width`,
 * `posit/format`.
 */
export function registerNamed(name: string): Result<Register, Issue[]> {
  const format = name.startsWith("quire:") ? positFormatNamed(name.slice("quire:".length)) : undefined;
  if (format !== undefined) return format.ok ? ok(quireRegister(format.value)) : fail([format.error]);
  const codes = /^int32(?::([0-9]{1,2}))?$/.exec(name);
  const bits = Number(codes?.[1] ?? USUAL_CODES);
  if (codes !== null && bits >= 2 && bits <= WORD / 2) return ok(int32Register(bits));
  const near = nearestName(name, usualNames);
  return fail([
    {
      code: "widths/accumulator",
      pointer: "/accumulator",
      message: `there is no accumulator ${quote(name)}.`,
      hint:
        near === undefined || codes !== null
          ? "there are quire:posit3 to quire:posit64, quire:bposit16 and others, and int32:2 to int32:16, by the bits of what is multiplied"
          : `did you mean ${quote(near)}?`,
    },
  ]);
}
