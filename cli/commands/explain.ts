import type { Command } from "commander";
import { explanationPage } from "../../conformance/report/formats/index.ts";
import { narrowed, showExplanation } from "../../conformance/report/index.ts";
import { installedLean, type LeanChecker } from "../../lean-export/campaign/index.ts";
import { leanObstruction } from "../../lean-export/index.ts";
import { MAXIMUM_SHEAF } from "../../oracle/diagnosis/index.ts";
import type { ExplanationJson, GradientModeJson } from "../../spec/explained/index.ts";
import { missingPeers } from "../../spec/peers.ts";
import { visibleJson } from "../../spec/shapes/index.ts";
import { writeText } from "../files/files.ts";
import { usualDigits } from "../options/format_flags.ts";
import { usualAccumulator } from "../options/gradient_flags.ts";
import { callCount, positiveNumber, report, shareOption } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { explanationOf, type QuestionFlags } from "./explain_question.ts";

interface ExplainFlags extends QuestionFlags {
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

With --wrt, each gradient that is named is told in one tree: its dimension, and for each
mode its accumulator with the width of every sum, memory, tape and escape, and what it
costs on each target (docs/gradients.md).

With --recheck, others are asked whether that is so: the equations are added up anew, Z3
looks for dimensions that meet them, and that meet all but one, and Lean's kernel checks
the proof that --lean writes. Of a tree Z3 is asked whether all its sums fit.

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
    .option("--of <ids...>", "the results, by id or name; default: the last id")
    .option("--wrt <ids...>", "whose gradients are told, each in a tree: ids or names")
    .option("--accumulator <register>", `what sums are taken in, for trees (default: ${usualAccumulator})`)
    .option("--signature", "tell memory, quality, tape and escape of the gradient forward and in reverse")
    .option("--sheaf", `tell the equations as a sheaf too, if they are at most ${MAXIMUM_SHEAF}`)
    .option("--memory", "tell where values live, how long, and how much memory each mode asks for")
    .option("--mode <modes...>", "forward, tangents:K, reverse, checkpointed:SLOTS; with --memory or --wrt")
    .option("--axis <name:axis>", "tell how memory grows with this axis of something given")
    .option("--no-views", "count reshapes, slices and the like as values with storage of their own")
    .option("--formats", `tell in which formats values may be kept so that results keep their digits`)
    .option("--digits <number>", `how many; with --formats (default: ${usualDigits})`, positiveNumber)
    .option("--ranges <file>", "between which numbers lies what is given (adjudge.ranges.v1); with --formats")
    .option("--within <part>", "or by which part the numbers of the case's point may differ", positiveNumber)
    .option("--statistics <file>", "or what values were in a run (adjudge run --statistics); with --formats")
    .option(
      "--share <part>",
      "the part of each value's numbers that formats are for (default: 1)",
      shareOption,
    )
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
  const { explanation, graph, plot, widths } = explained.value;
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
  else
    for (const line of showExplanation(explanation).flatMap((whole) => narrowed(whole, terminal.columns)))
      terminal.out(line);
  if (flags.sheaf === true && !isAllASheaf(explanation)) terminal.note(tooLarge);
  const { dimensions } = explanation;
  const refused = dimensions.kind === "assigned" ? dimensions.scales : dimensions.obstruction;
  if (refused === undefined) {
    if (flags.lean !== undefined || (flags.recheck === true && widths === undefined))
      terminal.note(nothingRefused);
    const answer = isMet(explanation) ? exitCodes.agrees : exitCodes.disagrees;
    if (flags.recheck !== true || widths === undefined || answer !== exitCodes.agrees) return answer;
    const { confirmedWidths } = await import("./explain_confirmed.ts");
    return withSolver(terminal, () => confirmedWidths(widths, telling(flags, terminal)));
  }
  const certificate = leanObstruction(refused, explained.value).text;
  if (flags.lean !== undefined) {
    const written = await writeText(flags.lean, certificate);
    if (!written.ok) {
      report(terminal, written.error);
      return exitCodes.badInput;
    }
  }
  if (flags.recheck !== true) return exitCodes.disagrees;
  const { confirmed } = await import("./explain_confirmed.ts");
  return withSolver(terminal, () => confirmed({ refused, certificate }, telling(flags, terminal), checker));
}

/** Asks Z3 something if it is installed, and reports it missing else. */
async function withSolver(terminal: Terminal, ask: () => Promise<ExitCode>): Promise<ExitCode> {
  const missing = missingPeers(["z3-solver"]);
  if (missing.length === 0) return await ask();
  report(terminal, missing);
  return exitCodes.nothingRun;
}

/** Standard output holds nothing but JSON where --json is given, so opinions go to standard error. */
function telling({ json }: ExplainFlags, terminal: Terminal): Terminal {
  return { ...terminal, out: json === true ? terminal.note : terminal.out };
}

/** Says whether dimensions, and escape classes where memory is told, are told as sheaves. */
function isAllASheaf({ sheaf, memory }: ExplanationJson): boolean {
  return sheaf !== undefined && (memory?.modes.every((mode) => mode.sheaf !== undefined) ?? true);
}

/**
 * Says whether every target keeps the digits, and every sum of a tree fits, as far as they are asked about.
 */
function isMet({ representations, gradients = [] }: ExplanationJson): boolean {
  const keepsDigits =
    representations?.runs.every(({ assignments }) => assignments.every((one) => one.isMet)) ?? true;
  return keepsDigits && gradients.every(({ modes }) => modes.every(isWithin));
}

/** Says whether all sums of a mode fit, at the graph and at every stage of its plan. */
function isWithin({ sums, stages }: GradientModeJson): boolean {
  const all = [...sums, ...stages.flatMap((stage) => stage.sums)];
  return all.every(({ fits }) => fits) && stages.every(({ kind }) => kind !== "broken");
}

const nothingRefused = "Nothing is refused, so that there is no certificate to check or to write.";

const tooLarge = `Not all is told as a sheaf: there are over ${MAXIMUM_SHEAF} unknowns, equations or values.`;
