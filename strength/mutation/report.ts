import { lineAt, whyAlike } from "./alike.ts";
import { type KillerName, killerNames, type Tried } from "./killers.ts";
import { roomNames } from "./rooms.ts";

/** What a run found, counted. */
export interface Counts {
  readonly mutants: number;
  /** The first that each died by. */
  readonly by: Readonly<Record<KillerName, number>>;
  /** These mean the same, for reasons that are written down. */
  readonly alike: number;
  readonly survivors: number;
  /** Mutants that passed the types, in code that obligations speak of, and those of them that die by one. */
  readonly spoken: number;
  readonly disproved: number;
}

/** A mutant that nothing has told, as it is listed. */
interface Survivor {
  readonly place: string;
  readonly before: string;
  readonly after: string;
  readonly line: string;
  readonly why: string | undefined;
}

/** Counts mutants; one of a known kind that means the same is counted apart, if nothing has told it. */
export function countsOf(tried: readonly Tried[], sources: ReadonlyMap<string, string>): Counts {
  const by = Object.fromEntries(
    killerNames.map((name) => [name, tried.filter((one) => killerOf(one) === name).length]),
  );
  const living = tried.filter((one) => killerOf(one) === undefined);
  const alike = living.filter(({ mutation }) => whyOf(mutation, sources) !== undefined);
  const spoken = tried.filter(
    (one) => one.isSpoken && one.deaths.types === undefined && !alike.includes(one),
  );
  return {
    mutants: tried.length,
    by: { types: 0, tests: 0, obligations: 0, judge: 0, "other tests": 0, ...by },
    alike: alike.length,
    survivors: living.length - alike.length,
    spoken: spoken.length,
    disproved: spoken.filter(({ deaths }) => deaths.obligations !== undefined).length,
  };
}

/** The first that a mutant died by; `undefined` if nothing tells it. */
export function killerOf({ deaths }: Tried): KillerName | undefined {
  return killerNames.find((name) => deaths[name] !== undefined);
}

function whyOf(mutation: Tried["mutation"], sources: ReadonlyMap<string, string>): string | undefined {
  return whyAlike(mutation, sources.get(mutation.file) ?? "");
}

/** Lists the mutants that nothing has told, those without a reason first. */
export function survivorsOf(
  tried: readonly Tried[],
  sources: ReadonlyMap<string, string>,
): readonly Survivor[] {
  return tried
    .filter((one) => killerOf(one) === undefined)
    .map(({ mutation }) => survivor(mutation, sources))
    .toSorted((a, b) => Number(a.why !== undefined) - Number(b.why !== undefined));
}

function survivor(mutation: Tried["mutation"], sources: ReadonlyMap<string, string>): Survivor {
  const { file, start, before, after } = mutation;
  const { number, line } = lineAt(sources.get(file) ?? "", start);
  return { place: `${file}:${number}`, before, after, line, why: whyOf(mutation, sources) };
}

/** Lists mutants that are said to mean the same, and were told all the same. */
export function wronglyAlike(
  tried: readonly Tried[],
  sources: ReadonlyMap<string, string>,
): readonly Survivor[] {
  return tried
    .filter((one) => killerOf(one) !== undefined)
    .map(({ mutation }) => survivor(mutation, sources))
    .filter(({ why }) => why !== undefined);
}

/** Writes what a run found, for a terminal. */
export function showRun(tried: readonly Tried[], sources: ReadonlyMap<string, string>): string {
  const heads = ["room", "mutants", ...killerNames, "alike", "survive", "spoken of", "disproved"];
  const rows = [...roomNames, undefined].map((room) => {
    const own = tried.filter((one) => room === undefined || one.room === room);
    const { mutants, by, alike, survivors, spoken, disproved } = countsOf(own, sources);
    const cells = [mutants, ...killerNames.map((name) => by[name]), alike, survivors, spoken, disproved];
    return [room ?? "all", ...cells.map(String)];
  });
  const widths = heads.map((head, n) => Math.max(head.length, ...rows.map((row) => (row[n] ?? "").length)));
  const lines = [heads, ...rows].map((row) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[n] ?? 0))).join("  "),
  );
  const all = countsOf(tried, sources);
  const told = all.mutants - all.alike - all.survivors;
  return [
    ...lines,
    "",
    `${share(told, all.mutants - all.alike)} of the mutants that mean something else died.`,
    `${share(all.disproved, all.spoken)} of those in code that obligations speak of died by one.`,
    ...survivorsOf(tried, sources).flatMap(showSurvivor),
    "",
  ].join("\n");
}

/** Writes one line about a mutant and who noticed. */
export function showTried(one: Tried, sources: ReadonlyMap<string, string>): string {
  const { file, start, before, after } = one.mutation;
  const { number } = lineAt(sources.get(file) ?? "", start);
  const killer = killerOf(one);
  const others = Object.keys(one.deaths).filter((name) => name !== killer);
  const who = killer === undefined ? "survives" : `${[killer, ...others].join(", ")}: ${one.deaths[killer]}`;
  const spoken = one.isSpoken ? " (spoken of)" : "";
  return `${file}:${number}: ${short(before)} → ${short(after)}${spoken}: ${who}`.slice(0, 240);
}

/** Shortens a piece of code to what fits beside others. */
function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

function share(part: number, whole: number): string {
  const percent = whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
  return `${part} of ${whole} (${percent})`;
}

function showSurvivor({ place, before, after, line, why }: Survivor): readonly string[] {
  return [
    `${why === undefined ? "✗" : "="} ${place}: ${short(before)} → ${short(after)}`,
    `    ${short(line)}`,
    ...(why === undefined ? [] : [`    means the same: ${why}`]),
  ];
}
