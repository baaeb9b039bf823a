import { type Command, Option } from "commander";
import {
  lifetimesJson,
  type PlanName,
  planNames,
  type ShownLifetimes,
  showLifetimes,
  storageOf,
} from "../../conformance/index.ts";
import { lifetimes } from "../../reference/index.ts";
import {
  at,
  type DataType,
  dataTypes,
  expand,
  type Graph,
  type Issue,
  isPrimitiveGraph,
  ok,
  type Result,
  visibleJson,
} from "../../spec/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { graphIn } from "../given_graph.ts";
import { askedIds, type IdFlags } from "../given_ids.ts";
import { report } from "../options.ts";
import type { Terminal } from "../terminal.ts";

interface LifetimesFlags extends IdFlags {
  readonly dtype: DataType;
  readonly plan: PlanName;
  readonly countGiven?: boolean;
  readonly json?: boolean;
}

const description = `Prints from when to when a run needs each of its values, forward and back, and how much room they take: each
value with its intervals and the cotangent rules that it is kept for, a chart, the lower bound, and what plans take.
FILE is a graph, a case or a vector; composites are written out first. docs/lifetimes.md says more.`;

/** `adjudge lifetimes FILE`: when each value of a run is needed, and plans of their storage. */
export function lifetimesCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("lifetimes")
    .summary("print how long a run needs its values, and the room they take")
    .description(description)
    .argument("<file>", "a graph, a case or a vector, or - for standard input")
    .option("--of <ids...>", "the results, whose cotangents are given, by id; default: the last id")
    .option("--wrt <ids...>", "whose cotangents are wanted: ids, or names of inputs; default: all inputs")
    .addOption(new Option("--dtype <precision>", "what an element is").choices(dataTypes).default("float64"))
    .addOption(
      new Option("--plan <way>", "whose places are shown: best fit in order of time or size, or the optimum")
        .choices(planNames)
        .default("best-fit"),
    )
    .option("--count-given", "count inputs and Δ too")
    .option("--json", "print everything as JSON")
    .action(async (file: string, flags: LifetimesFlags) => end(await run(file, flags, terminal)));
}

async function run(file: string, flags: LifetimesFlags, terminal: Terminal): Promise<ExitCode> {
  const graph = await graphIn(file);
  const found = graph.ok ? plannedRun(graph.value, flags) : graph;
  if (!found.ok) {
    report(terminal, found.error);
    return exitCodes.badInput;
  }
  const { lifetimes: lives, storage, dtype } = found.value;
  if (graph.ok && !isPrimitiveGraph(graph.value)) terminal.note(writtenOut);
  if (flags.json === true) terminal.out(visibleJson(lifetimesJson(lives, storage, dtype)));
  else for (const line of showLifetimes(found.value)) terminal.out(line);
  return exitCodes.agrees;
}

const writtenOut = "Composites are written out: ids are those of adjudge show --expand.";

function plannedRun(written: Graph, flags: LifetimesFlags): Result<ShownLifetimes, Issue[]> {
  const asked = askedIds(written, flags, "lifetimes");
  if (!asked.ok) return asked;
  const { graph, ids } = expand(written);
  const wanted = {
    of: asked.value.of.map((id) => at(ids, id)),
    wrt: asked.value.wrt.map((id) => at(ids, id)),
  };
  const countsGiven = flags.countGiven === true;
  const lives = lifetimes(graph, wanted, { countsGiven });
  if (!lives.ok) return lives;
  const storage = storageOf(lives.value, flags.plan);
  if (!storage.ok) return storage;
  return ok({ graph, lifetimes: lives.value, storage: storage.value, dtype: flags.dtype, countsGiven });
}
