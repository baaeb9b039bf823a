import { statementsOf } from "./claims.ts";
import { leanModule } from "./lean_module.ts";
import { librariesOf, type Subject } from "./subject.ts";
import { verdictStatements } from "./verdict_claims.ts";

/**
 * Returns a Lean file for the driver to compare expressions with: the types of `program`, `run`, `engine` and
 * `system`, an axiom for each statement, and a definition for each form of a number, with 7 and 9 in place of
 * numbers. It is elaborated from the library alone and thrown away: nothing is proved from its axioms.
 */
export function statementsText(subject: Subject): string {
  const axioms = allStatements(subject).map(
    (statement, place) => `axiom statement_${place} : ${statement}\n`,
  );
  return leanModule(librariesOf(subject), [...subjectsOf(subject), ...axioms, ...numbersOf(subject)]);
}

function allStatements(subject: Subject): readonly string[] {
  return subject.kind === "verdict" ? verdictStatements : statementsOf(subject);
}

/** Names what statements are about. */
function subjectsOf(subject: Subject): readonly string[] {
  if (subject.kind === "system") return ["axiom system : DimensionSystem\n"];
  if (subject.kind === "verdict") return verdictSubjects;
  const { carrier, hasEngine } = subject;
  const table = subject.hasTable === true ? [`axiom table : List (TableRow ${carrier})\n`] : [];
  const run = ["axiom program : Program\n", ...table, `axiom run : Run ${carrier}\n`];
  return hasEngine ? [...run, "axiom engine : Engine\n"] : run;
}

const verdictSubjects = [
  "axiom program : Program\n",
  "axiom given : Given\n",
  "axiom functions : List FunctionRow\n",
  "axiom enclosure : Enclosure\n",
  "axiom answers : List Answer\n",
];

/** Returns the forms of its numbers. */
function numbersOf(subject: Subject): readonly string[] {
  const carrier = carrierOf(subject);
  const fractions = ["def fraction : Rat := mkRat 7 9\n", "def negative_fraction : Rat := mkRat (-7) 9\n"];
  const seeded = `def seeded : List (List ${carrier}) := program.seeded []\n`;
  const integers = ["def integer : Int := 7\n", "def negative_integer : Int := -7\n"];
  return [
    "def natural : Nat := 7\n",
    `def number : ${carrier} := 7\n`,
    `def negative : ${carrier} := -7\n`,
    ...(carrier === "Rat" ? fractions : []),
    ...(subject.kind === "system" ? [] : [...integers, seeded]),
  ];
}

function carrierOf(subject: Subject): string {
  switch (subject.kind) {
    case "system":
      return "Int";
    case "verdict":
      return "Rat";
    case "run":
      return subject.carrier;
  }
}

/** Returns the statement at a place of {@link statementsOf}, about these numbers. */
export function statementAt(
  subject: Subject,
  { place, first, second }: { readonly place: number; readonly first: string; readonly second: string },
): string | undefined {
  return allStatements(subject)[place]?.replace(/ 7 9$/, ` ${first} ${second}`);
}
