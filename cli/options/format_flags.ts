import {
  type Box,
  boxOf,
  boxRound,
  bundledTargets,
  checkTarget,
  type FormatsAsked,
  type GivenRanges,
  givenRanges,
  rangesOfBox,
  type Target,
} from "../../oracle/representations/index.ts";
import { checkQuestion, isQuestion } from "../../spec/documents/index.ts";
import {
  type RangesJson,
  type StatisticsJson,
  validateRanges,
  validateStatistics,
} from "../../spec/explained/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";
import { readJson } from "../files/files.ts";

/** The words behind flags that say what values are, and what is asked of their formats. */
export interface FormatFlags {
  readonly ranges?: string;
  readonly within?: number;
  readonly digits?: number;
  readonly targets?: readonly string[];
  readonly plot?: string;
  readonly rate?: number;
  readonly calls?: number;
  readonly statistics?: string;
  readonly share?: number;
}

/** Results keep so many digits unless another number is asked for. */
export const usualDigits = 3;

/**
 * Returns the box of the ranges of a file, one around the point of a case, or that of the graph's `own`
 * ranges. Fails: as reading and checking do; `flag/inapplicable` where there is neither.
 */
export async function boxAsked(
  json: unknown,
  graph: Graph,
  { ranges, within }: Pick<FormatFlags, "ranges" | "within">,
  own?: RangesJson,
): Promise<Result<Box, Issue[]>> {
  if (ranges !== undefined) return rangesIn(ranges, graph, within);
  if (own !== undefined && within === undefined) return boxOf(graph, own);
  return pointOf(json, graph, within ?? 0);
}

/**
 * Returns the question about formats: for a box, or for what statistics say was seen.
 * Fails: as reading and checking do; `flag/inapplicable`, `explain/target`.
 */
export async function formatsAsked(
  json: unknown,
  graph: Graph,
  flags: FormatFlags,
  own?: RangesJson,
): Promise<Result<Pick<FormatsAsked, "box" | "digits" | "targets" | "step" | "statistics">, Issue[]>> {
  if (flags.calls !== undefined && flags.rate === undefined) return fail([withoutRate]);
  if (flags.share !== undefined && flags.statistics === undefined) return fail([withoutStatistics]);
  const { digits = usualDigits, share = 1 } = flags;
  const seen = flags.statistics === undefined ? ok(undefined) : await statisticsIn(flags.statistics, flags);
  if (!seen.ok) return seen;
  const box = seen.value === undefined ? await boxAsked(json, graph, flags, own) : boxSeen(graph, seen.value);
  if (!box.ok) return box;
  const statistics = seen.value === undefined ? {} : { statistics: { json: seen.value, share } };
  const targets = await targetsAsked(flags);
  if (!targets.ok) return targets;
  const step = flags.rate === undefined ? {} : { step: { rate: flags.rate, calls: flags.calls ?? 1 } };
  return ok({ box: box.value, digits, targets: targets.value, ...step, ...statistics });
}

/** Returns the targets that are named, or all that come with adjudge. */
export async function targetsAsked({
  targets = [...bundledTargets.keys()],
}: Pick<FormatFlags, "targets">): Promise<Result<Target[], Issue[]>> {
  const found = await Promise.all(targets.map(targetNamed));
  const issues = found.flatMap((target) => (target.ok ? [] : target.error));
  return issues.length > 0 ? fail(issues) : ok(found.flatMap((target) => (target.ok ? [target.value] : [])));
}

/**
 * Returns the ranges of what is given, one for all elements of a name: from a file, around a case's point,
 * or the graph's `own`. `undefined` where there are none.
 * Fails: as reading and checking do, `flag/inapplicable`.
 */
export async function rangesAsked(
  json: unknown,
  graph: Graph,
  { ranges, within }: Pick<FormatFlags, "ranges" | "within">,
  own?: RangesJson,
): Promise<Result<GivenRanges | undefined, Issue[]>> {
  if (ranges !== undefined) {
    const said = await rangesFile(ranges, within);
    return said.ok ? givenRanges(graph, said.value) : said;
  }
  if (within === undefined) return own === undefined ? ok(undefined) : givenRanges(graph, own);
  const box = pointOf(json, graph, within);
  return box.ok ? ok(rangesOfBox(box.value)) : box;
}

function pointOf(json: unknown, graph: Graph, within: number): Result<Box, Issue[]> {
  const checked = isQuestion(json) ? checkQuestion(json) : fail([noPoint]);
  return checked.ok ? ok(boxRound(checked.value.case.point, graph, within)) : checked;
}

async function statisticsIn(
  file: string,
  { ranges, within }: FormatFlags,
): Promise<Result<StatisticsJson, Issue[]>> {
  if (ranges !== undefined || within !== undefined) return fail([seenAndSaid]);
  const json = await readJson(file);
  return json.ok ? validateStatistics(json.value) : json;
}

/** Makes the box of what inputs and entries of Δ were. */
function boxSeen(graph: Graph, { runs, environment }: StatisticsJson): Result<Box, Issue[]> {
  const inputs = graph.inputs.flatMap(({ name }, id) => {
    const range = runs[0]?.values[id]?.range;
    return range === undefined ? [] : [[name, range] as const];
  });
  return boxOf(graph, { format: "adjudge.ranges.v1", inputs: Object.fromEntries(inputs), environment });
}

async function rangesIn(
  file: string,
  graph: Graph,
  within: number | undefined,
): Promise<Result<Box, Issue[]>> {
  const said = await rangesFile(file, within);
  return said.ok ? boxOf(graph, said.value) : said;
}

async function rangesFile(file: string, within: number | undefined): Promise<Result<RangesJson, Issue[]>> {
  if (within !== undefined) return fail([twoBoxes]);
  const json = await readJson(file);
  return json.ok ? validateRanges(json.value) : json;
}

/** Returns a bundled target by its name, or the one that a file describes. */
async function targetNamed(name: string): Promise<Result<Target, Issue[]>> {
  const known = bundledTargets.get(name);
  if (known !== undefined) return ok(known);
  if (!name.endsWith(".json")) return fail([noTarget(name)]);
  const json = await readJson(name);
  return json.ok ? checkTarget(json.value) : json;
}

const withoutRate: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--calls is of a step, and there is no --rate.",
  hint: "give --rate too",
};

const withoutStatistics: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--share is a part of what statistics have, and there is no --statistics.",
  hint: "give --statistics too",
};

const seenAndSaid: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--statistics has what was seen, and --ranges or --within says something else.",
  hint: "give one of them",
};

const noPoint: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "nothing says between which numbers what is given lies.",
  hint: "give --ranges FILE (adjudge.ranges.v1), or a case, with --within 0.1 for a box around its point",
};

const twoBoxes: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--within is of the point of a case, and --ranges is given.",
  hint: "give one of them",
};

function noTarget(name: string): Issue {
  const near = nearestName(name, [...bundledTargets.keys()]);
  return {
    code: "explain/target",
    pointer: "/targets",
    message: `there is no target ${quote(name)}.`,
    hint:
      near === undefined
        ? `there are ${[...bundledTargets.keys()].join(", ")}, and files that end in .json`
        : `did you mean ${quote(near)}?`,
  };
}
