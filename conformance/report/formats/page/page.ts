import type { ReportJson, ReportSection } from "../../../../spec/wire/index.ts";
import { nameOf } from "../../findings.ts";
import { counted } from "../../fold.ts";
import { choice } from "./choice.ts";
import { digitsPlot } from "./digits.ts";
import { documentSections, type PageDocument } from "./documents.ts";
import { type PageFinding, pageFindings } from "./findings_data.ts";
import { framed, part, scrolling } from "./frame.ts";
import { lawsTable } from "./laws.ts";
import { type LayOut, layOutGraphs } from "./layout.ts";
import { element, embeddedJson, type Markup, together } from "./markup.ts";
import { matrixTable } from "./matrix.ts";
import { obligationsTable } from "./obligations.ts";
import { pageScript } from "./script.ts";

/** A block holds so many findings, and is read when one of them is opened. */
const PER_BLOCK = 50;

/** Returns the writer of reports as pages, and loads Graphviz for it. */
export async function htmlPages(
  documents: readonly PageDocument[] = [],
): Promise<(report: ReportJson) => string> {
  const layOut = await layOutGraphs();
  return (report) => htmlPage(report, layOut, documents);
}

/**
 * Writes a report as one HTML file without network: engines, operators by modes, digits, findings, laws, the
 * reference's proofs, and a section for each document. A browser draws only findings looked at.
 * Laws: no text of an engine is markup or program, since all is escaped and a policy runs only the script
 * with its hash; each of the report's findings is there.
 */
export function htmlPage(
  report: ReportJson,
  layOut: LayOut,
  documents: readonly PageDocument[] = [],
): string {
  const findings = pageFindings(report, layOut);
  const body = bodyOf(report, findings, documents);
  return framed({ title: titleOf(findings), body, script: pageScript() });
}

function titleOf(findings: readonly PageFinding[]): string {
  const news = findings.filter(({ row }) => row.kind !== "known").length;
  return `adjudge: ${news === 0 ? "no new finding" : counted(news, "new finding")}`;
}

function bodyOf(
  report: ReportJson,
  findings: readonly PageFinding[],
  documents: readonly PageDocument[],
): Markup[] {
  const { adjudge, seed, cases, profile } = report;
  const drawn = report.shares.length === 0 ? "from files" : `of profile ${profile}, drawn with seed ${seed}`;
  const [laws, obligations] = [lawsTable(report), obligationsTable(report)];
  return [
    element("a", { class: "skip", href: "#findings" }, "Skip to the findings"),
    element(
      "header",
      {},
      element("h1", {}, titleOf(findings)),
      element(
        "p",
        {},
        `${counted(cases, "case")} for each engine and precision, ${drawn}; adjudge ${adjudge}.`,
      ),
    ),
    element(
      "main",
      {},
      part("engines", "Engines", scrolling("The engines", enginesTable(report))),
      part("findings", "Findings", browser(report, findings)),
      part(
        "operators",
        "Operators by engine and mode",
        together(legend(), scrolling("The matrix", matrixTable(report))),
      ),
      part("digits", "Right digits by operator", digitsPlot(report)),
      ...(laws === undefined ? [] : [part("laws", "Laws", laws)]),
      ...(obligations === undefined ? [] : [part("obligations", "Obligations", obligations)]),
      ...documentSections(documents),
    ),
    embeddedJson("index", { rows: findings.map(({ row }) => row), perBlock: PER_BLOCK }),
    ...blocksOf(findings),
  ];
}

function blocksOf(findings: readonly PageFinding[]): Markup[] {
  const count = Math.ceil(findings.length / PER_BLOCK);
  return Array.from({ length: count }, (_, place) => {
    const within = findings.slice(place * PER_BLOCK, (place + 1) * PER_BLOCK);
    return embeddedJson(
      `block-${place}`,
      within.map(({ detail }) => detail),
    );
  });
}

function legend(): Markup {
  const words =
    "✗ cases for which the operator is to blame, – cases declined, where most are, ✓ cases answered and none of them wrong, ? answered and none decided, · none asked. Laws are relations between answers, such as linearity.";
  return element("p", { class: "note" }, words);
}

function enginesTable({ engines }: ReportJson): Markup {
  const names = [
    "engine",
    "outcome",
    "agree",
    "disagree",
    "crashed",
    "undecided",
    "declined",
    "asked",
    "known",
  ];
  return element(
    "table",
    {},
    element("caption", {}, "What came of each engine and precision"),
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...engines.map(engineRow)),
  );
}

function engineRow(section: ReportSection, place: number): Markup {
  const { counts, outcome, extent, known } = section;
  const sort =
    outcome === "agrees" ? "good" : outcome === "disagrees" || outcome === "crashed" ? "bad" : "unsure";
  const excused = known.reduce((sum, one) => sum + one.cases, 0);
  const numbers = [counts.agrees, counts.disagrees, counts.crashed, counts.undecided, counts.unsupported];
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("a", { href: `#engine=${place}` }, nameOf(section))),
    element("td", { class: sort }, outcome),
    ...numbers.map((count) => element("td", {}, count)),
    element("td", {}, `${extent.asked} of ${extent.cases}`),
    element("td", {}, excused),
  );
}

/** Makes the places that a script looks for, hidden. */
function emptyBrowser(): Markup {
  const empty = ["list", "told", "browse"].map((id) => element("div", { id, hidden: true }));
  return together(
    element("p", {}, "Nothing was found."),
    ...empty,
    element("article", { id: "detail" }),
    element("form", { id: "filters", hidden: true }),
  );
}

function filters({ engines }: ReportJson, findings: readonly PageFinding[]): Markup {
  const of = (read: (row: PageFinding["row"]) => readonly string[]): [string, string][] =>
    [...new Set(findings.flatMap(({ row }) => read(row)))]
      .filter((value) => value !== "")
      .sort()
      .map((value) => [value, value]);
  const named = engines.map((section, place): [string, string] => [`${place}`, nameOf(section)]);
  return element(
    "form",
    { id: "filters", class: "choices", role: "search", "aria-label": "Filter the findings" },
    element("label", {}, "Text ", element("input", { type: "search", name: "text" })),
    choice("Engine", "engine", named, "all"),
    choice(
      "Operator",
      "operator",
      of(({ operator }) => [operator]),
      "all",
    ),
    choice(
      "Asked",
      "question",
      of(({ questions }) => questions),
      "all",
    ),
    choice(
      "Kind",
      "kind",
      of(({ kind }) => [kind]),
      "all",
    ),
    element("button", { type: "reset" }, "Show all"),
    element("p", { id: "told", role: "status" }),
  );
}

/** Makes the filters, the list and the place for a finding, which a script fills in. */
function browser(report: ReportJson, findings: readonly PageFinding[]): Markup {
  if (findings.length === 0) return emptyBrowser();
  return together(
    element(
      "noscript",
      {},
      element(
        "p",
        {},
        "The findings are drawn by a script, which does not run here; adjudge report --as markdown needs none.",
      ),
    ),
    element(
      "div",
      { id: "browse", hidden: true },
      filters(report, findings),
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
  );
}
