import type { ReportJson, ReportSection } from "../../../../spec/wire/index.ts";
import { nameOf } from "../../findings.ts";
import { notesOf } from "../../section_notes.ts";
import { sectionOf } from "../../section_of.ts";
import { scrolling } from "./frame.ts";
import { element, type Markup, together } from "./markup.ts";

/** Counts have these heads. */
const heads = ["outcome", "agree", "wrong", "crashed", "undecided", "declined", "asked", "known"] as const;

/** Tabulates what came of each engine and precision, with what the counts do not say below each. */
export function enginesTable({ engines }: ReportJson): Markup {
  const table = element(
    "table",
    { class: "stacked" },
    element("caption", {}, "What came of each engine and precision"),
    element(
      "thead",
      {},
      element("tr", {}, ...["engine", ...heads].map((name) => element("th", { scope: "col" }, name))),
    ),
    element("tbody", {}, ...engines.flatMap((section, place) => [row(section, place), ...notes(section)])),
  );
  return scrolling("The engines", table);
}

function row(section: ReportSection, place: number): Markup {
  const { counts, outcome, extent, known } = section;
  const [sort, sign] = signOf(outcome);
  const { agrees, disagrees, crashed, undecided, unsupported } = counts;
  const cells = {
    outcome: together(`${sign} `, outcome),
    agree: agrees,
    wrong: disagrees,
    crashed,
    undecided,
    declined: unsupported,
    asked: `${extent.asked} of ${extent.cases}`,
    known: known.reduce((sum, one) => sum + one.cases, 0),
  } satisfies Record<(typeof heads)[number], unknown>;
  const kindOf = (head: (typeof heads)[number]): string | undefined => {
    if (head === "outcome") return sort;
    return (head === "wrong" || head === "crashed") && cells[head] > 0 ? "some" : undefined;
  };
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("a", { href: `#engine=${place}` }, nameOf(section))),
    ...heads.map((head) => element("td", { class: kindOf(head), "data-head": head }, cells[head])),
  );
}

/** Returns the colour and the sign of an outcome. */
export function signOf(outcome: ReportSection["outcome"]): [sort: "good" | "bad" | "unsure", sign: string] {
  if (outcome === "agrees") return ["good", "✓"];
  return outcome === "disagrees" || outcome === "crashed" ? ["bad", "✗"] : ["unsure", "–"];
}

/** Says what the counts do not: why it ended early or is not green, and numbers without a right digit. */
function notes(json: ReportSection): Markup[] {
  const excused = { disagrees: 0, crashed: 0 };
  for (const { isKnown, verdict } of json.verdicts) {
    if (isKnown && (verdict.kind === "disagrees" || verdict.kind === "crashed")) excused[verdict.kind] += 1;
  }
  // Notes need no witness, and reading those is most of the work.
  const section = sectionOf({ ...json, verdicts: [] });
  if (!section.ok) return [];
  const { warnings, imprecise } = notesOf({ ...section.value, excused });
  return [...warnings.map((told) => `! ${told}`), ...imprecise.map((told) => `~ ${told}`)].map((told) =>
    element("tr", {}, element("td", { class: "remark", colspan: heads.length + 1 }, told)),
  );
}
