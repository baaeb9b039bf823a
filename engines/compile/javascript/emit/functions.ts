import { forBinary, forUnary } from "../../../../spec/operators/index.ts";
import { InvariantError } from "../../../../spec/shapes/index.ts";
import { elementaryFunctions, type ScalarFunction, scalarFunctions } from "../../plan/index.ts";
import type { Arithmetic } from "./arithmetic.ts";

/** How a scalar function is written. */
interface Writing {
  /** The application to operands that are names or stand in parentheses; stands in parentheses itself where it must. */
  readonly write: (...operands: readonly string[]) => string;
  /** Whether the float64 result of float32 operands may be no float32 number, so that it must be rounded. */
  readonly isInexact: boolean;
  /** The name that the text calls and what it stands for; none for operators of the language. */
  readonly call?: readonly [name: string, meaning: (...operands: number[]) => number];
}

function operator(write: Writing["write"], isInexact: boolean): Writing {
  return { write, isInexact };
}

function called(name: string, meaning: (...operands: number[]) => number, isInexact = true): Writing {
  return {
    write: (...operands) => `${name}(${operands})`,
    isInexact,
    call: [name, meaning],
  };
}

/**
 * How each scalar function is written in JavaScript. A condition that is NaN is not 0, so `select` asks for equality with 0.
 */
const writings: Readonly<Record<ScalarFunction, Writing>> = {
  negative: operator((x) => `(-${x})`, false),
  ...forUnary((name) => called(name, elementaryFunctions[name])),
  ...forBinary((name) => called(name, elementaryFunctions[name])),
  floor: called("floor", Math.floor, false),
  add: operator((x, y) => `(${x}+${y})`, true),
  subtract: operator((x, y) => `(${x}-${y})`, true),
  multiply: operator((x, y) => `(${x}*${y})`, true),
  divide: operator((x, y) => `(${x}/${y})`, true),
  less: operator((x, y) => `((${x}<${y})|0)`, false),
  equal: operator((x, y) => `((${x}===${y})|0)`, false),
  select: operator((x, y, z) => `(${x}===0?${z}:${y})`, false),
  multiply_add: operator((x, y, z) => `(${x}*${y}+${z})`, true),
};

/** The text of one application, rounded as the arithmetic has it. Operands are names or stand in parentheses. */
export function applicationText(
  name: ScalarFunction,
  operands: readonly string[],
  arithmetic: Arithmetic,
): string {
  const { write, isInexact } = writings[name];
  if (operands.length !== scalarFunctions[name]) throw new InvariantError(`${name} of ${operands.length}`);
  // A number is compared with others as memory would hold it: with a stored copy of itself it must come out equal.
  const isComparison = arithmetic === "wide" && (name === "less" || name === "equal");
  const text = write(...(isComparison ? operands.map((operand) => `fround(${operand})`) : operands));
  return arithmetic === "float32" && isInexact ? `fround(${text})` : text;
}

/**
 * `select` without a branch, which a processor that guesses wrong pays for tenfold: both numbers go into a table, and the condition,
 * as a machine word, tells which comes back. Operands are names.
 */
export function selectText(condition: string, x: string, y: string): string {
  return `(${TABLE}[0]=${x},${TABLE}[1]=${y},${TABLE}[(${condition}===0)|0])`;
}

/** The name of the table of {@link selectText}: two float64 numbers. */
export const TABLE = "T";

/** What generated code may call: names and their meanings, in one order. */
export const callables: readonly (readonly [name: string, meaning: (...operands: number[]) => number])[] = [
  ["fround", Math.fround],
  ...Object.values(writings).flatMap(({ call }) => (call === undefined ? [] : [call])),
];
