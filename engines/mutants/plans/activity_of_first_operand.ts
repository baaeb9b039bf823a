import { type ScalarPasses, scalarPasses } from "../../plan/scalar/index.ts";
import { type PlanMutant, plantScalarPlan } from "./plan_mutant.ts";

type NeedsOf = ScalarPasses["needsOf"];

/** Per id, 1 if it depends on an input through first operands alone. */
function activeByFirst({ inputs, x }: Parameters<NeedsOf>[0], receives: Uint8Array): Uint8Array {
  const isActive = new Uint8Array(receives.length).fill(1, 0, inputs);
  for (let id = inputs; id < receives.length; id++)
    if (((receives[id] ?? 0) & 1) !== 0) isActive[id] = isActive[x[id] ?? 0] ?? 0;
  return isActive;
}

export const activityOfFirstOperandInPlan: PlanMutant = plantScalarPlan(
  {
    name: "activity_of_first_operand_in_plan",
    fault: "The reverse sweep leaves out what does not depend on an input through its first operand.",
    rewrite: "dead_code",
  },
  {
    needsOf(table, output) {
      const needs = scalarPasses.needsOf(table, output);
      const isActive = activeByFirst(table, needs.receives);
      return { ...needs, receives: needs.receives.map((mask, id) => (isActive[id] === 1 ? mask : 0)) };
    },
  },
);
