import { scalarCodes, scalarPasses } from "../../plan/scalar/index.ts";
import { type PlanMutant, plantScalarPlan } from "./plan_mutant.ts";

export const constantsMerged: PlanMutant = plantScalarPlan(
  {
    name: "constants_merged",
    fault: "All constants are one node, whichever entry of the environment they name.",
    rewrite: "merged_nodes",
  },
  {
    merged(table) {
      const isConstant = (id: number): boolean => table.codes[id] === scalarCodes.constant;
      const { table: lean, first } = scalarPasses.merged({
        ...table,
        x: table.x.map((operand, id) => (isConstant(id) ? 0 : operand)),
      });
      return {
        table: { ...lean, x: lean.x.map((operand, id) => (isConstant(id) ? (table.x[id] ?? 0) : operand)) },
        first,
      };
    },
  },
);
