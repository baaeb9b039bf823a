import { createHash } from "node:crypto";
import type { Hypothesis, Obligation, ObligationMutant } from "./obligation.ts";

/** A script is one question to a solver in SMT-LIB 2.6, the same text everywhere, stored as a file. */
export interface Script {
  /** The unique name of the file is like `tape/step`, `tape/step.vacuity`, `tape/step.mutant.self-loop`. */
  readonly name: string;
  /** The obligation holds only if this is the answer. */
  readonly expected: "sat" | "unsat";
  /** The script names this logic. */
  readonly logic: string;
  /** Scripts of the same group, an obligation's, may be asked in scopes of one context; others have none. */
  readonly group: string;
  /** This sets options and the logic. */
  readonly preamble: string;
  /** This has everything after the preamble, up to and including `(check-sat)`. */
  readonly question: string;
  /** If true, it asserts nothing (the vacuity of no hypotheses), so the answer `sat` says nothing. */
  readonly isEmpty: boolean;
  /** A model is asked for the values of these terms, for all that was declared, or for nothing. */
  readonly wanted: Wanted;
  /**
   * These are comments, {@link preamble}, {@link question}, and the request for core or values after the
   * expected verdict.
   */
  readonly text: string;
  /** This is the SHA-256 of {@link text}. */
  readonly hash: string;
}

/** A model is asked for terms, or for all names but those of assertions, which it lists too. */
type Wanted =
  | { readonly kind: "values"; readonly terms: readonly string[] }
  | { readonly kind: "model"; readonly hidden: readonly string[] }
  | { readonly kind: "nothing" };

/** The assertion with this name says that the goal does not hold. */
export const NEGATED_GOAL = "negated-goal";

/** A script asserts these under its declarations. */
interface Assertions {
  readonly declarations: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string | undefined;
}

/** Asserts the hypotheses and the negated goal: `unsat` if the obligation holds. */
export function goalScript(obligation: Obligation): Script {
  return makeScript(obligation, {
    name: obligation.id,
    comment: `${obligation.statement} (${obligation.clause})`,
    expected: "unsat",
    wanted: { kind: "model", hidden: [...obligation.hypotheses.map(({ name }) => name), NEGATED_GOAL] },
    assertions: obligation,
  });
}

/** Asserts the hypotheses alone: `sat`, or the obligation says nothing. */
export function vacuityScript(obligation: Obligation): Script {
  return makeScript(obligation, {
    name: `${obligation.id}.vacuity`,
    comment: `What ${obligation.id} assumes can hold.`,
    expected: "sat",
    wanted: { kind: "nothing" },
    assertions: { ...obligation, goal: undefined },
  });
}

/** Asks whether these hypotheses are enough for the goal, in search of a core with another hypothesis. */
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

/** Asks the same over a wrong definition: `sat`, with the values that the mutant asks for. */
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

/** Lists the names of the scripts that {@link scriptsOf} makes, without making them. */
export function scriptNamesOf({ id, mutants }: Obligation): readonly string[] {
  return [`${id}.vacuity`, id, ...mutants.map(({ name }) => `${id}.mutant.${name}`)];
}

/** Lists the scripts of an obligation that are stored: vacuity, goal, mutants. */
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
  /** This replaces the obligation's logic. */
  readonly logic?: string;
  readonly expected: "sat" | "unsat";
  readonly wanted: Wanted;
  readonly assertions: Assertions;
}

function makeScript(obligation: Obligation, parts: Parts): Script {
  const { name, comment, logic = obligation.logic, expected, wanted, assertions } = parts;
  const { declarations, hypotheses, goal } = assertions;
  const preamble = linesOf([
    "(set-option :produce-unsat-cores true)",
    "(set-option :produce-models true)",
    `(set-logic ${logic})`,
  ]);
  const question = linesOf([
    declarations.trim(),
    ...hypotheses.map((hypothesis) => `(assert (! ${hypothesis.formula} :named ${hypothesis.name}))`),
    ...(goal === undefined ? [] : [`(assert (! (not ${goal}) :named ${NEGATED_GOAL}))`]),
    "(check-sat)",
  ]);
  const comments = linesOf([...commentLines(comment), `; expected: ${expected}`]);
  const text = comments + preamble + question + follows(expected, wanted);
  return {
    name,
    expected,
    logic,
    isEmpty: hypotheses.length === 0 && goal === undefined,
    group: obligation.id,
    preamble,
    question,
    wanted,
    text,
    hash: createHash("sha256").update(text).digest("hex"),
  };
}

function linesOf(lines: readonly string[]): string {
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

/** Asks for a core or values. A driver asks separately, since after another verdict this is an error. */
function follows(expected: "sat" | "unsat", wanted: Wanted): string {
  if (expected === "unsat") return "(get-unsat-core)\n";
  return wanted.kind === "values" ? `${valuesCommand(wanted.terms)}\n` : "";
}

/** Writes the command that asks for the values of `terms`. */
export function valuesCommand(terms: readonly string[]): string {
  return `(get-value (${terms.join(" ")}))`;
}

function commentLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => `; ${line}`);
}
