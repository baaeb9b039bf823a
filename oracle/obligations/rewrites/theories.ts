import { type ScalarFunction, scalarFunctions } from "../../../engines/compile/plan/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import { type FormatName, floatConstant, formats } from "./numbers.ts";
import type { Terms } from "./terms.ts";

/** A theory defines the sort `Scalar`, its functions and its literals. */
export interface Theory {
  readonly sort: string;
  /** Returns the arguments and body of a function; `undefined` if nothing is known of it. */
  function(name: ScalarFunction): string | undefined;
  /** Returns the term for a literal; `undefined` for a constant of which nothing is known. */
  literal(value: number): string | undefined;
}

/** Uses IEEE 754, rounding to nearest even. SMT-LIB's `=` is `Object.is` here: one NaN, two zeros. */
export function floats(name: FormatName): Theory {
  const { exponent, significand } = formats[name];
  const truth = (condition: string): string =>
    `(ite ${condition} ${floatConstant(name, 1)} ${floatConstant(name, 0)})`;
  const bodies: Readonly<Partial<Record<ScalarFunction, string>>> = {
    negative: "(fp.neg a)",
    sqrt: "(fp.sqrt RNE a)",
    floor: "(fp.roundToIntegral RTN a)",
    add: "(fp.add RNE a b)",
    subtract: "(fp.sub RNE a b)",
    multiply: "(fp.mul RNE a b)",
    divide: "(fp.div RNE a b)",
    less: truth("(fp.lt a b)"),
    equal: truth("(fp.eq a b)"),
    select: "(ite (fp.isZero a) c b)",
    multiply_add: "(fp.fma RNE a b c)",
  };
  return {
    sort: `(define-sort Scalar () (_ FloatingPoint ${exponent} ${significand}))`,
    function: (operation) => bodies[operation] ?? refuse(operation),
    literal: (value) => floatConstant(name, value),
  };
}

/** Uses the reals, and −∞ as a constant that statements bound. Callers' hypotheses define division. */
export const reals: Theory = {
  sort: "(define-sort Scalar () Real)",
  function(operation) {
    const bodies: Readonly<Partial<Record<ScalarFunction, string>>> = {
      negative: "(- a)",
      add: "(+ a b)",
      subtract: "(- a b)",
      multiply: "(* a b)",
      less: "(ite (< a b) 1.0 0.0)",
      equal: "(ite (= a b) 1.0 0.0)",
      select: "(ite (= a 0.0) c b)",
      multiply_add: "(+ (* a b) c)",
    };
    return bodies[operation];
  },
  literal(value) {
    if (!Number.isFinite(value)) return undefined;
    const digits = value.toFixed(Number.isInteger(value) ? 1 : 20);
    return value < 0 ? `(- ${digits.slice(1)})` : digits;
  },
};

/** Only the statement's hypotheses say anything of scalars; 0 and −0 are one. */
export const abstract: Theory = {
  sort: "(declare-sort Scalar 0)",
  function: (name) => (name === "select" ? "(ite (= a zero) c b)" : undefined),
  literal: (value) => (value === 0 ? "zero" : undefined),
};

/** Some symbols are fixed numbers. */
export type Given = Readonly<Record<string, number>>;

/** Declares what terms use, and constants; given ones are defined, so that no solver searches for them. */
export function declarationsIn(
  theory: Theory,
  terms: Terms,
  constants: readonly string[],
  given: Given = {},
): string {
  const isAbstract = theory === abstract;
  const literals = [...terms.literals].filter(([name]) => !isAbstract || name !== "zero");
  return [
    theory.sort,
    ...(isAbstract ? ["(declare-const zero Scalar)"] : []),
    ...literals.map(([name, value]) => {
      const term = theory.literal(value);
      return term === undefined ? `(declare-const ${name} Scalar)` : `(define-fun ${name} () Scalar ${term})`;
    }),
    ...[...terms.functions].map((name) => declarationOf(theory, name)),
    ...constants.map((name) => {
      const value = given[name];
      const term = value === undefined ? undefined : theory.literal(value);
      return term === undefined ? `(declare-const ${name} Scalar)` : `(define-fun ${name} () Scalar ${term})`;
    }),
    ...terms.definitions,
  ].join("\n");
}

function declarationOf(theory: Theory, name: ScalarFunction): string {
  const names = ["a", "b", "c"].slice(0, scalarFunctions[name]);
  const body = theory.function(name);
  return body === undefined
    ? `(declare-fun ${name} (${names.map(() => "Scalar").join(" ")}) Scalar)`
    : `(define-fun ${name} (${names.map((one) => `(${one} Scalar)`).join(" ")}) Scalar ${body})`;
}

function refuse(name: ScalarFunction): never {
  throw new InvariantError(`no theory says what ${name} is`);
}
