import { checkTapeCase, checkTapeVector, isOfFormat } from "../spec/documents/index.ts";
import { type Issue, ok, type Result } from "../spec/shapes/index.ts";
import type { TapeCase } from "../spec/tapes/index.ts";

/** The script for tapes in a document that says that it has one; of a vector its case. Fails: as checking it does. */
export function tapesOf(json: unknown): Result<TapeCase, Issue[]> | undefined {
  if (isOfFormat(json, "adjudge.tape-case.v1")) return checkTapeCase(json);
  if (!isOfFormat(json, "adjudge.tape-vector.v1")) return undefined;
  const vector = checkTapeVector(json);
  return vector.ok ? ok(vector.value.case) : vector;
}
