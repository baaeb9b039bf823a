import { expect, test } from "vitest";
import { type OperatorName, operatorNames, operators } from "../../../spec/index.ts";
import { arities } from "./arities.ts";

/** Returns what `arities` says of an operator, which is one operand if it says nothing. */
function said(op: OperatorName, table: Partial<Record<OperatorName, unknown>>): unknown {
  return table[op] ?? 1;
}

const disagreeing = (table: Partial<Record<OperatorName, unknown>>): OperatorName[] =>
  operatorNames.filter((op) => JSON.stringify(said(op, table)) !== JSON.stringify(operators[op].arity));

test("the kit's operands are those of the table of operators, for every operator", () => {
  expect(disagreeing(arities)).toEqual([]);
  expect(disagreeing({ ...arities, where: 2 })).toEqual(["where"]);
  expect(disagreeing({ ...arities, exp: 2 })).toEqual(["exp"]);
});
