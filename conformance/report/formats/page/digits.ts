import type { ReportJson } from "../../../../spec/index.ts";
import { element, type Markup, together } from "./markup.ts";
import { digitsOf, MOST_DIGITS } from "./numbers.ts";

/** The answers for which an operator is to blame: the digits that are right, in quarters of a digit, and how often each. */
export interface OperatorDigits {
  readonly operator: string;
  readonly counts: ReadonlyMap<number, number>;
  /** What the bounds ask for, in the middle of them. */
  readonly asked: number;
  readonly least: number;
  readonly cases: number;
}

/** The digits of the answers that disagree, by operator, the fewest digits first. Cost: linear in the verdicts. */
export function digitsByOperator({ engines }: ReportJson): OperatorDigits[] {
  const operators = new Map<string, { right: number; asked: number }[]>();
  for (const { verdict } of engines.flatMap(({ verdicts }) => verdicts)) {
    if (verdict.kind !== "disagrees") continue;
    const operator = verdict.witness.blame.op ?? "input";
    const digits = operators.get(operator) ?? [];
    operators.set(operator, digits);
    digits.push(digitsOf(verdict.witness));
  }
  const all = Array.from(operators, ([operator, digits]): OperatorDigits => {
    const rights = digits.map(({ right }) => Math.floor(4 * right) / 4);
    const asked = digits.map((one) => one.asked).sort((a, b) => a - b);
    const counts = new Map<number, number>();
    for (const right of rights) counts.set(right, (counts.get(right) ?? 0) + 1);
    const least = rights.reduce((a, b) => Math.min(a, b), MOST_DIGITS);
    const cases = digits.length;
    return { operator, counts, asked: asked[Math.floor(cases / 2)] ?? 0, least, cases };
  });
  return all.sort((a, b) => a.least - b.least || b.cases - a.cases);
}

/** How high a row is, where the plot begins, and how wide a digit is, in pixels. */
const ROW = 24;
const LEFT = 200;
const DIGIT = 32;

/**
 * A plot of the digits that are right over operators, a circle for answers that are alike, a bar where the bound is; and the same as a table. A
 * report holds the numbers of answers that disagree, and of no others: the page says so.
 */
export function digitsPlot(report: ReportJson): Markup {
  const rows = digitsByOperator(report);
  const note = "A report has the numbers of answers that disagree alone; of those that agree it has counts.";
  if (rows.length === 0) return element("p", { class: "note" }, `${note} Here none disagrees.`);
  return together(
    element(
      "p",
      { class: "note" },
      `${note} A circle is answers with so many right digits, the bar what the bound asks for.`,
    ),
    element(
      "div",
      { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Digits right, drawn" },
      plot(rows),
    ),
    element("details", {}, element("summary", {}, "The plot as a table"), table(rows)),
  );
}

function plot(rows: readonly OperatorDigits[]): Markup {
  const height = rows.length * ROW + 40;
  const width = LEFT + (MOST_DIGITS + 1) * DIGIT;
  const ticks = Array.from({ length: MOST_DIGITS + 1 }, (_, digit) => digit);
  return element(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-labelledby": "digits-title",
      class: "digits",
    },
    element(
      "title",
      { id: "digits-title" },
      `Right digits of wrong answers, for ${rows.length} operators; the table below has the numbers`,
    ),
    ...ticks.map((digit) => tickAt(digit, height - 30)),
    ...rows.map(rowAt),
  );
}

function tickAt(digit: number, bottom: number): Markup {
  const x = LEFT + digit * DIGIT;
  return together(
    element("path", { d: `M${x} 4V${bottom}`, class: "grid" }),
    element("text", { x, y: bottom + 18 }, digit),
  );
}

function rowAt({ operator, counts, asked }: OperatorDigits, place: number): Markup {
  const y = place * ROW + 18;
  const bar = LEFT + asked * DIGIT;
  const circles = Array.from(counts, ([right, count]) =>
    element("circle", {
      cx: LEFT + right * DIGIT,
      cy: y,
      r: Math.min(3 + Math.log2(count), ROW / 2),
      class: "answer",
    }),
  );
  return together(
    element("text", { x: LEFT - 14, y: y + 4, class: "name" }, operator),
    element("path", { d: `M${bar} ${y - 9}V${y + 9}`, class: "bound" }),
    ...circles,
  );
}

function table(rows: readonly OperatorDigits[]): Markup {
  const head = ["operator", "wrong answers", "least digits right", "digits that the bound asks for"];
  return element(
    "table",
    {},
    element("caption", {}, "Digits right, of answers that disagree"),
    element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
    element(
      "tbody",
      {},
      ...rows.map(({ operator, cases, least, asked }) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, element("a", { href: `#operator=${operator}` }, operator)),
          ...[cases, least, asked.toFixed(1)].map((value) => element("td", {}, value)),
        ),
      ),
    ),
  );
}
