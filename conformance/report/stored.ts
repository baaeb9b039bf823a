import type { StoredLocation } from "../../oracle/programs/index.ts";
import { formatStorageType } from "../../reference/numerics/storage/index.ts";
import { type Program, pointerOfStatement, type Statement } from "../../spec/programs/index.ts";
import { visible } from "../../spec/shapes/index.ts";

/** Shows the storage rule: a line for each persistent location, and what to do where it is broken. */
export function showStored(program: Program, locations: readonly StoredLocation[]): string[] {
  const broken = locations.filter(({ isBroken }) => isBroken).map(({ name }) => visible(name));
  const advice = `${broken.join(", ")}: a type to compute with does not outlive its sweep; store it as float32, sym8 or the like`;
  return [
    "from call to call:",
    ...locations.map((location) => lineOf(program, location)),
    ...(broken.length === 0 ? [] : [advice]),
  ];
}

/** Returns the same as JSON. */
export function storedJson(program: Program, locations: readonly StoredLocation[]): readonly object[] {
  const place = (statement: Statement | undefined): string | undefined =>
    statement && pointerOfStatement(program, statement);
  return locations.map(({ name, type, carried, isBroken }) => ({
    name,
    ...(type === undefined ? {} : { type: formatStorageType(type) }),
    isCarried: carried !== undefined,
    ...(carried === undefined ? {} : { written: place(carried.written), read: place(carried.read) }),
    isBroken,
  }));
}

function lineOf(program: Program, { name, type, carried, isBroken }: StoredLocation): string {
  const mark = isBroken ? "✗" : type === undefined ? "?" : "✓";
  const said = type === undefined ? "no type is said" : formatStorageType(type);
  if (carried === undefined)
    return `${mark} ${visible(name)}: ${said}; overwritten before the next call reads it`;
  const place = (statement: Statement): string => pointerOfStatement(program, statement);
  const from = carried.written === undefined ? "given" : `written at ${place(carried.written)}`;
  const to =
    carried.read === undefined
      ? "kept on by the next call"
      : `read by the next call at ${place(carried.read)}`;
  return `${mark} ${visible(name)}: ${said}; ${from}, ${to}`;
}
