import {
  arithmeticMutants,
  loopMutants,
  memoryMutants,
  type PlanMutant,
  scalarMutants,
} from "../compile/mutants/index.ts";
import { rewrites } from "../compile/plan/index.ts";
import { callMutants } from "./calls.ts";
import { compositeMutants } from "./composites.ts";
import { forwardMutants } from "./forward_mode.ts";
import { kinkMutants } from "./kinks.ts";
import { moveMutants } from "./moves.ts";
import type { Mutant } from "./mutant.ts";
import { nestingMutants } from "./nesting.ts";
import { slopeMutants } from "./slopes.ts";
import { slotMutants } from "./slots.ts";
import { sumMutants } from "./sums.ts";
import { sweepMutants } from "./sweep.ts";
import { valueMutants } from "./values.ts";

export type { PlanMutant } from "../compile/mutants/index.ts";
export type { Mutant } from "./mutant.ts";
export { plant } from "./planting.ts";

/**
 * The mutants, one fault each: of the sweep, of reverse rules, of forward mode, of values, of what surrounds
 * a sound core, of composites, and of nested derivatives. A judge that lets one pass is not a judge.
 */
export const mutants: readonly Mutant[] = [
  [...sweepMutants, ...slotMutants],
  [...slopeMutants, ...kinkMutants],
  [...sumMutants, ...moveMutants],
  forwardMutants,
  valueMutants,
  callMutants,
  compositeMutants,
  nestingMutants,
].flatMap((chapter) => chapter.toSorted((a, b) => (a.name < b.name ? -1 : 1)));

/** The {@link mutants} by kind of fault. */
export const mutantFamilies: readonly MutantFamily[] = [
  { family: "sweep", members: sweepMutants },
  { family: "slots", members: slotMutants },
  { family: "slopes", members: slopeMutants },
  { family: "kinks", members: kinkMutants },
  { family: "sums", members: sumMutants },
  { family: "moves", members: moveMutants },
  { family: "forward mode", members: forwardMutants },
  { family: "values", members: valueMutants },
  { family: "calls", members: callMutants },
  { family: "composites", members: compositeMutants },
  { family: "nesting", members: nestingMutants },
];

/** Mutants whose faults are of one kind. */
interface MutantFamily {
  readonly family: string;
  readonly members: readonly Mutant[];
}

const order = Object.keys(rewrites);

/** The mutants of the planner and the JavaScript backend, by rewrite: one fault each in a compiled engine. */
export const planMutants: readonly PlanMutant[] = [
  ...scalarMutants,
  ...loopMutants,
  ...memoryMutants,
  ...arithmeticMutants,
].toSorted((a, b) => order.indexOf(a.rewrite) - order.indexOf(b.rewrite));
