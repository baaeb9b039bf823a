import type { PageDetail, PageIndex, PageRow } from "./data.ts";
import { detailParts } from "./details.ts";
import { startDigits } from "./digits.ts";
import { make, part } from "./elements.ts";
import { listingIn } from "./listing.ts";

/** The filters, by their names in a link. */
export type Filters = Readonly<Record<"engine" | "operator" | "question" | "kind" | "text", string>>;

/** Starts the page: fills the list, and follows the filters and the address. */
export function startPage(): void {
  const { rows, perBlock }: PageIndex = JSON.parse(part("index", HTMLScriptElement).text);
  const [detail, list] = [part("detail", HTMLElement), part("list", HTMLElement)];
  const form = part("filters", HTMLFormElement);
  // Only what is shown has a height, which the list asks for.
  part("browse", HTMLElement).hidden = rows.length === 0;
  const partsOf = (row: PageRow, id: string): HTMLElement[] => {
    const read = detailOf(rows, row, perBlock);
    return read === undefined ? [] : detailParts(row, read, id);
  };
  const listing = listingIn(
    list,
    (row, way) => {
      detail.replaceChildren(...partsOf(row, "detail"));
      detail.scrollTop = 0;
      if (way !== "shown") history.replaceState(undefined, "", `#${row.id}`);
      // On a narrow screen the finding is below the list.
      if (way === "chosen" && detail.offsetTop >= list.offsetTop + list.offsetHeight) detail.scrollIntoView();
    },
    () => part("detail-title", HTMLElement).focus(),
  );
  const followDigits = startDigits();
  const filter = (): void => showRows(listing.show, detail, rows, filtersIn(form));
  const follow = (): void => {
    const name = location.hash.slice(1);
    if (name.startsWith("finding-")) {
      part("findings", HTMLElement).scrollIntoView();
      if (!listing.choose(name)) {
        // A form's reset would reach its listeners only after the finding is open.
        fillFilters(form, new URLSearchParams());
        filter();
        listing.choose(name);
      }
    } else if (name.startsWith("digits=")) {
      followDigits(new URLSearchParams(name));
    } else if (name.includes("=")) {
      fillFilters(form, new URLSearchParams(name));
      filter();
      part("findings", HTMLElement).scrollIntoView();
    }
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  // Listeners hear of a reset before the fields are reset, so filtering waits.
  form.addEventListener("reset", () => setTimeout(filter));
  detail.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") list.focus();
  });
  addEventListener("hashchange", follow);
  // Paper has no list to choose from, so it gets the findings themselves.
  addEventListener("beforeprint", () => {
    const printed = rows.filter((row) => passes(row, filtersIn(form))).slice(0, 50);
    part("printed", HTMLElement).replaceChildren(
      ...printed.map((row) => make("article", {}, ...partsOf(row, `printed-${row.id}`))),
    );
  });
  addEventListener("afterprint", () => part("printed", HTMLElement).replaceChildren());
  filter();
  follow();
}

/** Shows the rows that pass, the first of them open, and their count. */
export function showRows(
  show: (rows: readonly PageRow[]) => void,
  detail: HTMLElement,
  rows: readonly PageRow[],
  filters: Filters,
): void {
  const passing = rows.filter((row) => passes(row, filters));
  if (passing.length === 0) detail.replaceChildren(make("p", { class: "note" }, "No finding fits."));
  show(passing);
  const words = passing.length === 1 ? "1 finding" : `${passing.length} findings`;
  part("told", HTMLElement).textContent =
    passing.length === rows.length ? words : `${words} of ${rows.length}`;
}

/** Tells whether a row passes the filters. */
export function passes(row: PageRow, { engine, operator, question, kind, text }: Filters): boolean {
  return (
    (engine === "" || row.sections.includes(Number(engine))) &&
    (operator === "" || operator === row.operator) &&
    (question === "" || row.questions.includes(question)) &&
    (kind === "" || kind === row.kind) &&
    `${row.title} ${row.engine}`.toLowerCase().includes(text.toLowerCase())
  );
}

/** Reads the filters from the form. */
export function filtersIn(form: HTMLFormElement): Filters {
  const entries = new FormData(form);
  const field = (name: string): string => `${entries.get(name) ?? ""}`;
  return {
    engine: field("engine"),
    operator: field("operator"),
    question: field("question"),
    kind: field("kind"),
    text: field("text"),
  };
}

/** Fills the form from a link; filters that it does not name are cleared. */
export function fillFilters(form: HTMLFormElement, asked: URLSearchParams): void {
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement)
      field.value = asked.get(field.name) ?? "";
  }
}

/** Reads a finding's details from the block that holds them. */
export function detailOf(rows: readonly PageRow[], row: PageRow, perBlock: number): PageDetail | undefined {
  const place = rows.indexOf(row);
  const block: readonly PageDetail[] = JSON.parse(
    part(`block-${Math.floor(place / perBlock)}`, HTMLScriptElement).text,
  );
  return block[place % perBlock];
}
