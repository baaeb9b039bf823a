import {
  type ProgramBuilder,
  type ProgramOperand,
  type ProgramReference,
  type ProgramValue,
  program,
} from "../../../spec/program_builder/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import { at, type Shape } from "../../../spec/shapes/index.ts";

/** All that outlives a step is rounded to a fitted grid of 2 to 16 bits; so may the gradient be. */
export interface Keeping {
  readonly bits: number;
  /** `parameterAndGradient` is the older way, in which a step changes a gradient that it should only read. */
  readonly what: "parameter" | "parameterAndGradient";
}

/** Below it a float32 scale is subnormal, and nothing is kept. */
const LEAST_SCALE = 2 ** -126;

/**
 * Returns a value as symmetric codes of so many bits give it back: the scale is its greatest size over 2ᵇ⁻¹ −
 * 1, and elements round to multiples of it, the middle away from 0. Law: over float32 it is
 * `decode(encode(x))` of `reference/numerics/storage/` but for signs of zeros, so it is idempotent. It is
 * constant under differentiation.
 */
export function onFreshGrid(
  builder: ProgramBuilder,
  value: ProgramValue | ProgramReference,
  bits: number,
): ProgramValue {
  const x = value.stop_gradient();
  const axes = x.shape.map((_, axis) => axis);
  const scale = x
    .abs()
    .max({ axes, keepdims: false })
    .divide(2 ** (bits - 1) - 1);
  const isKept = scale.greater_equal(LEAST_SCALE);
  const code = roundedAway(builder, x.divide(isKept.where(scale, 1)));
  return isKept.where(code.multiply(scale), 0);
}

/** Rounds to the nearest integer, the middle away from 0. Adding a half would round too much up. */
function roundedAway(builder: ProgramBuilder, x: ProgramValue): ProgramValue {
  const whole = x.abs().floor();
  const size = whole.add(x.abs().subtract(whole).greater_equal(0.5).where(1, 0));
  return builder.less(x, 0).where(size.negative(), size);
}

/** Makes {@link onFreshGrid} a procedure of the program, called for each value that is kept. */
function keeper(
  builder: ProgramBuilder,
  shape: Shape,
  bits: number,
): (value: ProgramValue | ProgramReference) => ProgramOperand {
  const keep = builder.procedure("keep", [{ name: "whole", shape, kind: "value" }], (whole) => [
    onFreshGrid(builder, whole, bits),
  ]);
  return (value) => at(builder.call(keep, value), 0);
}

/**
 * Descends by x ← x − η g for an accumulated g, kept on a grid. State: `x`, `g`. Input: `rate`. Law: with
 * `parameter` the step leaves `g` as it is; so does `parameterAndGradient` if `g` came from a grid that it
 * fills. Source: es-ude/OnDeviceTraining, Sgd.c and issue 203.
 */
export function keptDescent(shape: Shape, { bits, what }: Keeping): Program {
  return program((builder) => {
    const rate = builder.input("rate");
    const [x, g] = [builder.state("x", shape), builder.state("g", shape)];
    const keep = keeper(builder, shape, bits);
    x.write(keep(builder.subtract(x, rate.multiply(g))));
    if (what === "parameterAndGradient") g.write(keep(g));
    return [];
  });
}

/** Descends with a velocity that is kept likewise: v ← μ v + g, x ← x − η v. Inputs: also `momentum`. */
export function keptMomentum(shape: Shape, { bits, what }: Keeping): Program {
  return program((builder) => {
    const [rate, momentum] = [builder.input("rate"), builder.input("momentum")];
    const [x, g, v] = [builder.state("x", shape), builder.state("g", shape), builder.state("v", shape)];
    const keep = keeper(builder, shape, bits);
    v.write(keep(momentum.multiply(v).add(g)));
    x.write(keep(builder.subtract(x, rate.multiply(v))));
    if (what === "parameterAndGradient") g.write(keep(g));
    return [];
  });
}
