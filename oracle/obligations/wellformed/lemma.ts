import { integerIn } from "../accumulators/index.ts";
import type { Execution, Hypothesis, Model, Obligation } from "../obligation.ts";

/** A model gives terms these integers. */
export type Numbers = Readonly<Record<string, number>>;

/** A lemma is about all extents, indices or ids. */
export interface Lemma {
  /** The id continues `wellformed/` with this. */
  readonly name: string;
  readonly statement: string;
  readonly clause?: string;
  readonly logic: "QF_LIA" | "QF_NIA" | "QF_UFLIA";
  /** It is about an operator or a part of one. */
  readonly subject: string;
  /** It mentions these integers. */
  readonly symbols: readonly string[];
  /** These define functions, and names for terms. */
  readonly definitions?: readonly string[];
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string;
  readonly metaArgument: string;
  readonly dependsOn?: readonly string[];
  readonly mutants: readonly LemmaMutant[];
}

/** A wrong variant of a lemma runs on its model's numbers, which are kept small for that. */
interface LemmaMutant {
  readonly name: string;
  readonly fault: string;
  readonly without?: string;
  readonly instead?: readonly Hypothesis[];
  /** This keeps the numbers small, and such that they can be run. */
  readonly small: string;
  /** These terms are run, beside the symbols. */
  readonly ask?: readonly string[];
  readonly execute: (numbers: Numbers) => Execution;
}

/** Makes an obligation of a lemma. */
export function lemmaObligation(lemma: Lemma): Obligation {
  const { name, symbols, definitions = [], hypotheses, mutants } = lemma;
  const touched = mutants.flatMap(({ without, instead = [] }) => [
    without,
    ...instead.map((one) => one.name),
  ]);
  return {
    id: `wellformed/${name}`,
    statement: `${lemma.statement}.`,
    clause: lemma.clause ?? "SEMANTICS §1",
    logic: lemma.logic,
    scope: { kind: "operator", operator: lemma.subject, shapes: "all" },
    tier: "everyday",
    declarations: [...symbols.map((symbol) => `(declare-const ${symbol} Int)`), ...definitions].join("\n"),
    hypotheses,
    goal: lemma.goal,
    rlimit: 20_000_000,
    requiredCore: hypotheses.map((one) => one.name).filter((one) => touched.includes(one)),
    mutants: mutants.map(({ name: mutant, fault, without, instead = [], small, ask = [], execute }) => ({
      name: mutant,
      fault,
      without: without === undefined ? [] : [without],
      instead: [...instead, { name: "small", formula: small }],
      ask: [...symbols, ...ask],
      execute: (model: Model) => execute(numbersIn(model, [...symbols, ...ask])),
    })),
    dependsOn: (lemma.dependsOn ?? []).map((other) => `wellformed/${other}`),
    metaArgument: lemma.metaArgument,
  };
}

function numbersIn(model: Model, terms: readonly string[]): Numbers {
  return Object.fromEntries(terms.map((term) => [term, Number(integerIn(model, term))]));
}

/** States `0 ≤ term < extent`. */
export function within(term: string, extent: string | number): string {
  return `(and (<= 0 ${term}) (< ${term} ${extent}))`;
}

/** States `least ≤ term ≤ most` for each term. */
export function between(least: number, most: number, ...terms: readonly string[]): string {
  const bound = least < 0 ? `(- ${-least})` : String(least);
  return `(and ${terms.map((term) => `(<= ${bound} ${term} ${most})`).join(" ")})`;
}

/** States `p = quotient · divisor + rest`, rest below divisor: the floor and remainder of `p ≥ 0`. */
export function divided(p: string, divisor: string, quotient: string, rest: string): string {
  return `(and (= ${p} (+ (* ${quotient} ${divisor}) ${rest})) ${within(rest, divisor)})`;
}

/** Compares a right and a wrong run by the words with which they failed, if they did. */
export function judged(right: string | undefined, wrong: string | undefined, what: string): Execution {
  return {
    showsFault: right === undefined && wrong !== undefined,
    told: `${what}: ${right === undefined ? "the right one runs" : `the right one fails too, ${right}`}; the wrong one ${wrong ?? "runs too"}`,
  };
}

/** Returns what a run throws, in words; `undefined` if it ends. */
export function thrownBy(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    return String(thrown);
  }
}
