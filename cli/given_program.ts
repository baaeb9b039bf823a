import {
  checkGraph,
  checkProgram,
  checkProgramCase,
  checkQuestion,
  type Issue,
  isOfFormat,
  isQuestion,
  ok,
  type Program,
  type ProgramCase,
  type Result,
} from "../spec/index.ts";

/** What a document says that it is about: a program, with or without a place to run it; or something of graphs, and nothing here. */
export function programOf(
  json: unknown,
): Result<{ readonly program: Program; readonly question?: ProgramCase }, Issue[]> | undefined {
  if (isOfFormat(json, "adjudge.program.v1")) {
    const program = checkProgram(json);
    return program.ok ? ok({ program: program.value }) : program;
  }
  if (!isOfFormat(json, "adjudge.program-case.v1")) return undefined;
  const question = checkProgramCase(json);
  return question.ok ? ok({ program: question.value.program, question: question.value }) : question;
}

/** Whether a document is well-formed, whatever it says that it is; a graph unless it says otherwise. */
export function checkDocument(json: unknown): Result<unknown, Issue[]> {
  return programOf(json) ?? (isQuestion(json) ? checkQuestion(json) : checkGraph(json));
}
