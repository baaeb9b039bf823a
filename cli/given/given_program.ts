import {
  checkGraph,
  checkProgram,
  checkProgramCase,
  checkProgramVector,
  checkQuestion,
  isOfFormat,
  isQuestion,
  type ProgramCase,
  type ProgramVector,
} from "../../spec/documents/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { documentIn } from "../files/documents.ts";
import { tapesOf } from "./given_tapes.ts";

/** A program has here its case, if the document has one, and the vector whose first call that is. */
export interface GivenProgram {
  readonly program: Program;
  readonly question?: ProgramCase;
  readonly vector?: ProgramVector;
}

/** Returns the program of a document; `undefined` if its format is of graphs. Fails: as checking does. */
export function programOf(json: unknown): Result<GivenProgram, Issue[]> | undefined {
  if (isOfFormat(json, "adjudge.program.v1")) {
    const program = checkProgram(json);
    return program.ok ? ok({ program: program.value }) : program;
  }
  if (isOfFormat(json, "adjudge.program-vector.v1")) {
    const vector = checkProgramVector(json);
    if (!vector.ok) return vector;
    const question = vector.value.case;
    return ok({ program: question.program, question, vector: vector.value });
  }
  if (!isOfFormat(json, "adjudge.program-case.v1")) return undefined;
  const question = checkProgramCase(json);
  return question.ok ? ok({ program: question.value.program, question: question.value }) : question;
}

/** Checks a document of any format; a graph where it names none. Fails: as checking does. */
export function checkDocument(json: unknown): Result<unknown, Issue[]> {
  return programOf(json) ?? tapesOf(json) ?? (isQuestion(json) ? checkQuestion(json) : checkGraph(json));
}

/** A program without a case has this issue where a run is asked for. */
export const noCase: Issue = {
  code: "program/case",
  pointer: "/format",
  message: "the file has no program with a place to run it.",
  hint: 'its format is "adjudge.program-case.v1"; docs/programs.md shows one',
};

/** Reads a program case. Fails: as reading and checking do; `program/case` where the file has none. */
export async function programCaseIn(file: string): Promise<Result<ProgramCase, Issue[]>> {
  const json = await documentIn(file);
  if (!json.ok) return json;
  const given = programOf(json.value);
  if (given === undefined || (given.ok && given.value.question === undefined)) return fail([noCase]);
  if (!given.ok) return given;
  return given.value.question === undefined ? fail([noCase]) : ok(given.value.question);
}
