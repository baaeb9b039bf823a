import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { recordedCase } from "../oracle/index.ts";
import {
  checkQuestion,
  fail,
  type Issue,
  ok,
  parseJson,
  type QuestionData,
  type Result,
} from "../spec/index.ts";
import { readInput } from "./files.ts";
import { programOf } from "./given_program.ts";

/** A case of a suite and the file it came from. */
export interface SuiteCase extends QuestionData {
  readonly file: string;
}

/**
 * The cases in files and folders, in the order of their names. In a folder a document without a format is none of ours:
 * the suite's own folder has a catalogue. Fails: `suite/empty` for a folder without any case, and as reading and
 * checking them does.
 */
export async function readSuite(paths: readonly string[]): Promise<Result<SuiteCase[], Issue[]>> {
  const cases: SuiteCase[] = [];
  const issues: Issue[] = [];
  for (const path of paths) {
    const before = cases.length + issues.length;
    for (const file of await caseFiles(path)) {
      const read = await readQuestion(file, file !== path);
      if (!read.ok) {
        issues.push(...read.error.map((issue) => ({ ...issue, message: `${file}: ${issue.message}` })));
      } else if (read.value !== undefined) cases.push({ file, ...read.value });
    }
    if (cases.length + issues.length === before) issues.push(emptySuite(path));
  }
  return issues.length > 0 ? fail(issues) : ok(cases);
}

/** The question in a file; `undefined` if it need not be one and does not say that it is. */
async function readQuestion(
  file: string,
  mayBeOther: boolean,
): Promise<Result<QuestionData | undefined, Issue[]>> {
  const text = await readInput(file);
  const json = text.ok ? parseJson(text.value) : text;
  if (!json.ok) return json;
  const hasFormat = typeof json.value === "object" && json.value !== null && "format" in json.value;
  if (mayBeOther && !hasFormat) return ok(undefined);
  const program = programOf(json.value);
  return program === undefined ? checkQuestion(json.value) : questionOf(program);
}

/** The run of a program, as the question that any engine can be asked. */
function questionOf(given: NonNullable<ReturnType<typeof programOf>>): Result<QuestionData, Issue[]> {
  if (!given.ok) return given;
  if (given.value.question === undefined) return fail([programAlone]);
  const recorded = recordedCase(given.value.question);
  return recorded.ok ? ok({ case: recorded.value }) : recorded;
}

const programAlone: Issue = {
  code: "program/case",
  pointer: "/format",
  message: "the file has a program, and no place to run it.",
  hint: 'make it a program case, of the format "adjudge.program-case.v1"',
};

/** The files that a path of the command line means: itself, or those of a folder that end in .json, by name. */
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

/** What is wrong with a folder in which nothing is to be asked. */
export function emptySuite(path: string): Issue {
  return {
    code: "suite/empty",
    pointer: "",
    message: `there is no case in the folder ${path}.`,
    hint: "cases are files that end in .json; adjudge check tells whether they are well-formed",
  };
}
