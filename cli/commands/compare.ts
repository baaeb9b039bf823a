import type { Command } from "commander";
import { comparisonPage } from "../../conformance/report/formats/index.ts";
import {
  type Change,
  type Comparison,
  changeLines,
  compareReports,
  counted,
  folded,
} from "../../conformance/report/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import { readReport } from "../campaign/report_files.ts";
import { writeText } from "../files/files.ts";
import { report } from "../options/options.ts";
import { type VerbosityFlags, withVerbosity } from "../options/verbosity.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

const description = `Compares two reports of judge: which failures are new, and which are mended. Two failures show one fault if
engine, operator and what is wrong at it are alike. A fault may also not have been drawn again.

Exit codes: 0 nothing broke, 1 something broke, 2 bad input, 4 no engine is in both.`;

interface CompareFlags extends VerbosityFlags {
  readonly json?: boolean;
  readonly html?: string;
}

/** Adds `adjudge compare OLD NEW`. */
export function compareCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  withVerbosity(program.command("compare"), "print only what broke, and the last line")
    .summary("what broke and what was mended between two reports")
    .description(description)
    .argument("<old>", "a report (adjudge.report.v1)")
    .argument("<new>", "another")
    .option("--html <file>", "write the comparison as a page too")
    .option("--json", "print the comparison as JSON")
    .action(async (old: string, now: string, { json = false, html, verbosity }: CompareFlags) => {
      const [before, after] = [await readReport(old), await readReport(now)];
      if (!before.ok || !after.ok) {
        report(
          terminal,
          [before, after].flatMap((read) => (read.ok ? [] : read.error)),
        );
        return end(exitCodes.badInput);
      }
      const comparison = compareReports(before.value, after.value);
      if (html !== undefined) {
        const written = await writeText(html, await comparisonPage(before.value, after.value));
        if (!written.ok) {
          report(terminal, written.error);
          return end(exitCodes.badInput);
        }
      }
      if (json) terminal.out(JSON.stringify(comparisonJson(comparison), undefined, 2));
      else print(comparison, verbosity === "quiet", terminal);
      end(codeOf(comparison));
    });
}

/** Returns a comparison as JSON, with each fault as its lines, since the reports have all else. */
function comparisonJson({ broke, mended, unasked, still, ...others }: Comparison): object {
  const told = (changes: readonly Change[]): object[] =>
    changes.map(({ finding, report: shownBy, ...change }) => ({
      ...change,
      lines: changeLines({ ...change, finding, report: shownBy }),
    }));
  const changed = { broke: told(broke), mended: told(mended), unasked: told(unasked), still: told(still) };
  return { ...changed, ...others };
}

function codeOf({ broke, common }: Comparison): ExitCode {
  if (common === 0) return exitCodes.nothingRun;
  return broke.length > 0 ? exitCodes.disagrees : exitCodes.agrees;
}

function print(comparison: Comparison, isQuiet: boolean, terminal: Terminal): void {
  const { broke, mended, still } = comparison;
  tellChanges(terminal, terminal.palette.red("✗"), "broke", broke, true);
  if (!isQuiet) printOthers(comparison, terminal);
  terminal.out(`${broke.length} broke, ${mended.length} mended, ${still.length} as they were`);
}

/** Prints what did not break, and which engines are in one report alone. */
function printOthers({ mended, unasked, still, gone, added }: Comparison, terminal: Terminal): void {
  const { green, yellow, dim } = terminal.palette;
  tellChanges(terminal, green("✓"), "mended", mended, false);
  tellChanges(terminal, yellow("–"), "not asked for again", unasked, false);
  tellChanges(terminal, dim("="), "as it was", still, false);
  for (const name of gone) terminal.out(`${yellow("–")} ${visible(name)} is in the old report alone`);
  for (const name of added) terminal.out(`${yellow("–")} ${visible(name)} is in the new report alone`);
}

function tellChanges(
  { palette, columns, out }: Terminal,
  mark: string,
  what: string,
  changes: readonly Change[],
  isWhole: boolean,
): void {
  for (const change of changes) {
    const { engine, dtypes, title, before, after } = change;
    const line = visible(
      `${engine}, ${dtypes.join(" and ")}: ${title}, in ${counted(before, "case")}, and in ${after} now`,
      400,
    );
    for (const part of folded(`${what}: ${line}`, `${mark} `, columns)) out(part);
    for (const part of isWhole ? changeLines(change) : []) out(palette.dim(`    ${visible(part, 400)}`));
  }
}
