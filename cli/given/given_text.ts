import {
  checkGraph,
  checkQuestion,
  checkTapeCase,
  checkTapeVector,
  isOfFormat,
  isQuestion,
} from "../../spec/documents/index.ts";
import type { Program, Statement } from "../../spec/programs/index.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import {
  caseText,
  graphText,
  measuredText,
  tapeCaseText,
  tapeVectorText,
  vectorText,
} from "../../spec/text/writer.ts";
import { checkUnits, isUnits } from "../../spec/units/index.ts";
import type { GivenDocument } from "../files/documents.ts";
import { type GivenProgram, programOf } from "./given_program.ts";

/** Texts are written so: for people who look at a graph, or for those who go on writing. */
export type Manner = "shown" | "written";

/**
 * Writes the text of a document: shown, with all numbers and a line and a shape for each value, or as short
 * as it is read. Fails: as checking does.
 */
export async function textOf(document: GivenDocument, manner: Manner): Promise<Result<string, Issue[]>> {
  const { json, name, beside = {} } = document;
  const style = manner === "shown" ? "lines" : "nested";
  const program = programOf(json);
  if (program !== undefined) return program.ok ? ok(await textOfProgram(program.value, name)) : program;
  if (isOfFormat(json, "adjudge.tape-vector.v1"))
    return written(checkTapeVector(json), (vector) => tapeVectorText(vector, style));
  if (isOfFormat(json, "adjudge.tape-case.v1"))
    return written(checkTapeCase(json), (tapes) => tapeCaseText(tapes, name, style));
  if (isUnits(json)) {
    const { graph: _, ...units } = { graph: undefined, ...json };
    return written(checkUnits(json), ({ graph }) => measuredText(graph, { units }, name, style));
  }
  if (!isQuestion(json)) {
    return written(checkGraph(json), (graph) =>
      manner === "shown"
        ? graphText(graph, name, { hasShapes: true, beside })
        : measuredText(graph, beside, name, style),
    );
  }
  const fullness = { isWhole: manner === "shown" };
  return written(checkQuestion(json), ({ case: asked, vector }) =>
    vector === undefined
      ? caseText(asked, name, style, beside, fullness)
      : vectorText(vector, name, style, beside, fullness),
  );
}

/** Writes the text of a program; it is loaded now, since the writer reads what it has written. */
async function textOfProgram(
  { program, question, vector }: GivenProgram,
  name: string | undefined,
): Promise<string> {
  const { programCaseText, programText, programVectorText } = await import("../../spec/text/index.ts");
  if (vector !== undefined) return programVectorText(vector);
  return question === undefined ? programText(program, name) : programCaseText(question, name);
}

/** Returns what writes a program's statements, one line each: of a block its first. */
export async function statementWriter(program: Program): Promise<(statement: Statement) => string> {
  const { statementLines } = await import("../../spec/text/index.ts");
  return (statement) => (statementLines(statement, program)[0] ?? "").trim();
}

function written<T>(checked: Result<T, Issue[]>, write: (document: T) => string): Result<string, Issue[]> {
  return checked.ok ? ok(write(checked.value)) : checked;
}
