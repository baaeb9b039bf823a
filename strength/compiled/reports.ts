import { compiledGraphMutants, compiledProgramMutants } from "../../engines/index.ts";
import { present } from "../../spec/index.ts";
import given from "./reports.json" with { type: "json" };
import { type Most, type Telling, toldOfGraphs, toldOfPrograms } from "./told.ts";

/**
 * A report of pytorch/pytorch: one of the 70 faults of the public benchmark of AlignGuard (arXiv 2604.08720)
 * that graphs, programs, or programs with windows, masks and strides may say.
 */
export interface Report {
  readonly issue: number;
  readonly fault: string;
  readonly says: string;
  /** Why no mutant has the fault. */
  readonly unsayable?: string;
}

export const reports: readonly Report[] = given;

/** Returns the name of the mutant with the reported fault. */
export function mutantOf({ issue }: Report): string {
  return `issue_${issue}`;
}

/** Finds how each of these reports' mutants is told. */
export async function tellings(
  some: readonly Report[],
  most: Most,
  onTelling: (telling: Telling) => void = () => {},
): Promise<ReadonlyMap<string, Telling>> {
  const names = some.map(mutantOf);
  const found = new Map<string, Telling>();
  for (const all of [toldOfPrograms(names, most), toldOfGraphs(names, most)]) {
    for await (const telling of all) {
      found.set(telling.name, telling);
      onTelling(telling);
    }
  }
  return found;
}

/** Writes the line of a table for a report: what is planted, and what tells it. */
export function lineOf(report: Report, telling: Telling | undefined): string {
  const { issue, fault, says, unsayable } = report;
  if (telling === undefined) return `| ${issue} | ${says} | ${fault} | not said: ${unsayable} | | |`;
  const { search, vector, isToldByPattern } = telling;
  const byVector = vector === undefined ? (isToldByPattern ? "the report's own" : "") : `\`${vector}\``;
  return `| ${issue} | ${says} | ${fault} | ${telling.fault} | ${search ?? ""} | ${byVector} |`;
}

/** Counts the mutants that are told, by what. */
export function totalOf(all: readonly Telling[]): string {
  const count = (isCounted: (one: Telling) => boolean): number => all.filter(isCounted).length;
  const bySearch = count(({ search }) => search !== undefined);
  const bySuite = count(({ vector }) => vector !== undefined);
  const byEither = count(({ search, vector }) => search !== undefined || vector !== undefined);
  const told = count(
    ({ search, vector, isToldByPattern }) => search !== undefined || vector !== undefined || isToldByPattern,
  );
  return (
    `${told} of ${reports.length} reports told: ${bySearch} by random search, ${bySuite} by the suites, ` +
    `${byEither} by either, ${told - byEither} by the report's own graph or program alone; ` +
    `${reports.length - all.length} cannot be said, ${all.length - told} are said and not told`
  );
}

/** Names the mutants that no report is about. */
export function unreported(): string[] {
  const known = new Set(reports.map(mutantOf));
  return [...compiledGraphMutants, ...compiledProgramMutants]
    .map(({ name }) => present(name, "a name"))
    .filter((name) => !known.has(name));
}
