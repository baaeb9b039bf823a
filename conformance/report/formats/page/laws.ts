import { laws } from "../../../../oracle/laws/index.ts";
import type { ReportJson, ReportLaw } from "../../../../spec/wire/index.ts";
import { nameOf } from "../../findings.ts";
import { type Content, element, type Markup, together } from "./markup.ts";
import { wordTable } from "./tables.ts";

/** Tabulates what became of the laws by engine; `undefined` where none was checked. */
export function lawsTable({ engines, lawsEvery, shares }: ReportJson): Markup | undefined {
  const looked = engines.flatMap((section, place) =>
    section.laws === undefined || Object.keys(section.laws).length === 0
      ? []
      : [{ section, place, counts: section.laws }],
  );
  if (looked.length === 0) return undefined;
  const names = laws.map(({ name }) => name);
  const rows = looked.map(({ section, place, counts }) => [
    nameOf(section),
    ...names.map((name) =>
      cellOf(
        counts[name],
        `#${new URLSearchParams({ engine: `${place}`, question: name })}`,
        name === "repeatability" ? section.varied?.cases : undefined,
      ),
    ),
  ]);
  const when =
    shares.length === 0 || lawsEvery === 1
      ? "each case"
      : `every ${lawsEvery}th case, counted from the first`;
  const note = `Relations between an engine's own answers, which need no reference, looked at on ${when}. Not all had to be asked about: where the truth had decided every answer that a law is about, it may follow.`;
  return together(
    element("p", { class: "note" }, note),
    wordTable("Cases by what became of each law", ["engine", ...names], rows),
  );
}

function cellOf(counts: ReportLaw | undefined, link: string, varied = 0): Content {
  if (counts === undefined) return "not asked";
  const { holds, follows, undecided, broken } = counts;
  const words = [
    ...(holds > 0 ? [`${holds} hold`] : []),
    ...(varied > 0 ? [`of which ${varied} within bounds, not to the bit`] : []),
    ...(follows > 0 ? [`${follows} follow`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
  ].join(", ");
  if (broken === 0) return words === "" ? "·" : words;
  const found = element("a", { class: "bad", href: link }, `✗ ${broken} broken`);
  return words === "" ? found : together(found, `, ${words}`);
}
