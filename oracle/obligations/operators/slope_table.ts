import type { ScalarTerm, TruthTerm } from "../../../reference/algebras/symbolic/index.ts";
import type { BinaryName, PrimitiveName, UnaryName } from "../../../spec/operators/index.ts";
import { type OrderedReal, present } from "../../../spec/shapes/index.ts";

type Operations = OrderedReal<ScalarTerm, TruthTerm>;

/** At a point two terms are known to be equal, or one less than the other. */
export interface Known {
  readonly name: string;
  readonly relation: "equal" | "less";
  readonly sides: readonly [ScalarTerm, ScalarTerm];
}

/** A table has this derivative. */
export interface SlopeEntry {
  /** The obligation's id ends with this. */
  readonly name: string;
  /** This says the derivative in words. */
  readonly says: string;
  /** This follows the words "the derivative is". */
  readonly source: string;
  /** Returns the tangent of the value. */
  tangent(a: Operations, x: readonly ScalarTerm[], dx: readonly ScalarTerm[]): ScalarTerm;
  /** Lists identities of the functions, and conditions on where the derivative is asked for. */
  known?(a: Operations, x: readonly ScalarTerm[], dx: readonly ScalarTerm[]): readonly Known[];
  /** If true, two roots are compared, so it must be known that roots are positive. */
  readonly comparesRoots?: true;
  /** Gives a point where the roots and identities have rational values, so that a model can be run. */
  point?(a: Operations, x: readonly ScalarTerm[]): readonly Known[];
}

const one = (terms: readonly ScalarTerm[]): ScalarTerm => present(terms[0], "an operand");
const other = (terms: readonly ScalarTerm[]): ScalarTerm => present(terms[1], "a second operand");
const equal = (name: string, x: ScalarTerm, y: ScalarTerm): Known => ({
  name,
  relation: "equal",
  sides: [x, y],
});
const less = (name: string, x: ScalarTerm, y: ScalarTerm): Known => ({
  name,
  relation: "less",
  sides: [x, y],
});
const minus = (a: Operations, x: ScalarTerm, y: ScalarTerm): ScalarTerm => a.add(x, a.negative(y));
const squared = (a: Operations, x: ScalarTerm): ScalarTerm => a.multiply(x, x);
/** States `numerator · x = denominator · y`. */
const ratio = (a: Operations, x: ScalarTerm, numerator: number, denominator: number): Known =>
  equal(`point.${x.id}`, a.multiply(a.literal(denominator), x), a.literal(numerator));

/** Cites a theorem about real functions. */
const lean = (theorem: string): string => `proved in Lean by Mathlib, Real.${theorem}`;
/** Cites what follows from such theorems in one step. */
const derived = (how: string): string => `that ${how}`;

/** Makes the derivative of a function of one operand. */
const slope = (
  says: string,
  source: string,
  of: (a: Operations, x: ScalarTerm) => ScalarTerm,
  more: Omit<SlopeEntry, "name" | "says" | "source" | "tangent"> = {},
): readonly SlopeEntry[] => [
  { name: "slope", says, source, tangent: (a, x, dx) => a.multiply(of(a, one(x)), one(dx)), ...more },
];

/**
 * Lists derivatives of the elementary functions as others write them, each with its source: theorems of
 * Mathlib [https://github.com/leanprover-community/mathlib4: Analysis/SpecialFunctions, Analysis/Calculus],
 * which Lean has checked, what follows from them in a step, and definitions by integrals. Identities that
 * lead from one form to the other are named.
 */
export const slopeTable: Partial<Record<PrimitiveName, readonly SlopeEntry[]>> & {
  readonly [F in UnaryName | BinaryName]: readonly SlopeEntry[];
} = {
  exp: slope("(eˣ)' = eˣ", lean("hasDerivAt_exp"), (a, x) => a.exp(x)),
  expm1: slope(
    "(eˣ − 1)' = (eˣ − 1) + 1",
    derived("of exp − 1, from Mathlib's Real.hasDerivAt_exp"),
    (a, x) => a.add(a.expm1(x), a.one),
    {
      known: (a, x) => [equal("expm1", a.expm1(one(x)), minus(a, a.exp(one(x)), a.one))],
    },
  ),
  log: slope("(ln x)' = 1/x", lean("hasDerivAt_log"), (a, x) => a.divide(a.one, x)),
  log1p: slope(
    "(ln (1 + x))' = 1/(1 + x)",
    derived("of ln after 1 + x, from Mathlib's Real.hasDerivAt_log by the chain rule"),
    (a, x) => a.divide(a.one, a.add(a.one, x)),
  ),
  log2: slope(
    "(log₂ x)' = 1/(x ln 2)",
    derived("of ln x / ln 2, from Mathlib's Real.hasDerivAt_log"),
    (a, x) => a.divide(a.one, a.multiply(x, a.log(a.add(a.one, a.one)))),
  ),
  sqrt: slope(
    "(√x)' = √x / (2 x)",
    derived("of Mathlib's Real.hasDerivAt_sqrt, 1/(2 √x), both parts times √x"),
    (a, x) => a.divide(a.sqrt(x), a.add(x, x)),
    {
      point: (a, x) => [ratio(a, one(x), 4, 1)],
    },
  ),
  sin: slope("(sin x)' = cos x", lean("hasDerivAt_sin"), (a, x) => a.cos(x)),
  cos: slope("(cos x)' = −sin x", lean("hasDerivAt_cos"), (a, x) => a.negative(a.sin(x))),
  tan: slope("(tan x)' = 1/cos² x", lean("hasDerivAt_tan"), (a, x) => a.divide(a.one, squared(a, a.cos(x))), {
    known: (a, x) => [
      equal("tangent", a.multiply(a.tan(one(x)), a.cos(one(x))), a.sin(one(x))),
      equal("pythagoras", a.add(squared(a, a.sin(one(x))), squared(a, a.cos(one(x)))), a.one),
    ],
    point: (a, x) => [ratio(a, a.cos(one(x)), 3, 5)],
  }),
  asin: slope(
    "(arcsin x)' = 1/√(1 − x²)",
    lean("hasDerivAt_arcsin"),
    (a, x) => a.divide(a.one, a.sqrt(minus(a, a.one, squared(a, x)))),
    {
      comparesRoots: true,
      point: (a, x) => [ratio(a, one(x), 3, 5)],
    },
  ),
  acos: slope(
    "(arccos x)' = −1/√(1 − x²)",
    lean("hasDerivAt_arccos"),
    (a, x) => a.negative(a.divide(a.one, a.sqrt(minus(a, a.one, squared(a, x))))),
    { comparesRoots: true, point: (a, x) => [ratio(a, one(x), 3, 5)] },
  ),
  atan: slope("(arctan x)' = 1/(1 + x²)", lean("hasDerivAt_arctan"), (a, x) =>
    a.divide(a.one, a.add(a.one, squared(a, x))),
  ),
  sinh: slope("(sinh x)' = cosh x", lean("hasDerivAt_sinh"), (a, x) => a.cosh(x)),
  cosh: slope("(cosh x)' = sinh x", lean("hasDerivAt_cosh"), (a, x) => a.sinh(x)),
  tanh: slope(
    "(tanh x)' = 1/cosh² x",
    derived(
      "of sinh / cosh, from Mathlib's Real.hasDerivAt_sinh and Real.hasDerivAt_cosh by the quotient rule",
    ),
    (a, x) => a.divide(a.one, squared(a, a.cosh(x))),
    {
      known: (a, x) => [
        equal("tangent", a.multiply(a.tanh(one(x)), a.cosh(one(x))), a.sinh(one(x))),
        equal("hyperbola", minus(a, squared(a, a.cosh(one(x))), squared(a, a.sinh(one(x)))), a.one),
      ],
      point: (a, x) => [ratio(a, a.cosh(one(x)), 5, 4)],
    },
  ),
  asinh: slope(
    "(arsinh x)' = 1/√(x² + 1)",
    lean("hasDerivAt_arsinh"),
    (a, x) => a.divide(a.one, a.sqrt(a.add(squared(a, x), a.one))),
    {
      comparesRoots: true,
      point: (a, x) => [ratio(a, one(x), 3, 4)],
    },
  ),
  acosh: slope(
    "(arcosh x)' = 1/√(x² − 1)",
    lean("hasDerivAt_arcosh"),
    (a, x) => a.divide(a.one, a.sqrt(minus(a, squared(a, x), a.one))),
    {
      comparesRoots: true,
      point: (a, x) => [ratio(a, one(x), 5, 4)],
    },
  ),
  atanh: slope(
    "(artanh x)' = 1/(1 − x²)",
    "the integrand that defines artanh (NIST Digital Library of Mathematical Functions, 4.37.3)",
    (a, x) => a.divide(a.one, minus(a, a.one, squared(a, x))),
  ),
  erf: slope(
    "(erf x)' = 2/√π e^(−x²), with π/2 = arccos 0",
    derived("of the integral 2/√π ∫₀ˣ exp(−t²) dt that erf is, by the fundamental theorem of calculus"),
    (a, x) =>
      a.divide(
        a.multiply(a.literal(2), a.exp(a.negative(squared(a, x)))),
        a.sqrt(a.multiply(a.literal(2), a.acos(a.zero))),
      ),
    { comparesRoots: true, point: (a) => [ratio(a, a.acos(a.zero), 8, 1)] },
  ),
  atan2: [
    {
      name: "slope",
      says: "d arctan(y/x) = (x dy − y dx)/(x² + y²)",
      source: derived(
        "of arctan(y/x) or −arctan(x/y), which atan2 is up to a constant on each half plane, from Mathlib's Real.hasDerivAt_arctan",
      ),
      tangent: (a, [y, x], [dy, dx]) => {
        const [p, q, dp, dq] = [y ?? a.zero, x ?? a.zero, dy ?? a.zero, dx ?? a.zero];
        return a.divide(minus(a, a.multiply(q, dp), a.multiply(p, dq)), a.add(squared(a, q), squared(a, p)));
      },
      point: (a, x) => [ratio(a, one(x), 3, 1), ratio(a, other(x), 4, 1)],
    },
  ],
  hypot: [
    {
      name: "slope",
      says: "d √(x² + y²) = (x dx + y dy)/√(x² + y²)",
      source: derived("of √ after x² + y², from Mathlib's Real.hasDerivAt_sqrt by the chain rule"),
      tangent: (a, x, dx) =>
        a.divide(
          a.add(a.multiply(one(x), one(dx)), a.multiply(other(x), other(dx))),
          a.sqrt(a.add(squared(a, one(x)), squared(a, other(x)))),
        ),
      comparesRoots: true,
      point: (a, x) => [ratio(a, one(x), 3, 1), ratio(a, other(x), 4, 1)],
    },
  ],
  pow: [
    {
      name: "positive-base",
      says: "d x^y = x^y (ln x dy + y dx/x) where x > 0",
      source: derived("of Mathlib's Real.hasStrictFDerivAt_rpow_of_pos, with x^(y − 1) = x^y / x"),
      tangent: (a, x, dx) =>
        a.multiply(
          a.pow(one(x), other(x)),
          a.add(a.multiply(a.log(one(x)), other(dx)), a.divide(a.multiply(other(x), one(dx)), one(x))),
        ),
      known: (a, x) => [
        less("positive", a.zero, one(x)),
        equal("power", a.multiply(a.pow(one(x), minus(a, other(x), a.one)), one(x)), a.pow(one(x), other(x))),
      ],
      point: (a, x) => [ratio(a, one(x), 2, 1)],
    },
    {
      name: "fixed-exponent",
      says: "d x^y = y x^(y − 1) dx along a fixed exponent, where x < 0",
      source:
        "proved in Lean by Mathlib, hasDerivAt_zpow, for the integer exponents for which the power of a negative number has a value",
      tangent: (a, x, dx) =>
        a.multiply(a.multiply(other(x), a.pow(one(x), minus(a, other(x), a.one))), one(dx)),
      known: (a, x, dx) => [less("negative", one(x), a.zero), equal("fixed", other(dx), a.zero)],
    },
  ],
};
