import { createHash } from "node:crypto";
import type { Hypothesis, Obligation, ObligationMutant } from "./obligation.ts";

/** One question to a solver as SMT-LIB 2.6, the same text for the same obligation everywhere: portable, and stored as a file. */
export interface Script {
  /** `tape/step`, `tape/step.vacuity`, `tape/step.mutant.self-loop`: unique, and the name of the file. */
  readonly name: string;
  /** What the obligation needs to hear. */
  readonly expected: "sat" | "unsat";
  /** The logic that it names. */
  readonly logic: string;
  /** Everything up to and including `(check-sat)`. */
  readonly question: string;
  /** Whether it asserts nothing, so that every solver has to say `sat`, and its answer says nothing: the vacuity of no hypotheses. */
  readonly isEmpty: boolean;
  /** What a model is asked for: the values of these terms, all that was declared, or nothing. */
  readonly wanted: Wanted;
  /** {@link question}, and the question for core or values that follows the expected verdict. */
  readonly text: string;
  /** SHA-256 of {@link text}. */
  readonly hash: string;
}

/** What is asked about a model: terms, or all names but those of assertions, which a model lists too. */
type Wanted =
  | { readonly kind: "values"; readonly terms: readonly string[] }
  | { readonly kind: "model"; readonly hidden: readonly string[] }
  | { readonly kind: "nothing" };

/** The name of the assertion that says that the goal does not hold. */
export const NEGATED_GOAL = "negated-goal";

/** What is asserted in a script, under which definitions. */
interface Assertions {
  readonly declarations: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string | undefined;
}

/** The hypotheses with the negated goal: `unsat` if the obligation holds. */
export function goalScript(obligation: Obligation): Script {
  return makeScript(obligation, {
    name: obligation.id,
    comment: `${obligation.statement} (${obligation.clause})`,
    expected: "unsat",
    wanted: { kind: "model", hidden: [...obligation.hypotheses.map(({ name }) => name), NEGATED_GOAL] },
    assertions: obligation,
  });
}

/** The hypotheses alone, without the negated goal: `sat`, or the obligation says nothing. */
export function vacuityScript(obligation: Obligation): Script {
  return makeScript(obligation, {
    name: `${obligation.id}.vacuity`,
    comment: `What ${obligation.id} assumes can hold.`,
    expected: "sat",
    wanted: { kind: "nothing" },
    assertions: { ...obligation, goal: undefined },
  });
}

/** The goal from these hypotheses only: whether they are enough. Asked in search of a core that another hypothesis is in. */
export function partScript(obligation: Obligation, hypotheses: readonly Hypothesis[]): Script {
  const left = obligation.hypotheses.filter(({ name }) => !hypotheses.some((kept) => kept.name === name));
  return makeScript(obligation, {
    name: `${obligation.id}.without.${left.map(({ name }) => name).join(".")}`,
    comment: `${obligation.id}, from fewer hypotheses.`,
    expected: "unsat",
    wanted: { kind: "nothing" },
    assertions: { ...obligation, hypotheses },
  });
}

/** The same query over a wrong definition: `sat`, with the values of the terms that the mutant asks for. */
export function mutantScript(obligation: Obligation, mutant: ObligationMutant): Script {
  return makeScript(obligation, {
    name: `${obligation.id}.mutant.${mutant.name}`,
    comment: `Wrong: ${mutant.fault}`,
    expected: "sat",
    logic: mutant.logic ?? obligation.logic,
    wanted: mutant.ask.length === 0 ? { kind: "nothing" } : { kind: "values", terms: mutant.ask },
    assertions: {
      declarations: mutant.declarations ?? obligation.declarations,
      hypotheses: mutatedHypotheses(obligation, mutant),
      goal: mutant.goal ?? obligation.goal,
    },
  });
}

/** Every script of an obligation that is stored: vacuity, goal, mutants. */
export function scriptsOf(obligation: Obligation): readonly Script[] {
  return [
    vacuityScript(obligation),
    goalScript(obligation),
    ...obligation.mutants.map((mutant) => mutantScript(obligation, mutant)),
  ];
}

function mutatedHypotheses(obligation: Obligation, mutant: ObligationMutant): readonly Hypothesis[] {
  const instead = mutant.instead ?? [];
  const kept = obligation.hypotheses
    .filter(({ name }) => !(mutant.without ?? []).includes(name))
    .map((hypothesis) => instead.find(({ name }) => name === hypothesis.name) ?? hypothesis);
  const isNew = ({ name }: Hypothesis): boolean => !obligation.hypotheses.some((old) => old.name === name);
  return [...kept, ...instead.filter(isNew)];
}

interface Parts {
  readonly name: string;
  readonly comment: string;
  /** The obligation's, unless it is another. */
  readonly logic?: string;
  readonly expected: "sat" | "unsat";
  readonly wanted: Wanted;
  readonly assertions: Assertions;
}

function makeScript(obligation: Obligation, parts: Parts): Script {
  const { name, comment, logic = obligation.logic, expected, wanted, assertions } = parts;
  const { declarations, hypotheses, goal } = assertions;
  const lines = [
    ...commentLines(comment),
    `; expected: ${expected}`,
    "(set-option :produce-unsat-cores true)",
    "(set-option :produce-models true)",
    `(set-logic ${logic})`,
    declarations.trim(),
    ...hypotheses.map((hypothesis) => `(assert (! ${hypothesis.formula} :named ${hypothesis.name}))`),
    ...(goal === undefined ? [] : [`(assert (! (not ${goal}) :named ${NEGATED_GOAL}))`]),
    "(check-sat)",
  ];
  const question = `${lines.filter((line) => line !== "").join("\n")}\n`;
  const text = question + follows(expected, wanted);
  return {
    name,
    expected,
    logic,
    isEmpty: hypotheses.length === 0 && goal === undefined,
    question,
    wanted,
    text,
    hash: createHash("sha256").update(text).digest("hex"),
  };
}

/** What is asked after the expected verdict. Another verdict makes it an error, which is why a driver asks for it separately. */
function follows(expected: "sat" | "unsat", wanted: Wanted): string {
  if (expected === "unsat") return "(get-unsat-core)\n";
  return wanted.kind === "values" ? `${valuesCommand(wanted.terms)}\n` : "";
}

/** The command that asks for the values of `terms`. */
export function valuesCommand(terms: readonly string[]): string {
  return `(get-value (${terms.join(" ")}))`;
}

function commentLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => `; ${line}`);
}
