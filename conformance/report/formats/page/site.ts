import type { Counts } from "../../../../oracle/judge/index.ts";
import { type OperatorName, operatorNames, operators } from "../../../../spec/composites/index.ts";
import type { ReportJson } from "../../../../spec/wire/index.ts";
import { type Finding, findingsOf, titleOf } from "../../findings.ts";
import { counted } from "../../fold.ts";
import { badgeOf, type ShieldsBadge, shieldsOf } from "../badge.ts";
import { plainLines } from "../plain.ts";
import { framed, part } from "./frame.ts";
import { dateOf, type Headline, pageHeader } from "./header.ts";
import { layOutGraphs } from "./layout.ts";
import { type Content, element, type Markup, together } from "./markup.ts";
import { htmlPage } from "./page.ts";
import { wordTable } from "./tables.ts";

/** A campaign, as its site tells it. */
export interface SiteCampaign {
  /** The version of adjudge that writes the site. */
  readonly adjudge: string;
  readonly engines: readonly SiteEngine[];
  /** Each version of an engine, beside the one before it. */
  readonly changes: readonly SiteChange[];
  /** The runs of the campaign in order: what each has asked, and how many faults it was the first to find. */
  readonly runs: readonly SiteRun[];
}

/** An engine in one version. */
export interface SiteEngine {
  readonly label: string;
  readonly name: string;
  readonly version: string;
  readonly rows: readonly SiteRow[];
  /** The reports of its questions about graphs, each with a page of its own. */
  readonly reports: readonly ReportJson[];
  /** The faults that no such report has. */
  readonly faults: readonly SiteFault[];
}

/** An engine was asked so many questions of one kind in one precision. */
export interface SiteRow {
  readonly kind: string;
  readonly dtype: string;
  readonly profile: string;
  readonly seed: number;
  readonly questions: number;
  readonly counts: Counts;
  /** So many questions ended every worker that asked them. */
  readonly dead: number;
}

/** A fault, with the lines that show its smallest witness. */
export interface SiteFault {
  readonly kind: string;
  readonly sort: "disagrees" | "crashed";
  readonly title: string;
  readonly cases: number;
  readonly operator?: string;
  readonly lines: readonly string[];
}

/** What changed from one version to the next, at questions that both were asked. */
export interface SiteChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly common: number;
  readonly broke: readonly string[];
  readonly mended: readonly string[];
}

/** A run of a campaign. */
export interface SiteRun {
  readonly started: string;
  readonly adjudge: string;
  readonly command: string;
  readonly isEnded: boolean;
  readonly questions: number;
  readonly faults: number;
}

/** An engine with what its pages need: a name for files, and all its faults. */
interface Placed {
  readonly engine: SiteEngine;
  readonly slug: string;
  readonly faults: readonly SiteFault[];
}

/** So many faults of an engine are shown with their witnesses; its reports have all. */
const MOST_FAULTS = 300;

/**
 * Writes the site of a campaign: files by their paths, which any server of files can publish. There is a
 * page for all, for each engine, for each report, for each operator, and for each engine a badge. Laws: no
 * text of an engine is markup or program; nothing is fetched; every fault is on its engine's page, or
 * counted there.
 */
export async function campaignSite(campaign: SiteCampaign): Promise<ReadonlyMap<string, string>> {
  const layOut = await layOutGraphs();
  const slugs = new Set<string>();
  const placed = campaign.engines.map((engine): Placed => {
    const slug = slugOf(`${engine.name}-${engine.version}`, slugs);
    return { engine, slug, faults: faultsOf(engine) };
  });
  const files = new Map([["index.html", indexPage(campaign, placed)]]);
  for (const one of placed) {
    const { slug, engine } = one;
    files.set(`engine/${slug}.html`, enginePage(campaign, one));
    for (const [place, report] of engine.reports.entries())
      files.set(`engine/${reportFile(slug, place)}`, htmlPage(report, layOut));
    const badge = badgeFor(one);
    files.set(`badge/${slug}.svg`, badgeOf(badge));
    files.set(`badge/${slug}.json`, `${JSON.stringify(badge)}\n`);
  }
  for (const op of operatorNames) {
    const page = operatorPage(op, placed);
    if (page !== undefined) files.set(`operator/${op}.html`, page);
  }
  return files;
}

function reportFile(slug: string, place: number): string {
  return `${slug}.report-${place + 1}.html`;
}

/** Makes a name for files out of any text, unlike all before it. */
function slugOf(text: string, taken: Set<string>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "")
    .slice(0, 80);
  const base = plain === "" ? "engine" : plain;
  let slug = base;
  for (let n = 2; taken.has(slug); n++) slug = `${base}-${n}`;
  taken.add(slug);
  return slug;
}

/** Lists the faults of an engine, those that most questions show first. */
function faultsOf({ reports, faults }: SiteEngine): SiteFault[] {
  const own = reports.flatMap((report) =>
    findingsOf(report).map((finding): SiteFault => {
      const { kind: sort, cases, operator } = finding;
      const lines = plainLines(finding, report);
      const kind = report.kind ?? "graphs";
      return { kind, sort, title: titleOf(finding), cases, lines, ...operatorOf(operator) };
    }),
  );
  return [...own, ...faults].toSorted((a, b) => b.cases - a.cases);
}

function operatorOf(operator: Finding["operator"]): { readonly operator?: string } {
  return operator === undefined ? {} : { operator };
}

function badgeFor({ engine, faults }: Placed): ShieldsBadge {
  const asked = engine.rows.reduce((sum, { questions }) => sum + questions, 0);
  return shieldsOf(faults.length, asked);
}

function link(href: string, text: string): Markup {
  return element("a", { href }, text);
}

function sum(rows: readonly SiteRow[], read: (row: SiteRow) => number): number {
  return rows.reduce((all, row) => all + read(row), 0);
}

function headline(faults: number, questions: number): Headline {
  const more = `${counted(questions, "question")} asked`;
  if (questions === 0) return { title: "Nothing was asked", more: "", sort: "unsure" };
  if (faults === 0) return { title: "No fault was found", more, sort: "good" };
  return { title: counted(faults, "fault"), more, sort: "bad" };
}

function page(title: string, head: Markup, ...parts: readonly Markup[]): string {
  return framed({ title: `adjudge: ${title}`, body: [head, element("main", {}, ...parts)] });
}

const heads = ["questions", "agree", "wrong", "crashed", "undecided", "declined"] as const;

function cellsOf(questions: number, counts: Counts): Content[] {
  const { agrees, disagrees, crashed, undecided, unsupported } = counts;
  return [questions, agrees, disagrees, crashed, undecided, unsupported];
}

function indexPage(campaign: SiteCampaign, placed: readonly Placed[]): string {
  const questions = sum(
    placed.flatMap(({ engine }) => engine.rows),
    (row) => row.questions,
  );
  const faults = placed.reduce((all, one) => all + one.faults.length, 0);
  const engines = placed.map(({ engine, slug, faults: own }): Content[] => {
    const { rows } = engine;
    const kinds = [...new Set(rows.map(({ kind }) => kind))].join(", ");
    const asked = sum(rows, (row) => row.questions);
    const name = link(`engine/${slug}.html`, `${engine.name} ${engine.version}`);
    return [
      name,
      kinds,
      asked,
      own.length,
      sum(rows, ({ counts }) => counts.disagrees),
      sum(rows, ({ counts }) => counts.crashed),
      link(`badge/${slug}.svg`, "badge"),
    ];
  });
  const asked = operatorNames.filter((op) => placed.some(({ engine }) => countsOf(engine, op) !== undefined));
  const links = asked.flatMap((op, place): Content[] => [
    place === 0 ? "" : ", ",
    link(`operator/${op}.html`, op),
  ]);
  return page(
    "campaign",
    pageHeader(headline(faults, questions), [
      ["Engines", `${placed.length}`],
      ["Runs", `${campaign.runs.length}`],
      ["adjudge", campaign.adjudge],
    ]),
    part(
      "engines",
      "Engines",
      wordTable(
        "All engines and versions",
        ["engine", "kinds", "questions", "faults", "wrong", "crashed", "badge"],
        engines,
      ),
    ),
    ...(campaign.changes.length === 0 ? [] : [part("versions", "Versions", changesTable(campaign.changes))]),
    part("operators", "Operators", element("p", {}, ...links)),
    part("runs", "Trend", runsTable(campaign.runs)),
  );
}

function changesTable(changes: readonly SiteChange[]): Markup {
  const rows = changes.map(({ name, before, after, common, broke, mended }): Content[] => [
    `${name} ${before} → ${after}`,
    common,
    lines(broke),
    lines(mended),
  ]);
  return wordTable(
    "What changed between versions, at questions that both were asked",
    ["engine", "common questions", "broke", "mended"],
    rows,
  );
}

function lines(texts: readonly string[]): Markup {
  return together(...texts.slice(0, MOST_FAULTS).map((text) => element("div", {}, text)));
}

function runsTable(runs: readonly SiteRun[]): Markup {
  const rows = runs.map(({ started, adjudge, command, isEnded, questions, faults }): Content[] => [
    dateOf(started),
    adjudge,
    questions,
    faults,
    isEnded ? command : `${command} (was cut off, or goes on)`,
  ]);
  return wordTable(
    "The runs: what each asked, and the faults that it was the first to find",
    ["run", "adjudge", "questions", "new faults", "command"],
    rows,
  );
}

function enginePage(campaign: SiteCampaign, { engine, slug, faults }: Placed): string {
  const { name, version, rows, reports, label } = engine;
  const told = rows.map(({ kind, dtype, profile, seed, questions, counts, dead }): Content[] => [
    `${kind}, ${dtype}`,
    `${profile}, seed ${seed}`,
    ...cellsOf(questions, counts),
    dead,
  ]);
  const pages = reports.map((report, place) =>
    element(
      "li",
      {},
      link(reportFile(slug, place), `${report.kind ?? "graphs"}, ${report.profile}, seed ${report.seed}`),
    ),
  );
  const changes = campaign.changes.filter(
    (change) => change.name === name && [change.before, change.after].includes(version),
  );
  return page(
    `${name} ${version}`,
    pageHeader(
      headline(
        faults.length,
        sum(rows, ({ questions }) => questions),
      ),
      [
        ["Engine", `${name} ${version}`],
        ["Asked as", label],
      ],
    ),
    element("p", {}, link("../index.html", "All engines")),
    part(
      "asked",
      "What was asked",
      wordTable("Questions by kind and precision", ["kind", "drawn from", ...heads, "given up"], told),
    ),
    ...(pages.length === 0 ? [] : [part("reports", "Whole reports", element("ul", {}, ...pages))]),
    ...(changes.length === 0 ? [] : [part("versions", "Versions", changesTable(changes))]),
    part("faults", "Faults", faultsPart(faults)),
  );
}

function faultsPart(faults: readonly SiteFault[], whose?: (fault: SiteFault) => string): Markup {
  const more = faults.length - MOST_FAULTS;
  const articles = faults.slice(0, MOST_FAULTS).map((fault) => {
    const { kind, sort, title, cases, lines: shown } = fault;
    const name = whose === undefined ? title : `${whose(fault)}: ${title}`;
    const about = `${kind}, ${sort === "crashed" ? "crashed" : "wrong"}, ${counted(cases, "question")}`;
    return element(
      "article",
      {},
      element("h3", {}, name),
      element("p", { class: "facts" }, about),
      element("pre", { tabindex: 0 }, shown.join("\n")),
    );
  });
  if (faults.length === 0) return element("p", {}, "None was found.");
  return together(...articles, ...(more > 0 ? [element("p", {}, `${counted(more, "fault")} more.`)] : []));
}

/** Counts the questions with an operator, in all reports of an engine; `undefined` if there was none. */
function countsOf({ reports }: SiteEngine, op: OperatorName): Counts | undefined {
  const all = reports.flatMap(({ engines }) => engines.flatMap(({ operators: own }) => own[op] ?? []));
  if (all.length === 0) return undefined;
  const plus = (read: (counts: Counts) => number): number => all.reduce((n, one) => n + read(one), 0);
  return {
    agrees: plus(({ agrees }) => agrees),
    disagrees: plus(({ disagrees }) => disagrees),
    undecided: plus(({ undecided }) => undecided),
    unsupported: plus(({ unsupported }) => unsupported),
    crashed: plus(({ crashed }) => crashed),
  };
}

function operatorPage(op: OperatorName, placed: readonly Placed[]): string | undefined {
  const rows = placed.flatMap(({ engine, slug }): Content[][] => {
    const counts = countsOf(engine, op);
    if (counts === undefined) return [];
    const questions = Object.values(counts).reduce((all, n) => all + n, 0);
    return [
      [link(`../engine/${slug}.html`, `${engine.name} ${engine.version}`), ...cellsOf(questions, counts)],
    ];
  });
  if (rows.length === 0) return undefined;
  const whose = new Map<SiteFault, string>();
  for (const { engine, faults } of placed)
    for (const fault of faults)
      if (fault.operator === op) whose.set(fault, `${engine.name} ${engine.version}`);
  return page(
    op,
    pageHeader(
      {
        ...headline(whose.size, rows.length),
        title: `${op}: ${counted(whose.size, "fault")}`,
        more: operators[op].summary,
      },
      [],
    ),
    element("p", {}, link("../index.html", "All engines")),
    part(
      "engines",
      "Engines",
      wordTable("Questions with the operator, by engine", ["engine", ...heads], rows),
    ),
    part(
      "faults",
      "Faults",
      faultsPart([...whose.keys()], (fault) => whose.get(fault) ?? ""),
    ),
  );
}
