import { checkTapeCase, checkTapeVector, isOfFormat } from "../../spec/documents/index.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { TapeCase } from "../../spec/tapes/index.ts";

/** Returns the tape script of a document or vector; `undefined` without one. Fails: as checking does. */
export function tapesOf(json: unknown): Result<TapeCase, Issue[]> | undefined {
  if (isOfFormat(json, "adjudge.tape-case.v1")) return checkTapeCase(json);
  if (!isOfFormat(json, "adjudge.tape-vector.v1")) return undefined;
  const vector = checkTapeVector(json);
  return vector.ok ? ok(vector.value.case) : vector;
}
