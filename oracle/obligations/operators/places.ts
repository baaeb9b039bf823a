import {
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
} from "../../../reference/algebras/symbolic/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";

/** These fix their first operand too in a search for a model, as a matrix that has an inverse. */
const fixesMatrix: ReadonlySet<PrimitiveName> = new Set(["solve"]);

/** A place fixes unknowns in a search for a model; it is `undefined` for one that the solver is to find. */
export type Place = (name: string) => number | undefined;

/** Leaves every unknown to the solver. */
export const anywhere: Place = () => undefined;

/**
 * Fixes in a search for a model of wrong sides the cotangent and, where operands occur in the formula, their
 * tangents, so that the search is nearly linear. No two are alike, and as a matrix of up to three rows they
 * have an inverse.
 */
export function placeFor(op: PrimitiveName, sides: readonly ScalarTerm[]): Place {
  const readsOperands = subterms(sides).some(
    (term) => term.kind === "variable" && !/^(c|dx[0-9]+)\./.test(term.name),
  );
  return (name) => {
    const [, kind = "", operand = "", position = "0"] = /^([a-z]+)([0-9]*)\.([0-9]+)$/.exec(name) ?? [];
    const number = Number(position) ** 2 + Number(position) + 1;
    if (kind === "c") return number + 1;
    if (kind === "dx" && readsOperands) return number + 2 + 3 * Number(operand);
    // The solver is to find the first row of a determinant.
    const isEntry = fixesMatrix.has(op) || (op === "det" && Number(position) > 2);
    return kind === "x" && operand === "0" && isEntry ? number : undefined;
  };
}

/** Replaces a fixed unknown by its literal. */
export function placed(algebra: SymbolicAlgebra, place: Place): (name: string) => ScalarTerm {
  return (name) => {
    const number = place(name);
    return number === undefined ? algebra.variable(name) : algebra.operations.literal(number);
  };
}
