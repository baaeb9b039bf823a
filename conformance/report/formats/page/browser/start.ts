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
  const detail = part("detail", HTMLElement);
  const form = part("filters", HTMLFormElement);
  const listing = listingIn(
    part("list", HTMLElement),
    (row) => {
      showDetail(detail, row, detailOf(rows, row, perBlock));
      history.replaceState(undefined, "", `#${row.id}`);
    },
    () => part("detail-title", HTMLElement).focus(),
  );
  const followDigits = startDigits();
  const filter = (): void => showRows(listing.show, detail, rows, filtersIn(form));
  const follow = (): void => {
    const name = location.hash.slice(1);
    if (name.startsWith("finding-")) {
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
    }
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  // Listeners hear of a reset before the fields are reset, so filtering waits.
  form.addEventListener("reset", () => setTimeout(filter));
  detail.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") part("list", HTMLElement).focus();
  });
  addEventListener("hashchange", follow);
  filter();
  follow();
  part("browse", HTMLElement).hidden = false;
}

/** Shows the rows that pass, and their count. */
export function showRows(
  show: (rows: readonly PageRow[]) => void,
  detail: HTMLElement,
  rows: readonly PageRow[],
  filters: Filters,
): void {
  const passing = rows.filter((row) => passes(row, filters));
  show(passing);
  part("list", HTMLElement).hidden = passing.length === 0;
  const words = passing.length === 1 ? "1 finding" : `${passing.length} findings`;
  part("told", HTMLElement).textContent =
    passing.length === rows.length ? words : `${words} of ${rows.length}`;
  const hint = passing.length === 0 ? "No finding fits." : "Choose a finding to see it.";
  detail.replaceChildren(make("p", { class: "note" }, hint));
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

/** Shows a finding beside the list. */
export function showDetail(place: HTMLElement, row: PageRow, detail: PageDetail | undefined): void {
  if (detail !== undefined) place.replaceChildren(...detailParts(row, detail));
}
