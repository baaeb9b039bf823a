import { checkGraph, checkQuestion, isQuestion } from "../../spec/documents/index.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { caseText, graphText, vectorText } from "../../spec/text/writer.ts";
import type { GivenDocument } from "../files/documents.ts";

/** Writes the text of a graph, a case or a vector, with all its numbers. Fails: as checking does. */
export function questionText({ json, name }: Pick<GivenDocument, "json" | "name">): Result<string, Issue[]> {
  if (!isQuestion(json)) {
    const graph = checkGraph(json);
    return graph.ok ? ok(graphText(graph.value, name, { hasShapes: true })) : graph;
  }
  const question = checkQuestion(json);
  if (!question.ok) return question;
  const { case: asked, vector } = question.value;
  return ok(
    vector === undefined
      ? caseText(asked, name, "lines", undefined, { isWhole: true })
      : vectorText(vector, name, "lines", undefined, { isWhole: true }),
  );
}
