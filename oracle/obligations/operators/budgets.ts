import type { PrimitiveName } from "../../../spec/index.ts";

/** The families of obligations that an operator has. */
export type Family = "adjoint" | "derivative";

/** Steps of Z3 for one question. */
const USUAL = 20_000_000;

/** What the solver may spend on a question about an operator. */
export function budgetOf(_op: PrimitiveName, _family: Family): number {
  return USUAL;
}
