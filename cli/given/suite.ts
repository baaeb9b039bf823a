import { stat } from "node:fs/promises";
import { join } from "node:path";
import { recordedCase, sessionCases } from "../../oracle/programs/index.ts";
import {
  checkProgramVector,
  checkQuestion,
  checkTapeVector,
  isOfFormat,
  type ProgramVector,
  type QuestionData,
  type TapeVector,
} from "../../spec/documents/index.ts";
import { checkAll, fail, InvariantError, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { TapeCase } from "../../spec/tapes/index.ts";
import { documentsIn, type GivenDocument } from "../files/documents.ts";
import { namesIn } from "../files/files.ts";
import { drawnCases, pointsOfPath } from "./drawn_points.ts";
import { type GivenProgram, programOf } from "./given_program.ts";
import { still } from "./given_sweeps.ts";
import { tapesOf } from "./given_tapes.ts";

/** What a vector of a program, or of tapes, expects. */
export type Expecting =
  | { readonly kind: "program"; readonly vector: ProgramVector }
  | { readonly kind: "tapes"; readonly vector: TapeVector };

/**
 * A case has the name of its file, or of its document in a text; a further call of a session adds ` call `
 * and its number.
 */
export interface SuiteCase extends QuestionData, Pick<GivenDocument, "framed"> {
  readonly file: string;
  /** This tape script is asked instead of the case; its first sweep asks that case. */
  readonly tapes?: TapeCase;
  /** Says whether the case is the run of a program, which some engines can be asked to run themselves. */
  readonly isRun?: boolean;
  /** It is a further call of the session before it. */
  readonly isFurther?: true;
  /** The first case of a document has what the vector of a program, or of tapes, expects. */
  readonly expecting?: Expecting;
}

/**
 * Reads the cases in files and folders, in the order of their names. Skips documents without a format in
 * folders.
 * Each call of a program's vector becomes a case, its recorded run, unless it must be refused. A path may
 * name one call, or points that are drawn for a graph ({@link pointsOfPath}). Fails: `suite/empty`,
 * `program/refuse` if the only call must be refused, as checking does.
 */
export async function readSuite(paths: readonly string[]): Promise<Result<SuiteCase[], Issue[]>> {
  const cases: SuiteCase[] = [];
  const issues: Issue[] = [];
  for (const path of paths) {
    const before = cases.length + issues.length;
    const points = pointsOfPath(path);
    if (points !== undefined) {
      const drawn = await drawnCases(points);
      if (drawn.ok) cases.push(...drawn.value);
      else issues.push(...drawn.error.map((issue) => ofFile(points.file, issue)));
      continue;
    }
    const found = await filesOf(path);
    if (!found.ok) {
      issues.push(...found.error);
      continue;
    }
    const { files, call } = found.value;
    for (const file of files) {
      const read = await casesIn(file, file !== path && call === undefined, call);
      if (read.ok) cases.push(...read.value);
      else issues.push(...read.error);
    }
    if (cases.length + issues.length === before) issues.push(emptySuite(path));
  }
  return issues.length > 0 ? fail(issues) : ok(cases);
}

/** Reads the cases of every document in a file, or of one call. Issues name the document. */
async function casesIn(
  file: string,
  mayBeOther: boolean,
  call: number | undefined,
): Promise<Result<SuiteCase[], Issue[]>> {
  const documents = await documentsIn(file);
  if (!documents.ok) return fail(documents.error.map((issue) => ofFile(file, issue)));
  const isOneOfSeveral = documents.value.length > 1;
  const all = checkAll(documents.value, (document) => {
    const { place, framed } = document;
    const read = readQuestions(document, mayBeOther || isOneOfSeveral);
    if (!read.ok) return fail(read.error.map((issue) => ofFile(place, issue)));
    const source = framed === undefined ? {} : { framed };
    const named = read.value.map((one, i) => ({
      file: nameOfCall(place, i + 1),
      ...(i > 0 ? { isFurther: true as const } : {}),
      ...source,
      ...one,
    }));
    return ok(call === undefined ? named : named.slice(call - 1, call));
  });
  return all.ok ? ok(all.value.flat()) : all;
}

/** Names the file of an issue. */
export function ofFile(file: string, issue: Issue): Issue {
  return { ...issue, message: `${file}: ${issue.message}` };
}

/** Returns the questions of a document; none if it may be something else, and names no format or no point. */
function readQuestions(
  { json, framed }: GivenDocument,
  mayBeOther: boolean,
): Result<Omit<SuiteCase, "file">[], Issue[]> {
  const hasFormat = typeof json === "object" && json !== null && "format" in json;
  if (mayBeOther && !hasFormat) return ok([]);
  if (framed !== undefined && isOfFormat(json, "adjudge.graph.v1"))
    return mayBeOther ? ok([]) : fail([framed(noPoint)]);
  const tapes = tapesOf(json);
  if (tapes !== undefined) return tapes.ok ? ok([withExpected(questionOfTapes(tapes.value), json)]) : tapes;
  const program = programOf(json);
  if (program !== undefined) {
    const questions = program.ok ? questionsOf(program.value, mayBeOther) : program;
    return questions.ok
      ? ok(questions.value.map((one, i) => (i > 0 ? one : withExpected(one, json))))
      : questions;
  }
  const question = checkQuestion(json);
  return question.ok ? ok([question.value]) : question;
}

/** Adds what a vector of programs or tapes expects to a case. */
function withExpected(question: Omit<SuiteCase, "file">, json: unknown): Omit<SuiteCase, "file"> {
  if (isOfFormat(json, "adjudge.program-vector.v1")) {
    const vector = checkProgramVector(json);
    return vector.ok ? { ...question, expecting: { kind: "program", vector: vector.value } } : question;
  }
  const vector = isOfFormat(json, "adjudge.tape-vector.v1") ? checkTapeVector(json) : fail([]);
  return vector.ok ? { ...question, expecting: { kind: "tapes", vector: vector.value } } : question;
}

const noPoint: Issue = {
  code: "text/point",
  pointer: "",
  message: "the graph has no point, so nothing can be asked of it.",
  hint: "write one below it, such as: at x = 3",
};

/** Returns a script's question: graph and point of its first tape, seeds of the first answered sweep. */
export function questionOfTapes(tapes: TapeCase): Pick<SuiteCase, "case" | "tapes"> {
  const { graphs, steps } = tapes;
  const recorded = steps.find((step) => step.do === "record");
  const graph = graphs[recorded?.graph ?? 0];
  if (recorded === undefined || graph === undefined) throw new InvariantError("a script without a tape");
  const { tape, point } = recorded;
  const swept = steps.find((step) => step.do === "sweep" && step.tape === tape && step.refuse === "never");
  const seeds = swept?.do === "sweep" ? swept.seeds : [];
  return { case: { graph, point, tangents: still(point), seeds }, tapes };
}

/** Returns the runs of a program, as questions that any engine can be asked. */
function questionsOf(
  { question, vector }: GivenProgram,
  mayBeOther: boolean,
): Result<Omit<SuiteCase, "file">[], Issue[]> {
  if (question === undefined) return mayBeOther ? ok([]) : fail([programAlone]);
  const calls = sessionCases(question, vector?.calls ?? []);
  const answered = calls.filter((_, i) => vector?.expected[i]?.kind !== "refused");
  if (answered.length === 0 && !mayBeOther) return fail([toBeRefused]);
  return checkAll(answered, (call) => {
    const recorded = recordedCase(call);
    return recorded.ok ? ok({ case: recorded.value, isRun: true }) : recorded;
  });
}

const programAlone: Issue = {
  code: "program/case",
  pointer: "/format",
  message: "the file has a program, and no place to run it.",
  hint: 'make it a program case, of the format "adjudge.program-case.v1"',
};

const toBeRefused: Issue = {
  code: "program/refuse",
  pointer: "/refuse",
  message: "the program must be refused, so no run of it is a graph that could be asked.",
  hint: "engines that run programs are asked for the refusal",
};

function nameOfCall(file: string, call: number): string {
  return call === 1 ? file : `${file} call ${call}`;
}

/** Returns the files of a path; for a path that is a file's with ` call 2`, that file and the call. */
async function filesOf(
  path: string,
): Promise<Result<{ readonly files: string[]; readonly call?: number }, Issue[]>> {
  const found = await stat(path).catch(() => undefined);
  const [, file, call] = /^(.+) call ([1-9][0-9]*)$/.exec(path) ?? [];
  if (found === undefined && file !== undefined) return ok({ files: [file], call: Number(call) });
  const files = await caseFiles(path);
  return files.ok ? ok({ files: files.value }) : files;
}

/**
 * Returns the files of a path: itself, or those of a folder that end in .json or .adj, sorted by name. Fails:
 * `file/unreadable`.
 */
export async function caseFiles(path: string): Promise<Result<string[], Issue[]>> {
  const names = await namesIn(path);
  if (!names.ok || names.value === undefined) return names.ok ? ok([path]) : names;
  return ok(names.value.filter((name) => /\.(json|adj)$/.test(name)).map((name) => join(path, name)));
}

/** Returns the issue of a folder without a case. */
export function emptySuite(path: string): Issue {
  return {
    code: "suite/empty",
    pointer: "",
    message: `there is no case in ${path}.`,
    hint: "cases are files that end in .json or .adj; adjudge check tells whether they are well-formed",
  };
}
