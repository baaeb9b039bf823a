import type { PageRow } from "./data.ts";
import { make } from "./elements.ts";

/** The list of findings, and which of them is open. */
export interface Listing {
  show(rows: readonly PageRow[]): void;
  /** Makes a finding the active one; false where it is not listed. */
  choose(id: string): boolean;
}

/** Makes a list that holds only visible rows in the document; arrow keys walk it, `open` gets the active. */
export function listingIn(box: HTMLElement, open: (row: PageRow) => void, enter: () => void): Listing {
  const height = 46;
  const sizer = make("div", { role: "presentation", class: "sizer" });
  box.replaceChildren(sizer);
  let rows: readonly PageRow[] = [];
  let active = -1;
  const render = (): void => {
    const first = Math.max(0, Math.floor(box.scrollTop / height) - 8);
    const last = Math.min(rows.length, Math.ceil((box.scrollTop + box.clientHeight) / height) + 8);
    const places = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
    // The active row stays though scrolled away, since screen readers follow it.
    const kept = active >= 0 && (active < first || active >= last) ? [...places, active] : places;
    sizer.style.height = `${rows.length * height}px`;
    sizer.replaceChildren(
      ...kept.flatMap((place) => {
        const row = rows[place];
        return row === undefined ? [] : [optionOf(row, place, rows.length, place === active, height)];
      }),
    );
    const row = rows[active];
    if (row === undefined) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", `row-${row.id}`);
  };
  const activate = (place: number): void => {
    const row = rows[place];
    if (row === undefined) return;
    active = place;
    const top = place * height;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
    render();
    open(row);
  };
  box.addEventListener("scroll", render);
  addEventListener("resize", render);
  box.addEventListener("click", ({ target }) => {
    const option = target instanceof Element ? target.closest("[role=option]") : null;
    if (option !== null) activate(Number(option.getAttribute("aria-posinset")) - 1);
  });
  box.addEventListener("keydown", (event) => {
    const place = placeAfter(event.key, active, rows.length, Math.floor(box.clientHeight / height));
    if (event.key === "Enter" && active >= 0) enter();
    else if (place === undefined) return;
    else activate(place);
    event.preventDefault();
  });
  return {
    show(next) {
      rows = next;
      active = -1;
      box.scrollTop = 0;
      render();
    },
    choose(id) {
      const place = rows.findIndex((row) => row.id === id);
      activate(place);
      return place >= 0;
    },
  };
}

/** Returns where a key leads from a row; `undefined` for a key that lists do not use. */
export function placeAfter(key: string, from: number, count: number, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const place = steps[key];
  return place === undefined ? undefined : Math.min(Math.max(place, 0), count - 1);
}

/** Makes a row of the list. */
export function optionOf(
  row: PageRow,
  place: number,
  count: number,
  isActive: boolean,
  height: number,
): HTMLElement {
  const made = make(
    "div",
    {
      role: "option",
      id: `row-${row.id}`,
      "aria-selected": `${isActive}`,
      "aria-posinset": `${place + 1}`,
      "aria-setsize": `${count}`,
    },
    make("span", { class: `chip ${row.kind}` }, row.kind),
    make("span", { class: "row-title" }, row.title),
    make("span", { class: "row-engine" }, row.engine),
    make("span", { class: "row-cases" }, `×${row.cases}`),
  );
  made.style.top = `${place * height}px`;
  return made;
}
