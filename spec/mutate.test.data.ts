import fc from "fast-check";
import type { Json } from "./specimens.test.data.ts";

/** One damage to a JSON document: what is done, at which place (modulo their number), with what. */
export interface Edit {
  readonly how: "delete" | "replace" | "duplicate" | "retype" | "nudge" | "rename";
  readonly where: number;
  readonly value: Json;
}

const hostileNames = ["__proto__", "constructor", "toString", "hasOwnProperty", "op", "", "a/b~c"];

const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, 1, -1, -0, 0.5, 1e12, 2 ** 53, 1e308, "", "x", "\ud800", [], {}),
  fc.constantFrom<Json>(...hostileNames, "add", "matmul", "adjudge.graph.v2", [1e6, 1e6], [[[]]]),
  fc.json({ maxDepth: 2 }).map((text): Json => JSON.parse(text)),
);

/** One to four damages. */
export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    how: fc.constantFrom<Edit["how"]>("delete", "replace", "duplicate", "retype", "nudge", "rename"),
    where: fc.nat(),
    value: values,
  }),
  { minLength: 1, maxLength: 4 },
);

/** `document` after the damages, one after the other. */
export function damage(document: Json, list: readonly Edit[]): Json {
  const copy = structuredClone(document);
  for (const edit of list) apply(copy, edit);
  return copy;
}

type Place =
  | { readonly array: Json[]; readonly index: number }
  | { readonly object: { [key: string]: Json }; readonly key: string };

/** Returns every place in a document but its root. */
function placesIn(json: Json): Place[] {
  if (Array.isArray(json)) {
    return json.flatMap((entry, index) => [{ array: json, index }, ...placesIn(entry)]);
  }
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => [{ object: json, key }, ...placesIn(value)]);
}

function apply(document: Json, { how, where, value }: Edit): void {
  const places = placesIn(document);
  const place = places[where % Math.max(1, places.length)];
  if (place === undefined) return;
  const old = "array" in place ? place.array[place.index] : place.object[place.key];
  const current = old ?? null;
  switch (how) {
    case "delete":
      remove(place);
      break;
    case "replace":
      write(place, value);
      break;
    case "duplicate":
      insert(place, structuredClone(current), where);
      break;
    case "retype":
      write(place, retyped(current));
      break;
    case "nudge":
      write(place, nudged(current, where));
      break;
    case "rename":
      remove(place);
      insert(place, current, where);
  }
}

function remove(place: Place): void {
  if ("array" in place) place.array.splice(place.index, 1);
  else delete place.object[place.key];
}

function write(place: Place, value: Json): void {
  if ("array" in place) place.array[place.index] = value;
  else writeOwn(place.object, place.key, value);
}

function insert(place: Place, value: Json, where: number): void {
  if ("array" in place) place.array.splice(place.index, 0, value);
  else writeOwn(place.object, hostileNames[where % hostileNames.length] ?? place.key, value);
}

/** Makes an own property whatever its name, as JSON.parse does and an assignment does not. */
function writeOwn(object: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function retyped(value: Json): Json {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.length;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (Array.isArray(value)) return { ...value };
  return value === null ? {} : Object.values(value);
}

function nudged(value: Json, where: number): Json {
  if (typeof value === "number")
    return [value + 1, value - 1, -value, value / 2, value * 1e12][where % 5] ?? 0;
  if (typeof value === "string") return `${value}x`;
  if (typeof value === "boolean") return !value;
  return value;
}
