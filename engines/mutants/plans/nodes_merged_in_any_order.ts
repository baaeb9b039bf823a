import { arityOf, scalarPasses } from "../../plan/scalar/index.ts";
import { type PlanMutant, plantScalarPlan } from "./plan_mutant.ts";

export const nodesMergedInAnyOrder: PlanMutant = plantScalarPlan(
  {
    name: "nodes_merged_in_any_order",
    fault: "Two nodes of one operator on the same two operands are one, whichever comes first.",
    rewrite: "merged_nodes",
  },
  {
    merged(table) {
      const [x, y] = [table.x.slice(), table.y.slice()];
      for (const [id, code] of table.codes.entries()) {
        if (arityOf[code] !== 2 || (x[id] ?? 0) <= (y[id] ?? 0)) continue;
        [x[id], y[id]] = [table.y[id] ?? 0, table.x[id] ?? 0];
      }
      const { first } = scalarPasses.merged({ ...table, x, y });
      // The first of equals keeps its own order.
      const firsts = (operands: Int32Array): Int32Array =>
        operands.map((operand, id) =>
          (arityOf[table.codes[id] ?? 0] ?? 0) > 0 ? (first[operand] ?? 0) : operand,
        );
      return { table: { ...table, x: firsts(table.x), y: firsts(table.y), z: firsts(table.z) }, first };
    },
  },
);
