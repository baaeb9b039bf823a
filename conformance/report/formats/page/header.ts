import type { ReportJson } from "../../../../spec/wire/index.ts";
import { nameOf } from "../../findings.ts";
import { counted, listed } from "../../fold.ts";
import type { PageFinding } from "./findings_data.ts";
import { element, type Markup } from "./markup.ts";

/** A verdict in words, and in which colour. */
export interface Headline {
  readonly title: string;
  /** What the title does not say. */
  readonly more: string;
  readonly sort: "good" | "bad" | "unsure";
}

/** Sums a run up: how many of its engines are wrong, and in how many faults. */
export function headlineOf({ engines }: ReportJson, findings: readonly PageFinding[]): Headline {
  const all = new Set(engines.map(engineOf));
  const news = findings.filter(({ row }) => row.kind !== "known");
  const crashes = news.filter(({ row }) => row.kind === "crashed");
  const whose = (some: readonly PageFinding[]): Set<string> =>
    new Set(
      some.flatMap(({ row }) =>
        row.sections.flatMap((place) => engines.slice(place, place + 1).map(engineOf)),
      ),
    );
  const wrong = whose(news.filter(({ row }) => row.kind === "new"));
  const failing = whose(news);
  const more = [
    ...(news.length > crashes.length ? [counted(news.length - crashes.length, "fault")] : []),
    ...(crashes.length > 0 ? [counted(crashes.length, "crash", "crashes")] : []),
    ...(findings.length > news.length ? [`${counted(findings.length - news.length, "fault")} known`] : []),
  ].join(", ");
  if (wrong.size > 0) return { title: share(wrong, all, ["is wrong", "are wrong"]), more, sort: "bad" };
  if (failing.size > 0) return { title: share(failing, all, ["crashed", "crashed"]), more, sort: "bad" };
  const unsure = engines.filter(({ outcome }) => outcome !== "agrees");
  if (engines.length === 0) return { title: "No engine was asked", more, sort: "unsure" };
  if (unsure.length === 0)
    return { title: share(all, all, ["agrees with the truth", "agree with the truth"]), more, sort: "good" };
  const named = listed([...new Set(unsure.map(nameOf))], 6);
  const told = [`too little is known of ${named}`, ...(more === "" ? [] : [more])].join("; ");
  return { title: "No fault was found", more: told, sort: "unsure" };
}

function engineOf({ description: { name, version } }: ReportJson["engines"][number]): string {
  return `${name} ${version}`;
}

/** Says what some of all engines do: a verb for one, and for several. */
function share(
  some: ReadonlySet<string>,
  all: ReadonlySet<string>,
  [one, several]: readonly [string, string],
): string {
  const [only = ""] = all;
  if (all.size === 1) return `${only} ${one}`;
  if (some.size === all.size) return `All ${all.size} engines ${several}`;
  return `${some.size} of ${all.size} engines ${some.size === 1 ? one : several}`;
}

/** Makes the head of a page: the verdict, and facts by name. */
export function pageHeader(
  { title, more, sort }: Headline,
  facts: readonly (readonly [name: string, value: string])[],
  command?: string,
): Markup {
  const sign = { good: "✓", bad: "✗", unsure: "–" }[sort];
  const told = facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  return element(
    "header",
    { class: `verdict ${sort}` },
    element("h1", {}, element("span", { class: "sign", "aria-hidden": "true" }, sign), ` ${title}`),
    ...(more === "" ? [] : [element("p", {}, more)]),
    element("dl", { class: "run" }, ...told),
    ...(command === undefined ? [] : [element("pre", { tabindex: 0 }, command)]),
  );
}

/** Returns the facts of a run: when and how long, if the report says so, what was asked, and by what. */
export function factsOf(report: ReportJson): [string, string][] {
  const { adjudge, seed, cases, profile, shares, engines, invocation } = report;
  const drawn = shares.length === 0 ? "from files" : `profile ${profile}, seed ${seed}`;
  const asked: [string, string] = ["Cases", `${cases} for each engine and precision, ${drawn}`];
  if (invocation === undefined) return [asked, ["adjudge", adjudge]];
  const seconds = engines.reduce((sum, { extent }) => sum + extent.seconds, 0);
  return [
    ["Date", dateOf(invocation.started)],
    ["Duration", durationOf(seconds)],
    asked,
    ["adjudge", `${adjudge}, Node.js ${invocation.node}`],
  ];
}

/** Writes a date to the minute, as it is in UTC everywhere. */
export function dateOf(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}

function durationOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = `${seconds % 60} s`;
  return minutes === 0 ? rest : `${minutes} min ${rest}`;
}
