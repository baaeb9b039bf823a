import { integerIn } from "../accumulators/index.ts";
import type { Execution, Hypothesis, Model, Obligation } from "../obligation.ts";

/** The integers of a model, by term. */
export type Numbers = Readonly<Record<string, number>>;

/** A statement about all extents, indices or ids. */
export interface Lemma {
  /** Below `wellformed/`. */
  readonly name: string;
  readonly statement: string;
  readonly clause?: string;
  readonly logic: "QF_LIA" | "QF_NIA" | "QF_UFLIA";
  /** What it is about: an operator or a part of one. */
  readonly subject: string;
  /** Integers that it speaks of. */
  readonly symbols: readonly string[];
  /** Functions, and names for terms. */
  readonly definitions?: readonly string[];
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string;
  readonly metaArgument: string;
  readonly dependsOn?: readonly string[];
  readonly mutants: readonly LemmaMutant[];
}

/** A wrong variant of a lemma, run on its model's own numbers; they are kept small, so that they can be. */
interface LemmaMutant {
  readonly name: string;
  readonly fault: string;
  readonly without?: string;
  readonly instead?: readonly Hypothesis[];
  /** What keeps the numbers small, and of the kind that can be run. */
  readonly small: string;
  /** Terms beside the symbols that are run. */
  readonly ask?: readonly string[];
  readonly execute: (numbers: Numbers) => Execution;
}

/** The obligation that a lemma is. */
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

/** `0 ≤ term < extent`. */
export function within(term: string, extent: string | number): string {
  return `(and (<= 0 ${term}) (< ${term} ${extent}))`;
}

/** `least ≤ term ≤ most`, for each of the terms. */
export function between(least: number, most: number, ...terms: readonly string[]): string {
  const bound = least < 0 ? `(- ${-least})` : String(least);
  return `(and ${terms.map((term) => `(<= ${bound} ${term} ${most})`).join(" ")})`;
}

/** `p = quotient · divisor + rest` with the rest below the divisor: what `floor(p / divisor)` and `p % divisor` are for `p ≥ 0`. */
export function divided(p: string, divisor: string, quotient: string, rest: string): string {
  return `(and (= ${p} (+ (* ${quotient} ${divisor}) ${rest})) ${within(rest, divisor)})`;
}

/** What came of a right and a wrong run: the words with which they failed, if they did. */
export function judged(right: string | undefined, wrong: string | undefined, what: string): Execution {
  return {
    showsFault: right === undefined && wrong !== undefined,
    told: `${what}: ${right === undefined ? "the right one runs" : `the right one fails too, ${right}`}; the wrong one ${wrong ?? "runs too"}`,
  };
}

/** What a run throws, in words; `undefined` if it ends. */
export function thrownBy(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    return String(thrown);
  }
}
