import type { Case } from "../../oracle/case/index.ts";
import type { FunctionAsking, HandWritten } from "../../oracle/functions/index.ts";
import { type Drawing, mix } from "../../oracle/generate/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { formatIssue } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { Asked } from "./asked.ts";

/** Chooses random cases as `adjudge judge` draws them, whose `replay` shows one again. */
export interface RandomCases {
  /** So many cases are drawn: 500 unless given. */
  readonly cases?: number;
  /** The cases are drawn from this seed: 1 unless given. */
  readonly seed?: number;
  /** The cases have this profile: the mix of profiles unless given. */
  readonly profile?: Drawing;
}

/** Asserts things of an engine's gradients; each rejects with a {@link GradientError}. */
export interface GradientExpectation {
  /** Asks random cases: none disagrees or crashes, and enough are decided, as `adjudge judge` requires. */
  toAgree(which?: RandomCases): Promise<void>;
  /** Asks one case, which must be decided: undecided or declined fails too. */
  toAgreeOn(question: Case): Promise<void>;
  /** Asks one of many cases, as in a property: fails if wrong or crashed, else resolves to the verdict. */
  notToDisagreeOn(question: Case): Promise<Verdict>;
}

/** Reports a failed assertion; its message holds the graph, both answers, and the node to blame. */
export class GradientError extends Error {
  override readonly name = "GradientError";
  readonly verdict: Verdict | undefined;

  constructor(message: string, verdict?: Verdict) {
    super(message);
    this.verdict = verdict;
  }
}

/** Asserts that a function written by hand is right; rejects with a {@link GradientError}. */
export interface FunctionExpectation {
  /**
   * Asks the function at points that are drawn: its values first, then its derivatives, each number of which
   * must be within a derived bound of the truth. The graph says what the function means.
   */
  of(graph: Graph, asking?: FunctionAsking): Promise<void>;
}

/**
 * Expects an engine to be right in a precision, or a function with a derivative written by hand, in any test
 * runner that takes a rejected promise for a failure. Cost: that of {@link judge} for each case or point, and
 * loading the judge when first asked.
 */
export function expectGradients(engine: Engine, dtype?: DataType): GradientExpectation;
export function expectGradients(written: HandWritten): FunctionExpectation;
export function expectGradients(
  given: Engine | HandWritten,
  dtype: DataType = "float64",
): GradientExpectation | FunctionExpectation {
  return "describe" in given ? engineExpectation(given, dtype) : functionExpectation(given);
}

function functionExpectation(written: HandWritten): FunctionExpectation {
  return {
    of: async (graph, asking) => {
      const { askFunction } = await import("../functions/index.ts");
      const answer = await askFunction(written, graph, asking);
      if (!answer.ok) throw new GradientError(answer.error.map(formatIssue).join("\n"));
      if (answer.value.kind !== "agrees") throw new GradientError(answer.value.text);
    },
  };
}

function engineExpectation(engine: Engine, dtype: DataType): GradientExpectation {
  const asked = async (): Promise<Asked> => (await import("./asked.ts")).askedIn(engine, dtype);
  return {
    toAgree: async ({ cases = 500, seed = 1, profile = mix } = {}) => {
      const problem = await (await asked()).many({ cases, seed, profile });
      if (problem !== undefined) throw new GradientError(problem.message, problem.verdict);
    },
    toAgreeOn: async (question) => {
      const { verdict, message } = await (await asked()).one(question);
      if (verdict.kind !== "agrees") throw new GradientError(message, verdict);
    },
    notToDisagreeOn: async (question) => {
      const { verdict, message } = await (await asked()).one(question);
      if (verdict.kind === "disagrees" || verdict.kind === "crashed")
        throw new GradientError(message, verdict);
      return verdict;
    },
  };
}
