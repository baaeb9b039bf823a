import {
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
} from "../../../reference/algebras/symbolic/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";

/** Operators whose first operand is fixed in a search for a model too: a matrix that has an inverse. */
const fixesMatrix: ReadonlySet<PrimitiveName> = new Set(["solve"]);

/** The number that stands for an unknown in a search for a model; `undefined` for one that the solver is to find. */
export type Place = (name: string) => number | undefined;

/** Nothing is fixed. */
export const anywhere: Place = () => undefined;

/**
 * What a search for a model of wrong sides fixes, so that it is nearly linear: the cotangent, and where operands occur in the formula, their
 * tangents. No two are alike, and as the entries of a matrix they make one that has an inverse, up to three rows.
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
    // Of a determinant the first row is left to be found.
    const isEntry = fixesMatrix.has(op) || (op === "det" && Number(position) > 2);
    return kind === "x" && operand === "0" && isEntry ? number : undefined;
  };
}

/** An unknown, or the literal that stands for it. */
export function placed(algebra: SymbolicAlgebra, place: Place): (name: string) => ScalarTerm {
  return (name) => {
    const number = place(name);
    return number === undefined ? algebra.variable(name) : algebra.operations.literal(number);
  };
}
