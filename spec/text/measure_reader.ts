import { type RangeJson, type RangesJson, validateRanges } from "../explained/index.ts";
import type { Graph } from "../graph/index.ts";
import { pointerTo } from "../shapes/index.ts";
import { checkUnits } from "../units/index.ts";
import type { MeasureJson, UnitsJson } from "../wire/index.ts";
import { attributeOf } from "./data.ts";
import type { Faults } from "./fault.ts";
import { Places } from "./places.ts";
import { Sayings } from "./sayings.ts";
import type { Declaration, Let, LineOf, Measure, MixedAxis, Place, Word } from "./tree.ts";

/** Documents that stand beside a graph, if the text says anything of what they are about. */
export interface Beside {
  readonly units?: UnitsJson;
  readonly ranges?: RangesJson;
}

/** A graph's first line, the lines behind it, and the values that have a unit, by their ids. */
interface Sources {
  readonly header: LineOf<"header">;
  readonly clauses: readonly LineOf<"clause">[];
  readonly measured: ReadonlyMap<number, Let>;
  /** What the documents say of themselves. */
  readonly note?: string | undefined;
}

/**
 * Reads what a text says of units and ranges of a graph's values, as documents that were checked. Fails, by
 * faults: as {@link checkUnits} does; `ranges/order`, `ranges/index`.
 */
export function readBeside(sources: Sources, graph: Graph, faults: Faults): Beside {
  const places = new Places(sources.header.place);
  const units = unitsOf(sources, places, faults);
  if (units !== undefined) faults.accept(checkUnits(units, graph), places);
  const ranges = rangesOf(sources, places, faults);
  if (ranges !== undefined) faults.accept(validateRanges(ranges), places);
  return { ...(units === undefined ? {} : { units }), ...(ranges === undefined ? {} : { ranges }) };
}

function unitsOf(sources: Sources, places: Places, faults: Faults): UnitsJson | undefined {
  const { header, clauses, measured, note } = sources;
  const inputs = measuresOf("/inputs", named(header.inputs), places);
  const environment = measuresOf("/environment", named(header.given), places);
  const nodes = measuresOf("/nodes", [...measured], places);
  const said = new Sayings(faults);
  for (const { head, words } of clauses) if (head.text === "base") said.say(head, words);
  const bases = said.texts("base", "/bases", places);
  const units = new Map<string, string>();
  for (const { head, assignments } of clauses) {
    if (head.text !== "unit") continue;
    if (assignments.length === 0)
      faults.add("text/clause", head.place, "unit defines nothing.", "write unit knot = 0.514 m/s");
    for (const { name, value } of assignments) {
      places.add(pointerTo("/units", name.text), value.place);
      if (units.has(name.text))
        faults.add("text/twice", name.place, "this unit is defined already.", "define it once");
      units.set(name.text, value.kind === "word" || value.kind === "quoted" ? value.text : "");
    }
  }
  if (bases.length + units.size === 0 && [inputs, environment, nodes].every((one) => one === undefined))
    return undefined;
  return {
    format: "adjudge.units.v1",
    ...(note === undefined ? {} : { note }),
    ...(bases.length === 0 ? {} : { bases }),
    ...(units.size === 0 ? {} : { units: Object.fromEntries(units) }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(environment === undefined ? {} : { environment }),
    ...(nodes === undefined ? {} : { nodes }),
  };
}

function named(all: readonly Declaration[]): readonly (readonly [string, Declaration])[] {
  return all.map((one) => [one.name.text, one]);
}

function measuresOf(
  section: string,
  all: readonly (readonly [key: string | number, of: Measure & { readonly place: Place }])[],
  places: Places,
): Readonly<Record<string, MeasureJson>> | undefined {
  const entries = all.flatMap(([key, { unit, along, place }]): [string, MeasureJson][] => {
    if (unit === undefined && along === undefined) return [];
    const pointer = pointerTo(section, key);
    places.add(pointer, unit?.place ?? along?.[0]?.place ?? place);
    for (const [i, axis] of (along ?? []).entries()) addAxis(axis, pointerTo(`${pointer}/along`, i), places);
    if (along === undefined) return [[`${key}`, unit?.text ?? ""]];
    const texts = (words: readonly Word[]): readonly string[] => words.map(({ text }) => text);
    const axes = along.map(({ axis, units }) => ({ axis: Number(axis), units: texts(units) }));
    return [[`${key}`, { ...(unit === undefined ? {} : { unit: unit.text }), along: axes }]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function addAxis({ units, place }: MixedAxis, pointer: string, places: Places): void {
  places.add(pointer, place);
  for (const [i, word] of units.entries()) places.add(pointerTo(`${pointer}/units`, i), word.place);
}

function rangesOf({ header, note }: Sources, places: Places, faults: Faults): RangesJson | undefined {
  const section = (pointer: string, all: readonly Declaration[]): [string, RangeJson][] =>
    all.flatMap((one): [string, RangeJson][] => {
      const range = rangeOf(one, faults);
      places.add(pointerTo(pointer, one.name.text), one.range?.[0].place ?? one.place);
      return range === undefined ? [] : [[one.name.text, range]];
    });
  const inputs = section("/inputs", header.inputs);
  const environment = section("/environment", header.given);
  if (inputs.length + environment.length === 0) return undefined;
  return {
    format: "adjudge.ranges.v1",
    ...(note === undefined ? {} : { note }),
    ...(inputs.length === 0 ? {} : { inputs: Object.fromEntries(inputs) }),
    ...(environment.length === 0 ? {} : { environment: Object.fromEntries(environment) }),
  };
}

function rangeOf({ range, isIndex }: Declaration, faults: Faults): RangeJson | undefined {
  if (range === undefined) return undefined;
  const [first, last] = range;
  const [low, high] = [attributeOf(first, faults), attributeOf(last, faults)];
  if (typeof low !== "number" || typeof high !== "number") return undefined;
  if (isIndex) faults.add("ranges/index", first.place, "indices have no range.", "leave the range out");
  else if (low > high)
    faults.add("ranges/order", first.place, `${low} is greater than ${high}.`, "write least..greatest");
  return [low, high];
}
