import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
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
  return mayBeOther && !hasFormat ? ok(undefined) : checkQuestion(json.value);
}

async function caseFiles(path: string): Promise<string[]> {
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

function emptySuite(path: string): Issue {
  return {
    code: "suite/empty",
    pointer: "",
    message: `there is no case in the folder ${path}.`,
    hint: "cases are files that end in .json; adjudge check tells whether they are well-formed",
  };
}
