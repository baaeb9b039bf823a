import { statisticsOf } from "../../oracle/representations/index.ts";
import { overBudget } from "../../spec/expansion/index.ts";
import type { StatisticsJson } from "../../spec/explained/index.ts";
import { counted, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { oneDocumentIn } from "../files/documents.ts";
import { writeOutput } from "../files/files.ts";
import { graphOf } from "../given/given_graph.ts";
import { askedIds, type IdFlags } from "../given/given_ids.ts";
import { boxAsked, type FormatFlags } from "../options/format_flags.ts";
import { type BudgetFlags, budgetOf } from "../options/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The words behind the options of a training run. */
export interface StatisticsFlags
  extends IdFlags,
    BudgetFlags,
    Pick<FormatFlags, "ranges" | "within" | "rate" | "calls"> {
  readonly statistics: string;
  readonly seed?: number;
}

/** A training run makes this many calls, unless another number is asked for. */
const usualCalls = 100;

/**
 * Makes a training run of the graph in a file, writes what its values were, and says how many they are.
 * Fails: as reading and checking do; `flag/inapplicable` where nothing says what to draw; `budget/…`.
 */
export async function recordStatistics(
  file: string,
  flags: StatisticsFlags,
  terminal: Terminal,
): Promise<Result<void, Issue[]>> {
  const statistics = await recorded(file, flags);
  if (!statistics.ok) return statistics;
  const written = await writeOutput(flags.statistics, statistics.value);
  if (!written.ok) return written;
  const { calls, seed, rate, runs } = statistics.value;
  const step = rate === 0 ? "" : `, each followed by a step of ${rate} times the gradient`;
  terminal.out(`${counted(calls, "call")} of seed ${seed}${step}`);
  for (const { run, values } of runs) terminal.out(`  ${run}: ${counted(values.length, "value")}`);
  return ok(undefined);
}

async function recorded(file: string, flags: StatisticsFlags): Promise<Result<StatisticsJson, Issue[]>> {
  const document = await oneDocumentIn(file);
  if (!document.ok) return document;
  const { json, beside = {}, ...known } = document.value;
  const graph = graphOf(json);
  if (!graph.ok) return graph;
  const ids = askedIds(graph.value, flags, "run", known);
  if (!ids.ok) return ids;
  const excess = overBudget(graph.value, budgetOf(flags), 1);
  if (excess !== undefined) return fail([excess]);
  const box = await boxAsked(json, graph.value, flags, beside.ranges);
  if (!box.ok) return box;
  const { calls = usualCalls, rate = 0, seed = 0 } = flags;
  return statisticsOf(graph.value, { ...ids.value, box: box.value, calls, rate, seed });
}
