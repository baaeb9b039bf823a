import { notMet } from "../../conformance/known/index.ts";
import {
  counted,
  type Drawn,
  engineLines,
  faultGroups,
  folded,
  type Group,
  listed,
  operatorTable,
  reasonGroups,
  replayLine,
  runSummary,
  type Section,
  selectionLines,
  sharesLines,
  showWitness,
  unaskedOperators,
} from "../../conformance/report/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { KnownFailure, ReportJson } from "../../spec/wire/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** At most this many reasons, or kinds of a fault, are printed; the report has all. */
const GROUPS_TOLD = 5;

/**
 * Prints what a run found: each engine's witnesses and reasons, its outcome, and where engines differ. With
 * several engines one screen at the end repeats all, and says how to see it as a page.
 */
export function printFindings(
  sections: readonly Section[],
  drawn: Drawn & Pick<ReportJson, "shares" | "selection">,
  terminal: Terminal,
  page?: string,
): void {
  const { palette } = terminal;
  if (sections.length === 0) {
    terminal.out("No engine was asked.");
    return;
  }
  for (const section of sections) {
    const news = { ...section, verdicts: section.verdicts.filter(({ known }) => known === undefined) };
    printDisagreements(news, drawn, terminal);
    printReasons(news, drawn, terminal);
  }
  const table = operatorTable(sections, palette);
  for (const line of ["", ...engineLines(sections, palette)]) terminal.out(line);
  for (const line of table.length > 0 ? ["", ...table] : []) terminal.out(line);
  for (const line of unaskedLines(sections)) terminal.out(palette.yellow(line));
  for (const line of knownLines(sections)) terminal.out(line);
  for (const line of [...selectionLines(drawn.selection), ...sharesLines(drawn.shares)])
    terminal.out(palette.dim(line));
  // With one engine, the lines above are the summary.
  if (new Set(sections.map(({ label }) => label)).size === 1) return;
  for (const line of ["", ...runSummary(sections, palette), "", pageLine(page)]) terminal.out(line);
}

/** Says which page shows the findings, or how to write one. */
function pageLine(page: string | undefined): string {
  return page === undefined
    ? "As a page, with every graph drawn: the same with --html found.html"
    : `As a page: ${visible(page, 400)}`;
}

/** Prints the known failures that were met, with what is said of them, and those that were not. */
function knownLines(sections: readonly Section[]): string[] {
  const met = sections.flatMap(({ dtype, known = [] }) =>
    known.flatMap(({ failure, cases }) => {
      const { note, link } = failure;
      const said = [note, link].flatMap((words) => (words === undefined ? [] : [visible(words, 400)]));
      const told = [`known: ${nameOfKnown(failure)}, ${dtype}, ${counted(cases, "case")}`, ...said].join(
        "; ",
      );
      return cases > 0 ? folded(told) : [];
    }),
  );
  const others = notMet(sections).flatMap((failure) =>
    folded(`known and not met: ${nameOfKnown(failure)}; it is mended, or was not asked for (--update-known)`),
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

/** Prints for each blamed place a witness, and how many cases have which attributes. */
function printDisagreements(section: Section, drawn: Drawn, terminal: Terminal): void {
  const { bold, red, dim } = terminal.palette;
  for (const { place, kinds, cases } of faultGroups(section)) {
    const shown = kinds[0]?.first ?? 0;
    const found = section.verdicts.find((entry) => entry.case === shown);
    if (found?.verdict.kind !== "disagrees") continue;
    terminal.out(`\n${red("✗")} ${bold(titleOf(section))}, case ${shown}`);
    for (const line of showWitness(found.verdict.witness, terminal.palette)) terminal.out(line);
    terminal.out(dim(`  ${replayLine(section, drawn, shown)}`));
    if (cases === 1) continue;
    const told = kinds.slice(0, GROUPS_TOLD).map(({ attributes, cases: times, first }) => {
      const which = attributes === "" ? "" : ` with ${attributes}`;
      return `${times}${which} (case ${first})`;
    });
    const more = kinds.length > told.length ? [`and ${kinds.length - told.length} kinds more`] : [];
    for (const line of folded(`${place}, ${cases} cases: ${[...told, ...more].join("; ")}`, "  "))
      terminal.out(dim(line));
  }
}

/** Prints why an engine crashed and what it declined, the most frequent reasons first. */
function printReasons(section: Section, drawn: Drawn, terminal: Terminal): void {
  const { red, yellow, bold } = terminal.palette;
  const kinds = [
    ["crashed", "crashed", red("✗")],
    ["unsupported", "declined", yellow("–")],
  ] as const;
  for (const [kind, what, mark] of kinds) {
    const groups = reasonGroups(section, kind);
    if (groups.length === 0) continue;
    const cases = groups.reduce((sum, group) => sum + group.cases, 0);
    terminal.out(`\n${mark} ${bold(titleOf(section))}: ${cases} ${what}`);
    for (const group of groups.slice(0, GROUPS_TOLD)) printGroup(group, section, drawn, terminal);
    if (groups.length > GROUPS_TOLD) terminal.out(`    and ${groups.length - GROUPS_TOLD} reasons more`);
  }
}

function printGroup(
  { reason, cases, first }: Group,
  section: Section,
  drawn: Drawn,
  terminal: Terminal,
): void {
  for (const line of folded(reason, `${String(cases).padStart(5)} × `)) terminal.out(line);
  terminal.out(terminal.palette.dim(`        ${replayLine(section, drawn, first)}`));
}

function titleOf({ description: { name, version }, dtype }: Section): string {
  return `${visible(name, 48)} ${visible(version, 16)}, ${dtype}`;
}

/** Lists by engine the offered operators that no answered case had; once if alike in all precisions. */
function unaskedLines(sections: readonly Section[]): string[] {
  const numbers = new Map<string, number[]>();
  for (const [place, section] of sections.entries()) {
    const names = unaskedOperators(section);
    if (names.length === 0) continue;
    const told = `${names.length} of ${section.description.operators.length} operators: ${listed(names)}`;
    numbers.set(told, [...(numbers.get(told) ?? []), place + 1]);
  }
  return [...numbers].flatMap(([told, places]) =>
    folded(`not answered by ${places.map((place) => `[${place}]`).join(" ")}: ${told}`),
  );
}
