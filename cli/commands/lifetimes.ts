import { type Command, Option } from "commander";
import {
  lifetimesJson,
  type PlanName,
  planNames,
  type ShownLifetimes,
  showLifetimes,
  showStored,
  storageOf,
  storedJson,
} from "../../conformance/report/index.ts";
import { type StoredLocation, storedLocations } from "../../oracle/programs/index.ts";
import { lifetimes } from "../../reference/state/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import { isPrimitiveGraph } from "../../spec/graph/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import { at, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import { type DataType, dataTypes } from "../../spec/wire/index.ts";
import { type GivenRun, runIn } from "../given/given_graph.ts";
import { askedIds, type IdFlags } from "../given/given_ids.ts";
import { programCaseIn } from "../given/given_program.ts";
import { report } from "../options/options.ts";
import { storedTypes } from "../options/stored_flags.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface LifetimesFlags extends IdFlags {
  readonly dtype: DataType;
  readonly plan: PlanName;
  readonly countGiven?: boolean;
  readonly stored?: readonly string[];
  readonly json?: boolean;
}

const description = `Prints from when to when a run needs each of its values, forward and back, which
cotangent rules read it, a chart, and the memory that all take together: the lower
bound, and the peak of a plan. docs/lifetimes.md says more.

FILE is a graph, a case or a vector, or a program case, of which the run is
meant. Composites are written out first.`;

/** Adds `adjudge lifetimes FILE`, which tells when each value of a run is needed, and storage plans. */
export function lifetimesCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("lifetimes")
    .summary("print how long a run needs its values, and the room they take")
    .description(description)
    .argument("<file>", "a graph, a case, a vector or a program case, or - for standard input")
    .option(
      "--of <ids...>",
      "the results, whose cotangents are given, by id or name; default: the last id, or a program's results",
    )
    .option("--wrt <ids...>", "whose cotangents are wanted: ids or names; default: all inputs")
    .addOption(new Option("--dtype <precision>", "what an element is").choices(dataTypes).default("float64"))
    .addOption(
      new Option("--plan <way>", "whose places are shown: best fit in order of time or size, or the optimum")
        .choices(planNames)
        .default("best-fit"),
    )
    .option("--count-given", "count inputs and Δ too")
    .option(
      "--stored <name=type...>",
      "of a program: the types of persistent locations (float32, sym8, sym_int32 …); lists only the storage rule's faults",
    )
    .option("--json", "print everything as JSON (lifetimes.schema.json)")
    .action(async (file: string, flags: LifetimesFlags) =>
      end(await (flags.stored === undefined ? run : runStored)(file, flags, terminal)),
    );
}

async function run(file: string, flags: LifetimesFlags, terminal: Terminal): Promise<ExitCode> {
  const given = await runIn(file);
  const found = given.ok ? plannedRun(given.value, flags) : given;
  if (!found.ok) {
    report(terminal, found.error);
    return exitCodes.badInput;
  }
  if (given.ok && !isPrimitiveGraph(given.value.graph)) terminal.note(writtenOut);
  if (flags.json === true) terminal.out(visibleJson(lifetimesJson(found.value)));
  else for (const line of showLifetimes(found.value)) terminal.out(line);
  return exitCodes.agrees;
}

/** Applies the storage rule: what outlives its sweep must not be stored in a type to compute with. */
async function runStored(file: string, flags: LifetimesFlags, terminal: Terminal): Promise<ExitCode> {
  const found = await storedIn(file, flags.stored ?? []);
  if (!found.ok) {
    report(terminal, found.error);
    return exitCodes.badInput;
  }
  const { program, locations } = found.value;
  const isBroken = locations.some((location) => location.isBroken);
  if (flags.json === true) terminal.out(visibleJson({ locations: storedJson(program, locations) }));
  else for (const line of showStored(program, locations)) terminal.out(line);
  return isBroken ? exitCodes.disagrees : exitCodes.agrees;
}

interface Stored {
  readonly program: Program;
  readonly locations: readonly StoredLocation[];
}

async function storedIn(file: string, words: readonly string[]): Promise<Result<Stored, Issue[]>> {
  const question = await programCaseIn(file);
  if (!question.ok) return question;
  const { program } = question.value;
  const types = storedTypes(program, words);
  if (!types.ok) return types;
  const locations = storedLocations(question.value, types.value);
  return locations.ok ? ok({ program, locations: locations.value }) : locations;
}

const writtenOut = "Composites are written out: ids are those of adjudge show --expand.";

function plannedRun(
  { graph: written, ...known }: GivenRun,
  flags: LifetimesFlags,
): Result<ShownLifetimes, Issue[]> {
  const asked = askedIds(written, flags, "lifetimes", known);
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
