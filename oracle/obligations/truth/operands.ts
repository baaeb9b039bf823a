import type { Hypothesis } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import type { Sign } from "./run.ts";
import { type Bench, type Fault, type Step, textOf } from "./step.ts";

/** What of a bench does not depend on the code. */
export type Tools = Omit<Bench, "ideal" | "rounding">;

/** Returns the size of a term. */
export const size = (x: string): string => `(ite (< ${x} 0.0) (- ${x}) ${x})`;

/** Says that a term is no larger than another, in size. */
export const within = (x: string, most: string): string => `(and (<= ${x} ${most}) (<= (- ${x}) ${most}))`;

/**
 * An operand `x` is known by these: the truth `x`, at most as large as `Sx`; an engine's number, which is off
 * by `x_` and at most by `dx`.
 */
export const unknownsOf = (x: string): Readonly<Record<string, Sign>> => ({
  [x]: "any",
  [`S${x}`]: "size",
  [`${x}_`]: "any",
  [`d${x}`]: "size",
});

export const operand = (x: string): Hypothesis => ({
  name: `operand_${x}`,
  formula: `(and ${within(x, `S${x}`)} ${within(`${x}_`, `d${x}`)})`,
});

/** These are an engine's number in place of the truth. */
export const engines = (x: string): string => `(+ ${x} ${x}_)`;

/**
 * Centres are names here. What the code makes of them is the centre named `z`; `sizeOf` and `radius` return
 * what is known of operands, as steps of their own say of the code's.
 */
export const contracts = ({ unknown }: Tools): Names => ({
  sizeOf: (_centre: unknown, c: unknown) => unknown(`S${String(c)}`),
  radius: (_centre: unknown, _standard: unknown, x: unknown) => unknown(`d${String(got(x, "centre"))}`),
});

/** A centre whose field makes `z` of everything. */
export function centreOf(ball: (name: string) => unknown = () => undefined): Names {
  const made = (): string => "z";
  return {
    name: "unknown",
    field: { add: made, multiply: made, divide: made, negative: made, zero: "zero", one: "one" },
    real: undefined,
    floor: made,
    midpoint: made,
    ball: (c: unknown) => ball(String(c)),
    slack: (c: unknown) => got(ball(String(c)), "slack"),
    approximate: (c: unknown) => got(ball(String(c)), "value"),
    drift: () => 0,
    closer: (c: unknown) => c,
  };
}

/** A standard rounds to nearest, in a format of which nothing is known but that nothing overflows. */
export function standardOf({ unknown }: Tools, more: Names = {}): Names {
  return {
    dtype: "float32",
    unitRoundoff: unknown("u"),
    underflow: unknown("eta"),
    largest: Number.POSITIVE_INFINITY,
    flushesSubnormals: false,
    accuracy: {},
    accumulation: {},
    conventions: {},
    ...more,
  };
}

export const formatUnknowns: Readonly<Record<string, Sign>> = { u: "positive", eta: "positive" };

/** A standard that rounds nothing, so that what is left of an error is what operands pass on. */
export const roundingNothing: Names = {
  dtype: "float32",
  unitRoundoff: 0,
  underflow: 0,
  largest: Number.POSITIVE_INFINITY,
  flushesSubnormals: false,
  accuracy: {},
  accumulation: {},
  conventions: {},
};

/** Returns one number of the algebra of bounds, which is off by at most its radius. */
export function numberOf({ unknown }: Tools, x: string, more: Names = {}): Names {
  const [error, magnitude] = [unknown(`d${x}`), unknown(`S${x}`)];
  return { centre: x, error, magnitude, terms: 1, grain: 0, ...more };
}

/** Returns an operation of the algebra of bounds. */
export function operation(
  { ideal }: Bench,
  level: string,
  name: string,
  ...given: readonly unknown[]
): (...operands: readonly unknown[]) => unknown {
  const algebra = called(ideal.module("bound/algebra").bounded, ...given);
  return (...operands) => called(got(algebra, "levels", level, name), ...operands);
}

/** Most steps say this of induction. */
const BY_NODES =
  "Induction over the operations of a run: what is said of the result is what is assumed of operands. Centre, size and radius of an operand are any that keep their own steps.";

/** Returns what is claimed of a bound, or nothing where the code says that there is none. */
export function bounding(bound: unknown, claim: (bound: string) => string): string {
  return typeof bound === "number" && Number.isNaN(bound) ? "true" : claim(textOf(bound));
}

/** Returns what is claimed of a bound, or what is false where the code says that there is none. */
export function known(bound: unknown, claim: (bound: string) => string): string {
  return typeof bound === "number" && Number.isNaN(bound) ? "(< 0.0 0.0)" : claim(textOf(bound));
}

/** Says that a field of a result is known, and is this. */
export const is = (result: unknown, name: string, wanted: string): string =>
  known(got(result, name), (text) => `(= ${text} ${wanted})`);

/** Plants faults in one module. */
export const faultsIn =
  (file: string) =>
  (name: string, fault: string, from: string, to: string, at?: Readonly<Record<string, string>>): Fault => ({
    name,
    fault,
    file,
    from,
    to,
    ...(at === undefined ? {} : { at }),
  });

/** Names a step of the truth. */
export function stepOf(step: Omit<Step, "metaArgument"> & { readonly metaArgument?: string }): Step {
  return { metaArgument: BY_NODES, ...step, id: `truth/${step.id}` };
}
