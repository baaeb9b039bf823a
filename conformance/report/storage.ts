import {
  type GreatestNeed,
  greatestNeed,
  type Lifetimes,
  MOST_SEARCHED,
  optimalPlan,
  planBySize,
  planInTime,
  type StoragePlan,
} from "../../reference/state/index.ts";
import { counted, fail, type Issue, ok, present, type Result } from "../../spec/shapes/index.ts";

/** The names by which the command line chooses a way to plan storage. */
export const planNames = ["best-fit", "size", "optimum"] as const;

/** A way to plan storage. */
export type PlanName = (typeof planNames)[number];

/** Each method plans the storage of a run's values. */
export interface Storage {
  readonly need: GreatestNeed;
  /** Plans that were made; a way that takes too long for so many values makes none. */
  readonly plans: ReadonlyMap<PlanName, Planned>;
  /** The plan whose offsets are shown. */
  readonly chosen: PlanName;
}

/** A plan, and whether it is known to be optimal. */
export interface Planned {
  readonly plan: StoragePlan;
  readonly isProved: boolean;
}

/** More values than these are not planned by size, which takes quadratic time. */
const MOST_BY_SIZE = 2 ** 14;

/** Plans storage in each way there is time for. Fails: `lifetimes/too-many` if not for the chosen one. */
export function storageOf({ values }: Lifetimes, chosen: PlanName): Result<Storage, Issue[]> {
  const need = greatestNeed(values);
  const filled = values.filter(({ elements }) => elements > 0).length;
  const planned = (plan: StoragePlan): Planned => ({ plan, isProved: plan.peak === need.elements });
  const plans = new Map<PlanName, Planned>([["best-fit", planned(planInTime(values))]]);
  if (filled <= MOST_BY_SIZE) plans.set("size", planned(planBySize(values)));
  if (filled <= MOST_SEARCHED) plans.set("optimum", optimalPlan(values));
  if (plans.has(chosen)) return ok({ need, plans, chosen });
  return fail([tooMany(chosen, filled, chosen === "size" ? MOST_BY_SIZE : MOST_SEARCHED)]);
}

function tooMany(chosen: PlanName, count: number, most: number): Issue {
  return {
    code: "lifetimes/too-many",
    pointer: "",
    message: `--plan ${chosen} is for ${counted(most, "value")} at most, and the run has ${count}.`,
    hint: "ask for --plan best-fit, or of a smaller graph",
  };
}

/** Returns the offsets of the values by the chosen plan, in elements. */
export function placesIn({ plans, chosen }: Storage): readonly number[] {
  return present(plans.get(chosen), "the chosen plan").plan.offsets;
}
