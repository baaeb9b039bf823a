import {
  type Asked,
  type AskedQuestion,
  checkTrace,
  measuredHash,
  questionOfTrace,
} from "../../lean-export/index.ts";
import type { Case } from "../../oracle/case/index.ts";
import { explain } from "../../oracle/diagnosis/index.ts";
import { recordedCase, sessionCases } from "../../oracle/programs/index.ts";
import { isOfFormat } from "../../spec/documents/index.ts";
import { checkAll, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { documentIn } from "../files/documents.ts";
import { noCase, programOf } from "./given_program.ts";
import { runOfCase, runOfDocument } from "./given_run.ts";
import { sweptCases } from "./given_sweeps.ts";
import { tapesOf } from "./given_tapes.ts";
import { measuredIn } from "./given_units.ts";

/**
 * Reads the runs that a trace may be: that of a case, a vector, or a graph whose point is empty; the runs of
 * a program's calls, as they are recorded; those of a tape script's sweeps; or that of a trace, in its
 * algebra. Fails: as reading, checking and recording do; `program/case`.
 */
export async function askedRuns(file: string): Promise<Result<readonly AskedQuestion[], Issue[]>> {
  const json = await documentIn(file);
  return json.ok ? runsOf(json.value) : json;
}

/** Returns the runs of a document likewise. */
export function runsOf(json: unknown): Result<readonly AskedQuestion[], Issue[]> {
  if (isOfFormat(json, "adjudge.trace.v1")) {
    const trace = checkTrace(json);
    return trace.ok ? ok([questionOfTrace(trace.value)]) : trace;
  }
  const tapes = tapesOf(json);
  if (tapes !== undefined) return tapes.ok ? ok(sweptCases(tapes.value).map(runOfCase)) : tapes;
  const calls = callsOf(json);
  if (calls !== undefined) return calls.ok ? ok(calls.value.map(runOfCase)) : calls;
  const run = runOfDocument(json);
  return run.ok ? ok([run.value]) : run;
}

/** Returns the recorded run of each call of a program's document that is answered; of others `undefined`. */
export function callsOf(json: unknown): Result<readonly Case[], Issue[]> | undefined {
  const given = programOf(json);
  if (given?.ok !== true) return given;
  const { question, vector } = given.value;
  if (question === undefined) return fail([noCase]);
  const calls = sessionCases(question, vector?.calls ?? []);
  return checkAll(
    calls.filter((_, i) => vector?.expected[i]?.kind !== "refused"),
    recordedCase,
  );
}

/**
 * Reads the system that a certificate must be of: what is refused of a graph with units, in the file or a
 * second one. Fails: as reading, checking and inference do; `lean/against` where nothing is refused.
 */
export async function askedSystem(file: string, units?: string): Promise<Result<Asked, Issue[]>> {
  const measured = await measuredIn(file, units);
  if (!measured.ok) return measured;
  const { graph, declarations } = measured.value;
  const explained = explain(graph, declarations, { of: [], wrt: [] });
  if (!explained.ok) return explained;
  const { dimensions } = explained.value;
  const system = dimensions.kind === "obstructed" ? dimensions.obstruction : dimensions.scales;
  if (system === undefined) return fail([nothingRefused]);
  return ok({ kind: "system", system, hash: measuredHash(measured.value) });
}

const nothingRefused: Issue = {
  code: "lean/against",
  pointer: "",
  message: "nothing is refused of the case, so that no certificate is of it.",
  hint: "see what adjudge explain says of it",
};
