import { statementsOf } from "./claims.ts";
import { leanModule } from "./lean_module.ts";
import { librariesOf, type Subject } from "./subject.ts";

/**
 * Returns a Lean file for the driver to compare expressions with: the types of `program`, `run`, `engine` and
 * `system`, an axiom for each statement, and a definition for each form of a number, with 7 and 9 in place of
 * numbers. It is elaborated from the library alone and thrown away: nothing is proved from its axioms.
 */
export function statementsText(subject: Subject): string {
  const axioms = statementsOf(subject).map((statement, place) => `axiom statement_${place} : ${statement}\n`);
  return leanModule(librariesOf(subject), [...subjectsOf(subject), ...axioms, ...numbersOf(subject)]);
}

/** Names what statements are about. */
function subjectsOf(subject: Subject): readonly string[] {
  if (subject.kind === "system") return ["axiom system : DimensionSystem\n"];
  const { carrier, hasEngine } = subject;
  const table = subject.hasTable === true ? [`axiom table : List (TableRow ${carrier})\n`] : [];
  const run = ["axiom program : Program\n", ...table, `axiom run : Run ${carrier}\n`];
  return hasEngine ? [...run, "axiom engine : Engine\n"] : run;
}

/** Returns the forms of its numbers. */
function numbersOf(subject: Subject): readonly string[] {
  const carrier = subject.kind === "system" ? "Int" : subject.carrier;
  const fractions = ["def fraction : Rat := mkRat 7 9\n", "def negative_fraction : Rat := mkRat (-7) 9\n"];
  const seeded = `def seeded : List (List ${carrier}) := program.seeded []\n`;
  const integers = ["def integer : Int := 7\n", "def negative_integer : Int := -7\n"];
  return [
    "def natural : Nat := 7\n",
    `def number : ${carrier} := 7\n`,
    `def negative : ${carrier} := -7\n`,
    ...(carrier === "Rat" ? fractions : []),
    ...(subject.kind === "run" ? [...integers, seeded] : []),
  ];
}

/** Returns the statement at a place of {@link statementsOf}, about these numbers. */
export function statementAt(
  subject: Subject,
  { place, first, second }: { readonly place: number; readonly first: string; readonly second: string },
): string | undefined {
  return statementsOf(subject)[place]?.replace(/ 7 9$/, ` ${first} ${second}`);
}
