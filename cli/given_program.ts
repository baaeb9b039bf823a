import {
  checkGraph,
  checkProgram,
  checkProgramCase,
  checkProgramVector,
  checkQuestion,
  type Issue,
  isOfFormat,
  isQuestion,
  ok,
  type Program,
  type ProgramCase,
  type ProgramVector,
  type Result,
} from "../spec/index.ts";
import { tapesOf } from "./given_tapes.ts";

/** What a document has of a program: the place to run it, if it has one, and the vector that this is the first call of. */
export interface GivenProgram {
  readonly program: Program;
  readonly question?: ProgramCase;
  readonly vector?: ProgramVector;
}

/** What a document says that it is about: a program, with or without a place to run it; or something of graphs, and nothing here. */
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

/** Whether a document is well-formed, whatever it says that it is; a graph unless it says otherwise. */
export function checkDocument(json: unknown): Result<unknown, Issue[]> {
  return programOf(json) ?? tapesOf(json) ?? (isQuestion(json) ? checkQuestion(json) : checkGraph(json));
}

/** What is wrong with a program where a run is asked for. */
export const noCase: Issue = {
  code: "program/case",
  pointer: "/format",
  message: "the file has no program with a place to run it.",
  hint: 'its format is "adjudge.program-case.v1"; docs/programs.md shows one',
};
