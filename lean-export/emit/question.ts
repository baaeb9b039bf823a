import { type RunTexts, rational } from "../../reference/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { type Issue, pointerTo, quote } from "../../spec/shapes/index.ts";
import type { MeasuredGraph } from "../../spec/units/index.ts";
import { type ExactTensorJson, parseFloat64, sha256, type TraceJson } from "../../spec/wire/index.ts";
import { arithmeticOf } from "./arithmetic.ts";
import { scalarsByName } from "./scalars.ts";

/** A trace answers this: a graph, and the numbers that a run of it begins with. */
export interface AskedQuestion {
  readonly graph: Graph;
  readonly texts: RunTexts;
  /** A trace has been asked for by a trace: its algebra and its numbers are meant too. */
  readonly recorded?: Pick<TraceJson, "algebra" | "values" | "cotangents">;
}

/** Asks for the run of a trace, and no other. */
export function questionOfTrace({
  graph,
  point,
  seeds,
  algebra,
  values,
  cotangents,
}: TraceJson): AskedQuestion {
  const texts: RunTexts = {
    inputs: point.inputs.map(({ data }) => data),
    environment: new Map(Object.entries(point.environment).map(([name, { data }]) => [name, data])),
    seeds: new Map(seeds.map(({ id, cotangent }) => [id, cotangent.data])),
  };
  return { graph, texts, recorded: { algebra, values, cotangents } };
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

/** The hash that a certificate carries, of a graph and what its values are declared to be measured in. */
export function measuredHash({ graph, declarations }: MeasuredGraph): string {
  return hash([graph, declarations]);
}

/** SHA-256 of a document, however the keys of its objects are ordered. */
function hash(document: unknown): string {
  return sha256(JSON.stringify(sorted(document)));
}

function sorted(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Map) return sorted(Object.fromEntries(value));
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
 * Finds where a trace is a run of none of the questions, such as the calls of a session: the issues with the
 * first. Fails: `trace/against`.
 */
export function againstAny<Answer>(
  answer: Answer,
  questions: readonly AskedQuestion[],
  issuesOf: (answer: Answer, question: AskedQuestion) => readonly Issue[],
): readonly Issue[] {
  const all = questions.map((question) => issuesOf(answer, question));
  return all.find((issues) => issues.length === 0) ?? all[0] ?? [];
}

/**
 * Finds where a trace is a run of something else than a question: of another graph (composites written out),
 * other numbers or other seeds; in another algebra, or with other results, if a trace asks. Numbers are
 * compared in the trace's algebra. Fails: `trace/against`.
 */
export function againstIssues(
  trace: TraceJson,
  { graph: original, texts, recorded }: AskedQuestion,
): Issue[] {
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
    ...(recorded === undefined ? [] : recordedIssues(trace, recorded)),
  ];
  return issues.slice(0, MAXIMUM_SHOWN);
}

function recordedIssues(trace: TraceJson, recorded: NonNullable<AskedQuestion["recorded"]>): Issue[] {
  const { algebra } = recorded;
  if (trace.algebra !== algebra) return [other("/algebra", `algebra ${quote(trace.algebra)}`)];
  return (["values", "cotangents"] as const).flatMap((part) =>
    trace[part].flatMap(({ data }, id) =>
      isSameList(canonical(algebra, data), canonical(algebra, recorded[part][id]?.data ?? []))
        ? []
        : [other(`/${part}/${id}`, `${part.slice(0, -1)} of ${id}`)],
    ),
  );
}

export function isSameList(found: readonly unknown[] | undefined, wanted: readonly unknown[]): boolean {
  return found?.length === wanted.length && wanted.every((one, place) => Object.is(one, found[place]));
}

/** Reads an index as a number is read, in any of its spellings; a text that is none is only itself. */
export function indexIn(text: string): number | string {
  const index = parseFloat64(text);
  return index === undefined || Number.isNaN(index) ? text : index;
}

/** Enough issues to see what is wrong. */
export const MAXIMUM_SHOWN = 20;

function graphIssues(found: Graph, wanted: Graph): Issue[] {
  const parts = ["inputs", "environment", "nodes"] as const;
  return parts
    .filter((part) => hash(found[part]) !== hash(wanted[part]))
    .map((part) => other(`/graph/${part}`, `list of ${part}`));
}

/** Returns the issue of a part that is another than was asked. */
function other(pointer: string, what: string): Issue {
  return {
    code: "trace/against",
    pointer,
    message: `the ${what} is not the one that was asked.`,
    hint: "record a trace of the case: adjudge run CASE --trace TRACE",
  };
}

/** Returns numbers as an algebra has them, each as a text; what it cannot read stays as it is written. */
export function canonical(algebra: string, texts: readonly string[]): readonly string[] {
  const scalars = scalarsByName.get(algebra);
  const arithmetic = arithmeticOf(algebra);
  return texts.map((text) => {
    const number = arithmetic === undefined ? scalars?.read(text) : arithmetic.nearest(text);
    return number === undefined ? text : rational.format(number);
  });
}
