import type { PageDetail, PageNumbers, PageReproduction, PageRow } from "./data.ts";
import { draw, make } from "./elements.ts";
import { graphPicture, linePicture } from "./pictures.ts";

/** Makes all that a finding shows: the numbers first, the graph, why it is wrong, how to see it again. */
export function detailParts(row: PageRow, detail: PageDetail, id: string): HTMLElement[] {
  const { given, numbers, drawing, policies, replays, reproduction } = detail;
  return [
    make("h3", { id: `${id}-title`, tabindex: "-1" }, row.title),
    make(
      "p",
      { class: "facts" },
      ...[row.code, ...(row.kind === "new" || row.kind === "crashed" ? [] : [row.kind])].map((word) =>
        make("span", { class: `chip ${row.kind}` }, word),
      ),
      ` ${row.engine}, ${row.cases === 1 ? "1 case" : `${row.cases} cases`} `,
      make("a", { href: `#${row.id}` }, "link to this finding"),
    ),
    ...(given.length === 0 ? [] : [make("h4", {}, "Given"), block(given.join("\n"))]),
    ...(numbers === undefined ? [] : numberParts(numbers, id)),
    ...(drawing === undefined ? [] : graphParts(drawing, id)),
    ...reasonParts(detail),
    ...listPart("Declared by the engine", policies),
    ...commandPart("Replay", replays[0]),
    ...otherParts(detail),
    ...(reproduction === undefined ? [] : reproductionParts(reproduction)),
  ];
}

/** Shows the answer beside the right number, in decimals or exactly, and both on a line. */
export function numberParts(numbers: PageNumbers, id: string): HTMLElement[] {
  const { place, off, exact, sentence } = numbers;
  const [got, want] = [make("dd", { class: "got" }), make("dd", { class: "want" })];
  const box = make("input", { type: "checkbox" });
  const show = (): void => {
    const shown = box instanceof HTMLInputElement && box.checked ? exact : numbers;
    got.textContent = shown.got;
    want.textContent = shown.want;
  };
  box.addEventListener("input", show);
  show();
  return [
    make("h4", {}, `Answer at ${place}`),
    make("dl", { class: "numbers" }, make("dt", {}, "got"), got, make("dt", {}, "want"), want),
    make("label", { class: "toggle" }, box, " exact (hexadecimal)"),
    make("div", {}, ...linePicture(numbers, draw, `${id}-line`)),
    make("p", { class: "note" }, off === undefined ? sentence : `${sentence.slice(0, -1)}: ${off}.`),
  ];
}

/** Shows the graph as a drawing. */
export function graphParts(drawing: NonNullable<PageDetail["drawing"]>, id: string): HTMLElement[] {
  const picture = make(
    "div",
    { class: "scrolls", tabindex: "0", role: "region", "aria-label": "The graph, drawn" },
    graphPicture(drawing, draw, `${id}-graph`),
  );
  const { left } = drawing;
  const note =
    left === 0 ? [] : [make("p", { class: "note" }, `${left} more nodes, further away, are not drawn.`)];
  return [make("h4", {}, "Graph"), picture, ...note];
}

/** Says who is to blame, and by which rule. */
export function reasonParts({ sentence, rule }: PageDetail): HTMLElement[] {
  const why =
    rule === undefined
      ? []
      : [make("p", { class: "sentence" }, `${rule.why} See `, make("code", {}, rule.link), ".")];
  return [
    make("h4", {}, rule === undefined ? "Said" : "Blame"),
    make("p", { class: "sentence" }, sentence),
    ...(why.length === 0 ? [] : [make("h4", {}, "Why it is wrong"), ...why]),
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
export function otherParts({ kinds, replays, more }: PageDetail): HTMLElement[] {
  const others = replays.slice(1);
  const rest = more === 0 ? "" : `\n… and ${more} more, which the report as JSON has`;
  return [
    ...(kinds === "" ? [] : [folded("Kinds of this fault", make("p", {}, kinds))]),
    ...(others.length === 0
      ? []
      : [folded(`Cases that fail alike: ${others.length + more}`, block(`${others.join("\n")}${rest}`))]),
  ];
}

/** Makes content that a reader unfolds. */
export function folded(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return make("details", {}, make("summary", {}, title), ...content);
}

/** Offers the shrunk case as files, and the command that judges it. */
export function reproductionParts({ name, command, text, case: asked }: PageReproduction): HTMLElement[] {
  // All but plain ASCII is written as JSON escapes, so that nothing unseen is copied.
  const json = JSON.stringify(asked, undefined, 1).replace(
    /[^\n -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const files = [
    [`${name}.adj`, text, "text/plain"],
    [`${name}.json`, `${json}\n`, "application/json"],
  ] as const;
  const links = files.map(([file, content, type]) => {
    const url = URL.createObjectURL(new Blob([content], { type }));
    return make("li", {}, make("a", { href: url, download: file }, `Save ${file}`));
  });
  const parts = [
    ...commandPart("Reproduction", command),
    make("ul", {}, ...links),
    folded("The case as text", block(text)),
    folded("The case as JSON", block(json)),
  ];
  return [make("div", { class: "files" }, ...parts)];
}
