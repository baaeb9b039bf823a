import type { Case } from "../../oracle/case/index.ts";
import { drawnPoint } from "../../oracle/functions/index.ts";
import { checkFunctionQuestion, type FunctionQuestion } from "../../spec/documents/index.ts";
import { expandedIndexLimitsOf } from "../../spec/expansion/index.ts";
import { type Graph, idCount } from "../../spec/graph/index.ts";
import { fail, type Issue, nearestName, ok, quote, type Result, sizeOf } from "../../spec/shapes/index.ts";
import { readJson } from "../files/files.ts";
import { graphIn } from "./given_graph.ts";

/** Points are drawn for the graph of a file: so many, from a seed, where another file says. */
export interface DrawnPoints {
  readonly file: string;
  readonly seed: number;
  readonly domain?: string;
  /** The numbers of the points. */
  readonly first: number;
  readonly count: number;
}

/** A case at a point that was drawn has its name. */
interface PointCase {
  readonly file: string;
  readonly case: Case;
}

/** Names points so that a path tells how they are drawn: `g.adj point 3 of seed 1 in domain.json`. */
export function pathOfPoints({ file, seed, domain, first, count }: DrawnPoints): string {
  const which = count === 1 ? `point ${first}` : `points ${first}-${first + count - 1}`;
  return `${file} ${which} of seed ${seed}${domain === undefined ? "" : ` in ${domain}`}`;
}

/** Returns the points that a path names; `undefined` if it names none. */
export function pointsOfPath(path: string): DrawnPoints | undefined {
  const found = /^(.+) points? ([0-9]{1,9})(?:-([0-9]{1,9}))? of seed ([0-9]{1,15})(?: in (.+))?$/.exec(path);
  const [, file, from, to = from, seed, domain] = found ?? [];
  if (file === undefined) return undefined;
  const first = Number(from);
  const count = Number(to) - first + 1;
  if (count < 1) return undefined;
  return { file, seed: Number(seed), first, count, ...(domain === undefined ? {} : { domain }) };
}

/**
 * Draws points for the graph of a file, each with cotangents of all that nothing reads. Entries of Δ are
 * drawn too: indices below what they index. Fails: as reading and checking do; `question/domain`.
 */
export async function drawnCases(points: DrawnPoints): Promise<Result<PointCase[], Issue[]>> {
  const graph = await graphIn(points.file);
  if (!graph.ok) return graph;
  const domain = points.domain === undefined ? ok({}) : await readJson(points.domain);
  if (!domain.ok) return domain;
  const question = questionAbout(graph.value, domain.value, points);
  if (!question.ok) return question;
  const cases = Array.from({ length: points.count }, (_, i): PointCase => {
    const first = points.first + i;
    const file = pathOfPoints({ ...points, first, count: 1 });
    return { file, case: drawnPoint(question.value, first) };
  });
  return ok(cases);
}

function questionAbout(
  graph: Graph,
  domain: unknown,
  { seed, domain: file = "" }: DrawnPoints,
): Result<FunctionQuestion, Issue[]> {
  const { inputs, environment } = graph;
  const names = [...inputs, ...environment].map(({ name }) => name);
  if (typeof domain !== "object" || domain === null || Array.isArray(domain)) {
    const message = `${file} has no ranges.`;
    const hint = `write an object by name, such as {"${names[0] ?? "x"}": {"low": 0, "high": 1}}`;
    return fail([{ code: "question/domain", pointer: "", message, hint }]);
  }
  const ranges = new Map<string, unknown>(Object.entries(domain));
  const foreign = [...ranges.keys()].filter((name) => !names.includes(name));
  if (foreign.length > 0) return fail(foreign.map((name) => foreignName(name, names)));
  const limits = expandedIndexLimitsOf(graph);
  const entries = environment.map(({ name, kind }) => {
    const integers = Math.max(1, Math.min(...(limits.get(name) ?? [1])));
    return [name, ranges.get(name) ?? (kind === "index" ? { integers } : {})] as const;
  });
  const read = new Set(graph.nodes.flatMap(({ parents }) => parents));
  const ids = Array.from({ length: idCount(graph) }, (_, id) => id);
  const zeros = environment.map(
    ({ name, shape }) => [name, { shape, data: Array(sizeOf(shape)).fill(0) }] as const,
  );
  return checkFunctionQuestion({
    format: "adjudge.question.v1",
    name: "points",
    graph,
    outputs: ids.filter((id) => !([...read] as readonly number[]).includes(id)),
    environment: Object.fromEntries(zeros),
    modes: ["evaluate"],
    dtype: "float64",
    points: 0,
    seed,
    domain: {
      inputs: inputs.map(({ name }) => ranges.get(name) ?? {}),
      environment: Object.fromEntries(entries),
    },
  });
}

function foreignName(name: string, names: readonly string[]): Issue {
  const near = nearestName(name, names);
  const hint = near === undefined ? `it has ${names.map(quote).join(", ")}` : `did you mean ${quote(near)}?`;
  return { code: "question/domain", pointer: "", message: `the graph has no ${quote(name)}.`, hint };
}
