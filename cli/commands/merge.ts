import type { Command } from "commander";
import { mergeReports } from "../../conformance/report/index.ts";
import { readReport } from "../campaign/report_files.ts";
import { type TellingFlags, tellingOf, tellRun } from "../campaign/telling.ts";
import { withConfig } from "../options/config.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { withTelling } from "./telling_options.ts";

const description = `Puts together the reports of a run's parts (judge --shard 1/n to n/n, --report FILE.json), and tells of them as
judge tells of a whole run. All parts must be of one run, each given once.

Exit codes: as of judge.`;

/** Adds `adjudge merge PARTS`. */
export function mergeCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  withConfig(withTelling(program.command("merge")), ["known", "report"], terminal)
    .summary("put the reports of a run's parts together")
    .description(description)
    .argument("<files...>", "reports (adjudge.report.v1)")
    .action(async (files: string[], flags: TellingFlags) => end(await mergeAll(files, flags, terminal)));
}

async function mergeAll(
  files: readonly string[],
  flags: TellingFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const parts = await Promise.all(files.map(readReport));
  const telling = await tellingOf(flags);
  const issues = [...parts, telling].flatMap((part) => (part.ok ? [] : part.error));
  const merged = mergeReports(parts.flatMap((part) => (part.ok ? [part.value] : [])));
  if (issues.length > 0 || !telling.ok || !merged.ok) {
    report(terminal, issues.length > 0 || merged.ok ? issues : merged.error);
    return exitCodes.badInput;
  }
  return tellRun(merged.value.report, merged.value.sections, telling.value, terminal);
}
