import { type Command, Option } from "commander";
import { hashesOf } from "../../lean-export/index.ts";
import type { RunTexts } from "../../reference/index.ts";
import { overBudget, tooManyDigits } from "../../spec/expansion/index.ts";
import { fail, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import { idText, nodeLines, shapeText } from "../../spec/text/writer.ts";
import type { TraceJson } from "../../spec/wire/index.ts";
import { writeOutput } from "../files/files.ts";
import { readGivenRun } from "../given/given_run.ts";
import { algebraNamed, algebraNames } from "../options/algebras.ts";
import {
  type BudgetFlags,
  budgetOf,
  callCount,
  collect,
  excludedFlags,
  givenFlags,
  naturalNumber,
  positiveNumber,
  report,
  withBudget,
} from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { StatisticsFlags } from "./run_statistics.ts";

interface RunFlags extends BudgetFlags, Omit<StatisticsFlags, "statistics"> {
  readonly algebra: string;
  readonly input: readonly string[];
  readonly environment: readonly string[];
  readonly cotangent: readonly string[];
  readonly form: "dense" | "sparse";
  readonly trace?: string;
  readonly json?: boolean;
  readonly statistics?: string;
}

const description = `Runs a graph on the reference over an algebra of your choice, and prints the value and the
cotangent of every id. FILE is a case (adjudge.case.v1) or a vector, which bring their own numbers; the case
of a program, whose run is recorded as a graph; or a graph (adjudge.graph.v1), whose numbers --input,
--environment and --cotangent give.

Without --cotangent a graph's scalar last node is seeded with 1, and a question of a text that names no
seed with odd primes, 3 for a scalar. Dual numbers are written (value;tangent).

With --statistics a training run over float64 is made instead: inputs are drawn from ranges, --wrt
are stepped by --rate times the gradient after each call, and what values were is written for
adjudge explain --formats (docs/formats.md).`;

/** Adds `adjudge run FILE`, which tells values and cotangents by the reference. */
export function runCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  withBudget(program.command("run"))
    .summary("evaluate and backpropagate a graph over an algebra")
    .description(description)
    .argument("<file>", "a graph, a case or a vector, or - for standard input")
    .option("-a, --algebra <name>", algebraNames.join(", "), "float64")
    .option(
      "-i, --input <name=numbers>",
      "an input's elements, separated by commas; may be repeated",
      collect,
      [],
    )
    .option("--environment <name=numbers>", "the elements of an entry of Δ; may be repeated", collect, [])
    .option("-c, --cotangent <id=numbers>", "the cotangent put in at an id; may be repeated", collect, [])
    .addOption(
      new Option("--form <form>", "the form of backpropagation [SEMANTICS §3, §4]")
        .choices(["dense", "sparse"])
        .default("dense"),
    )
    .option("--trace <file>", "write the run as a trace (adjudge.trace.v1)")
    .option("--json", "print the trace instead of the table")
    .option("--statistics <file>", "write what values are in a training run (adjudge.statistics.v1)")
    .option("--calls <number>", "of so many calls; with --statistics (default: 100)", callCount)
    .option("--seed <number>", "of this seed; with --statistics (default: 0)", naturalNumber)
    .option("--rate <number>", "step by so many times the gradient; with --statistics", positiveNumber)
    .option("--of <ids...>", "the results, by id or name; with --statistics (default: the last id)")
    .option("--wrt <ids...>", "what is stepped, by id or name; with --statistics (default: all inputs)")
    .option("--ranges <file>", "what is drawn (adjudge.ranges.v1), or --within; with --statistics")
    .option("--within <part>", "round the point of a case; with --statistics", positiveNumber)
    .action(async (file: string, flags: RunFlags, command: Command) =>
      end(await run(file, flags, command, terminal)),
    );
}

/** These options are of a training run, and those of a single one. */
const training = ["--calls", "--seed", "--rate", "--of", "--wrt", "--ranges", "--within"];
const oneRun = ["--algebra", "--input", "--environment", "--cotangent", "--form", "--trace", "--json"];

/** Returns an issue for each of these flags that is given. */
function strayFlags(command: Command, flags: readonly string[]): Issue[] {
  if (flags === oneRun) return excludedFlags(command, "--statistics", flags);
  return givenFlags(command)
    .filter((flag) => flags.includes(flag))
    .map((flag) => ({
      code: "flag/inapplicable",
      pointer: "",
      message: `${flag} is of a training run, and no statistics are asked for.`,
      hint: "add --statistics FILE",
    }));
}

async function run(file: string, flags: RunFlags, command: Command, terminal: Terminal): Promise<ExitCode> {
  const { statistics } = flags;
  const stray = statistics === undefined ? strayFlags(command, training) : strayFlags(command, oneRun);
  if (stray.length > 0) {
    report(terminal, stray);
    return exitCodes.badInput;
  }
  if (statistics !== undefined) {
    const { recordStatistics } = await import("./run_statistics.ts");
    const recorded = await recordStatistics(file, { ...flags, statistics }, terminal);
    if (recorded.ok) return exitCodes.agrees;
    report(terminal, recorded.error);
    return exitCodes.badInput;
  }
  const ran = await ranOn(file, flags);
  if (!ran.ok) {
    report(terminal, ran.error);
    return exitCodes.badInput;
  }
  const { trace } = ran.value;
  const saved = flags.trace === undefined ? undefined : await writeOutput(flags.trace, trace);
  if (saved?.ok === false) {
    report(terminal, saved.error);
    return exitCodes.badInput;
  }
  if (flags.json === true) terminal.out(visibleJson(trace));
  else printTrace(ran.value, terminal);
  return exitCodes.agrees;
}

/** A run has its trace, and shows people the numbers of its algebra. */
interface Ran {
  readonly trace: TraceJson;
  shown(text: string): string;
}

/** Runs the graph unless it exceeds the budget. Fails: `budget/…`, and as reading, checking, running do. */
async function ranOn(file: string, flags: RunFlags): Promise<Result<Ran, Issue[]>> {
  const algebra = await algebraNamed(flags.algebra);
  if (!algebra.ok) return algebra;
  const read = await readGivenRun(file, flags);
  if (!read.ok) return read;
  const { graph, texts } = read.value;
  const { run: runner, parts, growsDigits, shown } = algebra.value;
  const excess =
    overBudget(graph, budgetOf(flags), parts) ??
    (growsDigits ? tooManyDigits(graph, digitsIn(texts)) : undefined);
  if (excess !== undefined) return fail([excess]);
  const ran = runner(graph, texts, flags.form);
  return ran.ok ? ok({ trace: { ...ran.value, hashes: hashesOf(ran.value) }, shown }) : ran;
}

/** Counts the digits of the longest number given; an exponent counts as many as a float64 may have. */
function digitsIn({ inputs, environment, seeds }: RunTexts): number {
  let most = 0;
  for (const numbers of [...inputs, ...environment.values(), ...seeds.values()])
    for (const text of numbers)
      most = Math.max(most, text.length + (/[ep]/i.test(text) ? EXPONENT_DIGITS : 0));
  return most;
}

const EXPONENT_DIGITS = 330;

function printTrace({ trace, shown }: Ran, terminal: Terminal): void {
  const { graph, seeds, values, cotangents, algebra, form } = trace;
  const { bold, dim } = terminal.palette;
  terminal.out(dim(`over ${algebra}, ${form} form`));
  for (const { id, cotangent } of seeds)
    terminal.out(dim(`seed ${idText(graph, id)} = ${cotangent.data.map(shown).join(" ")}`));
  const inputs = graph.inputs.map(({ shape }, id) => `${idText(graph, id)}: ${shapeText(shape)}`);
  const lines = [...inputs, ...nodeLines(graph, "", { hasShapes: true })];
  for (const [id, value] of values.entries()) {
    terminal.out((lines[id] ?? "").replace(/^.*?(?=: )/, bold));
    terminal.out(`    value      ${value.data.map(shown).join(" ")}`);
    terminal.out(`    cotangent  ${cotangents[id]?.data.map(shown).join(" ")}`);
  }
}
