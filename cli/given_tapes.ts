import {
  checkTapeCase,
  checkTapeVector,
  type Issue,
  isOfFormat,
  ok,
  type Result,
  type TapeCase,
} from "../spec/index.ts";

/** Returns the tape script of a document or vector; `undefined` without one. Fails: as checking does. */
export function tapesOf(json: unknown): Result<TapeCase, Issue[]> | undefined {
  if (isOfFormat(json, "adjudge.tape-case.v1")) return checkTapeCase(json);
  if (!isOfFormat(json, "adjudge.tape-vector.v1")) return undefined;
  const vector = checkTapeVector(json);
  return vector.ok ? ok(vector.value.case) : vector;
}
