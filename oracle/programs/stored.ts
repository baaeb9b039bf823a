import { isComputeType, type StorageType } from "../../reference/numerics/storage/index.ts";
import { type Carried, carriedOver } from "../../reference/state/index.ts";
import type { ProgramCase } from "../../spec/documents/index.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { questionOf, sessionCases } from "./question.ts";

/** The storage rule judges a location: what outlives its sweep must have a type to be stored in. */
export interface StoredLocation {
  readonly name: string;
  readonly type: StorageType | undefined;
  /** A call leaves this for the next one, at these places in the program: the witness. */
  readonly carried: Carried | undefined;
  /** If true, the rule is broken. */
  readonly isBroken: boolean;
}

/**
 * Applies the storage rule to a call of a program, and to a second call with the same arguments over what
 * that left. `types` are those that locations are kept in. Fails: as recording does. Cost: two recordings.
 */
export function storedLocations(
  question: ProgramCase,
  types: ReadonlyMap<string, StorageType>,
): Result<readonly StoredLocation[], Issue[]> {
  const carried = carriedIn(question);
  if (!carried.ok) return carried;
  return ok(
    question.program.state.map(({ name }) => {
      const type = types.get(name);
      const found = carried.value.find(({ location }) => location === name);
      const isBroken = found !== undefined && type !== undefined && isComputeType(type);
      return { name, type, carried: found, isBroken };
    }),
  );
}

function carriedIn(question: ProgramCase): Result<readonly Carried[], Issue[]> {
  const { program, point, received, seeds } = question;
  const parameters = point.inputs.slice(0, point.inputs.length - program.state.length);
  const calls = sessionCases(question, [{ parameters, received, seeds }]);
  const [first, next] = calls.map((call) => questionOf(call));
  if (first?.ok !== true) return first ?? ok([]);
  if (next?.ok !== true) return next ?? ok([]);
  return ok(carriedOver(program, first.value.recording, next.value.recording));
}
