import { sizeOf } from "../../spec/core.ts";
import type { Layout, Precision } from "../plan/executable.ts";
import type { LoopProgram } from "../plan/program.ts";
import type { Profile } from "../plan/rewrite.ts";

/** A program as it will run, and where its values will lie. */
export interface Plan {
  readonly program: LoopProgram;
  readonly layout: Layout;
}

/** What a planner may do. */
export interface PlannerOptions {
  readonly precision: Precision;
  readonly profile: Profile;
  readonly memory?: number;
}

export type Planner = (program: LoopProgram, options: PlannerOptions) => Plan;

export const planner: Planner = (program) => {
  const places: number[] = [];
  let length = 0;
  for (const { shape } of program.instructions) {
    places.push(length);
    length += sizeOf(shape) + (sizeOf(shape) % 2);
  }
  return { program, layout: { places, length } };
};
