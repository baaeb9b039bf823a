import {
  askedHere,
  type FunctionAsking,
  type HandWritten,
  judgeFunction,
  questionOf,
} from "../../oracle/functions/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { functionLines } from "./told.ts";

/** What came of a function: nothing is wrong, or a text says what is. */
export interface FunctionAnswer {
  readonly kind: "agrees" | "wrong" | "not decided";
  readonly text: string;
}

/** Judges a function of this process by a graph that says what it means. Fails: as `questionOf` does. */
export async function askFunction(
  written: HandWritten,
  graph: Graph,
  asking: FunctionAsking = {},
): Promise<Result<FunctionAnswer, Issue[]>> {
  const question = questionOf(written, graph, asking);
  if (!question.ok) return question;
  const asked = askedHere(question.value, written);
  const verdict = await judgeFunction({ question: question.value, asked });
  const owner = { name: "this process", version: "" };
  const text = functionLines(question.value, verdict, owner, {}).join("\n");
  const isWrong = "witness" in verdict || verdict.kind === "crashed";
  return ok({ kind: verdict.kind === "agrees" ? "agrees" : isWrong ? "wrong" : "not decided", text });
}
