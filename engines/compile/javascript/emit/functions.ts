import { forBinary, forUnary } from "../../../../spec/operators/index.ts";
import { InvariantError } from "../../../../spec/shapes/index.ts";
import { elementaryFunctions, type ScalarFunction, scalarFunctions } from "../../plan/index.ts";
import type { Arithmetic } from "./arithmetic.ts";

/** A scalar function is written so. */
interface Writing {
  /** Writes the application to names or parenthesised operands, parenthesised itself if it must be. */
  readonly write: (...operands: readonly string[]) => string;
  /** Is true if the float64 result of float32 operands must be rounded to be a float32 number. */
  readonly isInexact: boolean;
  /** The name that the text calls, and its meaning; operators of the language have none. */
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

/** Each scalar function is written so in JavaScript. `select` compares with 0, since NaN is not 0. */
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

/** Writes one application to names or parenthesised operands, rounded as the arithmetic demands. */
export function applicationText(
  name: ScalarFunction,
  operands: readonly string[],
  arithmetic: Arithmetic,
): string {
  const { write, isInexact } = writings[name];
  if (operands.length !== scalarFunctions[name]) throw new InvariantError(`${name} of ${operands.length}`);
  // Wide numbers are rounded before a comparison, so that a number equals its stored copy.
  const isComparison = arithmetic === "wide" && (name === "less" || name === "equal");
  const text = write(...(isComparison ? operands.map((operand) => `fround(${operand})`) : operands));
  return arithmetic === "float32" && isInexact ? `fround(${text})` : text;
}

/**
 * Writes `select` without a branch, which costs ten times as much when mispredicted: both numbers go into a
 * table, and the condition is the index of the result. Operands are names.
 */
export function selectText(condition: string, x: string, y: string): string {
  return `(${TABLE}[0]=${x},${TABLE}[1]=${y},${TABLE}[(${condition}===0)|0])`;
}

/** The name of the table of {@link selectText}, which has two float64 numbers. */
export const TABLE = "T";

/** Generated code may call these: names and their meanings, in one order. */
export const callables: readonly (readonly [name: string, meaning: (...operands: number[]) => number])[] = [
  ["fround", Math.fround],
  ...Object.values(writings).flatMap(({ call }) => (call === undefined ? [] : [call])),
];
