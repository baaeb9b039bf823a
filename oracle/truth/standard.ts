import type { CompositeName } from "../../spec/composites/index.ts";
import { type Description, hostUlps, referenceConventions } from "../../spec/contract/index.ts";
import {
  type BinaryName,
  binaryFunctions,
  binaryNames,
  CORRECTLY_ROUNDED,
  type OperatorName,
  type PrimitiveName,
  primitives,
  type UnaryName,
  unaryFunctions,
  unaryNames,
} from "../../spec/operators/index.ts";
import type { Need } from "../../spec/shapes/index.ts";
import {
  type Conventions,
  type DataType,
  formats,
  isGridName,
  type SavedFormat,
  type Taper,
} from "../../spec/wire/index.ts";

/**
 * What an honest engine is held to: its precision, the accuracy of each operator, how it adds up, and its conventions. Every
 * bound follows from a standard and a graph; there is no other tolerance [SEMANTICS §7.3; docs/truth.md].
 */
export interface Standard {
  readonly dtype: DataType;
  /** `u`: the largest relative error of one correctly rounded operation. */
  readonly unitRoundoff: number;
  /** How far rounding moves a number, where precision tapers off: then `unitRoundoff` is that of the best, and no bound is taken from it. */
  readonly taper?: Taper | undefined;
  /** The largest absolute error of an operation whose result is tiny: a subnormal's spacing, or all of it if flushed. */
  readonly underflow: number;
  readonly largest: number;
  readonly flushesSubnormals: boolean;
  /** Declared accuracies of forward values, in units in the last place. */
  readonly accuracy: Description["accuracy"];
  /** How sums are declared to be held. */
  readonly accumulation: NonNullable<Description["accumulation"]>;
  readonly conventions: Conventions;
  /** The format in which reverse rules find the values of a run, where it is declared to be another than that of the precision. */
  readonly saved?: SavedFormat;
}

const elementaryFunctions = { ...unaryFunctions, ...binaryFunctions };

/** The standard of an engine in one of its precisions: what it declares, and the default for the rest. */
export function standardOf(
  description: Pick<Description, "conventions" | "accuracy" | "accumulation" | "saved">,
  dtype: DataType,
): Standard {
  const made = standards.get(description) ?? new Map<DataType, Standard>();
  const standard = made.get(dtype) ?? standardIn(description, dtype);
  standards.set(description, made.set(dtype, standard));
  return standard;
}

/** One for each precision, so that what is made for a standard is made once for an engine. */
const standards = new WeakMap<object, Map<DataType, Standard>>();

function standardIn(
  { conventions, accuracy, accumulation = {}, saved }: Parameters<typeof standardOf>[0],
  dtype: DataType,
): Standard {
  const flushesSubnormals = conventions.subnormals === "flushed";
  const declared = {
    ...formatOf(dtype, flushesSubnormals),
    flushesSubnormals,
    accuracy,
    accumulation,
    conventions,
  };
  const isNarrower =
    saved !== undefined && (isGridName(saved) || formats[saved].unitRoundoff > formats[dtype].unitRoundoff);
  return isNarrower ? { ...declared, saved } : declared;
}

/** What of a standard is its precision's. */
export function formatOf(
  dtype: DataType,
  flushesSubnormals: boolean,
): Pick<Standard, "dtype" | "unitRoundoff" | "taper" | "underflow" | "largest"> {
  const { unitRoundoff, taper, smallestNormal, smallest, largest } = formats[dtype];
  return { dtype, unitRoundoff, taper, underflow: flushesSubnormals ? smallestNormal : smallest, largest };
}

/** The reference's own standard: our conventions and the default accuracy. */
export function referenceStandard(dtype: DataType): Standard {
  return standardOf({ conventions: referenceConventions, accuracy: {} }, dtype);
}

function declaredUlps({ accuracy }: Standard, name: OperatorName): number | undefined {
  const declared: Readonly<Partial<Record<string, number>>> = accuracy;
  return declared[name];
}

function isElementary(name: OperatorName): name is UnaryName | BinaryName {
  return Object.hasOwn(elementaryFunctions, name);
}

/** Units in the last place by which an operator's forward value may be off; one half is correct rounding. */
export function forwardUlps(standard: Standard, name: OperatorName): number {
  return (
    declaredUlps(standard, name) ?? (isElementary(name) ? elementaryFunctions[name].ulps : CORRECTLY_ROUNDED)
  );
}

/** Whether float64 as the reference computes it, with the functions of its host, keeps to a standard. Found once for each. */
export function isKeptByReference(standard: Standard): boolean {
  const known = honest.get(standard);
  if (known !== undefined) return known;
  const isKept = keepsTo(standard);
  honest.set(standard, isKept);
  return isKept;
}

const honest = new WeakMap<Standard, boolean>();

function keepsTo(standard: Standard): boolean {
  const { dtype, flushesSubnormals, accumulation } = standard;
  const functions = [...unaryNames, ...binaryNames];
  return (
    dtype === "float64" &&
    !flushesSubnormals &&
    functions.every((name) => hostUlps[name] <= forwardUlps(standard, name)) &&
    Object.values(accumulation).every(({ width }) => width !== "exact")
  );
}

/**
 * Units in the last place by which a forward value may be off beyond what the algebra of bounds charges, which is
 * the declared accuracy of products, quotients and elementary functions. Every term of a sum may be off by as much.
 */
export function declaredExcess(standard: Standard, op: OperatorName): number {
  const isCharged = isElementary(op) || op === "multiply" || op === "divide";
  return isCharged ? 0 : Math.max(0, forwardUlps(standard, op) - CORRECTLY_ROUNDED);
}

/**
 * Units in the last place by which what leaves a composite may be off beyond what its expansion loses: an engine that
 * computes it whole rounds its value and its derivative in its own way. Two, unless it declares more.
 */
export function compositeUlps(standard: Standard, op: CompositeName): number {
  return Math.max(2, declaredUlps(standard, op) ?? 0);
}

/** What operators need whose derivatives can be written in several ways. */
const withFreedom: ReadonlySet<Need> = new Set(["field", "real", "orderedField", "orderedReal"]);

/**
 * Units in the last place by which a local derivative may be off beyond the roundings of our formula for it.
 * An engine is free in how it writes a derivative (`1 − tanh²` or `1/cosh²`): it may lose two evaluations at
 * the operator's own accuracy and two roundings more. Where the derivative is a constant or an operand, there
 * is nothing to be free in, but for what an engine declares of the operator.
 */
export function derivativeUlps(standard: Standard, op: PrimitiveName): number {
  // Four roundings.
  if (isElementary(op) && elementaryFunctions[op].hasPlainSlope) return 2;
  return withFreedom.has(primitives[op].needs)
    ? 2 * forwardUlps(standard, op) + 1
    : 2 * declaredExcess(standard, op);
}
