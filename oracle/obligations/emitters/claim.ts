import { InvariantError } from "../../../spec/shapes/index.ts";
import { integerIn } from "../accumulators/index.ts";
import type { Model, Obligation } from "../obligation.ts";

/** A claim about addresses, in which a part of the emitter's code stands as the terms that it computes. */
export interface Claim {
  /** The id continues `emitters/` with this. */
  readonly name: string;
  readonly statement: string;
  readonly logic: "QF_LIA" | "QF_NIA";
  readonly symbols: readonly string[];
  readonly hypotheses?: readonly { readonly name: string; readonly formula: string }[];
  readonly goal: string;
  /** What is wrong stands in the place of the goal, and is run at a model's numbers. */
  readonly mutants: readonly ClaimMutant[];
}

interface ClaimMutant {
  readonly name: string;
  readonly fault: string;
  readonly goal: string;
  /** The models of the goal's negation have to be small enough to be run. */
  readonly small: string;
  /** Says what the code has at the model's numbers, what it owes, and what the wrong variant has. */
  readonly run: (numbers: Readonly<Record<string, number>>) => Run;
}

interface Run {
  readonly right: number;
  readonly owed: number;
  readonly wrong: number;
}

/** Makes an obligation of a claim. */
export function claimObligation({
  name,
  statement,
  logic,
  symbols,
  hypotheses,
  goal,
  mutants,
}: Claim): Obligation {
  return {
    id: `emitters/${name}`,
    statement: `${statement}.`,
    clause: "SEMANTICS §7",
    logic,
    scope: { kind: "rewrite", rewrite: name, format: "all extents, places and strides" },
    tier: "everyday",
    declarations: symbols.map((symbol) => `(declare-const ${symbol} Int)`).join("\n"),
    hypotheses: hypotheses ?? [],
    goal,
    rlimit: 5_000_000,
    requiredCore: [],
    mutants: mutants.map((mutant) => ({
      name: mutant.name,
      fault: `${mutant.fault}.`,
      goal: mutant.goal,
      instead: [{ name: "small", formula: mutant.small }],
      ask: symbols,
      execute: (model: Model) => {
        const numbers = Object.fromEntries(symbols.map((one) => [one, Number(integerIn(model, one))]));
        const { right, owed, wrong } = mutant.run(numbers);
        return {
          showsFault: right === owed && wrong !== owed,
          told: `${JSON.stringify(numbers)}: ${owed} is owed; the emitter's is ${right}, the wrong one's ${wrong}`,
        };
      },
    })),
    dependsOn: [],
    metaArgument:
      "The emitter's own code was run on numbers so far apart that what it computes can be read as polynomials of them, and is read the same at other such numbers.",
  };
}

/** A walk whose numbers are terms, or numbers. */
export interface WalkOf<N> {
  readonly base: N;
  readonly strides: readonly N[];
}

/** Writes where a walk is at indices. */
export function addressText({ base, strides }: WalkOf<string>, indices: readonly string[]): string {
  return `(+ ${base} ${strides.map((stride, n) => `(* ${stride} ${indices[n]})`).join(" ")})`;
}

/** Computes where a walk is at indices. */
export function addressOf({ base, strides }: WalkOf<number>, indices: readonly number[]): number {
  if (indices.length !== strides.length) throw new InvariantError("an index for each stride");
  return strides.reduce((sum, stride, n) => sum + stride * (indices[n] ?? 0), base);
}

export function small(least: number, most: number, names: readonly string[]): string {
  return `(and ${names.map((name) => `(<= ${least} ${name} ${most})`).join(" ")})`;
}

export function withinText(term: string, extent: string): string {
  return `(and (<= 0 ${term}) (< ${term} ${extent}))`;
}
