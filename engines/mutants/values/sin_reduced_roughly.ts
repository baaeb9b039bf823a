import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

/** A whole turn, as float32 has it. */
const turn: number = Math.fround(2 * Math.PI);

export const sinReducedRoughly: Mutant = plant(
  { name: "sin_reduced_roughly", fault: "sin reduces its operand by 2π rounded to float32.", source: "C28" },
  withKernel("sin", {
    forward: unaryForward((x) => Math.sin(Number.isFinite(x) ? x - turn * Math.round(x / turn) : x)),
  }),
);
