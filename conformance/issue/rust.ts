import { encodeCase } from "../../spec/documents/index.ts";
import { fail, type Result } from "../../spec/shapes/index.ts";
import { formatFloat64 } from "../../spec/wire/index.ts";
import { candleTestee } from "../testees/index.ts";
import type { IssueQuestion, WrongAnswer } from "./question.ts";
import { writtenBy } from "./written.ts";

/** Makes scripts for candle, or says why not; its adapter writes them. */
export function candleScripts(questions: readonly IssueQuestion[]): Result<string, string>[] {
  const command = candleTestee();
  if (command === undefined) return questions.map(() => fail("candle is not built"));
  return writtenBy({ ...command, argv: [...command.argv, "--script"] }, questions.map(questionJson));
}

/** Encodes the question as the adapter reads it. */
function questionJson({ title, note, case: asked, dtype, mode, wrong }: IssueQuestion): object {
  const common = { ...encodeCase(asked), title, note, dtype, question: mode };
  return wrong === undefined ? common : { ...common, wrong: wrongJson(wrong) };
}

function wrongJson({ place, truth, due }: WrongAnswer): object {
  if (due.kind === "shape") return { place, truth, shape: due.shape };
  const { element, right } = due;
  if (right === "nan") return { place, truth, element, right };
  return { place, truth, element, low: formatFloat64(right.low), high: formatFloat64(right.high) };
}
