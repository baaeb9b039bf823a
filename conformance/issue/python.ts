import { encodeCase } from "../../spec/documents/index.ts";
import { fail, type Result } from "../../spec/shapes/index.ts";
import { formatFloat64 } from "../../spec/wire/index.ts";
import { pythonTestee } from "../testees/index.ts";
import type { IssueQuestion } from "./question.ts";
import { writtenBy } from "./written.ts";

/** An adapter in Python, and the package of its library. */
export interface PythonPrinter {
  readonly adapter: string;
  readonly module: string;
}

/** Makes scripts in Python, or says why not, all in one process because a library takes seconds to load. */
export function pythonScripts(
  { adapter, module }: PythonPrinter,
  questions: readonly IssueQuestion[],
): Result<string, string>[] {
  const command = pythonTestee(adapter, module);
  if (command === undefined) return questions.map(() => fail(`${module} is not installed`));
  const [python, path = ""] = command.argv;
  const argv = [python, "-m", "adjudge.kit.script", path, module] as const;
  return writtenBy({ ...command, argv }, questions.map(questionJson));
}

/** Encodes the question as the adapter reads it. */
function questionJson({ title, note, case: asked, dtype, mode, wrong }: IssueQuestion): object {
  const common = { ...encodeCase(asked), title, note, dtype, question: mode };
  if (wrong === undefined) return common;
  const { place, truth, due } = wrong;
  if (due.kind === "shape") {
    const test = `answer == ${JSON.stringify(due.shape)}`;
    return { ...common, place, truth, answer: ["list(numpy.shape(", "))"], test, why: "" };
  }
  const { element, right } = due;
  const test = right === "nan" ? "answer != answer" : `${shown(right.low)} <= answer <= ${shown(right.high)}`;
  const why = "# No other number is within the bound that a faithful computation keeps.\n";
  return { ...common, place, truth, answer: ["float(numpy.ravel(", `)[${element}])`], test, why };
}

/** Writes a number as Python reads it. */
function shown(x: number): string {
  if (Number.isFinite(x)) return Object.is(x, -0) ? "-0.0" : `${x}`;
  return `float("${formatFloat64(x)}")`;
}
