import type { Obligation } from "./obligation.ts";
import { NEGATED_GOAL } from "./script.ts";
import { readSExpressions } from "./solve/index.ts";

/** An id is a path of words, since it becomes the name of a file. */
const ID = /^[a-z0-9_-][a-z0-9_.-]*(\/[a-z0-9_-][a-z0-9_.-]*)*$/;
/** Such symbols need no bars. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** Declarations may use these commands, which neither assume nor ask; `define-fun-rec` would assume. */
const DECLARING: readonly unknown[] = [
  "declare-sort",
  "declare-const",
  "declare-fun",
  "declare-datatype",
  "declare-datatypes",
  "define-sort",
  "define-const",
  "define-fun",
];

/** Lists what is wrong with an obligation before a solver is asked: names, references, missing mutants. */
export function faultsOfForm(obligation: Obligation): readonly string[] {
  const names = obligation.hypotheses.map(({ name }) => name);
  const touched = new Set(
    obligation.mutants.flatMap(({ without = [], instead = [] }) => [
      ...without,
      ...instead.map(({ name }) => name),
    ]),
  );
  return [
    ...(ID.test(obligation.id) ? [] : [`${obligation.id} is no id`]),
    ...repeated(names).map((name) => `two hypotheses are called ${name}`),
    ...names.filter((name) => !NAME.test(name)).map((name) => `${name} cannot name a hypothesis`),
    ...(names.includes(NEGATED_GOAL) ? [`${NEGATED_GOAL} is the name of the goal`] : []),
    ...obligation.requiredCore
      .filter((name) => !names.includes(name))
      .map((name) => `the required core names ${name}, which is no hypothesis`),
    ...(obligation.mutants.length === 0 ? ["it has no mutant, so nothing shows that it could fail"] : []),
    ...obligation.requiredCore
      .filter((name) => !touched.has(name))
      .map((name) => `no mutant leaves out or changes ${name}, which is in the required core`),
    ...faultsOfTexts(obligation),
    ...faultsOfMutants(obligation, names),
    ...(Number.isSafeInteger(obligation.rlimit) && obligation.rlimit > 0
      ? []
      : [`its rlimit is ${obligation.rlimit}`]),
  ];
}

/** Finds declarations that do more than declare, and formulas that are not one term: both could assume. */
function faultsOfTexts({ declarations, hypotheses, goal, mutants }: Obligation): readonly string[] {
  const declared = [declarations, ...mutants.map((mutant) => mutant.declarations ?? "")];
  const formulas = [
    ...[...hypotheses, ...mutants.flatMap(({ instead = [] }) => instead)].map(({ formula }) => formula),
    ...[goal, ...mutants.flatMap((mutant) => mutant.goal ?? [])],
    ...mutants.flatMap(({ ask }) => ask),
  ];
  return [
    ...declared.flatMap(faultsOfDeclarations),
    ...formulas.filter((formula) => !isTerm(formula)).map((formula) => `not one term: ${formula}`),
  ];
}

function faultsOfDeclarations(text: string): readonly string[] {
  const read = readSExpressions(text);
  if (!read.ok) return [`the declarations are not SMT-LIB: ${read.error}`];
  return read.value
    .map((command) => (typeof command === "string" ? command : command[0]))
    .filter((head) => !DECLARING.includes(head))
    .map((head) => `the declarations do more than declare: ${String(head)}`);
}

function isTerm(text: string): boolean {
  const read = readSExpressions(text);
  // A comment would swallow what follows the term on its line.
  return read.ok && read.value.length === 1 && !/;[^\n]*$/.test(text);
}

function faultsOfMutants({ mutants }: Obligation, names: readonly string[]): readonly string[] {
  return [
    ...repeated(mutants.map(({ name }) => name)).map((name) => `two mutants are called ${name}`),
    ...mutants
      .filter(({ name }) => !NAME.test(name))
      .map(({ name }) => `${name} cannot name a mutant: it is part of a file's name`),
    ...mutants.flatMap(({ name, without = [] }) =>
      without
        .filter((left) => !names.includes(left))
        .map((left) => `the mutant ${name} leaves out ${left}, which is no hypothesis`),
    ),
  ];
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
