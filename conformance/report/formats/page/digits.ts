import { type OperatorName, operatorNames } from "../../../../spec/composites/index.ts";
import type { ReportHistogram, ReportJson, ReportSection } from "../../../../spec/wire/index.ts";
import { nameOf } from "../../findings.ts";
import type { PageDigitRow, PageDigits } from "./browser/data.ts";
import { choice } from "./choice.ts";
import { scrolling } from "./frame.ts";
import { element, embeddedJson, type Markup, together } from "./markup.ts";
import { rightDigits } from "./numbers.ts";

/**
 * Returns a section's digits by operator: those of agreeing numbers as the report counts them, and those of
 * each witness's number for the operator to blame. Cost: linear in the verdicts.
 */
function digitRows({ digits = {}, verdicts }: ReportSection): PageDigitRow[] {
  const wrong = new Map<string, Map<string, Record<string, number>>>();
  for (const { verdict } of verdicts) {
    if (verdict.kind !== "disagrees") continue;
    const { blame, question } = verdict.witness;
    const questions = rowOf(wrong, blame.op ?? "input", () => new Map<string, Record<string, number>>());
    const counts = rowOf(questions, question, (): Record<string, number> => ({}));
    const quarters = Math.floor(4 * rightDigits(verdict.witness)) / 4;
    counts[quarters] = (counts[quarters] ?? 0) + 1;
  }
  const names: readonly (OperatorName | "input")[] = [...operatorNames, "input"];
  return names.flatMap((operator) => {
    const agreeing = operator === "input" ? {} : (digits[operator] ?? {});
    const disagreeing = wrong.get(operator) ?? new Map<string, Record<string, number>>();
    const asked = new Set([...Object.keys(agreeing), ...disagreeing.keys()]);
    const right = new Map(Object.entries(agreeing));
    const questions = Array.from(asked, (question): [string, PageDigits] => [
      question,
      { ...(right.get(question) ?? none), wrong: disagreeing.get(question) ?? {} },
    ]);
    return asked.size === 0 ? [] : [{ operator, questions: Object.fromEntries(questions) }];
  });
}

const none: Readonly<Record<"right" | "asked", ReportHistogram>> = { right: {}, asked: {} };

function rowOf<T>(rows: Map<string, T>, name: string, empty: () => T): T {
  const row = rows.get(name) ?? empty();
  rows.set(name, row);
  return row;
}

/**
 * Makes the form, place and data for a plot of right digits over operators, by engine and mode, which a
 * script draws, and for its table: digits of agreeing and of wrong numbers, and what bounds ask for.
 */
export function digitsPlot({ engines }: ReportJson): Markup {
  const sections = engines.map((section, place) => ({ section, place, rows: digitRows(section) }));
  const told = sections.filter(({ rows }) => rows.length > 0);
  if (told.length === 0)
    return element("p", { class: "note" }, "No number was found to agree or to disagree.");
  const engine = told.map(({ section, place }): [string, string] => [`${place}`, nameOf(section)]);
  const wrong = ({ section: { counts } }: (typeof told)[number]): number => counts.disagrees;
  const [worst] = told.toSorted((a, b) => wrong(b) - wrong(a));
  const modes = new Set(told.flatMap(({ rows }) => rows.flatMap(({ questions }) => Object.keys(questions))));
  return together(
    element("p", { class: "note" }, explained),
    element("noscript", {}, element("p", {}, "The plot is drawn by a script, which does not run here.")),
    element(
      "form",
      { id: "digits-form", class: "choices", hidden: true, "aria-label": "Choose what is plotted" },
      choice("Engine", "digits", engine, undefined, `${worst?.place}`),
      choice(
        "Mode",
        "mode",
        Array.from(modes, (mode) => [mode, mode]),
        "all",
      ),
      element("p", { id: "digits-told", role: "status" }),
    ),
    scrolling("Digits right, drawn", element("div", { id: "digits-drawn" })),
    element(
      "details",
      {},
      element("summary", {}, "The plot as a table"),
      scrolling("Digits right, as a table", element("div", { id: "digits-table" })),
    ),
    ...told.map(({ rows, place }) => embeddedJson(`digits-${place}`, rows)),
  );
}

const explained =
  "Boxes are numbers that agree, the darker the more of the operator's numbers have so many right decimal digits for certain; the bar is the middle of what their bounds ask for, a circle is cases that disagree, at the digits of the number that is wrong. Values and tangents count for the operator that gives them, with what its operands brought along; cotangents for each operator that reads their id. Numbers that are 0, and those that have no bound, have no digits.";
