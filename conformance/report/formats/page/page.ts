import type { ReportJson, ReportSection } from "../../../../spec/index.ts";
import { counted } from "../../fold.ts";
import { nameOf } from "../findings.ts";
import { digitsPlot } from "./digits.ts";
import { type PageFinding, pageFindings } from "./findings_data.ts";
import { framed, part, scrolling } from "./frame.ts";
import { type LayOut, layOutGraphs } from "./layout.ts";
import { element, embeddedJson, type Markup, together } from "./markup.ts";
import { matrixTable } from "./matrix.ts";
import { pageScript } from "./script.ts";

/** So many findings wait in one block, which is read when one of them is opened. */
const PER_BLOCK = 50;

/** Who writes reports as pages; Graphviz is loaded here. */
export async function htmlPages(): Promise<(report: ReportJson) => string> {
  const layOut = await layOutGraphs();
  return (report) => htmlPage(report, layOut);
}

/**
 * A report as one file of HTML that needs no network and no other file: the engines, the matrix of operators by modes, the plot of digits, and the
 * findings, of which a browser draws those that are looked at. Laws: no text of an engine is read as markup or as a program, for all is
 * escaped and a policy in the page lets nothing run but the script by its hash; there is a finding for each of the report's.
 */
export function htmlPage(report: ReportJson, layOut: LayOut): string {
  const findings = pageFindings(report, layOut);
  return framed({ title: titleOf(findings), body: bodyOf(report, findings), script: pageScript() });
}

function titleOf(findings: readonly PageFinding[]): string {
  const news = findings.filter(({ row }) => row.kind !== "known").length;
  return `adjudge: ${news === 0 ? "no new finding" : counted(news, "new finding")}`;
}

function bodyOf(report: ReportJson, findings: readonly PageFinding[]): Markup[] {
  const { adjudge, seed, cases, profile } = report;
  const drawn = report.shares.length === 0 ? "from files" : `of profile ${profile}, drawn with seed ${seed}`;
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
      part("digits", "Digits of error by operator", digitsPlot(report)),
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

/** The filters, the list and the place where a finding is shown; what is in them a script fills in. */
function browser({ engines }: ReportJson, findings: readonly PageFinding[]): Markup {
  if (findings.length === 0) {
    const empty = ["list", "told", "browse"].map((id) => element("div", { id, hidden: true }));
    return together(
      element("p", {}, "Nothing was found."),
      ...empty,
      element("article", { id: "detail" }),
      element("form", { id: "filters", hidden: true }),
    );
  }
  const of = (read: (row: PageFinding["row"]) => readonly string[]): [string, string][] =>
    [...new Set(findings.flatMap(({ row }) => read(row)))]
      .filter((value) => value !== "")
      .sort()
      .map((value) => [value, value]);
  const named = engines.map((section, place): [string, string] => [`${place}`, nameOf(section)]);
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
      element(
        "form",
        { id: "filters", role: "search", "aria-label": "Filter the findings" },
        element("label", {}, "Text ", element("input", { type: "search", name: "text" })),
        choice("Engine", "engine", named),
        choice(
          "Operator",
          "operator",
          of(({ operator }) => [operator]),
        ),
        choice(
          "Asked",
          "question",
          of(({ questions }) => questions),
        ),
        choice(
          "Kind",
          "kind",
          of(({ kind }) => [kind]),
        ),
        element("button", { type: "reset" }, "Show all"),
        element("p", { id: "told", role: "status" }),
      ),
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

function choice(label: string, name: string, options: readonly (readonly [string, string])[]): Markup {
  const all = element("option", { value: "" }, "all");
  const written = options.map(([value, words]) => element("option", { value }, words));
  return element("label", {}, `${label} `, element("select", { name }, all, ...written));
}
