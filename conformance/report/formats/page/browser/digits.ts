import type { PageDigitRow, PageDigits } from "./data.ts";
import { draw, make, part } from "./elements.ts";

/** An operator's digits in all that is chosen, with their medians. */
export interface DigitLine extends PageDigits {
  readonly operator: string;
  /** Counts of numbers that agree, and of cases that do not. */
  readonly agree: number;
  readonly disagree: number;
  readonly median: number | undefined;
  readonly medianAsked: number | undefined;
}

/** Draws the digits of the chosen engine and mode whenever that changes; returns what follows a link. */
export function startDigits(): (asked: URLSearchParams) => void {
  const form = document.getElementById("digits-form");
  if (!(form instanceof HTMLFormElement)) return () => undefined;
  const show = (): void => {
    const entries = new FormData(form);
    const mode = `${entries.get("mode") ?? ""}`;
    const rows: readonly PageDigitRow[] = JSON.parse(
      part(`digits-${entries.get("digits") ?? 0}`, HTMLScriptElement).text,
    );
    const lines = digitLines(rows, mode);
    part("digits-told", HTMLElement).textContent = toldOf(lines);
    part("digits-drawn", HTMLElement).replaceChildren(digitsPicture(lines));
    part("digits-table", HTMLElement).replaceChildren(digitsTable(lines));
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    show();
    const chosen = new FormData(form);
    const words = new URLSearchParams({ digits: `${chosen.get("digits")}`, mode: `${chosen.get("mode")}` });
    history.replaceState(undefined, "", `#${words}`);
  });
  show();
  form.hidden = false;
  return (asked) => {
    for (const field of form.elements) {
      if (!(field instanceof HTMLSelectElement)) continue;
      const value = asked.get(field.name) ?? "";
      // A link may name an engine or mode that this page lacks.
      if ([...field.options].some((option) => option.value === value)) field.value = value;
    }
    show();
    part("digits", HTMLElement).scrollIntoView();
  };
}

/** Sums up each operator's digits for a mode: disagreeing ones first, then by median, fewest digits first. */
export function digitLines(rows: readonly PageDigitRow[], mode: string): DigitLine[] {
  const lines = rows.flatMap(({ operator, questions }): DigitLine[] => {
    const chosen = Object.entries(questions).filter(([question]) => mode === "" || question === mode);
    const sum: PageDigits = { right: {}, asked: {}, wrong: {} };
    for (const [, counts] of chosen) {
      addDigits(sum.right, counts.right);
      addDigits(sum.asked, counts.asked);
      addDigits(sum.wrong, counts.wrong);
    }
    const [agree, disagree] = [countOf(sum.right), countOf(sum.wrong)];
    const [median, medianAsked] = [medianOf(sum.right), medianOf(sum.asked)];
    return agree + disagree === 0 ? [] : [{ operator, ...sum, agree, disagree, median, medianAsked }];
  });
  return lines.sort(
    (a, b) => Number(b.disagree > 0) - Number(a.disagree > 0) || (a.median ?? -1) - (b.median ?? -1),
  );
}

/** Adds the second histogram to the first. */
export function addDigits(sum: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [digits, count] of Object.entries(more)) sum[digits] = (sum[digits] ?? 0) + count;
}

/** Counts the numbers of a histogram. */
export function countOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Returns the lower median of a histogram. */
export function medianOf(counts: Readonly<Record<string, number>>): number | undefined {
  let left = countOf(counts) / 2;
  const places = Object.entries(counts).sort(([a], [b]) => Number(a) - Number(b));
  for (const [digits, count] of places) {
    left -= count;
    if (left <= 0) return Number(digits);
  }
  return undefined;
}

/** Says in a sentence how much is drawn. */
export function toldOf(lines: readonly DigitLine[]): string {
  const [agree, disagree] = [
    lines.reduce((sum, line) => sum + line.agree, 0),
    lines.reduce((sum, line) => sum + line.disagree, 0),
  ];
  const operators = lines.length === 1 ? "1 operator" : `${lines.length} operators`;
  const cases = disagree === 1 ? "1 case disagrees" : `${disagree} cases disagree`;
  return `${operators}: ${agree} numbers agree, ${cases}.`;
}

/** Draws a row for each operator: boxes shaded by share, circles for wrong numbers, a bar for the bound. */
export function digitsPicture(lines: readonly DigitLine[]): SVGElement {
  const [row, most, head] = [24, 17, 26];
  // On a narrow screen all digits are there, too.
  const isNarrow = innerWidth < 640;
  const [left, digit] = isNarrow ? [118, 12.5] : [220, 34];
  const height = lines.length * row + head + 8;
  const width = left + (most + 1) * digit + 10;
  const ticks = Array.from({ length: most + 1 }, (_, place) => place).flatMap((place) => {
    const x = left + place * digit;
    return [
      draw("path", { d: `M${x} ${head}V${height - 4}`, class: "grid" }),
      ...(isNarrow && ![0, 4, 8, 12, most].includes(place)
        ? []
        : [draw("text", { x: x + digit / 2, y: head - 10 }, place === most ? "all" : `${place}`)]),
    ];
  });
  const rows = lines.flatMap((line, place) => digitsRow(line, place * row + row / 2 + head, left, digit));
  const title = `Right decimal digits over ${lines.length} operators; the table below has the numbers`;
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return draw(
    "svg",
    { ...size, role: "img", "aria-labelledby": "digits-title", class: "digits" },
    draw("title", { id: "digits-title" }, title),
    ...ticks,
    ...rows,
  );
}

/** Draws an operator's row around a height. */
export function digitsRow(line: DigitLine, y: number, left: number, digit: number): SVGElement[] {
  const boxes = Object.entries(line.right).map(([digits, count]) => {
    const shade = Math.max(1, Math.ceil((5 * count) / line.agree));
    const x = left + Number(digits) * digit;
    return draw("rect", { x: x + 1, y: y - 9, width: digit - 2, height: 18, rx: 2, class: `shade-${shade}` });
  });
  const bar = line.medianAsked === undefined ? [] : [left + (line.medianAsked + 0.5) * digit];
  const circles = Object.entries(line.wrong).map(([digits, count]) =>
    draw("circle", {
      cx: left + Number(digits) * digit,
      cy: y,
      r: Math.min(4 + Math.log2(count), 10),
      class: "answer",
    }),
  );
  return [
    draw("text", { x: left - 10, y: y + 4, class: "name" }, line.operator),
    ...boxes,
    ...bar.map((x) => draw("path", { d: `M${x} ${y - 10}V${y + 10}`, class: "bound" })),
    ...circles,
  ];
}

/** Makes the table of the same. */
export function digitsTable(lines: readonly DigitLine[]): HTMLElement {
  const heads = ["operator", "agree", "fewest", "middle", "bound asks for", "cases wrong", "fewest of these"];
  const least = (counts: Readonly<Record<string, number>>): string => {
    const digits = Object.keys(counts).map(Number);
    return digits.length === 0 ? "·" : `${Math.min(...digits)}`;
  };
  const rows = lines.map((line) =>
    make(
      "tr",
      {},
      make(
        "th",
        { scope: "row" },
        line.disagree === 0
          ? line.operator
          : make("a", { href: `#${new URLSearchParams({ operator: line.operator })}` }, line.operator),
      ),
      ...[
        `${line.agree}`,
        least(line.right),
        `${line.median ?? "·"}`,
        `${line.medianAsked ?? "·"}`,
        `${line.disagree}`,
        least(line.wrong),
      ].map((text) => make("td", {}, text)),
    ),
  );
  return make(
    "table",
    {},
    make("caption", {}, "Right digits by operator: 17 are all"),
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...rows),
  );
}
