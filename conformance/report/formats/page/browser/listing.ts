import type { PageRow } from "./data.ts";
import { make } from "./elements.ts";

/** A row becomes active when the list shows it first, by the arrow keys, or by a click or a link. */
export type Way = "shown" | "walked" | "chosen";

/** The list of findings, and which of them is open. */
export interface Listing {
  /** Lists rows, and makes the first of them active. */
  show(rows: readonly PageRow[]): void;
  /** Makes a finding the active one; false where it is not listed. */
  choose(id: string): boolean;
}

/** Where a list's rows and the headings of their groups are, in pixels. */
export interface Places {
  readonly rows: readonly number[];
  readonly heads: readonly { readonly group: string; readonly top: number }[];
  readonly height: number;
}

/** Makes a list that holds only visible rows in the document; arrow keys walk it, `open` gets the active. */
export function listingIn(
  box: HTMLElement,
  open: (row: PageRow, way: Way) => void,
  enter: () => void,
): Listing {
  const height = 52;
  const sizer = make("div", { role: "presentation", class: "sizer" });
  box.replaceChildren(sizer);
  let rows: readonly PageRow[] = [];
  let places = placesOf(rows, height);
  let active = -1;
  const render = (): void => {
    // The box is as high as what is in it, so its height is read after that is known.
    box.hidden = rows.length === 0;
    sizer.style.height = `${places.height}px`;
    const [first, last] = [box.scrollTop - 400, box.scrollTop + box.clientHeight + 400];
    const heads = places.heads.filter(({ top }) => top > first && top < last);
    // The active row stays though scrolled away, since screen readers follow it.
    const near = rows.flatMap((row, place) => {
      const top = places.rows[place] ?? 0;
      const isKept = place === active || (top > first && top < last);
      return isKept ? [optionOf(row, { place, count: rows.length, isActive: place === active, top })] : [];
    });
    sizer.replaceChildren(...heads.map(headOf), ...near);
    const row = rows[active];
    if (row === undefined) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", `row-${row.id}`);
  };
  const activate = (place: number, way: Way): void => {
    const row = rows[place];
    if (row === undefined) return;
    active = place;
    const top = places.rows[place] ?? 0;
    if (top < box.scrollTop || place === 0) box.scrollTop = place === 0 ? 0 : top;
    if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
    render();
    open(row, way);
  };
  box.addEventListener("scroll", render);
  addEventListener("resize", render);
  box.addEventListener("click", ({ target }) => {
    const option = target instanceof Element ? target.closest("[role=option]") : null;
    if (option !== null) activate(Number(option.getAttribute("aria-posinset")) - 1, "chosen");
  });
  box.addEventListener("keydown", (event) => {
    const place = placeAfter(event.key, active, rows.length, Math.floor(box.clientHeight / height));
    if (event.key === "Enter" && active >= 0) enter();
    else if (place === undefined) return;
    else activate(place, "walked");
    event.preventDefault();
  });
  return {
    show(next) {
      rows = next;
      places = placesOf(rows, height);
      active = -1;
      render();
      activate(0, "shown");
    },
    choose(id) {
      const place = rows.findIndex((row) => row.id === id);
      activate(place, "chosen");
      return place >= 0;
    },
  };
}

/** Places rows below each other, with a heading above each group. */
export function placesOf(rows: readonly PageRow[], height: number): Places {
  const tops: number[] = [];
  const heads: { readonly group: string; readonly top: number }[] = [];
  let top = 0;
  for (const { group } of rows) {
    if (group !== heads.at(-1)?.group) {
      heads.push({ group, top });
      top += 30;
    }
    tops.push(top);
    top += height;
  }
  return { rows: tops, heads, height: top };
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

/** Makes a group's heading; rows name it to those who do not see it. */
export function headOf({ group, top }: Places["heads"][number]): HTMLElement {
  const made = make("div", { class: "group", "aria-hidden": "true" }, group);
  made.style.top = `${top}px`;
  return made;
}

/** Makes a row of the list. */
export function optionOf(
  row: PageRow,
  at: { readonly place: number; readonly count: number; readonly isActive: boolean; readonly top: number },
): HTMLElement {
  const made = make(
    "div",
    {
      role: "option",
      id: `row-${row.id}`,
      "aria-selected": `${at.isActive}`,
      "aria-posinset": `${at.place + 1}`,
      "aria-setsize": `${at.count}`,
    },
    make("span", { class: "spoken" }, `${row.group}: `),
    make("span", { class: "row-title" }, row.short),
    make("span", { class: "row-cases" }, `×${row.cases}`),
    make("span", { class: "row-engine" }, row.engine),
    ...(row.kind === "known" ? [make("span", { class: "chip known" }, "known")] : []),
  );
  made.style.top = `${at.top}px`;
  return made;
}
