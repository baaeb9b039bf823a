import { type ProgramTask, taskOfVector } from "../../oracle/programs/index.ts";
import { checkProgramVector, isOfFormat } from "../../spec/documents/index.ts";
import { checkAll, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { documentsIn } from "../files/documents.ts";
import { framedOnce } from "./expectations.ts";
import { noCase, programOf } from "./given_program.ts";
import { untrueOfProgram } from "./program_expectations.ts";
import { caseFiles, emptySuite, ofFile } from "./suite.ts";

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
    const files = await caseFiles(path);
    if (!files.ok) issues.push(...files.error);
    for (const file of files.ok ? files.value : []) {
      const read = await tasksIn(file, file !== path);
      if (read.ok) tasks.push(...read.value);
      else issues.push(...read.error);
    }
    if (tasks.length + issues.length === before) issues.push(emptySuite(path));
  }
  return issues.length > 0 ? fail(issues) : ok(tasks);
}

/** Reads the tasks of every document in a file. Issues name the document. */
async function tasksIn(file: string, mayBeOther: boolean): Promise<Result<GivenTask[], Issue[]>> {
  const documents = await documentsIn(file);
  if (!documents.ok) return fail(documents.error.map((issue) => ofFile(file, issue)));
  const isOneOfSeveral = documents.value.length > 1;
  const untrue: Issue[] = [];
  for (const { place, json, framed } of documents.value) {
    const vector = isOfFormat(json, "adjudge.program-vector.v1") ? checkProgramVector(json) : fail([]);
    if (vector.ok && framed !== undefined)
      untrue.push(...framedOnce(place, await untrueOfProgram(vector.value), framed));
  }
  if (untrue.length > 0) return fail(untrue);
  const all = checkAll(documents.value, ({ place, json }) => {
    const task = taskOf(json, mayBeOther || isOneOfSeveral);
    return task.ok ? task : fail(task.error.map((issue) => ofFile(place, issue)));
  });
  if (!all.ok) return all;
  const places = documents.value.map(({ place }) => place);
  return ok(all.value.flatMap((task, i) => (task === undefined ? [] : [{ place: places[i] ?? file, task }])));
}

function taskOf(json: unknown, mayBeOther: boolean): Result<ProgramTask | undefined, Issue[]> {
  if (isOfFormat(json, "adjudge.program-vector.v1")) {
    const vector = checkProgramVector(json);
    return vector.ok ? ok(taskOfVector(vector.value)) : vector;
  }
  const given = programOf(json);
  if (given !== undefined && !given.ok) return given;
  const question = given?.value.question;
  if (question !== undefined) return ok({ case: question, calls: [] });
  return mayBeOther ? ok(undefined) : fail([noCase]);
}
