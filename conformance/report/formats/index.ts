import { assertNever, visibleJson } from "../../../spec/shapes/index.ts";
import type { ReportJson } from "../../../spec/wire/index.ts";
import type { PageDocument } from "./page/documents.ts";
import type { SiteCampaign } from "./page/site.ts";
import type { WorkingTree } from "./working_tree.ts";

export { differenceMarkdown, isNews } from "./difference.ts";
export { checkDocument, type PageDocument } from "./page/documents.ts";
export { type ExplanationPictures, explanationPage } from "./page/explanation_page.ts";
export type { SiteCampaign, SiteEngine, SiteFault } from "./page/site.ts";
export type { WorkingTree } from "./working_tree.ts";

/** The name of a format that a report is written in. */
export type ReportFormat = "json" | "junit" | "sarif" | "github" | "markdown" | "html" | "badge" | "shields";

/** Endings of file names that ask for each format. */
const endings: Readonly<Record<ReportFormat, readonly string[]>> = {
  json: [".json"],
  junit: [".xml"],
  sarif: [".sarif"],
  github: [],
  markdown: [".md"],
  html: [".html", ".htm"],
  badge: [".svg"],
  shields: [".shields.json"],
};

const isFormat = (name: string): name is ReportFormat => Object.hasOwn(endings, name);

/** The names of all formats. */
export const reportFormats: readonly ReportFormat[] = Object.keys(endings).filter(isFormat);

/** Returns the format a file's name asks for by its longest ending, or JSON. */
export function formatOfFile(path: string): ReportFormat {
  const found = reportFormats.flatMap((name) =>
    endings[name].filter((ending) => path.endsWith(ending)).map((ending) => ({ name, ending })),
  );
  return found.toSorted((a, b) => b.ending.length - a.ending.length)[0]?.name ?? "json";
}

/** Writes a report as a text. */
export type ReportFormatter = (report: ReportJson) => string;

/** What some forms tell besides the report. */
export interface Surroundings {
  /** A page shows these documents as well. */
  readonly documents?: readonly PageDocument[];
  /** SARIF and annotations place what was found in a file of this tree. */
  readonly tree?: WorkingTree;
}

/** Returns a format's writer and loads what it takes. */
export async function formatterOf(
  format: ReportFormat,
  { documents = [], tree }: Surroundings = {},
): Promise<ReportFormatter> {
  switch (format) {
    case "json":
      return (report) => `${visibleJson(report)}\n`;
    case "junit":
      return (await import("./junit.ts")).junitXml;
    case "sarif": {
      const { sarifLog } = await import("./sarif.ts");
      return (report) => `${visibleJson(sarifLog(report, tree))}\n`;
    }
    case "github": {
      const { githubAnnotations } = await import("./github.ts");
      return (report) => githubAnnotations(report, tree);
    }
    case "markdown":
      return (await import("./markdown.ts")).markdownSummary;
    case "html":
      return (await import("./page/page.ts")).htmlPages(documents);
    case "badge":
      return (await import("./badge.ts")).badgeSvg;
    case "shields": {
      const { shieldsBadge } = await import("./badge.ts");
      return (report) => `${visibleJson(shieldsBadge(report))}\n`;
    }
    default:
      return assertNever(format);
  }
}

/** Writes the comparison of two reports, the earlier one first, as an HTML page. */
export async function comparisonPage(before: ReportJson, after: ReportJson): Promise<string> {
  const { layOutGraphs } = await import("./page/layout.ts");
  return (await import("./page/comparison_page.ts")).comparisonHtml(before, after, await layOutGraphs());
}

/** Writes the site of a campaign: the texts of its files by their paths. */
export async function siteOf(campaign: SiteCampaign): Promise<ReadonlyMap<string, string>> {
  return (await import("./page/site.ts")).campaignSite(campaign);
}
