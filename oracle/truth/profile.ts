import {
  type Conventions,
  type DataType,
  type Description,
  referenceConventions,
} from "../../engines/index.ts";
import { isPrimitiveName, type OperatorName, primitives } from "../../spec/index.ts";

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
const defaultUlps: Partial<Record<OperatorName, number>> = {
  exp: 3,
  log: 3,
  sin: 4,
  cos: 4,
  tanh: 5,
  expm1: 3,
  log1p: 2,
  log2: 3,
  tan: 5,
  asin: 4,
  acos: 4,
  atan: 5,
  sinh: 4,
  cosh: 4,
  asinh: 4,
  acosh: 4,
  atanh: 5,
  erf: 16,
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
  const [unitRoundoff, smallestNormal, smallest, largest] =
    dtype === "float64"
      ? [2 ** -53, 2 ** -1022, 2 ** -1074, Number.MAX_VALUE]
      : [2 ** -24, 2 ** -126, 2 ** -149, (2 - 2 ** -23) * 2 ** 127];
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

/** Units in the last place by which an operator's forward value may be off; one half is correct rounding. */
export function forwardUlps({ accuracy }: Profile, op: OperatorName): number {
  return accuracy[op] ?? defaultUlps[op] ?? CORRECTLY_ROUNDED;
}

/**
 * Units in the last place by which a local derivative may be off beyond the roundings of our formula for it.
 * An engine is free in how it writes a derivative (`1 − tanh²` or `1/cosh²`): it may lose two evaluations at
 * the operator's own accuracy and two roundings more. Where the derivative is a constant or an operand, there
 * is nothing to be free in.
 */
export function derivativeUlps(profile: Profile, op: OperatorName): number {
  if (!isPrimitiveName(op)) return 0;
  const { needs } = primitives[op];
  const isFree = needs === "real" || needs === "orderedReal" || needs === "field";
  return isFree ? 2 * forwardUlps(profile, op) + 1 : 0;
}
