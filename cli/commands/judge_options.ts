import { type Command, InvalidArgumentError, Option } from "commander";
import { namesOfDrawings } from "../../oracle/generate/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { StatementKind } from "../../spec/programs/index.ts";
import type { DataType, Invocation, Shard } from "../../spec/wire/index.ts";
import { type QuestionKind, questionKinds, usualCases } from "../campaign/kinds.ts";
import type { EndingFlags } from "../campaign/new_findings.ts";
import type { TellingFlags } from "../campaign/telling.ts";
import { type ConfigFlags, withConfig } from "../options/config.ts";
import {
  type BudgetFlags,
  collect,
  dtypeOption,
  leftOut,
  naturalNumber,
  operatorOption,
  positiveNumber,
  sampleCount,
  shardOption,
  statementsOption,
  usualSamples,
  withBudget,
} from "../options/options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Listed, lists } from "./judge_list.ts";
import { withEnding, withTelling } from "./telling_options.ts";

/** The flags of `adjudge judge`. */
export interface JudgeFlags extends BudgetFlags, TellingFlags, EndingFlags, ConfigFlags {
  /** When the run was started, and by which words. */
  readonly invocation: Invocation;
  readonly kind: QuestionKind;
  readonly functions?: boolean;
  readonly stdio?: boolean;
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly profile: string;
  readonly seed: number;
  readonly cases?: number;
  readonly first: number;
  readonly without: readonly StatementKind[];
  readonly actions?: number;
  readonly samples: number;
  readonly seconds?: number;
  readonly lawsEvery: number;
  readonly suite: readonly string[];
  readonly graph: readonly string[];
  readonly points: number;
  readonly domain?: string;
  readonly operator: readonly OperatorName[];
  readonly exclude: readonly OperatorName[];
  readonly list?: Listed;
  readonly shard?: Shard;
  readonly jobs: number;
  readonly resume?: string;
  readonly strict?: boolean;
  readonly lastFailed?: boolean;
  readonly watch?: boolean;
  readonly watchPath: readonly string[];
}

const description = `Asks engines for values, tangents and cotangents, and compares every number with the truth: exact
rationals where the graph allows, else the reference in float64, within a bound computed from the graph.
Without FILES the cases are random; FILES are vectors (adjudge.vector.v1), cases (adjudge.case.v1), program cases and
vectors of programs, whose runs are asked as graphs, scripts for tapes and vectors of them, texts of these (docs/text.md), or folders of them. What a text
expects is held against the truth before an engine is asked. docs/judging.md explains the output.
With --kind programs, tapes or forward-gradients engines are asked such questions, and of files those that are of this kind.
With --functions the commands bring questions about functions of their own, and with --stdio the process that
starts this one does: docs/functions.md.

Exit codes: 0 all that was decided agrees, and it was enough to mean something, 1 an engine disagrees,
2 bad input, 3 nothing could be decided, or an engine crashed or did not start, 4 nothing was run,
5 too little was answered to mean anything, most of what an engine promises was declined, what agrees does so
by what the engine declares alone, or with --strict a number has no right digit.`;

/** Adds `adjudge judge`, without what it does. */
export function judgeCommandLine(program: Command, terminal: Terminal): Command {
  const command = program
    .command("judge")
    .summary("judge engines on random cases or on a suite")
    .description(description)
    .argument("[files...]", "files of cases or vectors, or folders of them; random cases if none are given");
  withEngines(command);
  withQuestions(command);
  withLimits(command);
  withTelling(withEnding(command.optionsGroup("What is told:"))).option(
    "--strict",
    "exit with 5 if a slope that was taken from a value has no right digit",
  );
  withConfig(command.optionsGroup("Settings:"), settings, terminal);
  return command.helpOption("-h, --help", "display help for command");
}

/** These options may be set by the project. */
const settings = [
  "engine",
  "dtype",
  "profile",
  "seed",
  "cases",
  "seconds",
  "maxElements",
  "maxWork",
  "exclude",
  "known",
  "report",
];

function withEngines(command: Command): Command {
  return command
    .optionsGroup("Who is asked:")
    .option(
      "-e, --engine <name-or-command>",
      "an engine to ask; may be repeated (default: all bundled ones; of programs the interpreter)",
      collect,
      [],
    )
    .option(
      "-d, --dtype <precision>",
      "float64, float32, float16, bfloat16, posit32, posit16, posit8, bposit32 or bposit16; may be repeated (default: all the engine has; of programs and forward-gradients float64)",
      dtypeOption,
      [],
    )
    .option("--functions", "let the commands bring questions about functions of their own")
    .option("--stdio", "let the process that starts this one bring them, on standard input and output")
    .option("--jobs <number>", "ask in so many processes at once", jobsOption, 1)
    .option("--watch", "when the adapter changes, ask again: first what failed, then the rest; until Ctrl-C")
    .option(
      "--watch-path <path>",
      "a file or folder that --watch also watches, such as the library's; may be repeated",
      collect,
      [],
    );
}

function withQuestions(command: Command): Command {
  return command
    .optionsGroup("What is asked:")
    .addOption(new Option("--kind <kind>", "what engines are asked").choices(questionKinds).default("graphs"))
    .option("--profile <name>", `what random cases look like: ${namesOfDrawings}`, "mix")
    .option("--seed <number>", "seed of the random cases", naturalNumber, 1)
    .option(
      "-n, --cases <number>",
      `random cases for each engine and precision (default: ${questionKinds.map((kind) => `${usualCases[kind]} ${kind}`).join(", ")})`,
      naturalNumber,
    )
    .option("--last-failed", "ask only the cases that failed in the last run in this folder")
    .option(
      "--graph <file>",
      "ask the graph of a file at points that are drawn; may be repeated",
      collect,
      [],
    )
    .option("--points <number>", "how many points are drawn for each --graph", naturalNumber, 100)
    .option("--domain <file>", 'where they lie, as JSON by names of inputs: {"x": {"low": 0, "high": 1}}')
    .option("--suite <name>", "ask a suite that adjudge brings; may be repeated", collect, [])
    .option(
      "--operator <name>",
      "ask only cases that have this operator, or another that is named so; may be repeated",
      operatorOption,
      [],
    )
    .option("--exclude <name>", "ask no case that has this operator; may be repeated", operatorOption, [])
    .option("--laws-every <n>", "check the reference-free laws on every n-th case; 0 never", naturalNumber, 4)
    .option("--first <number>", "of programs, the number of the first random one", naturalNumber, 0)
    .option(
      "--without <statements>",
      `of programs, no random ones with these statements, separated by commas (${leftOut.join(", ")})`,
      statementsOption,
      [],
    )
    .option("--actions <number>", "of programs, how many things each random one does", naturalNumber)
    .option(
      "--samples <number>",
      "of forward-gradients, how many seeds are asked of each law",
      sampleCount,
      usualSamples,
    )
    .option(
      "--shard <part>",
      "ask one of several parts of the cases, such as 2/4; adjudge merge puts reports together",
      shardOption,
    )
    .option(
      "--resume <report>",
      "go on where the run that wrote this report was interrupted, or its time was over",
    )
    .addOption(
      new Option(
        "--list <what>",
        "ask nothing, and list what there is to ask: vectors, of the suites that are named",
      ).choices(lists),
    );
}

function withLimits(command: Command): Command {
  const timed = command
    .optionsGroup("How much:")
    .option(
      "--seconds <number>",
      "stop asking one engine in one precision after this long; 0 never (default: 15, up to 120 while it is too little; of files 60 for each question)",
      positiveNumber,
    );
  return withBudget(timed);
}

/** Reads how many processes. */
function jobsOption(text: string): number {
  const jobs = naturalNumber(text);
  if (jobs < 1 || jobs > MAXIMUM_JOBS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAXIMUM_JOBS}.`);
  return jobs;
}

/** No machine gains from more processes than this. */
const MAXIMUM_JOBS = 256;
