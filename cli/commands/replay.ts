import { Argument, type Command, Option } from "commander";
import { showCase, showTapeCase, verdictJson, witnessLines } from "../../conformance/report/index.ts";
import { chooseEngine } from "../../conformance/testees/index.ts";
import { drawingNamed, namesOfDrawings } from "../../oracle/generate/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import { judge } from "../../oracle/judge/index.ts";
import { judgeTapes } from "../../oracle/tapes/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import type { QuestionData } from "../../spec/documents/index.ts";
import { visible, visibleJson } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { choicesOf, drawnFor } from "../campaign/agenda.ts";
import { readTrueSuite } from "../given/expectations.ts";
import type { SuiteCase } from "../given/suite.ts";
import { type ConfigFlags, withConfig } from "../options/config.ts";
import {
  type BudgetFlags,
  budgetOf,
  dtypeOption,
  misplacedFlags,
  naturalNumber,
  report,
  withBudget,
} from "../options/options.ts";
import { type ExitCode, exitCodeOfVerdict, exitCodes, worstOf } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface ReplayFlags extends BudgetFlags, ConfigFlags {
  readonly engine: string;
  readonly dtype: readonly DataType[];
  readonly kind: "graphs" | "tapes";
  readonly profile: string;
  readonly seed: number;
  readonly case?: number;
  readonly laws: boolean;
  readonly asIs?: boolean;
  readonly hex?: boolean;
  readonly json?: boolean;
}

/** Adds `adjudge replay`, which asks one case again, in full. */
export function replayCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const own = withBudget(program.command("replay"));
  const command = withConfig(own, ["profile", "seed", "maxElements", "maxWork"], terminal)
    .summary("judge one case again and show it in full")
    .description(
      "Judges a case file, every question of a text, or the random case that --profile, --seed and --case name, and shows the smallest case that\n" +
        "still fails. Exit codes as for judge.",
    )
    .addArgument(
      new Argument("[file]", "a file of a case, a vector or a script for tapes, or a text of them"),
    )
    .requiredOption("-e, --engine <name-or-command>", "the engine to ask")
    .option(
      "-d, --dtype <precision>",
      "float64, float32, posit16 … (default: the engine's first)",
      dtypeOption,
      [],
    )
    .addOption(
      new Option("--kind <kind>", "what the random case is").choices(["graphs", "tapes"]).default("graphs"),
    )
    .option("--profile <name>", "what the random case looks like", "mix")
    .option("--seed <number>", "seed of the random cases", naturalNumber, 1)
    .option("--case <index>", "index of the random case", naturalNumber)
    .option("--no-laws", "compare with the truth alone, as judge does with most random cases")
    .option("--as-is", "do not look for a smaller case")
    .option("--hex", "write numbers in hexadecimal too, which is exact")
    .option("--json", "print the verdict as JSON")
    .action(async (file: string | undefined, flags: ReplayFlags) => {
      const misplaced = file === undefined ? [] : misplacedFlags(command, randomFlags);
      if (misplaced.length === 0) return end(await replay(file, flags, terminal));
      report(terminal, misplaced);
      end(exitCodes.badInput);
    });
}

/** These flags name a random case. */
const randomFlags = ["--kind", "--profile", "--seed", "--case"];

async function replay(file: string | undefined, flags: ReplayFlags, terminal: Terminal): Promise<ExitCode> {
  const choice = chooseEngine(flags.engine, flags.named);
  if (!choice.ok) {
    report(terminal, choice.error);
    return exitCodes.badInput;
  }
  const questions = await questionsOf(file, flags, terminal);
  if (questions === undefined) return exitCodes.badInput;
  const started = await choice.value.start({});
  if (started.kind === "missing") {
    terminal.note(`${flags.engine} is not installed: ${started.reason}`);
    return exitCodes.nothingRun;
  }
  if (started.kind === "broken") {
    report(terminal, started.issues);
    return exitCodes.undecided;
  }
  await using engine = started.engine;
  const codes: ExitCode[] = [];
  for (const question of questions) {
    const { file: place, ...asked } = question(engine);
    if (questions.length > 1) terminal.note(visible(`${place}:`));
    codes.push(await replayOne(engine, asked, flags, terminal));
  }
  return worstOf(codes);
}

/** What is asked: a case, or a script for tapes; of a document in a file. */
type Replayed = QuestionData & Partial<Pick<SuiteCase, "file" | "tapes">>;

async function replayOne(
  engine: Engine,
  { case: asked, vector, tapes }: Replayed,
  flags: ReplayFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const dtype = flags.dtype[0] ?? engine.describe().dtypes[0] ?? "float64";
  const limits = {
    dtype,
    budget: budgetOf(flags),
    ...(flags.asIs === true ? { shrinkBudget: 0 } : {}),
  };
  const verdict =
    tapes === undefined
      ? await judge(engine, asked, { ...limits, ...choicesOf(vector), ...(flags.laws ? {} : { laws: [] }) })
      : await judgeTapes(engine, tapes, limits);
  if (flags.json === true) terminal.out(visibleJson(verdictJson(verdict)));
  else
    print(verdict, tapes === undefined ? showCase(asked) : showTapeCase(tapes), terminal, flags.hex === true);
  return exitCodeOfVerdict(verdict);
}

/**
 * Returns the cases, the first call of each document, or a random one once the engine is known; `undefined`
 * after it has told what is wrong.
 */
async function questionsOf(
  file: string | undefined,
  flags: ReplayFlags,
  terminal: Terminal,
): Promise<readonly ((engine: Engine) => Replayed)[] | undefined> {
  if (file !== undefined) {
    const suite = await readTrueSuite([file], budgetOf(flags));
    if (!suite.ok) report(terminal, suite.error);
    const [first, ...others] = suite.ok ? suite.value : [];
    if (first === undefined) return undefined;
    return [first, ...others.filter(({ isFurther }) => isFurther !== true)].map((one) => () => one);
  }
  const { kind, profile: name, seed, case: index } = flags;
  const profile = drawingNamed(name);
  if (profile === undefined || index === undefined) {
    terminal.note(`give a case file, or --case and a --profile among ${namesOfDrawings}`);
    return undefined;
  }
  const drawn = { ...(kind === "tapes" ? { kind } : {}), profile, seed };
  return [(engine) => drawnFor(engine, drawn, index)];
}

function print(verdict: Verdict, question: readonly string[], terminal: Terminal, isHex: boolean): void {
  const { green, red, yellow } = terminal.palette;
  switch (verdict.kind) {
    case "agrees":
      terminal.out(green("agrees"));
      break;
    case "disagrees":
      terminal.out(red("disagrees"));
      for (const line of witnessLines(verdict.witness, {
        palette: terminal.palette,
        width: terminal.columns,
        isHex,
        isWhole: true,
      }))
        terminal.out(line);
      return;
    case "undecided":
      terminal.out(yellow(`undecided: ${verdict.cause}`));
      break;
    case "unsupported":
      terminal.out(yellow(`unsupported: ${verdict.reason}`));
      break;
    case "crashed":
      terminal.out(red(`crashed: ${verdict.message}`));
      for (const line of verdict.case === undefined ? question : showCase(verdict.case))
        terminal.out(`    ${line}`);
      return;
  }
  for (const line of question) terminal.out(`    ${line}`);
}
