import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { recordedCase, sessionCases } from "../../oracle/programs/index.ts";
import { checkQuestion, type QuestionData } from "../../spec/documents/index.ts";
import { checkAll, fail, InvariantError, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { TapeCase } from "../../spec/tapes/index.ts";
import { readJson } from "../files/files.ts";
import { type GivenProgram, programOf } from "./given_program.ts";
import { tapesOf } from "./given_tapes.ts";

/** A case has the name of its file; a further call of a session adds ` call ` and its number. */
export interface SuiteCase extends QuestionData {
  readonly file: string;
  /** This tape script is asked instead of the case; its first sweep asks that case. */
  readonly tapes?: TapeCase;
  /** Says whether the case is the run of a program, which some engines can be asked to run themselves. */
  readonly isRun?: boolean;
}

/**
 * Reads the cases in files and folders, in the order of their names. Skips documents without a format in
 * folders.
 * Each call of a program's vector becomes a case, its recorded run, unless it must be refused. A path may
 * name one call. Fails: `suite/empty`, `program/refuse` if the only call must be refused, as checking does.
 */
export async function readSuite(paths: readonly string[]): Promise<Result<SuiteCase[], Issue[]>> {
  const cases: SuiteCase[] = [];
  const issues: Issue[] = [];
  for (const path of paths) {
    const before = cases.length + issues.length;
    const { files, call } = await filesOf(path);
    for (const file of files) {
      const read = await readQuestions(file, file !== path && call === undefined);
      if (!read.ok) {
        issues.push(...read.error.map((issue) => ({ ...issue, message: `${file}: ${issue.message}` })));
      } else {
        const named = read.value.map((question, i) => ({ file: nameOfCall(file, i + 1), ...question }));
        cases.push(...(call === undefined ? named : named.slice(call - 1, call)));
      }
    }
    if (cases.length + issues.length === before) issues.push(emptySuite(path));
  }
  return issues.length > 0 ? fail(issues) : ok(cases);
}

/** Reads the questions in a file; none if it may be something else and names no format. */
async function readQuestions(
  file: string,
  mayBeOther: boolean,
): Promise<Result<Omit<SuiteCase, "file">[], Issue[]>> {
  const json = await readJson(file);
  if (!json.ok) return json;
  const hasFormat = typeof json.value === "object" && json.value !== null && "format" in json.value;
  if (mayBeOther && !hasFormat) return ok([]);
  const tapes = tapesOf(json.value);
  if (tapes !== undefined) return tapes.ok ? ok([questionOfTapes(tapes.value)]) : tapes;
  const program = programOf(json.value);
  if (program !== undefined) return program.ok ? questionsOf(program.value, mayBeOther) : program;
  const question = checkQuestion(json.value);
  return question.ok ? ok([question.value]) : question;
}

/** Returns a script's question: graph and point of its first tape, seeds of the first answered sweep. */
export function questionOfTapes(tapes: TapeCase): Pick<SuiteCase, "case" | "tapes"> {
  const { graphs, steps } = tapes;
  const recorded = steps.find((step) => step.do === "record");
  const graph = graphs[recorded?.graph ?? 0];
  if (recorded === undefined || graph === undefined) throw new InvariantError("a script without a tape");
  const { tape, point } = recorded;
  const swept = steps.find((step) => step.do === "sweep" && step.tape === tape && step.refuse === "never");
  const tangents = point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 0) }));
  const seeds = swept?.do === "sweep" ? swept.seeds : [];
  return { case: { graph, point, tangents, seeds }, tapes };
}

/** Returns the runs of a program, as questions that any engine can be asked. */
function questionsOf(
  { question, vector }: GivenProgram,
  mayBeOther: boolean,
): Result<Omit<SuiteCase, "file">[], Issue[]> {
  if (question === undefined) return fail([programAlone]);
  const calls = sessionCases(question, vector?.calls ?? []);
  if (!calls.ok) return calls;
  const answered = calls.value.filter((_, i) => vector?.expected[i]?.kind !== "refused");
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

/** Returns the files of a path: itself, those of a folder, or the one whose call it names. */
async function filesOf(path: string): Promise<{ readonly files: string[]; readonly call?: number }> {
  const found = await stat(path).catch(() => undefined);
  const [, file, call] = /^(.+) call ([1-9][0-9]*)$/.exec(path) ?? [];
  if (found !== undefined || file === undefined) return { files: await caseFiles(path) };
  return { files: [file], call: Number(call) };
}

/** Returns the files of a path: itself, or those of a folder that end in .json, sorted by name. */
export async function caseFiles(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(path, name));
}

/** Returns the issue of a folder without a case. */
export function emptySuite(path: string): Issue {
  return {
    code: "suite/empty",
    pointer: "",
    message: `there is no case in the folder ${path}.`,
    hint: "cases are files that end in .json; adjudge check tells whether they are well-formed",
  };
}
