import { standingOf } from "../../oracle/judge/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import { counted } from "./fold.ts";
import { cut } from "./folded.ts";
import { faultGroups, reasonGroups } from "./groups.ts";
import { askedCases, type Section } from "./json.ts";
import type { Palette } from "./terminal.ts";

/** At most so many findings are named, so that all fits on a screen. */
const MOST_FINDINGS = 12;

/** The engine table has at most so many rows; the lines above it have all engines. */
const MOST_ENGINES = 16;

/** Widths of an engine's name and precision, beside findings and beside counts, and of a count. */
const [FOUND, NAME, COUNT] = [29, 38, 10];

/**
 * Sums a run up on one screen of 80 columns: findings that are not known, by what is to blame, most frequent
 * first; then a row for each engine and precision.
 */
export function runSummary(sections: readonly Section[], palette: Palette): string[] {
  return [...findingLines(sections, palette), "", ...engineTable(sections, palette)];
}

function findingLines(sections: readonly Section[], { red, green, bold }: Palette): string[] {
  const found = sections
    .flatMap((section) => {
      const news = { ...section, verdicts: section.verdicts.filter(({ known }) => known === undefined) };
      const wrong = faultGroups(news).map(({ place, cases }) => ({ words: place, cases }));
      const crashed = reasonGroups(news, "crashed").map(({ reason, cases }) => ({
        words: `crashed: ${reason.replace(/^error: /, "")}`,
        cases,
      }));
      return [...wrong, ...crashed].map((one) => ({ ...one, engine: titleOf(section) }));
    })
    .toSorted((a, b) => b.cases - a.cases);
  if (found.length === 0) return [green("Nothing new was found.")];
  const lines = found.slice(0, MOST_FINDINGS).map(({ engine, words, cases }) => {
    const times = ` (${cases})`;
    return `${red("✗")} ${cut(engine, FOUND).padEnd(FOUND)} ${cut(words, 77 - FOUND - times.length)}${times}`;
  });
  const more = found.length > MOST_FINDINGS ? [`  and ${found.length - MOST_FINDINGS} more`] : [];
  return [bold(counted(found.length, "finding")), ...lines, ...more];
}

function engineTable(sections: readonly Section[], palette: Palette): string[] {
  const heads = ["agree", "wrong", "undecided", "declined"];
  const head = `${" ".repeat(NAME + 2)}${heads.map((name) => name.padStart(COUNT)).join("")}`;
  const rows = sections.slice(0, MOST_ENGINES).map((section) => {
    const { agrees, disagrees, crashed, undecided, unsupported } = section.tally.counts;
    const counts = [`${agrees}/${askedCases(section)}`, disagrees + crashed, undecided, unsupported];
    const standing = standingOf(section).kind;
    const isWrong = standing === "disagrees" || standing === "crashed";
    const [mark, paint] =
      standing === "agrees"
        ? (["✓", palette.green] as const)
        : isWrong
          ? (["✗", palette.red] as const)
          : (["–", palette.yellow] as const);
    const name = cut(titleOf(section), NAME).padEnd(NAME);
    return paint(`${mark} ${name}${counts.map((count) => `${count}`.padStart(COUNT)).join("")}`);
  });
  const more = sections.length > MOST_ENGINES ? [`  and ${sections.length - MOST_ENGINES} more`] : [];
  return [palette.dim(head), ...rows, ...more];
}

function titleOf({ description: { name, version }, dtype }: Section): string {
  return `${visible(name, 24)} ${visible(version, 12)} ${dtype}`;
}
