import type { Obligation } from "./obligation.ts";
import { NEGATED_GOAL } from "./script.ts";

/** A path of words: it becomes the name of a file. */
const ID = /^[a-z0-9_-][a-z0-9_.-]*(\/[a-z0-9_-][a-z0-9_.-]*)*$/;
/** Symbols that need no bars. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** What is wrong with an obligation before any solver is asked: names, references, and mutants that are missing. */
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
    ...faultsOfMutants(obligation, names),
    ...(Number.isSafeInteger(obligation.rlimit) && obligation.rlimit > 0
      ? []
      : [`its rlimit is ${obligation.rlimit}`]),
  ];
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
