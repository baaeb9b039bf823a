import { parseStorageType, type StorageType } from "../../reference/numerics/storage/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import { fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";

/** Returns the types that `--stored NAME=TYPE` names. Fails: `storage/…`; `program/state` for the name. */
export function storedTypes(
  program: Program,
  words: readonly string[],
): Result<ReadonlyMap<string, StorageType>, Issue[]> {
  const names = program.state.map(({ name }) => name);
  const types = new Map<string, StorageType>();
  for (const word of words) {
    const cut = word.lastIndexOf("=");
    const name = word.slice(0, Math.max(cut, 0));
    if (!names.includes(name)) return fail([noLocation(cut < 0 ? word : name, names)]);
    const type = parseStorageType(word.slice(cut + 1));
    if (!type.ok) return type;
    types.set(name, type.value);
  }
  return ok(types);
}

function noLocation(name: string, names: readonly string[]): Issue {
  const near = nearestName(name, names);
  return {
    code: "program/state",
    pointer: "",
    message: `the program has no persistent location ${quote(name)}.`,
    hint:
      near === undefined
        ? `write --stored NAME=TYPE; it has ${names.join(", ") || "none"}`
        : `did you mean ${quote(near)}?`,
  };
}
