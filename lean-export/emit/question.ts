import { type RunTexts, rational } from "../../reference/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { type Issue, pointerTo } from "../../spec/shapes/index.ts";
import { type ExactTensorJson, parseFloat64, sha256, type TraceJson } from "../../spec/wire/index.ts";
import { arithmeticOf } from "./arithmetic.ts";
import { scalarsByName } from "./scalars.ts";

/** A trace answers this: a graph, and the numbers that a run of it begins with. */
export interface AskedQuestion {
  readonly graph: Graph;
  readonly texts: RunTexts;
}

type Hashes = NonNullable<TraceJson["hashes"]>;

/**
 * The hashes that a trace carries: of its graph; of graph, point and seeds; and of what computed it. They
 * tell whether one of these was changed. {@link againstIssues} tells whether it answers somebody's question.
 */
export function hashesOf({ graph, point, seeds, algebra, form }: Omit<TraceJson, "hashes">): Hashes {
  return {
    graph: hash(graph),
    case: hash([graph, point, seeds]),
    engine: hash({ name: "adjudge reference", algebra, form }),
  };
}

/** SHA-256 of a document, however the keys of its objects are ordered. */
function hash(document: unknown): string {
  return sha256(JSON.stringify(sorted(document)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, entry]) => [key, sorted(entry)]);
}

/** Checks that a trace's hashes are those of its own graph, case and engine. Fails: `trace/hash`. */
export function hashIssues(trace: TraceJson): Issue[] {
  const { hashes } = trace;
  if (hashes === undefined) return [];
  const own = hashesOf(trace);
  const parts = ["graph", "case", "engine"] as const;
  return parts
    .filter((part) => hashes[part] !== own[part])
    .map((part) => ({
      code: "trace/hash",
      pointer: `/hashes/${part}`,
      message: `the trace was recorded of another ${part}.`,
      hint: "record it again with adjudge run CASE --trace TRACE",
    }));
}

/**
 * Finds where a trace is a run of something else than a question: of another graph (composites written out),
 * other numbers or other seeds. Numbers are compared in the trace's algebra. Fails: `trace/against`.
 */
export function againstIssues(trace: TraceJson, { graph: original, texts }: AskedQuestion): Issue[] {
  const { graph, ids } = expand(original);
  const { point, seeds, algebra } = trace;
  const isSame = (tensor: ExactTensorJson | undefined, wanted: readonly string[] = []): boolean =>
    tensor !== undefined && isSameList(canonical(algebra, tensor.data), canonical(algebra, wanted));
  const isReal = new Set(graph.environment.flatMap(({ name, kind }) => (kind === "real" ? [name] : [])));
  const wantedSeeds = new Map([...texts.seeds].map(([id, numbers]) => [Number(ids[id] ?? id), numbers]));
  const issues = [
    ...graphIssues(trace.graph, graph),
    ...graph.inputs.flatMap(({ name }, id) =>
      isSame(point.inputs[id], texts.inputs[id]) ? [] : [other(`/point/inputs/${id}`, `input ${name}`)],
    ),
    ...graph.environment.flatMap(({ name }) => {
      const tensor = Object.hasOwn(point.environment, name) ? point.environment[name] : undefined;
      const wanted = texts.environment.get(name);
      const isEntry = isReal.has(name)
        ? isSame(tensor, wanted)
        : isSameList(tensor?.data.map(indexIn), (wanted ?? []).map(indexIn));
      return isEntry ? [] : [other(pointerTo("/point/environment", name), `entry ${name} of Δ`)];
    }),
    ...seeds.flatMap(({ id, cotangent }, index) =>
      isSame(cotangent, wantedSeeds.get(id)) ? [] : [other(`/seeds/${index}`, `seed of ${id}`)],
    ),
    ...[...wantedSeeds.keys()]
      .filter((id) => !seeds.some((seed) => seed.id === id))
      .map((id) => other("/seeds", `seed of ${id}`)),
  ];
  return issues.slice(0, MAXIMUM_SHOWN);
}

function isSameList(found: readonly unknown[] | undefined, wanted: readonly unknown[]): boolean {
  return found?.length === wanted.length && wanted.every((one, place) => Object.is(one, found[place]));
}

/** Reads an index as a number is read, in any of its spellings; a text that is none is only itself. */
function indexIn(text: string): number | string {
  const index = parseFloat64(text);
  return index === undefined || Number.isNaN(index) ? text : index;
}

/** Enough issues to see what is wrong. */
const MAXIMUM_SHOWN = 20;

function graphIssues(found: Graph, wanted: Graph): Issue[] {
  const parts = ["inputs", "environment", "nodes"] as const;
  return parts
    .filter((part) => hash(found[part]) !== hash(wanted[part]))
    .map((part) => other(`/graph/${part}`, `list of ${part}`));
}

function other(pointer: string, what: string): Issue {
  return {
    code: "trace/against",
    pointer,
    message: `the ${what} is not the one that was asked.`,
    hint: "record a trace of the case: adjudge run CASE --trace TRACE",
  };
}

/** Returns numbers as an algebra has them, each as a text; what it cannot read stays as it is written. */
function canonical(algebra: string, texts: readonly string[]): readonly string[] {
  const scalars = scalarsByName.get(algebra);
  const arithmetic = arithmeticOf(algebra);
  return texts.map((text) => {
    const number = arithmetic === undefined ? scalars?.read(text) : arithmetic.nearest(text);
    return number === undefined ? text : rational.format(number);
  });
}
