import type { Engine } from "../../spec/contract/index.ts";
import { checkGivenCase } from "../../spec/documents/index.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { Case } from "../case/index.ts";
import type { Verdict } from "../hearing/index.ts";
import { type JudgeOptions, judgeFitted } from "./judge.ts";

/**
 * Judges a case that was put together in code, if it is one. Whoever asks is told what is wrong with a
 * question, and the engine is not asked. Fails: as {@link checkGivenCase} does. Cost: a check of the graph,
 * and the verdict.
 */
export async function judgeGiven(
  engine: Engine,
  question: Case,
  options: JudgeOptions,
): Promise<Result<Verdict, Issue[]>> {
  const checked = checkGivenCase(question);
  return checked.ok ? ok(await judgeFitted(engine, checked.value, options)) : checked;
}
