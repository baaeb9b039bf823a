import type { Case } from "../../oracle/case/index.ts";
import { type Drawing, mix } from "../../oracle/generate/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { Asked } from "./asked.ts";

/** Which random cases are asked: as `adjudge judge` draws them, so that its `replay` shows one again. */
export interface RandomCases {
  /** 500 unless told. */
  readonly cases?: number;
  /** 1 unless told. */
  readonly seed?: number;
  /** The mix unless told. */
  readonly profile?: Drawing;
}

/** What can be expected of an engine's gradients. Everything rejects with a {@link GradientError}. */
export interface GradientExpectation {
  /** Random cases: none disagrees or crashes, and enough was decided to mean something, by the rule of `adjudge judge`. */
  toAgree(which?: RandomCases): Promise<void>;
  /** One case, which is decided: what is undecided or declined fails too. */
  toAgreeOn(question: Case): Promise<void>;
  /**
   * One case of many, as in a property of fast-check: only an accusation or a crash fails. The verdict, for who wants to count what was decided.
   */
  notToDisagreeOn(question: Case): Promise<Verdict>;
}

/** An expectation that did not hold; the message has the witness: the graph, what was answered, what is true, and the node to blame. */
export class GradientError extends Error {
  override readonly name = "GradientError";
  readonly verdict: Verdict | undefined;

  constructor(message: string, verdict?: Verdict) {
    super(message);
    this.verdict = verdict;
  }
}

/**
 * Expects an engine to be right in a precision (float64 unless told): for vitest, node:test or any runner that takes a rejected promise for a
 * failure. Cost: that of {@link judge} for each case; loading the judge when it is first asked.
 */
export function expectGradients(engine: Engine, dtype: DataType = "float64"): GradientExpectation {
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
