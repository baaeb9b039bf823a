import {
  type Conventions,
  type DataType,
  type Description,
  referenceConventions,
} from "../../engines/index.ts";
import {
  type CompositeName,
  formats,
  type Need,
  type OperatorName,
  type PrimitiveName,
  primitives,
} from "../../spec/index.ts";
import type { BinaryName, UnaryName } from "./elementary.ts";

/**
 * What an honest engine is held to: its precision, the accuracy of each operator, and its conventions. Every
 * bound follows from a profile and a graph; there is no other tolerance [docs/truth.md].
 */
export interface Profile {
  readonly dtype: DataType;
  /** `u`: the largest relative error of one correctly rounded operation. */
  readonly unitRoundoff: number;
  /** The largest absolute error of an operation whose result is tiny: a subnormal's spacing, or all of it if flushed. */
  readonly underflow: number;
  readonly largest: number;
  readonly flushesSubnormals: boolean;
  /** Declared accuracies of forward values, in units in the last place. */
  readonly accuracy: Description["accuracy"];
  readonly conventions: Conventions;
}

/** Correct rounding, as IEEE 754 asks of + − × ÷ √. */
const CORRECTLY_ROUNDED = 0.5;

/**
 * The accuracy of the elementary functions an engine is held to if it declares none: the OpenCL C 3.0
 * specification's table "ULP values for double precision built-in math functions" (§7.4).
 */
const defaultUlps: Readonly<Record<UnaryName | BinaryName, number>> = {
  exp: 3,
  expm1: 3,
  log: 3,
  log1p: 2,
  log2: 3,
  sin: 4,
  cos: 4,
  tan: 5,
  asin: 4,
  acos: 4,
  atan: 5,
  sinh: 4,
  cosh: 4,
  tanh: 5,
  asinh: 4,
  acosh: 4,
  atanh: 5,
  erf: 16,
  sqrt: CORRECTLY_ROUNDED,
  pow: 16,
  atan2: 6,
  hypot: 4,
};

/** The profile of an engine in one of its precisions: what it declares, and the default for the rest. */
export function profileOf(
  description: Pick<Description, "conventions" | "accuracy">,
  dtype: DataType,
): Profile {
  const flushesSubnormals = description.conventions.subnormals === "flushed";
  const { unitRoundoff, smallestNormal, smallest, largest } = formats[dtype];
  return {
    dtype,
    unitRoundoff,
    underflow: flushesSubnormals ? smallestNormal : smallest,
    largest,
    flushesSubnormals,
    accuracy: description.accuracy,
    conventions: description.conventions,
  };
}

/** The reference's own profile: our conventions and the default accuracy. */
export function referenceProfile(dtype: DataType): Profile {
  return profileOf({ conventions: referenceConventions, accuracy: {} }, dtype);
}

/** An operator or an elementary function. */
type Named = OperatorName | UnaryName | BinaryName;

function declaredUlps({ accuracy }: Profile, name: Named): number | undefined {
  const declared: Readonly<Partial<Record<string, number>>> = accuracy;
  return declared[name];
}

function isElementary(name: Named): name is UnaryName | BinaryName {
  return name in defaultUlps;
}

/** Units in the last place by which an operator's forward value may be off; one half is correct rounding. */
export function forwardUlps(profile: Profile, name: Named): number {
  return declaredUlps(profile, name) ?? (isElementary(name) ? defaultUlps[name] : CORRECTLY_ROUNDED);
}

/**
 * Units in the last place by which a forward value may be off beyond what the algebra of bounds charges, which is
 * the declared accuracy of products, quotients and elementary functions. Every term of a sum may be off by as much.
 */
export function declaredExcess(profile: Profile, op: OperatorName): number {
  const isCharged = isElementary(op) || op === "multiply" || op === "divide";
  return isCharged ? 0 : Math.max(0, forwardUlps(profile, op) - CORRECTLY_ROUNDED);
}

/**
 * Units in the last place by which what leaves a composite may be off beyond what its expansion loses: an engine that
 * computes it whole rounds its value and its derivative in its own way. Two, unless it declares more.
 */
export function compositeUlps(profile: Profile, op: CompositeName): number {
  return Math.max(2, declaredUlps(profile, op) ?? 0);
}

/** What operators need whose derivatives can be written in several ways. */
const withFreedom: ReadonlySet<Need> = new Set(["field", "real", "orderedField", "orderedReal"]);

/**
 * Functions whose derivative does not come from their own value, or is it, and in which nothing cancels, however it
 * is written: what is left free are four roundings, as of `c · (1/x)` for `c / x`.
 */
const withPlainDerivative: ReadonlySet<Named> = new Set<Named>([
  "exp",
  "log",
  "log1p",
  "log2",
  "sin",
  "cos",
  "atan",
  "sinh",
  "cosh",
  "asinh",
  "erf",
  "pow",
  "atan2",
  "hypot",
]);

/**
 * Units in the last place by which a local derivative may be off beyond the roundings of our formula for it.
 * An engine is free in how it writes a derivative (`1 − tanh²` or `1/cosh²`): it may lose two evaluations at
 * the operator's own accuracy and two roundings more. Where the derivative is a constant or an operand, there
 * is nothing to be free in, but for what an engine declares of the operator.
 */
export function derivativeUlps(profile: Profile, op: PrimitiveName): number {
  if (withPlainDerivative.has(op)) return 2;
  return withFreedom.has(primitives[op].needs)
    ? 2 * forwardUlps(profile, op) + 1
    : 2 * declaredExcess(profile, op);
}
