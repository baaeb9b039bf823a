import { statementsOf } from "./claims.ts";
import { leanModule, librariesOf } from "./lean_module.ts";

/** What is claimed is about a run over this carrier, and about an engine's numbers or not. */
export interface Subject {
  /** In Lean: `Int`, `Rat`, `Residue`. */
  readonly carrier: string;
  readonly hasEngine: boolean;
}

/**
 * A Lean file that says what claims may state and how numbers are written, for the driver to compare expressions with: the types that
 * `program`, `run` and `engine` have, an axiom for each statement, a definition for each form of a number, with 7 and 9 in the place of
 * numbers. It is elaborated from the library alone, and thrown away: nothing is proved from its axioms.
 */
export function statementsText({ carrier, hasEngine }: Subject): string {
  const axioms = statementsOf(hasEngine).map(
    (statement, place) => `axiom statement_${place} : ${statement}\n`,
  );
  const fractions = ["def fraction : Rat := mkRat 7 9\n", "def negative_fraction : Rat := mkRat (-7) 9\n"];
  return leanModule(librariesOf(hasEngine), [
    "axiom program : Program\n",
    `axiom run : Run ${carrier}\n`,
    ...(hasEngine ? ["axiom engine : Engine\n"] : []),
    ...axioms,
    "def natural : Nat := 7\n",
    `def number : ${carrier} := 7\n`,
    `def negative : ${carrier} := -7\n`,
    ...(carrier === "Rat" ? fractions : []),
    `def seeded : List (List ${carrier}) := program.seeded []\n`,
  ]);
}

/** The statement at a place of {@link statementsOf}, about these numbers. */
export function statementAt(
  { hasEngine }: Pick<Subject, "hasEngine">,
  { place, first, second }: { readonly place: number; readonly first: string; readonly second: string },
): string | undefined {
  return statementsOf(hasEngine)[place]?.replace(/ 7 9$/, ` ${first} ${second}`);
}
