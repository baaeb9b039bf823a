import type { PageDetail, PageNumbers, PageRow } from "./data.ts";
import { make } from "./elements.ts";
import { graphPicture, linePicture } from "./pictures.ts";

/** Makes all that a finding shows. */
export function detailParts(row: PageRow, detail: PageDetail): HTMLElement[] {
  const { sentence, numbers, policies, replays } = detail;
  const times = row.cases === 1 ? "1 case" : `${row.cases} cases`;
  return [
    make("h3", { id: "detail-title", tabindex: "-1" }, row.title),
    make(
      "p",
      { class: "facts" },
      make("span", { class: `chip ${row.kind}` }, row.kind),
      ` ${row.engine}, ${times} `,
      make("a", { href: `#${row.id}` }, "link to this finding"),
    ),
    make("p", { class: "sentence" }, sentence),
    ...graphParts(detail),
    ...(numbers === undefined ? [] : numberParts(numbers)),
    ...listPart("Policy", policies),
    ...commandPart("Replay", replays[0]),
    ...otherParts(detail),
    ...reproductionParts(detail),
  ];
}

/** Shows the graph as a drawing and in words. */
export function graphParts({ drawing, lines }: PageDetail): HTMLElement[] {
  if (lines.length === 0) return [];
  const text = make("details", {}, make("summary", {}, "The graph as text"), block(lines.join("\n")));
  if (drawing === undefined) return [make("h4", {}, "Graph"), text];
  const { left } = drawing;
  const picture = make(
    "div",
    { class: "scrolls", tabindex: "0", role: "region", "aria-label": "The graph, drawn" },
    graphPicture(drawing),
  );
  const note =
    left === 0 ? [] : [make("p", { class: "note" }, `${left} more nodes, further away, are not drawn.`)];
  return [make("h4", {}, "Graph"), picture, ...note, text];
}

/** Shows the numbers in a table and on a line. */
export function numberParts(numbers: PageNumbers): HTMLElement[] {
  const { where, answer, expected, bound, sentence } = numbers;
  const rows = Object.entries({ answered: answer, expected, within: bound }).map(([name, value]) =>
    make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value)),
  );
  return [
    make("h4", {}, "Numbers"),
    make("table", { class: "numbers" }, make("caption", {}, where), make("tbody", {}, ...rows)),
    make("div", {}, ...linePicture(numbers)),
    make("p", { class: "note" }, sentence),
  ];
}

/** Makes a list under a heading; nothing where it is empty. */
export function listPart(title: string, items: readonly string[]): HTMLElement[] {
  if (items.length === 0) return [];
  return [make("h4", {}, title), make("ul", {}, ...items.map((item) => make("li", {}, item)))];
}

/** Makes preformatted text in a box that the keyboard can scroll. */
export function block(text: string): HTMLElement {
  return make("pre", { tabindex: "0" }, text);
}

/** Makes a command with a button to copy it. */
export function commandPart(title: string, command: string | undefined): HTMLElement[] {
  if (command === undefined) return [];
  const button = make("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command);
    button.textContent = "Copied";
  });
  return [make("h4", {}, title), make("div", { class: "command" }, block(command), button)];
}

/** Lists the cases that fail alike. */
export function otherParts({ replays, more }: PageDetail): HTMLElement[] {
  const others = replays.slice(1);
  if (others.length === 0) return [];
  const rest = more === 0 ? "" : `\n… and ${more} more, which the report as JSON has`;
  const told = make("summary", {}, `Cases that fail alike: ${others.length + more}`);
  return [make("details", {}, told, block(`${others.join("\n")}${rest}`))];
}

/** Offers the shrunk case as a file, and the command that judges it. */
export function reproductionParts({ reproduction }: PageDetail): HTMLElement[] {
  if (reproduction === undefined) return [];
  const { file, command } = reproduction;
  // All but plain ASCII is written as JSON escapes, so that nothing unseen is copied.
  const text = JSON.stringify(reproduction.case, undefined, 1).replace(
    /[^\n -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" }));
  const link = make("a", { href: url, download: file }, `Save ${file}`);
  const whole = make("details", {}, make("summary", {}, "The case as JSON"), block(text));
  return [...commandPart("Reproduction", command), make("p", {}, link), whole];
}
