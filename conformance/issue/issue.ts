import type { Case } from "../../oracle/case/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import { answerIn, type Engine } from "../../spec/contract/index.ts";
import { fail, ok, type Result } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { crashOf, type IssueQuestion, questionOf } from "./question.ts";

/**
 * Returns the question whose script reproduces a verdict on `asked`. An engine that crashed is asked once
 * more, to learn in which mode it does. Fails: with the reason why no script can.
 */
export async function issueQuestion(
  engine: Engine,
  asked: Case,
  dtype: DataType,
  verdict: Verdict,
): Promise<Result<IssueQuestion, string>> {
  const sent = (graph: Case["graph"]): Case["graph"] => engine.sent?.(graph) ?? graph;
  if (verdict.kind === "disagrees") return questionOf(verdict.witness, dtype, sent);
  if (verdict.kind !== "crashed") return fail(`the engine ${verdict.kind}`);
  const smallest = verdict.case ?? asked;
  const loaded = await engine.load(smallest.graph, dtype);
  if (loaded.kind !== "result") return fail("the engine takes no such graph");
  for (const mode of engine.describe().modes) {
    const reply = await answerIn(loaded.value, mode, smallest);
    if (reply.kind === "crashed" || reply.kind === "error") {
      await loaded.value.unload();
      return ok(crashOf(smallest, verdict.message, dtype, mode, sent));
    }
  }
  return fail("asked again, it answers");
}
