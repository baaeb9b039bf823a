import type { Command } from "commander";
import { explanationPage } from "../../conformance/report/formats/index.ts";
import { representationPlot, showExplanation } from "../../conformance/report/index.ts";
import { installedLean, type LeanChecker } from "../../lean-export/campaign/index.ts";
import { leanObstruction } from "../../lean-export/index.ts";
import { explain, MAXIMUM_SHEAF } from "../../oracle/diagnosis/index.ts";
import { representationsOf } from "../../oracle/representations/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { missingPeers } from "../../spec/peers.ts";
import { fail, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import {
  checkUnits,
  type Declarations,
  isUnits,
  type MeasuredGraph,
  siBases,
  undeclared,
} from "../../spec/units/index.ts";
import type { ExplanationJson, RangesJson } from "../../spec/wire/index.ts";
import { type GivenDocument, oneDocumentIn } from "../files/documents.ts";
import { readJson, writeText } from "../files/files.ts";
import { graphOf } from "../given/given_graph.ts";
import { askedIds, type IdFlags } from "../given/given_ids.ts";
import { callCount, type FormatFlags, formatsAsked, usualDigits } from "../options/format_flags.ts";
import { type MemoryFlags, memoryAsked } from "../options/memory_flags.ts";
import { positiveNumber, report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface ExplainFlags extends IdFlags, MemoryFlags, FormatFlags {
  readonly units?: string;
  readonly sheaf?: boolean;
  readonly memory?: boolean;
  readonly formats?: boolean;
  readonly json?: boolean;
  readonly html?: string;
  readonly recheck?: boolean;
  readonly lean?: string;
}

const description = `Tells what a graph says before it runs: what its inputs, results and gradients are
measured in, or why nothing fits. FILE is a graph, a case or a vector, or a file of
units (adjudge.units.v1) with its graph in it. Nothing is run, and nothing guessed;
what is refused comes with the equations that cannot all hold, and of which none can
be left out. docs/units.md says more.

With --recheck, others are asked whether that is so: the equations are added up anew, Z3
looks for dimensions that meet them, and that meet all but one, and Lean's kernel checks
the proof that --lean writes.

The exit code is 1 where dimensions or scales cannot agree, or a target cannot keep the
digits that --formats is asked for; 3 where Z3 or Lean cannot be asked; 70 where they do
not confirm it, which is a fault of adjudge.`;

/** Adds `adjudge explain FILE`, which says what the values of a graph are measured in. */
export function explainCommand(
  program: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
  checker: LeanChecker = installedLean,
): void {
  program
    .command("explain")
    .summary("tell what the values of a graph are measured in, or why nothing fits")
    .description(description)
    .argument("<file>", "a graph, a case, a vector or a file of units, or - for standard input")
    .option("-u, --units <file>", "what values are measured in (adjudge.units.v1)")
    .option("--of <ids...>", "the results, by id; default: the last id")
    .option("--wrt <ids...>", "whose gradients are told: ids, or names of inputs; default: all inputs")
    .option("--sheaf", `tell the equations as a sheaf too, if they are at most ${MAXIMUM_SHEAF}`)
    .option("--memory", "tell where values live, how long, and how much memory each mode asks for")
    .option("--mode <modes...>", "forward, tangents:K, reverse, checkpointed:SLOTS; with --memory")
    .option("--axis <name:axis>", "tell how memory grows with this axis of something given; with --memory")
    .option("--no-views", "count reshapes, slices and the like as values with storage of their own")
    .option("--formats", `tell in which formats values may be kept so that results keep their digits`)
    .option("--digits <number>", `how many; with --formats (default: ${usualDigits})`, positiveNumber)
    .option("--ranges <file>", "between which numbers lies what is given (adjudge.ranges.v1); with --formats")
    .option("--within <part>", "or by which part the numbers of the case's point may differ", positiveNumber)
    .option("--targets <names...>", "x86_64, fpga, neuromorphic, or files (adjudge.target.v1)")
    .option(
      "--rate <number>",
      "tell the bits that a gradient needs to step what is kept as codes",
      positiveNumber,
    )
    .option("--calls <number>", "how many calls' gradients are summed for a step; with --rate", callCount)
    .option("--plot <file>", "draw the digits that each format keeps, with the graph's values on it (SVG)")
    .option("--html <file>", "write it all as a page too")
    .option("--json", "print everything as JSON (explanation.schema.json)")
    .option("--recheck", "have Z3 and Lean's kernel confirm what is refused")
    .option("--lean <file>", "write what is refused as a theorem for Lean's kernel (adjudge lean check FILE)")
    .action(async (file: string, flags: ExplainFlags) => end(await run(file, flags, terminal, checker)));
}

async function run(
  file: string,
  flags: ExplainFlags,
  terminal: Terminal,
  checker: LeanChecker,
): Promise<ExitCode> {
  const explained = await explanationOf(file, flags);
  if (!explained.ok) {
    report(terminal, explained.error);
    return exitCodes.badInput;
  }
  const { explanation, graph, plot } = explained.value;
  const pictures = { graph, ...(plot === undefined ? {} : { plot }) };
  const files = [
    ...(flags.plot === undefined || plot === undefined ? [] : [writeText(flags.plot, plot)]),
    ...(flags.html === undefined
      ? []
      : [writeText(flags.html, await explanationPage(explanation, pictures))]),
  ];
  const unwritten = (await Promise.all(files)).flatMap((written) => (written.ok ? [] : written.error));
  if (unwritten.length > 0) {
    report(terminal, unwritten);
    return exitCodes.badInput;
  }
  if (flags.json === true) terminal.out(visibleJson(explanation));
  else for (const line of showExplanation(explanation)) terminal.out(line);
  if (flags.sheaf === true && explanation.sheaf === undefined) terminal.note(tooLarge);
  const { dimensions } = explanation;
  const refused = dimensions.kind === "assigned" ? dimensions.scales : dimensions.obstruction;
  if (refused === undefined) {
    if (flags.recheck === true || flags.lean !== undefined) terminal.note(nothingRefused);
    return keepsDigits(explanation) ? exitCodes.agrees : exitCodes.disagrees;
  }
  if (flags.lean !== undefined) {
    const written = await writeText(flags.lean, leanObstruction(refused).text);
    if (!written.ok) {
      report(terminal, written.error);
      return exitCodes.badInput;
    }
  }
  if (flags.recheck !== true) return exitCodes.disagrees;
  const missing = missingPeers(["z3-solver"]);
  if (missing.length > 0) {
    report(terminal, missing);
    return exitCodes.nothingRun;
  }
  const { confirmed } = await import("./explain_confirmed.ts");
  // Standard output holds nothing but JSON where --json is given, so opinions go to standard error.
  const tell = flags.json === true ? terminal.note : terminal.out;
  return await confirmed(refused, { ...terminal, out: tell }, checker);
}

/** Says whether every target keeps the digits; true where formats are not asked about. */
function keepsDigits({ representations }: ExplanationJson): boolean {
  return representations?.runs.every(({ assignments }) => assignments.every(({ isMet }) => isMet)) ?? true;
}

/** A graph is explained so, with a drawing of its formats if they are asked about. */
interface Explained {
  readonly explanation: ExplanationJson;
  readonly graph: Graph;
  readonly plot?: string;
}

async function explanationOf(file: string, flags: ExplainFlags): Promise<Result<Explained, Issue[]>> {
  const given = await measuredIn(file, flags.units);
  const asked = given.ok ? askedIds(given.value.graph, flags, "explain") : given;
  if (!given.ok) return given;
  if (!asked.ok) return asked;
  const stray = strayFlags(flags);
  if (stray.length > 0) return fail(stray);
  const { graph, declarations, json, ranges } = given.value;
  const memory = flags.memory === true ? memoryAsked(graph, flags) : undefined;
  if (memory?.ok === false) return memory;
  const formats = flags.formats === true ? await formatsAsked(json, graph, flags, ranges) : undefined;
  if (formats?.ok === false) return formats;
  const explained = explain(graph, declarations, {
    ...asked.value,
    sheaf: flags.sheaf === true,
    ...(memory === undefined ? {} : { memory: memory.value }),
  });
  if (!explained.ok) return explained;
  if (formats === undefined) return ok({ explanation: explained.value, graph });
  const representations = representationsOf(graph, { ...asked.value, ...formats.value });
  if (!representations.ok) return representations;
  return ok({
    explanation: { ...explained.value, representations: representations.value },
    graph,
    plot: representationPlot(representations.value, formats.value.targets),
  });
}

/** Returns an issue for each flag that qualifies a question which is not asked. */
function strayFlags(flags: ExplainFlags): Issue[] {
  const ofMemory = flags.mode !== undefined || flags.axis !== undefined || flags.views === false;
  const ofFormats = [
    flags.digits,
    flags.ranges,
    flags.within,
    flags.targets,
    flags.plot,
    flags.rate,
    flags.calls,
  ].some((one) => one !== undefined);
  return [
    ...(ofMemory && flags.memory !== true ? [withoutMemory] : []),
    ...(ofFormats && flags.formats !== true ? [withoutFormats] : []),
  ];
}

const nothingRefused = "Nothing is refused, so that there is no certificate to check or to write.";

const tooLarge = `The system is not told as a sheaf: it has over ${MAXIMUM_SHEAF} unknowns or equations.`;

interface Given {
  readonly json: unknown;
  readonly graph: Graph;
  readonly declarations: Declarations;
  /** The ranges that the text has beside its graph. */
  readonly ranges?: RangesJson;
}

/** Reads the graph of a file, and its declared units: from that file, from a second one, or none. */
async function measuredIn(file: string, units: string | undefined): Promise<Result<Given, Issue[]>> {
  if (units === "-" && file === "-") return fail([oneStandardInput]);
  const document = await oneDocumentIn(file);
  if (!document.ok) return document;
  const { json, beside: { ranges } = {} } = document.value;
  const measured = await measuredBy(document.value, units);
  return measured.ok
    ? ok({ ...measured.value, json, ...(ranges === undefined ? {} : { ranges }) })
    : measured;
}

async function measuredBy(
  { json, beside: { units: own } = {} }: GivenDocument,
  units: string | undefined,
): Promise<Result<MeasuredGraph, Issue[]>> {
  if (isUnits(json)) return units === undefined ? checkUnits(json) : fail([twoUnits]);
  const graph = graphOf(json);
  if (!graph.ok) return graph;
  if (own !== undefined) return units === undefined ? checkUnits(own, graph.value) : fail([twoUnits]);
  if (units === undefined) return ok({ graph: graph.value, declarations: undeclared(siBases) });
  const beside = await readJson(units);
  return beside.ok ? checkUnits(beside.value, graph.value) : beside;
}

const twoUnits: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--units is given, and the file has units itself.",
  hint: "give a graph with --units, or the file of units with its graph alone",
};

const withoutMemory: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--mode, --axis and --no-views qualify --memory, which is not given.",
  hint: "add --memory",
};

const withoutFormats: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--digits, --ranges, --within, --targets and --plot qualify --formats, which is not given.",
  hint: "add --formats",
};

const oneStandardInput: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "standard input cannot be two files.",
  hint: "give one of them by its path",
};
