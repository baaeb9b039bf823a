import type { ProgramTask } from "../../oracle/programs/index.ts";
import { checkProgramVector, isOfFormat } from "../../spec/documents/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { readJson } from "../files/files.ts";
import { noCase, programOf } from "./given_program.ts";
import { caseFiles, emptySuite } from "./suite.ts";

/** A program is asked from this file. */
export interface GivenTask {
  readonly place: string;
  readonly task: ProgramTask;
}

/**
 * Reads the program cases and vectors in files and folders, by name. A folder's other documents are skipped.
 * Fails: `program/case` for a file without one, `suite/empty` for such a folder, and as reading them.
 */
export async function readProgramSuite(paths: readonly string[]): Promise<Result<GivenTask[], Issue[]>> {
  const tasks: GivenTask[] = [];
  const issues: Issue[] = [];
  for (const path of paths) {
    const before = tasks.length + issues.length;
    for (const file of await caseFiles(path)) {
      const task = await readTask(file, file !== path);
      if (!task.ok) {
        issues.push(...task.error.map((issue) => ({ ...issue, message: `${file}: ${issue.message}` })));
      } else if (task.value !== undefined) tasks.push({ place: file, task: task.value });
    }
    if (tasks.length + issues.length === before) issues.push(emptySuite(path));
  }
  return issues.length > 0 ? fail(issues) : ok(tasks);
}

async function readTask(
  file: string,
  mayBeOther: boolean,
): Promise<Result<ProgramTask | undefined, Issue[]>> {
  const json = await readJson(file);
  if (!json.ok) return json;
  if (isOfFormat(json.value, "adjudge.program-vector.v1")) {
    const vector = checkProgramVector(json.value);
    if (!vector.ok) return vector;
    const { case: first, calls, refuse } = vector.value;
    return ok({ case: first, calls, refuse });
  }
  const given = programOf(json.value);
  if (given !== undefined && !given.ok) return given;
  const question = given?.value.question;
  if (question !== undefined) return ok({ case: question, calls: [] });
  return mayBeOther ? ok(undefined) : fail([noCase]);
}
