import type { ReportJson } from "../../../../spec/wire/index.ts";
import { digitsPlot } from "./digits.ts";
import { documentSections, type PageDocument } from "./documents.ts";
import { enginesTable } from "./engines_part.ts";
import { reportFindings } from "./findings_data.ts";
import { findingsData, findingsPart } from "./findings_part.ts";
import { framed, part } from "./frame.ts";
import { factsOf, headlineOf, pageHeader } from "./header.ts";
import { lawsTable } from "./laws.ts";
import { type LayOut, layOutGraphs } from "./layout.ts";
import { element } from "./markup.ts";
import { matrixPart } from "./matrix.ts";
import { obligationsTable } from "./obligations.ts";
import { pageScript } from "./script.ts";

/** Returns the writer of reports as pages, and loads Graphviz for it. */
export async function htmlPages(
  documents: readonly PageDocument[] = [],
): Promise<(report: ReportJson) => string> {
  const layOut = await layOutGraphs();
  return (report) => htmlPage(report, layOut, documents);
}

/**
 * Writes a report as one HTML file without network: the verdict, engines, findings, operators by modes,
 * digits, laws, the reference's proofs, a section for each document. A browser draws what is looked at.
 * Laws: no text of an engine is markup or program, since all is escaped and a policy runs only the script
 * with its hash; each of the report's findings is there.
 */
export function htmlPage(
  report: ReportJson,
  layOut: LayOut,
  documents: readonly PageDocument[] = [],
): string {
  const findings = reportFindings(report, layOut);
  const headline = headlineOf(report, findings);
  const [laws, obligations] = [lawsTable(report), obligationsTable(report)];
  const body = [
    element("a", { class: "skip", href: "#findings" }, "Skip to the findings"),
    pageHeader(headline, factsOf(report), report.invocation?.command),
    element(
      "main",
      {},
      part("engines", "Engines", enginesTable(report)),
      part("findings", "Findings", findingsPart(report.engines, findings, "Nothing was found.")),
      part("operators", "Operators by engine and mode", matrixPart(report)),
      part("digits", "Right digits by operator", digitsPlot(report)),
      ...(laws === undefined ? [] : [part("laws", "Laws", laws)]),
      ...(obligations === undefined ? [] : [part("obligations", "Obligations", obligations)]),
      ...documentSections(documents),
    ),
    ...findingsData(findings),
  ];
  return framed({ title: `adjudge: ${headline.title}`, body, script: pageScript() });
}
