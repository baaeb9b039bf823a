import {
  type Program,
  type ProgramBuilder,
  type ProgramOperand,
  type ProgramReference,
  type ProgramValue,
  program,
} from "../../../spec/programs/index.ts";
import { at, type Shape } from "../../../spec/shapes/index.ts";

/** How what outlives a step is kept: on a grid of so many bits, 2 to 16, that fits it anew; and whether the gradient that was read is written back too. */
export interface Keeping {
  readonly bits: number;
  /** `parameterAndGradient` is the older of two disciplines: then a step changes a gradient that it should only read. */
  readonly what: "parameter" | "parameterAndGradient";
}

/** Below it a float32 scale is subnormal, and nothing is kept. */
const LEAST_SCALE = 2 ** -126;

/**
 * A value as it comes back from symmetric codes of so many bits: the scale is its greatest size over 2ᵇ⁻¹ − 1, and each element is rounded to a multiple of that,
 * from the middle away from 0. Law: over float32 it has the bits of `decode(encode(x))` of `reference/numerics/storage/`, but for signs of zeros; so it is
 * idempotent. A step function: constant under differentiation.
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

/** To the nearest integer, and from the middle away from 0. A half is not added: that would round numbers just below it up. */
function roundedAway(builder: ProgramBuilder, x: ProgramValue): ProgramValue {
  const whole = x.abs().floor();
  const size = whole.add(x.abs().subtract(whole).greater_equal(0.5).where(1, 0));
  return builder.less(x, 0).where(size.negative(), size);
}

/** {@link onFreshGrid} as a procedure of the program, called for each value that is kept. */
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
 * g is what was added up of gradients; x ← x − η g, and what is kept goes to its grid. State: `x`, `g`. Input: `rate`.
 * Law: with `parameter` the step leaves `g` as it is. Where `g` came from a grid that it fills, `parameterAndGradient` does too, and else it does not.
 * Source: es-ude/OnDeviceTraining, Sgd.c and issue 203.
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

/** The same with a velocity, which is kept as the parameter is: v ← μ v + g, x ← x − η v. State: `x`, `g`, `v`. Inputs: `rate`, `momentum`. */
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
