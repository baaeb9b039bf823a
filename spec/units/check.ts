import { embeddedGraph, validateEmbedding } from "../documents/index.ts";
import { shapesOf } from "../expansion/index.ts";
import { type Graph, idCount } from "../graph/index.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import {
  fail,
  formatShape,
  type Issue,
  issuesWithin,
  MAXIMUM_ISSUES,
  type NodeId,
  nearestName,
  nodeId,
  ok,
  pointerTo,
  quote,
  type Result,
  type Shape,
} from "../shapes/index.ts";
import type { MeasureJson, UnitsJson } from "../wire/index.ts";
import type { Declaration, Declarations, Measure, Measured, MixedAxis } from "./declarations.ts";
import { baseDimension, dimensionless } from "./dimension.ts";
import { siBases } from "./names.ts";
import { parseUnit, type UnitNames, withKnownUnits } from "./parse.ts";
import { isSameUnit, one, type Unit } from "./unit.ts";

const readUnits: Validator<UnitsJson & { readonly graph: Graph }> = outlineOf("units.schema.json");
const readSymbol: Validator<string> = outlineOf("units.schema.json#/$defs/symbol");

/** A graph, and what is declared of its values. */
export interface MeasuredGraph {
  readonly graph: Graph;
  readonly declarations: Declarations;
}

/** Says whether a document declares the format of units. */
export function isUnits(json: unknown): json is { readonly format: "adjudge.units.v1" } {
  return typeof json === "object" && json !== null && "format" in json && json.format === "adjudge.units.v1";
}

/**
 * Reads what `json` declares of the values of `graph`, or of the graph within it, which may not stand in both
 * places. Fails: `schema/…`, what `checkGraph` finds, `units/graph`, `units/syntax`, `units/exponent`,
 * `units/unknown`, `units/multiple`, `units/factor`, `units/name`, `units/name-twice`, `units/id`,
 * `units/index`, `units/axis`, `units/length`, `units/contradiction`.  Cost: linear in the document and in
 * the expansion of the graph.
 */
export function checkUnits(json: unknown, graph?: Graph): Result<MeasuredGraph, Issue[]> {
  const valid = validateEmbedding(json, readUnits, embeddedGraph);
  if (!valid.ok) return valid;
  const own = valid.value.graph;
  const isEmbedded = typeof json === "object" && json !== null && Object.hasOwn(json, "graph");
  const subject = isEmbedded ? own : graph;
  if (subject === undefined || (isEmbedded && graph !== undefined)) return fail([oneGraph(isEmbedded)]);
  const names = namesOf(valid.value);
  if (!names.ok) return names;
  const declared = declarationsOf(valid.value, subject, names.value);
  const bases = valid.value.bases ?? siBases;
  return declared.ok ? ok({ graph: subject, declarations: { bases, declared: declared.value } }) : declared;
}

function oneGraph(isEmbedded: boolean): Issue {
  return {
    code: "units/graph",
    pointer: isEmbedded ? "/graph" : "",
    message: isEmbedded ? "there is a graph beside it already." : "there is no graph to measure.",
    hint: "give the units beside a graph file, or with the graph under graph",
  };
}

/** Collects the names: bases, the document's units, and free names of the SI whose bases exist. */
function namesOf({ bases = siBases, units = {} }: UnitsJson): Result<UnitNames, Issue[]> {
  const names = new Map<string, Unit>();
  const issues: Issue[] = [];
  for (const [place, base] of bases.entries()) {
    if (names.has(base)) issues.push(nameTwice(base, pointerTo("/bases", place)));
    names.set(base, { dimension: baseDimension(base), scale: dimensionless });
  }
  for (const [name, text] of Object.entries(units)) {
    const pointer = pointerTo("/units", name);
    const symbol = readSymbol(name, pointer);
    const unit = parseUnit(text, names);
    if (!symbol.ok) issues.push(...symbol.error);
    if (names.has(name)) issues.push(nameTwice(name, pointer));
    if (unit.ok) names.set(name, unit.value);
    else issues.push({ ...unit.error, pointer });
  }
  return issues.length === 0 ? ok(withKnownUnits(names)) : fail(issues.slice(0, MAXIMUM_ISSUES));
}

function nameTwice(name: string, pointer: string): Issue {
  return {
    code: "units/name-twice",
    pointer,
    message: `the name ${quote(name)} is taken by an earlier base or unit.`,
    hint: "names are unique across bases and units",
  };
}

/** A declaration before its measure is read. */
interface Written {
  readonly of: Measured;
  readonly shape: Shape;
}

function declarationsOf(
  { inputs = {}, environment = {}, nodes = {} }: UnitsJson,
  graph: Graph,
  names: UnitNames,
): Result<Declaration[], Issue[]> {
  const issues: Issue[] = [];
  const declared: Declaration[] = [];
  const sections: readonly [string, Readonly<Record<string, MeasureJson>>, (name: string) => Found][] = [
    ["/inputs", inputs, inputFinder(graph)],
    ["/environment", environment, entryFinder(graph)],
    ["/nodes", nodes, idFinder(graph)],
  ];
  for (const [section, measures, find] of sections) {
    for (const [name, json] of Object.entries(measures)) {
      if (issues.length >= MAXIMUM_ISSUES) return fail(issues.slice(0, MAXIMUM_ISSUES));
      const pointer = pointerTo(section, name);
      const place = find(name);
      if (!place.ok) {
        issues.push({ ...place.error, pointer });
        continue;
      }
      const measure = measureOf(json, place.value.shape, names);
      if (measure.ok) declared.push({ of: place.value.of, measure: measure.value, pointer });
      else issues.push(...issuesWithin(pointer, measure.error));
    }
  }
  issues.push(...contradictions(declared));
  return issues.length === 0 ? ok(declared) : fail(issues.slice(0, MAXIMUM_ISSUES));
}

type Found = Result<Written, Omit<Issue, "pointer">>;

function unknownName(what: string, name: string, names: readonly string[]): Found {
  const near = nearestName(name, names);
  return fail({
    code: "units/name",
    message: `the graph has no ${what} ${quote(name)}.`,
    hint:
      near === undefined
        ? `it has ${names.slice(0, 40).map(quote).join(", ") || "none"}`
        : `did you mean ${quote(near)}?`,
  });
}

function inputFinder({ inputs }: Graph): (name: string) => Found {
  const places = new Map(inputs.map(({ name }, place) => [name, nodeId(place)]));
  return (name) => {
    const id = places.get(name);
    if (id === undefined) return unknownName("input", name, [...places.keys()]);
    return ok({ of: { kind: "id", id }, shape: inputs[id]?.shape ?? [] });
  };
}

function entryFinder({ environment }: Graph): (name: string) => Found {
  const entries = new Map(environment.map((entry) => [entry.name, entry]));
  return (name) => {
    const entry = entries.get(name);
    if (entry === undefined) return unknownName("entry of the environment", name, [...entries.keys()]);
    if (entry.kind === "real") return ok({ of: { kind: "entry", name }, shape: entry.shape });
    return fail({
      code: "units/index",
      message: `the entry ${quote(name)} holds indices.`,
      hint: "indices are counted, not measured: leave the unit out",
    });
  };
}

function idFinder(graph: Graph): (name: string) => Found {
  const count = idCount(graph);
  return (name) => {
    const id = Number(name);
    if (/^(0|[1-9][0-9]*)$/.test(name) && id < count) {
      return ok({ of: { kind: "id", id: nodeId(id) }, shape: shapesOf(graph)[id] ?? [] });
    }
    return fail({
      code: "units/id",
      message: `${quote(name)} is no id of the graph, which has ${count}.`,
      hint: "ids count the inputs first, then the nodes, from 0",
    });
  };
}

function measureOf(json: MeasureJson, shape: Shape, names: UnitNames): Result<Measure, Issue[]> {
  if (typeof json === "string") {
    const unit = parseUnit(json, names);
    return unit.ok ? ok({ unit: unit.value, along: [] }) : fail([{ ...unit.error, pointer: "" }]);
  }
  const issues: Issue[] = [];
  const read = (text: string, pointer: string): Unit => {
    const unit = parseUnit(text, names);
    if (!unit.ok && issues.length < MAXIMUM_ISSUES) issues.push({ ...unit.error, pointer });
    return unit.ok ? unit.value : one;
  };
  const unit = json.unit === undefined ? one : read(json.unit, "/unit");
  const along: MixedAxis[] = [];
  for (const [place, { axis, units }] of json.along.entries()) {
    const pointer = pointerTo("/along", place);
    issues.push(...axisIssues(axis, units.length, shape, along, pointer));
    along.push({ axis, units: units.map((text, i) => read(text, pointerTo(`${pointer}/units`, i))) });
  }
  return issues.length === 0 ? ok({ unit, along }) : fail(issues);
}

function axisIssues(
  axis: number,
  count: number,
  shape: Shape,
  before: readonly MixedAxis[],
  pointer: string,
): Issue[] {
  const extent = shape[axis];
  if (extent === undefined || before.some((other) => other.axis === axis)) {
    const message =
      extent === undefined
        ? `there is no axis ${axis} in ${formatShape(shape)}.`
        : `the axis ${axis} is named twice.`;
    return [
      { code: "units/axis", pointer: `${pointer}/axis`, message, hint: "axes count from 0; name each once" },
    ];
  }
  if (extent === count) return [];
  return [
    {
      code: "units/length",
      pointer: `${pointer}/units`,
      message: `there are ${count} units, and axis ${axis} of ${formatShape(shape)} has extent ${extent}.`,
      hint: "give one unit for each place along the axis",
    },
  ];
}

/** An input may be named under inputs, and by its id under nodes: then both say the same. */
function contradictions(declared: readonly Declaration[]): Issue[] {
  const known = new Map<NodeId, Declaration>();
  return declared.flatMap((declaration) => {
    const { of, measure, pointer } = declaration;
    if (of.kind !== "id") return [];
    const before = known.get(of.id);
    known.set(of.id, declaration);
    if (before === undefined || isSameMeasure(before.measure, measure)) return [];
    return [
      {
        code: "units/contradiction",
        pointer,
        message: `it and ${before.pointer} give the same value, ${of.id}, different units.`,
        hint: "declare it once",
      },
    ];
  });
}

function isSameMeasure(x: Measure, y: Measure): boolean {
  const other = new Map(y.along.map(({ axis, units }) => [axis, units]));
  const isSame = (unit: Unit, twin: Unit | undefined): boolean =>
    twin !== undefined && isSameUnit(unit, twin);
  return (
    isSameUnit(x.unit, y.unit) &&
    x.along.length === y.along.length &&
    x.along.every(({ axis, units }) => units.every((unit, i) => isSame(unit, other.get(axis)?.[i])))
  );
}
