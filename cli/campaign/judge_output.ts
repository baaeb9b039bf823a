import { notMet } from "../../conformance/known/index.ts";
import {
  counted,
  engineTable,
  type Finding,
  findingLines,
  findingsOf,
  folded,
  type Group,
  headline,
  introduction,
  kindsTold,
  listed,
  operatorTable,
  reasonGroups,
  replayLine,
  type Section,
  selectionLines,
  sharesLines,
  titleOfSection,
  unaskedOperators,
  verdictLines,
} from "../../conformance/report/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { KnownFailure, ReportJson } from "../../spec/wire/index.ts";
import type { Verbosity } from "../options/verbosity.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** At most this many reasons, or kinds of a fault, are printed; the report has all. */
const GROUPS_TOLD = 5;

/** At most so many findings are shown whole; the others have a line each. */
const SHOWN_WHOLE = 6;

/** How findings are printed. */
export interface Printing {
  readonly verbosity?: Verbosity;
  /** Numbers are written in hexadecimal too. */
  readonly isHex?: boolean;
  /** The page that shows the findings. */
  readonly page?: string;
}

/**
 * Prints what a run found: each fault once, as a compiler prints its errors, then a row of counts for each
 * engine and precision, and last the verdict.
 */
export function printFindings(
  sections: readonly Section[],
  summary: ReportJson,
  terminal: Terminal,
  printing: Printing = {},
): void {
  const { palette, columns } = terminal;
  const { verbosity = "usual", page } = printing;
  const isVerbose = verbosity === "verbose";
  if (sections.length === 0) {
    terminal.out("No engine was asked.");
    return;
  }
  const print = (lines: readonly string[]): void => {
    for (const line of lines) terminal.out(line);
  };
  const findings = findingsOf(summary);
  const isOfFiles = summary.shares.length === 0;
  printFaults(
    findings.filter(({ isKnown }) => !isKnown),
    summary,
    terminal,
    printing,
  );
  if (isVerbose) for (const section of sections) printReasons(section, summary, terminal);
  if (verbosity !== "quiet") {
    print([
      ...(findings.length > 0 ? [""] : []),
      ...engineTable(sections, palette, { width: columns, isOfFiles }),
    ]);
    if (isVerbose) print(detailLines(sections, summary, terminal));
    print(knownLines(sections, columns));
    print(selectionLines(summary.selection, columns).map(palette.dim));
  }
  print(["", ...(page === undefined ? [] : [`As a page: ${visible(page, 400)}`])]);
  print(verdictLines(sections, findings, palette, columns));
}

/** Lists what only a reader of details asks for: declarations, operators, and what was drawn. */
function detailLines(sections: readonly Section[], { shares }: ReportJson, terminal: Terminal): string[] {
  const { palette, columns } = terminal;
  const engines = sections.filter((section, place) => sections[place - 1]?.label !== section.label);
  const introduced = engines.flatMap((section) =>
    folded(`${visible(section.description.name, 48)}: ${introduction(section)}`, "", columns),
  );
  const table = operatorTable(sections, palette);
  return [
    "",
    ...introduced,
    ...(table.length > 0 ? ["", ...table] : []),
    ...unaskedLines(sections, columns).map(palette.yellow),
    ...sharesLines(shares, columns).map(palette.dim),
  ];
}

/** Prints each fault: the first ones whole, the others in a line. */
function printFaults(
  findings: readonly Finding[],
  summary: ReportJson,
  terminal: Terminal,
  { verbosity, isHex = false }: Printing,
): void {
  const { palette, columns: width } = terminal;
  const { bold, red, dim } = palette;
  for (const finding of findings.slice(0, SHOWN_WHOLE)) {
    terminal.out("");
    for (const line of folded(headline(finding), "", width)) terminal.out(bold(red(line)));
    for (const line of findingLines(finding, summary, { palette, width, isHex })) terminal.out(line);
    if (verbosity !== "verbose" || finding.cases === 1) continue;
    for (const line of folded(kindsTold(finding, GROUPS_TOLD), "  cases: ", width)) terminal.out(dim(line));
  }
  const others = findings.slice(SHOWN_WHOLE);
  if (others.length > 0) terminal.out("");
  for (const finding of others)
    for (const line of folded(headline(finding), "", width)) terminal.out(red(line));
}

/** Prints the known failures that were met, with what is said of them, and those that were not. */
function knownLines(sections: readonly Section[], width: number): string[] {
  const met = sections.flatMap(({ dtype, known = [] }) =>
    known.flatMap(({ failure, cases }) => {
      const { note, link } = failure;
      const said = [note, link].flatMap((words) => (words === undefined ? [] : [visible(words, 400)]));
      const told = [`known: ${nameOfKnown(failure)}, ${dtype}, ${counted(cases, "case")}`, ...said].join(
        "; ",
      );
      return cases > 0 ? folded(told, "", width) : [];
    }),
  );
  const others = notMet(sections).flatMap((failure) =>
    folded(
      `known and not met: ${nameOfKnown(failure)}; it is mended, or was not asked for (--update-known)`,
      "",
      width,
    ),
  );
  return [...met, ...others];
}

function nameOfKnown(failure: KnownFailure): string {
  const { engine, versions } = failure;
  const attributes = failure.kind === "disagrees" && failure.attributes ? ` (${failure.attributes})` : "";
  const what =
    failure.kind === "crashed"
      ? failure.message
      : `${failure.operator} ${failure.part}${attributes}${failure.question === undefined ? "" : `, asked by ${failure.question}`}`;
  return visible(`${engine} ${versions}: ${what}`, 400);
}

/** Prints what an engine declined, the most frequent reasons first. */
function printReasons(section: Section, summary: ReportJson, terminal: Terminal): void {
  const { yellow, bold } = terminal.palette;
  const groups = reasonGroups(section, "unsupported");
  if (groups.length === 0) return;
  const cases = groups.reduce((sum, group) => sum + group.cases, 0);
  terminal.out(`\n${yellow("–")} ${bold(titleOfSection(section))}: ${cases} declined`);
  for (const group of groups.slice(0, GROUPS_TOLD)) printGroup(group, section, summary, terminal);
  if (groups.length > GROUPS_TOLD)
    terminal.out(`    and ${counted(groups.length - GROUPS_TOLD, "reason")} more`);
}

function printGroup(
  { reason, cases, first }: Group,
  section: Section,
  summary: ReportJson,
  terminal: Terminal,
): void {
  for (const line of folded(reason, `${String(cases).padStart(5)} × `, terminal.columns)) terminal.out(line);
  terminal.out(terminal.palette.dim(`        ${replayLine(section, summary, first)}`));
}

/** Lists by engine the offered operators that no answered case had; once if alike in all precisions. */
function unaskedLines(sections: readonly Section[], width: number): string[] {
  const numbers = new Map<string, number[]>();
  for (const [place, section] of sections.entries()) {
    const names = unaskedOperators(section);
    if (names.length === 0) continue;
    const told = `${names.length} of ${section.description.operators.length} operators: ${listed(names)}`;
    numbers.set(told, [...(numbers.get(told) ?? []), place + 1]);
  }
  return [...numbers].flatMap(([told, places]) =>
    folded(`not exercised by ${places.map((place) => `[${place}]`).join(" ")}: ${told}`, "", width),
  );
}
