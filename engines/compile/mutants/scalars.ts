import { integerAt } from "../../../spec/shapes/index.ts";
import { arityOf, scalarCodes, scalarPasses } from "../plan/scalar/index.ts";
import { type PlanMutant, planMutantTable } from "./plan_mutant.ts";

/** These faults concern the planner of scalar graphs. */
export const scalarMutants: readonly PlanMutant[] = planMutantTable({
  activity_of_first_operand_in_plan: {
    fault: "The reverse sweep leaves out what does not depend on an input through its first operand.",
    rewrite: "dead_code",
    scalarPasses: {
      needsOf(table, output) {
        const needs = scalarPasses.needsOf(table, output);
        const isActive = new Uint8Array(needs.receives.length).fill(1, 0, table.inputs);
        for (const [id, mask] of needs.receives.entries()) {
          const takes = id >= table.inputs && (mask & 1) !== 0;
          if (takes && isActive[integerAt(table.x, id)] === 1) isActive[id] = 1;
        }
        return { ...needs, receives: needs.receives.map((mask, id) => (isActive[id] === 1 ? mask : 0)) };
      },
    },
  },
  level_of_first_operand: {
    fault: "The level of a node is one more than that of its first operand, whatever that of the others.",
    rewrite: "level_order",
    scalarPasses: {
      levelsOf({ inputs, codes, x }) {
        const of = new Int32Array(codes.length);
        let top = 0;
        for (const [id, code] of codes.entries()) {
          if (id < inputs || arityOf[code] === 0) continue;
          of[id] = integerAt(of, integerAt(x, id)) + 1;
          top = Math.max(top, integerAt(of, id));
        }
        return { of, count: top + 1 };
      },
    },
  },
  constants_merged: {
    fault: "All constants are one node, whichever entry of the environment they name.",
    rewrite: "merged_nodes",
    scalarPasses: {
      merged(table) {
        const isConstant = (id: number): boolean => table.codes[id] === scalarCodes.constant;
        const x = table.x.map((operand, id) => (isConstant(id) ? 0 : operand));
        const { table: lean, first } = scalarPasses.merged({ ...table, x });
        const named = lean.x.map((operand, id) => (isConstant(id) ? integerAt(table.x, id) : operand));
        return { table: { ...lean, x: named }, first };
      },
    },
  },
  nodes_merged_in_any_order: {
    fault: "Two nodes of one operator on the same two operands are one, whichever comes first.",
    rewrite: "merged_nodes",
    scalarPasses: {
      merged(table) {
        const arities = Array.from(table.codes, (code) => arityOf[code]);
        const pairs = Array.from(table.x, (x, id): readonly [number, number] => {
          const y = integerAt(table.y, id);
          return arities[id] === 2 && y < x ? [y, x] : [x, y];
        });
        const [x, y] = [Int32Array.from(pairs, ([x]) => x), Int32Array.from(pairs, ([, y]) => y)];
        const { first } = scalarPasses.merged({ ...table, x, y });
        // The first of equals keeps its own order.
        const firsts = (operands: Int32Array): Int32Array =>
          operands.map((operand, id) => (arities[id] === 0 ? operand : integerAt(first, operand)));
        return { table: { ...table, x: firsts(table.x), y: firsts(table.y), z: firsts(table.z) }, first };
      },
    },
  },
});
