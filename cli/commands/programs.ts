import type { Command } from "commander";
import { floatPrograms } from "../../oracle/programs/index.ts";
import { judgePrograms, type ProgramFlags } from "../campaign/programs.ts";
import { timeOf, timeOfFiles } from "../campaign/run.ts";
import { withConfig } from "../options/config.ts";
import {
  collect,
  dtypeOption,
  leftOut,
  misplacedFlags,
  naturalNumber,
  report,
  statementsOption,
} from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { withEnding, withHowMuch } from "./telling_options.ts";

const description = `Asks engines that run programs with memory (in-place writes, views, loops, branches, random numbers, sessions) for
all that a call leaves behind and for derivatives, and compares every number with the truth about the graph of the run. Without FILES the
programs are random; FILES are program cases (adjudge.program-case.v1), vectors of programs (adjudge.program-vector.v1)
or folders of them. An engine may refuse a program that overwrites what its sweep needs; docs/programs.md says more.

Exit codes: 0 all that was decided agrees, 1 an engine disagrees, 2 bad input, 3 nothing could be decided, or an engine crashed
or did not start, 4 no engine runs programs, 5 most programs were refused, declined or undecided.`;

/** Adds `adjudge programs`, which asks engines as they are used, with memory. */
export function programsCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const own = withHowMuch(withEnding(program.command("programs")));
  const command = withConfig(own, ["engine", "dtype", "seed"], terminal)
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
    .option(
      "-d, --dtype <precision>",
      "float64 or float32; may be repeated (default: float64)",
      dtypeOption,
      [],
    )
    .option("--seed <number>", "seed of the random programs", naturalNumber, 1)
    .option("-n, --programs <number>", "random programs for each engine and precision", naturalNumber, 200)
    .option(
      "--without <statements>",
      `no random programs with these statements, separated by commas: to search on behind a known fault (${leftOut.join(", ")})`,
      statementsOption,
      [],
    )
    .option(
      "--actions <number>",
      "how many things each random program does; compilers answer those that do few sooner",
      naturalNumber,
      floatPrograms.actions,
    )
    .option("--first <number>", "the number of the first random program", naturalNumber, 0)
    .option("--report <file>", "write everything that was found as JSON")
    .action(async (files: string[], flags: Omit<ProgramFlags, "report"> & { report?: string }) => {
      const misplaced =
        files.length > 0
          ? misplacedFlags(command, ["--seed", "--programs", "--actions", "--first", "--without"])
          : [];
      report(terminal, misplaced);
      if (misplaced.length > 0) return end(exitCodes.badInput);
      const reports = flags.report === undefined ? [] : [flags.report];
      end(
        await judgePrograms(
          files,
          { ...flags, report: reports },
          files.length > 0 ? timeOfFiles : timeOf(0),
          terminal,
        ),
      );
    });
}
