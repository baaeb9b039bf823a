import type { CompositeName, OperatorName } from "../../../spec/composites/index.ts";
import { type Description, referenceConventions } from "../../../spec/contract/index.ts";
import {
  type BinaryName,
  binaryFunctions,
  CORRECTLY_ROUNDED,
  type PrimitiveName,
  primitives,
  type UnaryName,
  unaryFunctions,
} from "../../../spec/operators/index.ts";
import type { Need } from "../../../spec/shapes/index.ts";
import {
  type Conventions,
  type DataType,
  formats,
  isGridName,
  type SavedFormat,
  type Taper,
} from "../../../spec/wire/index.ts";

/**
 * A standard is what an honest engine is held to: precision, accuracy of each operator, sums and conventions.
 * Every bound follows from a standard and a graph; no other tolerance exists [SEMANTICS §7.3; docs/truth.md].
 */
export interface Standard {
  readonly dtype: DataType;
  /** `u` is the largest relative error of one correctly rounded operation. */
  readonly unitRoundoff: number;
  /** It tells how far rounding moves a number whose precision tapers off; `unitRoundoff` is then unused. */
  readonly taper?: Taper | undefined;
  /** It is the largest absolute error of a tiny result: a subnormal's spacing, or all of it if flushed. */
  readonly underflow: number;
  readonly largest: number;
  readonly flushesSubnormals: boolean;
  /** An engine declares these accuracies of forward values, in units in the last place. */
  readonly accuracy: Description["accuracy"];
  /** An engine declares so how it holds sums. */
  readonly accumulation: NonNullable<Description["accumulation"]>;
  readonly conventions: Conventions;
  /** Reverse rules find a run's values in this format, if it is declared and narrower than the precision. */
  readonly saved?: SavedFormat;
  /** Slopes keep their digits where they decay, if that is declared. */
  readonly slopes?: "accurate";
  /** The answers are of a function as a whole, which takes its own steps: see {@link standardOfFunction}. */
  readonly ofFunction?: true;
}

const elementaryFunctions = { ...unaryFunctions, ...binaryFunctions };

/** Returns the standard of an engine in one precision: what it declares, and the default for the rest. */
export function standardOf(
  description: Pick<Description, "conventions" | "accuracy" | "accumulation" | "saved" | "slopes">,
  dtype: DataType,
): Standard {
  const made = standards.get(description) ?? new Map<DataType, Standard>();
  const standard = made.get(dtype) ?? standardIn(description, dtype);
  standards.set(description, made.set(dtype, standard));
  return standard;
}

/** Each precision of an engine has one standard, so what is made for a standard is made once. */
const standards = new WeakMap<object, Map<DataType, Standard>>();

function standardIn(
  { conventions, accuracy, accumulation = {}, saved, slopes }: Parameters<typeof standardOf>[0],
  dtype: DataType,
): Standard {
  const flushesSubnormals = conventions.subnormals === "flushed";
  const declared = {
    ...formatOf(dtype, flushesSubnormals),
    flushesSubnormals,
    accuracy,
    accumulation,
    conventions,
    // Posits have no bounds for formulas other than the reference's.
    ...(slopes === undefined || formats[dtype].taper !== undefined ? {} : { slopes }),
  };
  const isNarrower =
    saved !== undefined && (isGridName(saved) || formats[saved].unitRoundoff > formats[dtype].unitRoundoff);
  return isNarrower ? { ...declared, saved } : declared;
}

/** A function's own steps may err so many times as much as those of the graph that says what it means. */
const OWN_STEPS = 8;

/**
 * Returns the standard of a function as a whole: what it computes is known as a graph, but not how. It owes
 * what some algorithm of the same condition gives: each input may be off by as much as an operation rounds,
 * each step errs by {@link OWN_STEPS} times what an engine's may, and at a tie or a kink the derivative may
 * be anything between those of either side.
 */
export function standardOfFunction(...given: Parameters<typeof standardOf>): Standard {
  return { ...standardOf(...given), ofFunction: true };
}

const enginesStandards = new WeakMap<Standard, Standard>();

/** Returns what an engine owes that declares the same, as what depends on no input of a function does. */
export function standardOfSteps(standard: Standard): Standard {
  const { ofFunction, ...steps } = standard;
  if (ofFunction === undefined) return standard;
  const known = enginesStandards.get(standard) ?? steps;
  enginesStandards.set(standard, known);
  return known;
}

const accurateStandards = new WeakMap<Standard, Standard>();

/** Returns the standard of an engine that declares accurate slopes, and else what this one does. */
export function withAccurateSlopesOf(standard: Standard): Standard {
  if (standard.slopes === "accurate") return standard;
  const accurate = accurateStandards.get(standard) ?? { ...standard, slopes: "accurate" };
  accurateStandards.set(standard, accurate);
  return accurate;
}

/** Returns the part of a standard that depends on its precision. */
export function formatOf(
  dtype: DataType,
  flushesSubnormals: boolean,
): Pick<Standard, "dtype" | "unitRoundoff" | "taper" | "underflow" | "largest"> {
  const { unitRoundoff, taper, smallestNormal, smallest, largest } = formats[dtype];
  return { dtype, unitRoundoff, taper, underflow: flushesSubnormals ? smallestNormal : smallest, largest };
}

/** Returns the reference's own standard: its conventions and the default accuracy. */
export function referenceStandard(dtype: DataType): Standard {
  return standardOf({ conventions: referenceConventions, accuracy: {} }, dtype);
}

function declaredUlps({ accuracy }: Pick<Standard, "accuracy">, name: OperatorName): number | undefined {
  const declared: Readonly<Partial<Record<string, number>>> = accuracy;
  return declared[name];
}

function isElementary(name: OperatorName): name is UnaryName | BinaryName {
  return Object.hasOwn(elementaryFunctions, name);
}

/** Returns the ulps by which an operator's forward value may be off; one half is correct rounding. */
export function forwardUlps(standard: Standard, name: OperatorName): number {
  return (declaredUlps(standard, name) ?? defaultUlps(name)) * stepsOf(standard);
}

/** Returns how many times as much a step may err as an engine's. */
function stepsOf({ ofFunction }: Pick<Standard, "ofFunction">): number {
  return ofFunction === true ? OWN_STEPS : 1;
}

/** Returns these ulps where an engine declares none. */
export function defaultUlps(name: OperatorName): number {
  return isElementary(name) ? elementaryFunctions[name].ulps : CORRECTLY_ROUNDED;
}

/**
 * Returns the ulps by which a forward value may be off beyond what the algebra of bounds counts. The algebra
 * counts the accuracy of products, quotients and elementary functions; every term of a sum may be off by this
 * excess.
 */
export function declaredExcess(standard: Standard, op: OperatorName): number {
  const isCharged = isElementary(op) || op === "multiply" || op === "divide";
  return isCharged ? 0 : Math.max(0, forwardUlps(standard, op) - CORRECTLY_ROUNDED);
}

/**
 * Returns the ulps by which what leaves a composite may be off beyond the errors of its expansion. An engine
 * that computes it whole rounds value and derivative in its own way, so they are two, or more if it declares
 * more.
 */
export function compositeUlps(
  standard: Pick<Standard, "accuracy" | "ofFunction">,
  op: CompositeName,
): number {
  return Math.max(2, declaredUlps(standard, op) ?? 0) * stepsOf(standard);
}

/** Derivatives of operators that need one of these can be written in several ways. */
const withFreedom: ReadonlySet<Need> = new Set(["field", "real", "orderedField", "orderedReal"]);

/**
 * Returns the ulps by which a local derivative may be off beyond the roundings of the reference's formula. An
 * engine that writes it in another way (`1 − tanh²`, `1/cosh²`) may lose two evaluations at the operator's
 * accuracy and two roundings. A derivative that is a constant or an operand has only what is declared of the
 * operator.
 */
export function derivativeUlps(standard: Standard, op: PrimitiveName): number {
  // Two ulps are four roundings.
  if (isElementary(op) && elementaryFunctions[op].hasPlainSlope) return 2 * stepsOf(standard);
  return withFreedom.has(primitives[op].needs)
    ? 2 * forwardUlps(standard, op) + 1
    : 2 * declaredExcess(standard, op);
}

const comparing: ReadonlySet<PrimitiveName> = new Set(["maximum", "relu", "less"]);

/** Returns the operators at whose ties or kinks the engine declares another choice than the reference. */
export function openTies({ conventions, ofFunction }: Standard): ReadonlySet<PrimitiveName> {
  if (ofFunction === true) return comparing;
  const open = new Set<PrimitiveName>();
  if (conventions.maximumAtTie !== referenceConventions.maximumAtTie) open.add("maximum");
  if (conventions.reluAtZero !== referenceConventions.reluAtZero) open.add("relu");
  return open;
}
