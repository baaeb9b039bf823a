import type { Equation } from "../../reference/units/index.ts";
import { at, InvariantError } from "../../spec/shapes/index.ts";
import { type Certificate, certificateOf } from "./certificate.ts";
import { Elimination } from "./elimination.ts";

/** These equations relate unknowns, of which the first `bases` are symbols that are not solved for. */
export interface LinearSystem {
  readonly bases: number;
  readonly unknowns: number;
  readonly equations: readonly Pick<Equation, "terms">[];
}

/**
 * A system is solved or obstructed. If it is solved, each unknown has a form in bases and free unknowns, and
 * every solution chooses the free ones.
 */
export type Solution =
  | { readonly kind: "solved"; readonly elimination: Elimination }
  | {
      readonly kind: "obstructed";
      readonly certificate: Certificate;
      /** These are the equations before the first that contradicts them. */
      readonly before: Elimination;
    };

/**
 * Solves a system. Law: a certificate certifies, and none of its equations can be left out. Cost: that of
 * {@link Elimination}, twice where there is an obstruction, since only then rows are recorded.
 */
export function solve({ bases, unknowns, equations }: LinearSystem): Solution {
  const elimination = new Elimination(bases, unknowns);
  const place = equations.findIndex(({ terms }, i) => elimination.add(i, terms).kind === "contradicts");
  if (place < 0) return { kind: "solved", elimination };
  const recorded = new Elimination(bases, unknowns, true);
  for (let i = 0; i < place; i++) recorded.add(i, at(equations, i).terms);
  const outcome = recorded.add(place, at(equations, place).terms);
  if (outcome.kind !== "contradicts")
    throw new InvariantError("solving again with records finds no contradiction");
  return { kind: "obstructed", certificate: certificateOf(outcome.cause), before: elimination };
}
