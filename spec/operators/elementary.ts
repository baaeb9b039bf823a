import type { Real } from "../shapes/index.ts";
import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

// biome-ignore format: a list
/** The elementary functions of one operand. */
export const unaryNames = [
  "exp", "log", "sin", "cos", "tanh", "sqrt", "expm1", "log1p", "log2", "tan",
  "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "erf",
] as const;

/** The elementary functions of two operands: x to the power y, the angle `atan2(y, x)`, √(x² + y²). */
export const binaryNames = ["pow", "atan2", "hypot"] as const;

/** An elementary function of one operand. */
export type UnaryName = (typeof unaryNames)[number];

/** An elementary function of two operands. */
export type BinaryName = (typeof binaryNames)[number];

/** Every elementary function over a carrier. */
export type Elementary<S> = { readonly [F in UnaryName]: (x: S) => S } & {
  readonly [F in BinaryName]: (x: S, y: S) => S;
};

/** A function of one operand has the value `y` at `x`. */
export interface Place<S> {
  readonly x: S;
  readonly y: S;
}

/** A tangent or a cotangent on its way through a function. */
export interface Scaled<S> {
  times(factor: S): S;
  over(divisor: S): S;
}

/**
 * The course says how a function runs, so that the ends of an interval tell its image. `even`: upwards in the
 * operand's size; `wave`: between −1 and 1, never steeper than 1; `between poles`: upwards between two zeros
 * of the cosine.
 */
export type Course = "increasing" | "decreasing" | "even" | "wave" | "between poles";

/** These say how accurately engines compute an elementary function. */
interface Accuracy {
  /** A value may be off by so many units in the last place if an engine declares nothing [docs/truth.md]. */
  readonly ulps: number;
  /**
   * Is true if the derivative does not come from the function's own value, or is it, and nothing in it
   * cancels, however it is written: what is left free are four roundings, as of `c · (1/x)` for `c / x`.
   */
  readonly hasPlainSlope: boolean;
}

/** All that an elementary function of one operand is; what rooms compute of it they derive from here. */
export interface UnaryFunction extends Signature<"real", NoAttributes>, Accuracy {
  /**
   * Returns `c` times the slope: of an operand's tangent the value's, of the value's cotangent the operand's.
   * The order of the operations is the reference's [SEMANTICS 7.2].
   */
  scale<S>(a: Real<S>, c: Scaled<S>, at: Place<S>): S;
  readonly course: Course;
  /** Is true if the function is 0 at 0. */
  readonly keepsZero: boolean;
  /**
   * Random graphs have its operands here: inside the domain, {@link MARGIN} away from poles, and where the
   * value neither overflows nor is flat to rounding.
   */
  readonly drawnFrom: readonly [least: number, greatest: number];
  /** Two points with the values and the slopes there, which can be checked in the head or in a table. */
  readonly example: { readonly [part in "at" | "value" | "slope"]: readonly [number, number] };
}

/**
 * All that an elementary function of two operands is. Their derivatives have cases, and parts that forward
 * and reverse mode share otherwise: dual numbers and pullbacks write them.
 */
export interface BinaryFunction<N extends "real" | "orderedReal">
  extends Signature<N, NoAttributes>,
    Accuracy {}

/** The distance kept from poles, from the ends of domains, and from points without a derivative. */
export const MARGIN: number = 2 ** -6;

const MAX: number = Number.MAX_VALUE;

/** Correct rounding, as IEEE 754 asks of + − × ÷ √. */
export const CORRECTLY_ROUNDED = 0.5;

type Row = Pick<UnaryFunction, "summary" | "domain" | "source"> &
  Omit<UnaryFunction, keyof Signature<"real", NoAttributes>>;

function unary({ summary, domain, source, ...row }: Row): UnaryFunction {
  const text = { smoothness: "smooth", summary, domain, convention: "none needed", source } as const;
  return { ...elementwise("real", 1, text), ...row };
}

function minus<S>(a: Real<S>, x: S, y: S): S {
  return a.add(x, a.negative(y));
}

/** Returns √(1 − x²) as √((1 − x)(1 + x)): 1 − x² would cancel near ±1. */
function leg<S>(a: Real<S>, x: S): S {
  return a.sqrt(a.multiply(minus(a, a.one, x), a.add(a.one, x)));
}

/**
 * Returns 2/√π, where the algebra says what π is, as 2 arccos 0: a literal would be rounded, and arccos (−1)
 * has no derivative, not even that of a constant.
 */
function steepest<S>(a: Real<S>): S {
  const right = a.acos(a.zero);
  return a.divide(a.add(a.one, a.one), a.sqrt(a.add(right, right)));
}

/**
 * The elementary functions of one operand. The units in the last place are those of the OpenCL C 3.0
 * specification's table "ULP values for double precision built-in math functions" (§7.4).
 */
export const unaryFunctions: { readonly [F in UnaryName]: UnaryFunction } = {
  exp: unary({
    summary: "eˣ",
    domain: "everywhere",
    source: arrayApi("exp"),
    scale: (_a, c, { y }) => c.times(y),
    course: "increasing",
    keepsZero: false,
    ulps: 3,
    hasPlainSlope: true,
    drawnFrom: [-10, 10],
    example: { at: [0, 1], value: [1, Math.E], slope: [1, Math.E] },
  }),
  log: unary({
    summary: "the natural logarithm of x",
    domain: "x > 0; at 0 the value is −∞ and the derivative infinite, below there is none",
    source: arrayApi("log"),
    scale: (_a, c, { x }) => c.over(x),
    course: "increasing",
    keepsZero: false,
    ulps: 3,
    hasPlainSlope: true,
    drawnFrom: [MARGIN, MAX],
    example: { at: [1, 2], value: [0, Math.LN2], slope: [1, 0.5] },
  }),
  sin: unary({
    summary: "the sine of x in radians",
    domain: "finite x",
    source: arrayApi("sin"),
    scale: (a, c, { x }) => c.times(a.cos(x)),
    course: "wave",
    keepsZero: true,
    ulps: 4,
    hasPlainSlope: true,
    drawnFrom: [-256, 256],
    example: { at: [0, 1], value: [0, 0.8414709848078965], slope: [1, 0.5403023058681398] },
  }),
  cos: unary({
    summary: "the cosine of x in radians",
    domain: "finite x",
    source: arrayApi("cos"),
    scale: (a, c, { x }) => a.negative(c.times(a.sin(x))),
    course: "wave",
    keepsZero: false,
    ulps: 4,
    hasPlainSlope: true,
    drawnFrom: [-256, 256],
    example: { at: [0, 1], value: [1, 0.5403023058681398], slope: [0, -0.8414709848078965] },
  }),
  tanh: unary({
    summary: "the hyperbolic tangent of x",
    domain: "everywhere",
    source: arrayApi("tanh"),
    scale: (a, c, { y }) => c.times(minus(a, a.one, a.multiply(y, y))),
    course: "increasing",
    keepsZero: true,
    ulps: 5,
    hasPlainSlope: false,
    drawnFrom: [-16, 16],
    example: { at: [0, 1], value: [0, 0.7615941559557649], slope: [1, 0.4199743416140261] },
  }),
  sqrt: unary({
    summary: "the principal square root of x",
    domain: "x ≥ 0; at 0 the derivative is infinite",
    source: arrayApi("sqrt"),
    scale: (a, c, { y }) => c.over(a.add(y, y)),
    course: "increasing",
    keepsZero: true,
    ulps: CORRECTLY_ROUNDED,
    hasPlainSlope: false,
    drawnFrom: [MARGIN, MAX],
    example: { at: [4, 0.25], value: [2, 0.5], slope: [0.25, 1] },
  }),
  expm1: unary({
    summary: "eˣ − 1, with all its digits near 0",
    domain: "everywhere; the derivative is taken as eˣ, which is the value plus 1 without a cancellation",
    source: arrayApi("expm1"),
    scale: (a, c, { x }) => c.times(a.exp(x)),
    course: "increasing",
    keepsZero: true,
    ulps: 3,
    hasPlainSlope: false,
    drawnFrom: [-10, 10],
    example: { at: [0, 1], value: [0, Math.E - 1], slope: [1, Math.E] },
  }),
  log1p: unary({
    summary: "the natural logarithm of 1 + x, with all its digits near 0",
    domain: "x > −1; at −1 the value is −∞ and the derivative infinite, below there is none",
    source: arrayApi("log1p"),
    scale: (a, c, { x }) => c.over(a.add(a.one, x)),
    course: "increasing",
    keepsZero: true,
    ulps: 2,
    hasPlainSlope: true,
    drawnFrom: [MARGIN - 1, MAX],
    example: { at: [0, 1], value: [0, Math.LN2], slope: [1, 0.5] },
  }),
  log2: unary({
    summary: "the logarithm of x to base 2",
    domain: "x > 0; at 0 the value is −∞ and the derivative infinite, below there is none",
    source: arrayApi("log2"),
    // The algebra says what ln 2 is: a literal would be rounded.
    scale: (a, c, { x }) => a.divide(c.over(x), a.log(a.add(a.one, a.one))),
    course: "increasing",
    keepsZero: false,
    ulps: 3,
    hasPlainSlope: true,
    drawnFrom: [MARGIN, MAX],
    example: { at: [1, 8], value: [0, 3], slope: [Math.LOG2E, Math.LOG2E / 8] },
  }),
  tan: unary({
    summary: "the tangent of x, in radians",
    domain: "everywhere but at odd multiples of π/2, none of which is a float; the derivative is 1 + tan² x",
    source: arrayApi("tan"),
    scale: (a, c, { y }) => c.times(a.add(a.one, a.multiply(y, y))),
    course: "between poles",
    keepsZero: true,
    ulps: 5,
    hasPlainSlope: false,
    drawnFrom: [-1.5, 1.5],
    example: { at: [0, 1], value: [0, 1.5574077246549023], slope: [1, 3.425518820814759] },
  }),
  asin: unary({
    summary: "the arc sine of x, in [−π/2, π/2]",
    domain: "−1 ≤ x ≤ 1; at ±1 the derivative is infinite. It is 1/√((1−x)(1+x)): 1 − x² would cancel",
    source: arrayApi("asin"),
    scale: (a, c, { x }) => c.over(leg(a, x)),
    course: "increasing",
    keepsZero: true,
    ulps: 4,
    hasPlainSlope: false,
    drawnFrom: [MARGIN - 1, 1 - MARGIN],
    example: { at: [0, 0.5], value: [0, Math.PI / 6], slope: [1, 2 / Math.sqrt(3)] },
  }),
  acos: unary({
    summary: "the arc cosine of x, in [0, π]",
    domain: "−1 ≤ x ≤ 1; at ±1 the derivative is infinite. It is −1/√((1−x)(1+x)): 1 − x² would cancel",
    source: arrayApi("acos"),
    scale: (a, c, { x }) => a.negative(c.over(leg(a, x))),
    course: "decreasing",
    keepsZero: false,
    ulps: 4,
    hasPlainSlope: false,
    drawnFrom: [MARGIN - 1, 1 - MARGIN],
    example: { at: [0, 0.5], value: [Math.PI / 2, Math.PI / 3], slope: [-1, -2 / Math.sqrt(3)] },
  }),
  atan: unary({
    summary: "the arc tangent of x, in [−π/2, π/2]",
    domain: "everywhere; the derivative is 1/(1 + x²), which is 0 in floats where x² overflows",
    source: arrayApi("atan"),
    scale: (a, c, { x }) => c.over(a.add(a.one, a.multiply(x, x))),
    course: "increasing",
    keepsZero: true,
    ulps: 5,
    hasPlainSlope: true,
    drawnFrom: [-MAX, MAX],
    example: { at: [0, 1], value: [0, Math.PI / 4], slope: [1, 0.5] },
  }),
  sinh: unary({
    summary: "the hyperbolic sine of x",
    domain: "everywhere",
    source: arrayApi("sinh"),
    scale: (a, c, { x }) => c.times(a.cosh(x)),
    course: "increasing",
    keepsZero: true,
    ulps: 4,
    hasPlainSlope: true,
    drawnFrom: [-10, 10],
    example: { at: [0, 1], value: [0, 1.1752011936438014], slope: [1, 1.5430806348152437] },
  }),
  cosh: unary({
    summary: "the hyperbolic cosine of x",
    domain: "everywhere",
    source: arrayApi("cosh"),
    scale: (a, c, { x }) => c.times(a.sinh(x)),
    course: "even",
    keepsZero: false,
    ulps: 4,
    hasPlainSlope: true,
    drawnFrom: [-10, 10],
    example: { at: [0, 1], value: [1, 1.5430806348152437], slope: [0, 1.1752011936438014] },
  }),
  asinh: unary({
    summary: "the inverse hyperbolic sine of x",
    domain: "everywhere; the derivative is 1/hypot(1, x), where no square overflows",
    source: arrayApi("asinh"),
    scale: (a, c, { x }) => c.over(a.hypot(a.one, x)),
    course: "increasing",
    keepsZero: true,
    ulps: 4,
    hasPlainSlope: true,
    drawnFrom: [-MAX, MAX],
    example: { at: [0, 0.75], value: [0, Math.LN2], slope: [1, 0.8] },
  }),
  acosh: unary({
    summary: "the inverse hyperbolic cosine of x, not negative",
    domain:
      "x ≥ 1; at 1 the derivative is infinite. It is 1/(√(x−1) √(x+1)): nothing cancels, no square overflows",
    source: arrayApi("acosh"),
    scale: (a, c, { x }) => c.over(a.multiply(a.sqrt(minus(a, x, a.one)), a.sqrt(a.add(x, a.one)))),
    course: "increasing",
    keepsZero: false,
    ulps: 4,
    hasPlainSlope: false,
    drawnFrom: [1 + MARGIN, MAX],
    example: { at: [1.25, 2], value: [Math.LN2, 1.3169578969248168], slope: [4 / 3, 1 / Math.sqrt(3)] },
  }),
  atanh: unary({
    summary: "the inverse hyperbolic tangent of x",
    domain: "−1 < x < 1; at ±1 value and derivative are infinite. It is 1/((1−x)(1+x)): 1 − x² would cancel",
    source: arrayApi("atanh"),
    scale: (a, c, { x }) => c.over(a.multiply(minus(a, a.one, x), a.add(a.one, x))),
    course: "increasing",
    keepsZero: true,
    ulps: 5,
    hasPlainSlope: false,
    drawnFrom: [MARGIN - 1, 1 - MARGIN],
    example: { at: [0, 0.5], value: [0, 0.5493061443340548], slope: [1, 4 / 3] },
  }),
  erf: unary({
    summary: "the error function, 2/√π times the integral of e^(−t²) from 0 to x",
    domain: "everywhere",
    source: "https://onnx.ai/onnx/operators/onnx__Erf.html",
    scale: (a, c, { x }) => c.times(a.multiply(steepest(a), a.exp(a.negative(a.multiply(x, x))))),
    course: "increasing",
    keepsZero: true,
    ulps: 16,
    hasPlainSlope: true,
    drawnFrom: [-4, 4],
    example: { at: [0, 1], value: [0, 0.8427007929497149], slope: [1.1283791670955126, 0.41510749742059466] },
  }),
};

/** The elementary functions of two operands, with units as in {@link unaryFunctions}. */
export const binaryFunctions: {
  readonly pow: BinaryFunction<"orderedReal">;
  readonly atan2: BinaryFunction<"real">;
  readonly hypot: BinaryFunction<"real">;
} = {
  pow: {
    ...elementwise("orderedReal", 2, {
      smoothness: "piecewise",
      summary:
        "x to the power y, with the values of IEEE 754's pow: 1 for y = 0 whatever x, for x = 1 whatever y",
      domain:
        "x > 0 with any y; x < 0 where y is an integer, and the derivative by y does not exist; x = 0 with y ≥ 0, and with y < 0 the value is infinite",
      convention:
        "the derivative by x is y x^(y−1), and 0 where y = 0; by y it is x^y log x, with 0 for log x where x = 0, as in JAX: the limit for y > 0, and 0 at x = y = 0, where the one-sided limit is −∞; forward, where x < 0, the part along y is 0 if the exponent's tangent is",
      source: arrayApi("pow"),
    }),
    ulps: 16,
    hasPlainSlope: true,
  },
  atan2: {
    ...elementwise("real", 2, {
      smoothness: "smooth",
      summary:
        "the angle from the positive x axis to the point (x, y), in [−π, π]; y is the first operand, x the second",
      domain:
        "everywhere, with a jump across y = 0, x < 0; at (0, 0) the value is IEEE 754's, by the signs of the zeros, and there is no derivative. It is (x/h)/h by y and −(y/h)/h by x with h = hypot(x, y), where no square overflows",
      convention: "none needed",
      source: arrayApi("atan2"),
    }),
    ulps: 6,
    hasPlainSlope: true,
  },
  hypot: {
    ...elementwise("real", 2, {
      smoothness: "smooth",
      summary: "√(x² + y²), without overflow on the way",
      domain:
        "everywhere; at (0, 0) the value is 0 and there is no derivative: it is x/h and y/h, which is 0/0",
      convention: "none needed",
      source: arrayApi("hypot"),
    }),
    ulps: 4,
    hasPlainSlope: true,
  },
};

/** Makes a row for each elementary function of one operand, by its name. */
export function forUnary<T>(row: (name: UnaryName) => T): { readonly [F in UnaryName]: T } {
  return {
    exp: row("exp"),
    log: row("log"),
    sin: row("sin"),
    cos: row("cos"),
    tanh: row("tanh"),
    sqrt: row("sqrt"),
    expm1: row("expm1"),
    log1p: row("log1p"),
    log2: row("log2"),
    tan: row("tan"),
    asin: row("asin"),
    acos: row("acos"),
    atan: row("atan"),
    sinh: row("sinh"),
    cosh: row("cosh"),
    asinh: row("asinh"),
    acosh: row("acosh"),
    atanh: row("atanh"),
    erf: row("erf"),
  };
}

/** A row for each elementary function of two operands. */
export function forBinary<T>(row: (name: BinaryName) => T): { readonly [F in BinaryName]: T } {
  return { pow: row("pow"), atan2: row("atan2"), hypot: row("hypot") };
}

/** Makes a carrier's elementary functions, each by its name. */
export function elementary<S>(
  unaryOf: (name: UnaryName) => (x: S) => S,
  binaryOf: (name: BinaryName) => (x: S, y: S) => S,
): Elementary<S> {
  return { ...forUnary(unaryOf), ...forBinary(binaryOf) };
}
