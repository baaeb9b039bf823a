import { scrolling } from "./frame.ts";
import { type Content, element, type Markup } from "./markup.ts";

/** A table has at most so many rows; `--json` has all. */
const MOST_ROWS = 2000;

/** Makes a table whose first column names its rows. */
export function wordTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): Markup {
  const told = rows
    .slice(0, MOST_ROWS)
    .map(([name = "", ...cells]) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, name),
        ...cells.map((cell, place) => element("td", { "data-head": heads[place + 1] }, cell)),
      ),
    );
  const more = rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} of ${rows.length}` : "";
  return scrolling(
    caption,
    element(
      "table",
      { class: "words stacked" },
      element("caption", {}, `${caption}${more}`),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...told),
    ),
  );
}
