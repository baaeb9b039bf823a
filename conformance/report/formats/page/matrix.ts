import { type OperatorName, operatorNames } from "../../../../spec/composites/index.ts";
import type { Mode, ReportJson, ReportSection } from "../../../../spec/wire/index.ts";
import { nameOf } from "../../findings.ts";
import { scrolling } from "./frame.ts";
import { element, type Markup, together } from "./markup.ts";

const modes: readonly Mode[] = ["evaluate", "jvp", "vjp", "backward_dense"];

/** Counts of an operator's cases in a mode: asked, declined, and those that it is to blame for. */
interface ModeCounts {
  readonly asked: number;
  readonly declined: number;
  readonly blamed: number;
}

/** Counts cases by operator to blame and mode, all laws as one. Cost: linear in the verdicts. */
function blamedCases(section: ReportSection): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verdict } of section.verdicts) {
    if (verdict.kind !== "disagrees") continue;
    const { question, blame } = verdict.witness;
    const key = `${blame.op ?? "input"} ${isMode(question) ? question : "laws"}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function isMode(question: string): question is Mode {
  return modes.some((mode) => mode === question);
}

/** Returns the counts of an operator in a mode. */
function modeCounts(
  { promises }: ReportSection,
  blamed: ReadonlyMap<string, number>,
  operator: OperatorName,
  mode: Mode,
): ModeCounts {
  const { asked = 0, declined = {} } = promises[operator] ?? {};
  return { asked, declined: declined[mode] ?? 0, blamed: blamed.get(`${operator} ${mode}`) ?? 0 };
}

/** A section, and what its columns need. */
interface Column {
  readonly section: ReportSection;
  readonly place: number;
  readonly modes: readonly Mode[];
  readonly blamed: ReadonlyMap<string, number>;
  readonly hasCrashed: boolean;
}

/**
 * Tabulates operators by engines and modes, at first those with a problem alone; blamed cells link to
 * findings. A report does not count agreement by mode, so cases answered and not blamed count as answered if
 * some case of the operator agrees.
 */
export function matrixPart({ engines }: ReportJson): Markup {
  const columns = engines.map((section, place) => ({
    section,
    place,
    modes: modes.filter((mode) => section.description.modes.includes(mode)),
    blamed: blamedCases(section),
    hasCrashed: section.counts.crashed > 0,
  }));
  const rows = rowNames(columns).map((name) => ({
    name,
    hasProblem: columns.some((column) => hasProblem(column, name)),
  }));
  const problems = rows.filter((row) => row.hasProblem).length;
  const told = problems === 0 ? "no operator has any" : `${problems} of ${rows.length} operators`;
  const checked = problems > 0 ? true : undefined;
  return together(
    element("p", { class: "note" }, legend),
    element(
      "label",
      { class: "toggle" },
      element("input", { type: "checkbox", checked }),
      ` only problems (${told})`,
    ),
    scrolling("The matrix", matrixTable(columns, rows)),
  );
}

const legend =
  "✗ cases for which the operator is to blame, – cases declined, where most are, ✓ cases answered and none of them wrong, ? answered and none decided, · none asked. Laws are relations between answers, such as linearity.";

/** Tells whether an operator is to blame, mostly declined where it is promised, or in nothing but crashes. */
function hasProblem({ section, modes: asked, blamed }: Column, name: OperatorName | "input"): boolean {
  if ([...asked, "laws"].some((mode) => blamed.has(`${name} ${mode}`))) return true;
  if (name === "input") return false;
  const counts = Object.entries(section.operators[name] ?? nothing);
  const isCrash = counts.every(([kind, count]) => (kind === "crashed") === count > 0);
  return isCrash || asked.some((mode) => isMostlyDeclined(modeCounts(section, blamed, name, mode)));
}

function isMostlyDeclined({ asked, declined }: ModeCounts): boolean {
  return 2 * declined > asked;
}

function matrixTable(
  columns: readonly Column[],
  rows: readonly { readonly name: OperatorName | "input"; readonly hasProblem: boolean }[],
): Markup {
  const heads = columns.map((column) =>
    element("th", { scope: "colgroup", colspan: columnNames(column).length }, nameOf(column.section)),
  );
  const subheads = columns.flatMap((column) =>
    columnNames(column).map((name) => element("th", { scope: "col" }, name.replace("_", " "))),
  );
  const rowOf = ({ name, hasProblem: isKept }: (typeof rows)[number]): Markup =>
    element(
      "tr",
      { class: isKept ? undefined : "fine" },
      element("th", { scope: "row" }, name),
      ...columns.flatMap((column) => cellsOf(column, name)),
    );
  return element(
    "table",
    { class: "matrix" },
    element("caption", {}, "Cases of each operator, by engine and mode"),
    element(
      "thead",
      {},
      element("tr", {}, element("th", { scope: "col", rowspan: 2 }, "operator"), ...heads),
      element("tr", {}, ...subheads),
    ),
    element("tbody", {}, ...rows.map(rowOf)),
  );
}

function columnNames({ modes: asked, hasCrashed }: Column): string[] {
  return [...asked, "laws", ...(hasCrashed ? ["crashed"] : [])];
}

function rowNames(columns: readonly Column[]): (OperatorName | "input")[] {
  const isThere = (name: string): boolean =>
    columns.some(
      ({ section, blamed }) =>
        Object.hasOwn(section.promises, name) ||
        Object.hasOwn(section.operators, name) ||
        [...modes, "laws"].some((asked) => blamed.has(`${name} ${asked}`)),
    );
  const names = operatorNames.filter(isThere);
  return isThere("input") ? [...names, "input"] : names;
}

function cellsOf(column: Column, name: OperatorName | "input"): Markup[] {
  const { section, place, modes: asked, blamed, hasCrashed } = column;
  const { agrees, crashed: crashes } = (name === "input" ? undefined : section.operators[name]) ?? nothing;
  const cells = asked.map((mode) => {
    const none = { asked: 0, declined: 0, blamed: blamed.get(`input ${mode}`) ?? 0 };
    const counts = name === "input" ? none : modeCounts(section, blamed, name, mode);
    return cellOf(counts, linkTo(place, name, mode), agrees > 0);
  });
  const laws = { asked: 0, declined: 0, blamed: blamed.get(`${name} laws`) ?? 0 };
  return [
    ...cells,
    cellOf(laws, linkTo(place, name, undefined), false),
    ...(hasCrashed ? [crashCell(crashes)] : []),
  ];
}

const nothing = { agrees: 0, crashed: 0 };

function linkTo(place: number, operator: string, question: string | undefined): string {
  const asked = { engine: `${place}`, operator, ...(question === undefined ? {} : { question }) };
  return `#${new URLSearchParams(asked)}`;
}

function cellOf(counts: ModeCounts, link: string, agreesSomewhere: boolean): Markup {
  const { asked, declined, blamed } = counts;
  if (blamed > 0)
    return element("td", { class: "bad" }, element("a", { href: link }, `✗ ${blamed}`, spoken(" to blame")));
  if (asked === 0) return element("td", { class: "none" }, "·", spoken(" not asked"));
  const answered = asked - declined;
  if (isMostlyDeclined(counts))
    return element("td", { class: "unsure" }, `– ${declined}`, spoken(" declined"));
  if (!agreesSomewhere) return element("td", { class: "unsure" }, `? ${answered}`, spoken(" undecided"));
  return element("td", { class: "good" }, `✓ ${answered}`, spoken(" answered"));
}

function crashCell(cases: number): Markup {
  return cases === 0
    ? element("td", { class: "none" }, "·", spoken(" none crashed"))
    : element("td", { class: "bad" }, `! ${cases}`, spoken(" crashed"));
}

/** Makes words for those who do not see the sign before them. */
function spoken(words: string): Markup {
  return together(element("span", { class: "spoken" }, words));
}
