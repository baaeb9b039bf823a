import {
  type ProgramBuilder,
  type ProgramOperand,
  type ProgramReference,
  type ProgramValue,
  program,
} from "../../../spec/program_builder/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";

/*
 * Optimisers as programs with memory: the parameter and what is remembered of gradients are persistent
 * locations, and a call of the entry is a step in place. Gradient and rates are inputs, so they may change
 * with the step. Where libraries differ, each convention is a program of its own [docs/optimisers.md].
 */

/** A rule names its inputs and memories here, with a prefix for each parameter. */
export interface Scope {
  readonly builder: ProgramBuilder;
  /** Declares a number that whoever calls gives at each call: an input. Asked for twice, it is the same. */
  given(name: string): ProgramValue;
  /** Declares a persistent location. */
  remembered(name: string, shape?: Shape): ProgramReference;
}

/** One step of one parameter is written with these. */
export interface Stepping extends Scope {
  /** The parameter, which the step overwrites. */
  readonly x: ProgramReference;
  readonly gradient: ProgramValue;
  readonly rate: ProgramValue;
}

/** One step of one parameter, as statements. */
export type StepRule = (stepping: Stepping) => void;

/** Weight decay is added to the gradient (L2), or is applied apart, times the rate (AdamW). */
export type Decay = "none" | "coupled" | "decoupled";

/** A small number keeps a root from being 0: √s + ε, or √(s + ε). */
export type EpsilonPlace = "outside" | "inside";

/** Writes a rule's program for one parameter: state `x`, its memories, `gradient`, `rate` and its inputs. */
export function alone(shape: Shape, rule: StepRule): Program {
  return program((builder) => {
    const [gradient, rate] = [builder.input("gradient", shape), builder.input("rate")];
    const x = builder.state("x", shape);
    rule({ ...scopeOf(builder), gradient, rate, x });
    return [];
  });
}

/** Returns a scope whose names have a prefix: inputs that of a group, locations that of what remembers. */
export function scopeOf(builder: ProgramBuilder, inputs = "", locations: string = inputs): Scope {
  const known = new Map<string, ProgramValue>();
  return {
    builder,
    given: (name) => {
      const value = known.get(name) ?? builder.input(`${inputs}${name}`);
      known.set(name, value);
      return value;
    },
    remembered: (name, shape = []) => builder.state(`${locations}${name}`, shape),
  };
}

/** Returns the gradient that a rule takes: coupled decay adds to it, decoupled decay moved the parameter. */
export function decayed({ given, gradient, rate, x }: Stepping, decay: Decay): ProgramValue {
  if (decay === "none") return gradient;
  const weight = given("decay");
  if (decay === "coupled") return gradient.add(weight.multiply(x));
  x.update("subtract", rate.multiply(weight).multiply(x));
  return gradient;
}

/** Writes a ← ρ a + (1 − ρ) y. */
export function average(a: ProgramReference, y: ProgramValue, smoothing: ProgramValue): void {
  a.update("multiply", smoothing);
  a.update("add", smoothing.negative().add(1).multiply(y));
}

/** Returns the root that a step is divided by. */
export function rooted(
  square: ProgramValue | ProgramReference,
  epsilon: ProgramOperand,
  place: EpsilonPlace,
): ProgramValue {
  return place === "outside" ? square.sqrt().add(epsilon) : square.add(epsilon).sqrt();
}

/** Returns the Euclidean norm. */
export function normOf(x: ProgramValue | ProgramReference): ProgramValue {
  return squareOf(x).sqrt();
}

/** The sum of the squares. */
export function squareOf(x: ProgramValue | ProgramReference): ProgramValue {
  return x.multiply(x).sum({ axes: x.shape.map((_, axis) => axis), keepdims: false });
}
