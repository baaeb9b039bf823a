import { type Command, InvalidArgumentError } from "commander";
import { chooseEngines } from "../../conformance/index.ts";
import type { DataType } from "../../engines/index.ts";
import { ok, type StatementKind } from "../../spec/index.ts";
import { type DrawnPrograms, programCampaign } from "../campaign/programs.ts";
import { planFor, runCampaign } from "../campaign/run.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { checkWritable } from "../files.ts";
import { collect, dtypeOption, misplacedFlags, naturalNumber, report } from "../options.ts";
import { readProgramSuite } from "../program_suite.ts";
import type { Terminal } from "../terminal.ts";

interface ProgramFlags extends DrawnPrograms {
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly report?: string;
}

const description = `Asks engines that run programs with memory (in-place writes, views, loops, branches, random numbers, sessions) for
all that a call leaves behind and for derivatives, and compares every number with the truth about the graph of the run. Without FILES the
programs are random; FILES are program cases (adjudge.program-case.v1), vectors of programs (adjudge.program-vector.v1)
or folders of them. An engine may refuse a program that overwrites what its sweep needs; docs/programs.md says more.

Exit codes: 0 all that was decided agrees, 1 an engine disagrees, 2 bad input, 3 nothing could be decided, or an engine crashed
or did not start, 4 no engine runs programs, 5 most programs were refused, declined or undecided.`;

/** The statements that random programs do without where they are told to. */
const leftOut: readonly StatementKind[] = ["no_grad", "checkpoint", "detach", "retain"];

/** Reads a list of {@link leftOut}. */
function statementsOption(text: string): StatementKind[] {
  return text.split(",").map((word) => {
    const kind = leftOut.find((name) => name === word);
    if (kind === undefined) throw new InvalidArgumentError(`It must be of ${leftOut.join(", ")}.`);
    return kind;
  });
}

/** `adjudge programs`: engines asked as they are used, with memory. */
export function programsCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const command = program
    .command("programs")
    .summary("judge engines on programs with memory")
    .description(description)
    .argument(
      "[files...]",
      "program cases or vectors of programs, or folders of them; random programs if none are given",
    )
    .option(
      "-e, --engine <name-or-command>",
      "an engine to ask; may be repeated (default: interpreter)",
      collect,
      [],
    )
    .option("--dtype <precision>", "float64 or float32; may be repeated (default: float64)", dtypeOption, [])
    .option("--seed <number>", "seed of the random programs", naturalNumber, 1)
    .option("-n, --programs <number>", "random programs for each engine and precision", naturalNumber, 200)
    .option(
      "--without <statements>",
      `no random programs with these statements, separated by commas: to search on behind a known fault (${leftOut.join(", ")})`,
      statementsOption,
      [],
    )
    .option("--first <number>", "the number of the first random program", naturalNumber, 0)
    .option("--report <file>", "write everything that was found as JSON")
    .action(async (files: string[], flags: ProgramFlags) => {
      const misplaced =
        files.length > 0 ? misplacedFlags(command, ["--seed", "--programs", "--first", "--without"]) : [];
      if (misplaced.length === 0) return end(await judgePrograms(files, flags, terminal));
      report(terminal, misplaced);
      end(exitCodes.badInput);
    });
}

/** Asks engines programs. */
export async function judgePrograms(
  files: readonly string[],
  flags: ProgramFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const choices = chooseEngines(flags.engine.length === 0 ? ["interpreter"] : flags.engine);
  const suite = await readProgramSuite(files);
  const target = flags.report === undefined ? ok(undefined) : await checkWritable(flags.report);
  const issues = [choices, suite, target].flatMap((part) => (part.ok ? [] : part.error));
  if (issues.length > 0 || !choices.ok || !suite.ok) {
    report(terminal, issues);
    return exitCodes.badInput;
  }
  const dtypes: readonly DataType[] = flags.dtype.length === 0 ? ["float64"] : flags.dtype;
  const campaign = programCampaign(suite.value, flags, dtypes, flags.report);
  return runCampaign(campaign, planFor(choices.value), terminal);
}
