import { withKnown } from "../../conformance/known/index.ts";
import { reportJson, type Section } from "../../conformance/report/index.ts";
import { standingOf } from "../../oracle/judge/index.ts";
import type { Issue, Result } from "../../spec/shapes/index.ts";
import type { KnownFailure, ReportJson } from "../../spec/wire/index.ts";
import { treeHere } from "../files/working_tree.ts";
import { report } from "../options/options.ts";
import type { VerbosityFlags } from "../options/verbosity.ts";
import { type ExitCode, exitCodeOf, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { printFindings } from "./judge_output.ts";
import { type KnownFlags, knownFailures, rememberKnown } from "./known_file.ts";
import { type ReportFile, reportFilesOf, writeReports } from "./report_files.ts";

/** These flags say how a run is told. */
export interface TellingFlags extends KnownFlags, VerbosityFlags {
  readonly report: readonly string[];
  readonly html?: string;
  /** SARIF and annotations have this file for all that was found. */
  readonly sarifLocation?: string;
  readonly json?: boolean;
  /** Numbers are printed in hexadecimal too. */
  readonly hex?: boolean;
}

/** A telling is settled before a run begins, so that no bad flag is found when all is done. */
export interface Telling {
  readonly flags: TellingFlags;
  readonly reports: readonly ReportFile[];
  readonly known: readonly KnownFailure[];
}

/** A run is described by this, without what was found. */
export type RunJson = Parameters<typeof reportJson>[0];

/** Returns how the flags have a run told. Fails: `file/unwritable`, and as `knownFailures` does. */
export async function tellingOf(flags: TellingFlags): Promise<Result<Telling, Issue[]>> {
  const reports = await reportFilesOf(flags.report, flags.html, treeHere(flags.sarifLocation));
  const known = await knownFailures(flags);
  const issues = [reports, known].flatMap((part) => (part.ok ? [] : part.error));
  if (!reports.ok || !known.ok) return { ok: false, error: issues };
  return { ok: true, value: { flags, reports: reports.value, known: known.value } };
}

/** Tells what a run has found: prints it, writes reports and what is known from now on. The exit code. */
export async function tellRun(
  run: RunJson,
  found: readonly Section[],
  { flags, reports, known }: Telling,
  terminal: Terminal,
): Promise<ExitCode> {
  const remembered = await rememberKnown(flags, known, withAll(run, found, known));
  const told = reportOf(run, found, remembered.ok ? remembered.value : known);
  printRun(told, flags, terminal);
  const saved = await writeReports(told.summary, reports);
  for (const part of [remembered, saved]) if (!part.ok) report(terminal, part.error);
  return remembered.ok && saved.ok ? exitCodeOf(told.sections.map(standingOf)) : exitCodes.badInput;
}

/** A run has found this, with what is known of it, and its report. */
interface Told {
  readonly sections: readonly Section[];
  readonly summary: ReportJson;
}

/** Returns the report of a run. */
export function reportOf(run: RunJson, found: readonly Section[], known: readonly KnownFailure[]): Told {
  const sections = withAll(run, found, known);
  return { sections, summary: reportJson(run, sections) };
}

/** Prints what a run has found. */
export function printRun(
  { sections, summary }: Told,
  { json, html, hex, verbosity }: Pick<TellingFlags, "json" | "html" | "hex" | "verbosity">,
  terminal: Terminal,
): void {
  if (json === true) terminal.out(JSON.stringify(summary, undefined, 2));
  else
    printFindings(sections, summary, terminal, {
      ...(html === undefined ? {} : { page: html }),
      ...(hex === undefined ? {} : { isHex: hex }),
      ...(verbosity === undefined ? {} : { verbosity }),
    });
}

/** Returns what was found, with what is known of it. */
export function withAll(
  { strict }: RunJson,
  found: readonly Section[],
  known: readonly KnownFailure[],
): Section[] {
  return found.map((section) => withKnown(strict === true ? { ...section, isStrict: true } : section, known));
}
