import { folded, showProgramWitness } from "../../conformance/report/index.ts";
import { quoteWord } from "../../conformance/testees/index.ts";
import type { ProgramCounts, ProgramVerdict, ProgramWitness } from "../../oracle/programs/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { encodeProgramCase } from "../../spec/documents/index.ts";
import type { StatementKind } from "../../spec/programs/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import type { Terminal } from "../terminal.ts";
import { packageVersion } from "../version.ts";

/** How random programs were drawn: what it takes to name one of them again. */
export interface DrawnPrograms {
  readonly seed: number;
  readonly programs: number;
  readonly first: number;
  readonly without: readonly StatementKind[];
}

/** What one engine was asked in one precision, and what came of it. */
export interface ProgramSection {
  readonly label: string;
  readonly engine: Engine;
  readonly dtype: DataType;
  /** How many programs there are to ask. */
  readonly programs: number;
  ended: "all" | "interrupted";
  counts: ProgramCounts;
  readonly told: Told[];
}

/** A verdict that is not that all agrees, and which program it is about. */
interface Told {
  /** A number of the campaign, or a file. */
  readonly place: number | string;
  readonly verdict: Exclude<ProgramVerdict, { readonly kind: "agrees" }>;
}

/** So many disagreements are shown, and so many reasons; the report has all. */
const SHOWN = 5;

/** The exit code that one engine's answers in one precision ask for. */
export function programCodeOf({ counts }: ProgramSection): ExitCode {
  const { agrees, disagrees, crashed } = counts;
  const all = Object.values(counts).reduce((sum, times) => sum + times, 0);
  if (disagrees > 0) return exitCodes.disagrees;
  if (crashed > 0 || agrees === 0) return exitCodes.undecided;
  return 2 * agrees < all ? exitCodes.tooLittle : exitCodes.agrees;
}

/** Prints what came of asking one engine: what is wrong, why others were not answered, and how many of each. */
export function printProgramSection(section: ProgramSection, drawn: DrawnPrograms, terminal: Terminal): void {
  const { red, yellow, green, bold, dim } = terminal.palette;
  const { name, version } = section.engine.describe();
  const title = `${visible(name, 48)} ${visible(version, 16)}, ${section.dtype}`;
  const wrong = section.told.flatMap(({ place, verdict }) =>
    verdict.kind === "disagrees" ? [{ place, witness: verdict.witness }] : [],
  );
  for (const { place, witness } of distinct(wrong).slice(0, SHOWN)) {
    terminal.out(
      `\n${red("✗")} ${bold(title)}, ${typeof place === "number" ? `program ${place}` : visible(place)}`,
    );
    for (const line of showProgramWitness(witness)) terminal.out(line);
    terminal.out(dim(`  ${replayLine(section, drawn, place)}`));
  }
  const reasons = reasonsOf(section.told);
  for (const [reason, { places, kind }] of reasons.slice(0, SHOWN)) {
    terminal.out(
      `${kind === "crashed" ? red("✗") : yellow("–")} ${places.length} ${kind}, the first ${places[0]}:`,
    );
    for (const line of folded(reason, "    ")) terminal.out(line);
  }
  if (reasons.length > SHOWN) terminal.out(`    and ${reasons.length - SHOWN} reasons more`);
  const code = programCodeOf(section);
  const isWrong = section.counts.disagrees + section.counts.crashed > 0;
  const mark = isWrong ? red("✗") : code === exitCodes.agrees ? green("✓") : yellow("–");
  const counts = Object.entries(section.counts).filter(([, times]) => times > 0);
  if (section.ended === "interrupted") {
    const asked = Object.values(section.counts).reduce((sum, times) => sum + times, 0);
    terminal.out(`${yellow("–")} interrupted after ${asked} of ${section.programs} programs`);
  }
  terminal.out(`${mark} ${bold(title)}: ${counts.map(([kind, times]) => `${times} ${kind}`).join(", ")}`);
}

/** Disagreements of which no two are about the same part after the same kinds of statements. */
function distinct<T extends { readonly witness: ProgramWitness }>(wrong: readonly T[]): T[] {
  const seen = new Set<string>();
  return wrong.filter(({ witness: { mode, part, case: question } }) => {
    const kinds = question.program.procedures.flatMap(({ body }) => body.map((statement) => statement.do));
    const kind = `${mode} ${part} ${[...new Set(kinds)].sort().join(" ")}`;
    if (seen.has(kind)) return false;
    seen.add(kind);
    return true;
  });
}

/** By reason without its numbers, what was not answered and why, the most frequent first. */
function reasonsOf(
  told: readonly Told[],
): (readonly [string, { readonly kind: string; readonly places: (number | string)[] }])[] {
  const reasons = new Map<string, { readonly kind: string; readonly places: (number | string)[] }>();
  for (const { place, verdict } of told) {
    if (verdict.kind === "disagrees") continue;
    const why = "reason" in verdict ? verdict.reason : "cause" in verdict ? verdict.cause : verdict.message;
    const reason = visible(why.replaceAll(/\d+/g, "#"), 400);
    const known = reasons.get(reason) ?? { kind: verdict.kind, places: [] };
    known.places.push(place);
    reasons.set(reason, known);
  }
  return [...reasons].toSorted(([, a], [, b]) => b.places.length - a.places.length);
}

function replayLine(
  { label, dtype }: ProgramSection,
  { seed, without }: DrawnPrograms,
  place: number | string,
): string {
  const left = without.length === 0 ? "" : ` --without ${without.join(",")}`;
  const which = typeof place === "number" ? `--seed ${seed}${left} --first ${place} -n 1` : quoteWord(place);
  return `adjudge programs -e ${quoteWord(label)} --dtype ${dtype} ${which}`;
}

/** Everything that was found: a report, `adjudge.program-report.v1`. */
export function programReportOf(
  sections: readonly ProgramSection[],
  { seed, programs, first }: DrawnPrograms,
): object {
  return {
    format: "adjudge.program-report.v1",
    adjudge: packageVersion(),
    seed,
    programs,
    first,
    engines: sections.map(({ label, engine, dtype, ended, counts, told }) => {
      const { name, version, language } = engine.describe();
      return {
        label,
        name,
        version,
        language,
        dtype,
        ended,
        counts,
        told: told.map(({ place, verdict }) => ({ place, ...verdictJson(verdict) })),
      };
    }),
  };
}

function verdictJson(verdict: Told["verdict"]): object {
  if (verdict.kind !== "disagrees") return verdict;
  // What was sent follows from the case and what the engine lacks.
  const { case: question, sent: _, ...rest } = verdict.witness;
  return { kind: verdict.kind, witness: { ...rest, case: encodeProgramCase(question) } };
}
