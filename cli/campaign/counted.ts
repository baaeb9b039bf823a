import { folded, listed } from "../../conformance/report/index.ts";
import { isEnough } from "../../oracle/judge/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import { type ExitCode, exitCodes, type KindCounts } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Found } from "./kind.ts";

/** A kind of question that has no report of its own is counted so. */
export interface Counted<Counts extends KindCounts> {
  readonly counts: Counts;
  /** The engine promises these, by name, and was asked for them. */
  readonly called: ReadonlySet<string>;
  /** Some question that needs these was answered. */
  readonly answered: ReadonlySet<string>;
}

/** Adds one question's promises to a tally: what it `called` upon, and what of that was answered. */
export function withPromises<Counts extends KindCounts>(
  tally: Counted<Counts>,
  counts: Counts,
  called: Iterable<string>,
  answered: Iterable<string>,
): Counted<Counts> {
  return {
    counts,
    called: new Set([...tally.called, ...called]),
    answered: new Set([...tally.answered, ...answered]),
  };
}

/**
 * Returns the exit code that a tally asks for, by the four rules of docs/judging.md. Questions declined in
 * part stand among those declined, so that more of them than half are a broken promise.
 */
export function codeOfCounted({
  tally,
  extent,
}: Pick<Found<Counted<KindCounts>, unknown>, "tally" | "extent">): ExitCode {
  const { counts } = tally;
  const all = Object.values(counts).reduce((sum, times) => sum + times, 0);
  if (counts.disagrees > 0) return exitCodes.disagrees;
  if (counts.crashed > 0) return exitCodes.undecided;
  if (all === 0) return exitCodes.nothingRun;
  if (counts.undecided === all) return exitCodes.undecided;
  const isKept = 2 * counts.unsupported <= all && unanswered(tally).length === 0;
  return isKept && isEnough(counts.agrees, extent.cases) ? exitCodes.agrees : exitCodes.tooLittle;
}

/** Lists what was promised, called upon and never answered. */
function unanswered({ called, answered }: Counted<KindCounts>): string[] {
  return [...called].filter((name) => !answered.has(name)).sort();
}

/** Names an engine and the precision that it was asked in. */
export function titleOf({
  description,
  dtype,
}: Pick<Found<unknown, unknown>, "description" | "dtype">): string {
  return `${visible(description.name, 48)} ${visible(description.version, 16)}, ${dtype}`;
}

/** Counts the questions by kind of verdict, and says how far a run came if not to the end. */
export function countLines(
  section: Found<Counted<KindCounts>, unknown>,
  questions: string,
  { palette, columns }: Pick<Terminal, "palette" | "columns">,
): string[] {
  const { red, yellow, green, bold } = palette;
  const { tally, extent } = section;
  const counts = Object.entries(tally.counts).filter(([, times]) => times > 0);
  const isWrong = tally.counts.disagrees + tally.counts.crashed > 0;
  const isRight = codeOfCounted(section) === exitCodes.agrees;
  const never = unanswered(tally);
  const mark = isWrong ? red("✗") : isRight ? green("✓") : yellow("–");
  const asked = counts.reduce((sum, [, times]) => sum + times, 0);
  const how = extent.ended === "time" ? "the time was over" : "interrupted";
  return [
    ...(extent.ended === "all"
      ? []
      : [`${yellow("–")} ${how} after ${asked} of ${extent.cases} ${questions}`]),
    `${mark} ${bold(titleOf(section))}: ${counts.map(([kind, times]) => `${times} ${kind}`).join(", ")}`,
    ...(never.length === 0 ? [] : folded(`promised, and never answered: ${listed(never)}`, "  ", columns)),
  ];
}
