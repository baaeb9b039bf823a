import { forBinary, forUnary } from "../../../spec/operators/index.ts";
import { allows, type Precision, type Regime, type ScalarFunction } from "../plan/index.ts";
import { literalText } from "./number.ts";

/** A name or a number in the text, and how many loops it stands inside. */
export interface Term {
  readonly text: string;
  readonly level: number;
}

/** A file calls elementary functions of its own, of `<math.h>`, or of the engine that hands them in. */
export type Functions = "own" | "math.h" | "host";

type Write = (...operands: readonly string[]) => string;

const call =
  (name: string): Write =>
  (...operands) =>
    `${name}(${operands.join(", ")})`;

/** Each scalar function is written so. */
const writings: Readonly<Record<ScalarFunction, Write>> = {
  ...forUnary((name) => call(`${name}_T`)),
  ...forBinary((name) => call(`${name}_T`)),
  negative: (x) => `-${x}`,
  floor: call("floor_T"),
  add: (x, y) => `${x} + ${y}`,
  subtract: (x, y) => `${x} - ${y}`,
  multiply: (x, y) => `${x} * ${y}`,
  divide: (x, y) => `${x} / ${y}`,
  less: (x, y) => `(T)(${x} < ${y})`,
  equal: (x, y) => `(T)(${x} == ${y})`,
  select: call("select_T"),
  multiply_add: call("multiply_add"),
};

/** Writes scalars in C for one file, and remembers which functions it needs. */
export class Scalars {
  readonly precision: Precision;
  /** Products go into sums with one rounding where the machine has it. */
  readonly isFused: boolean;
  readonly functions: Functions;
  /** The functions that were written. */
  readonly used: Set<ScalarFunction> = new Set();

  constructor(precision: Precision, regime: Regime, functions: Functions) {
    this.precision = precision;
    this.isFused = allows(regime, "contraction");
    this.functions = functions;
  }

  literal(value: number): string {
    return literalText(this.precision === "float32" ? Math.fround(value) : value, this.precision);
  }

  /** Applies a function to names or literals. */
  application(name: ScalarFunction, operands: readonly string[]): string {
    this.used.add(name);
    return writings[name](...operands);
  }
}
