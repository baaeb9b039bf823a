import type { ReportSection } from "../../../../spec/wire/index.ts";
import { nameOf } from "../../findings.ts";
import { choice } from "./choice.ts";
import type { PageFinding } from "./findings_data.ts";
import { element, embeddedJson, type Markup, together } from "./markup.ts";

/** A block holds so many findings, and is read when one of them is opened. */
const PER_BLOCK = 50;

/** Makes the filters, the list and the place for a finding, which a script fills in. */
export function findingsPart(
  engines: readonly ReportSection[],
  findings: readonly PageFinding[],
  nothing: string,
): Markup {
  return together(
    ...(findings.length === 0 ? [element("p", {}, nothing)] : [unscripted]),
    element(
      "div",
      { id: "browse", hidden: true },
      filters(engines, findings),
      element(
        "div",
        { class: "columns" },
        element("div", {
          id: "list",
          role: "listbox",
          tabindex: 0,
          "aria-label": "Findings: arrows to choose, Enter to read",
        }),
        element("article", { id: "detail", "aria-label": "The finding that is chosen" }),
      ),
    ),
    element("div", { id: "printed" }),
  );
}

const unscripted: Markup = element(
  "noscript",
  {},
  element(
    "p",
    {},
    "The findings are drawn by a script, which does not run here; adjudge report --as markdown needs none.",
  ),
);

/** Makes the data that the script reads: the rows at once, what they open block by block. */
export function findingsData(findings: readonly PageFinding[]): Markup[] {
  const count = Math.ceil(findings.length / PER_BLOCK);
  const blocks = Array.from({ length: count }, (_, place) => {
    const within = findings.slice(place * PER_BLOCK, (place + 1) * PER_BLOCK);
    return embeddedJson(
      `block-${place}`,
      within.map(({ detail }) => detail),
    );
  });
  const rows = findings.map(({ row }) => row);
  return [embeddedJson("index", { rows, perBlock: PER_BLOCK }), ...blocks];
}

function filters(engines: readonly ReportSection[], findings: readonly PageFinding[]): Markup {
  const all = (label: string, name: string, read: (row: PageFinding["row"]) => readonly string[]): Markup => {
    const values = new Set(findings.flatMap(({ row }) => read(row)).filter((value) => value !== ""));
    return choice(
      label,
      name,
      [...values].sort().map((value) => [value, value]),
      "all",
    );
  };
  const named = engines.map((section, place): [string, string] => [`${place}`, nameOf(section)]);
  return element(
    "form",
    { id: "filters", class: "choices", role: "search", "aria-label": "Filter the findings" },
    element("label", {}, "Search ", element("input", { type: "search", name: "text" })),
    choice("Engine", "engine", named, "all"),
    all("Operator", "operator", ({ operator }) => [operator]),
    all("Mode", "question", ({ questions }) => questions),
    all("Status", "kind", ({ kind }) => [kind]),
    element("button", { type: "reset" }, "Clear filters"),
    element("p", { id: "told", role: "status" }),
  );
}
