import { standingOf } from "../../oracle/judge/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import { counted } from "./fold.ts";
import { faultGroups, reasonGroups } from "./groups.ts";
import { askedCases, type Section } from "./json.ts";
import type { Palette } from "./terminal.ts";

/** So many findings are named: with the engines and what else is said they fit on a screen. */
const MOST_FINDINGS = 12;

/** More engines than this are not told one by one: the lines above have all. */
const MOST_ENGINES = 16;

/** The columns of an engine's name and precision, beside what was found and beside counts, and of each count. */
const [FOUND, NAME, COUNT] = [29, 38, 10];

/**
 * A run on one screen of 80 columns: the findings first, by what is to blame, the most frequent first; then a row for each engine and precision. Findings that are
 * known are not among them.
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

function cut(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}
