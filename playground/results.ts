import type { Answer, Told } from "./answer.ts";
import { make, part } from "./elements.ts";
import type { Mark } from "./given.ts";
import type { Figure, Figures, Row } from "./rows.ts";
import type { Said } from "./worker.ts";

type AddLine = (line: string) => void;
type GoTo = (start: number, end: number) => void;

/** Shows an answer. Where a text has mistakes, what was known of the last one without stays, dimmed. */
export function showAnswer(said: Said, milliseconds: number, addLine: AddLine, goTo: GoTo): void {
  const status = part("status", HTMLParagraphElement);
  const results = part("results", HTMLElement);
  const marks = "failed" in said ? [] : said.marks;
  const isAnswered = !("failed" in said) && said.told !== undefined;
  results.classList.toggle("stale", !isAnswered);
  status.className = isAnswered ? "" : "bad";
  status.textContent = statusOf(said, milliseconds);
  part("faults", HTMLDivElement).replaceChildren(...marks.map((mark) => faultOf(mark, goTo)));
  part("notes", HTMLDivElement).replaceChildren();
  if ("failed" in said || said.told === undefined) return;
  showNames(said.names);
  showTold(said.told, addLine);
}

function statusOf(said: Said, milliseconds: number): string {
  if ("failed" in said) return `There is no answer: ${said.failed}.`;
  const { marks } = said;
  if (marks.length === 0) return `No mistakes. Answered in ${Math.max(1, Math.round(milliseconds))} ms.`;
  return `${marks.length} ${marks.length === 1 ? "mistake" : "mistakes"}; the results are those of the last text without one.`;
}

function faultOf({ start, end, frame }: Mark, goTo: GoTo): Node {
  const button = make("button", { type: "button" }, "Go there");
  button.addEventListener("click", () => goTo(start, end));
  return make("div", {}, make("pre", { tabindex: "0" }, frame), button);
}

/** Offers the documents of a text, if it has several. */
function showNames(names: readonly string[]): void {
  const select = part("document", HTMLSelectElement);
  const chosen = Math.min(Math.max(0, select.selectedIndex), Math.max(0, names.length - 1));
  select.replaceChildren(...names.map((name) => make("option", {}, name)));
  select.selectedIndex = chosen;
  part("documents", HTMLLabelElement).hidden = names.length < 2;
}

function showTold(told: NonNullable<Answer["told"]>, addLine: AddLine): void {
  const { notes, suggestion, rows, hasTangents, derived, dimensions, lean } = told;
  const noted = notes.map((note) => make("p", {}, note));
  if (suggestion !== undefined) {
    const button = make("button", { type: "button" }, `Add the line “${shortened(suggestion)}”`);
    button.addEventListener("click", () => addLine(suggestion));
    noted.push(make("p", {}, button));
  }
  part("notes", HTMLDivElement).replaceChildren(...noted);
  const isTold = rows.kind === "told";
  part("summary", HTMLDListElement).replaceChildren(...(isTold ? summaryOf(rows.value) : []));
  part("rows", HTMLDivElement).replaceChildren(
    isTold ? tableOf(rows.value, hasTangents) : make("p", {}, sentence(rows.why)),
  );
  showText("derived", derived);
  showText("dimensions", dimensions);
  showText("lean", lean);
  const link = part("lean-link", HTMLAnchorElement);
  URL.revokeObjectURL(link.href);
  link.hidden = lean.kind !== "told";
  if (lean.kind === "told") link.href = URL.createObjectURL(new Blob([lean.value], { type: "text/plain" }));
}

function showText(id: string, told: Told<string>): void {
  part(id, HTMLPreElement).textContent = told.kind === "told" ? told.value : sentence(told.why);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function shortened(line: string): string {
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** The last value and the gradients of the inputs: what most people came for. */
function summaryOf(rows: readonly Row[]): readonly Node[] {
  const last = rows.at(-1);
  const inputs = rows.filter(({ isInput }) => isInput).slice(0, MOST_CARDS);
  return [
    ...(last === undefined || last.isInput
      ? []
      : [cardOf(last.name.startsWith("%") ? shortened(last.written) : last.name, last.value, "")]),
    ...inputs.map(({ name, gradient }) => cardOf(`gradient of ${name}`, gradient, "gradient")),
  ];
}

/** So many inputs have a card, with so many numbers; all are in the table. */
const [MOST_CARDS, MOST_NUMBERS] = [4, 12];

function cardOf(title: string, { shape, figures, left }: Figures, kind: string): Node {
  const first = figures.slice(0, MOST_NUMBERS);
  const cut = { shape, figures: first, left: left + figures.length - first.length };
  return make("div", { class: kind }, make("dt", {}, title), make("dd", {}, ...figuresOf(cut)));
}

function tableOf(rows: readonly Row[], hasTangents: boolean): HTMLElement {
  const columns = ["value", ...(hasTangents ? ["tangent"] : []), "gradient"];
  const heads = ["", ...columns].map((name) => make("th", { scope: "col" }, name === "" ? "name" : name));
  const body = rows.map(({ name, written, value, tangent, gradient }) => {
    const cells = [value, ...(hasTangents ? [tangent] : []), gradient];
    const shape =
      value.shape.length === 0 ? [] : [make("span", { class: "shape" }, ` [${value.shape.join(", ")}]`)];
    const head = make(
      "th",
      { scope: "row" },
      name,
      ...shape,
      make("br", {}),
      make("code", {}, shortened(written)),
    );
    const made = cells.map((figures, column) =>
      make("td", { "data-label": columns[column] ?? "" }, ...figuresOf(figures)),
    );
    return make("tr", {}, head, ...made);
  });
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body));
}

/** Draws a tensor: a matrix in rows, anything else in one; below it how far an engine may be from it. */
function figuresOf({ shape, figures, left }: Figures): readonly Node[] {
  const columns = shape.length === 2 ? Math.max(1, shape[1] ?? 1) : Math.max(1, figures.length);
  const rows = Array.from({ length: Math.ceil(figures.length / columns) }, (_, row) =>
    make("span", { class: "row" }, ...figures.slice(row * columns, (row + 1) * columns).map(drawn)),
  );
  const rest = left > 0 ? [make("span", { class: "shape" }, `… ${left} more`)] : [];
  const kind = rows.length > 1 ? "tensor matrix" : "tensor";
  return [
    make("span", { class: kind }, ...rows, ...rest),
    make("span", { class: "bound" }, wordsOf(figures)),
  ];
}

function drawn({ shown, exact, allowed, isOdd }: Figure): Node {
  return make("span", { title: `${exact}; ${allowed}`, class: isOdd ? "odd" : "" }, shown);
}

/** Says what an engine may answer for some numbers. */
function wordsOf(figures: readonly Figure[]): string {
  const bounds = figures.filter(({ isOdd }) => !isOdd).map(({ bound }) => bound);
  const widest = Math.max(0, ...bounds);
  const odd = [...new Set(figures.filter(({ isOdd }) => isOdd).map(({ allowed }) => allowed))];
  const bounded =
    bounds.length === 0 ? [] : [widest === 0 ? "exactly" : `within ${Number(widest.toPrecision(2))}`];
  return [...bounded, ...odd].join("; ");
}
