import { visible } from "../../spec/shapes/index.ts";
import { exitCodeOfCounts, exitCodes, type KindCounts } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Found } from "./kind.ts";

/** Names an engine and the precision that it was asked in. */
export function titleOf({
  description,
  dtype,
}: Pick<Found<unknown, unknown>, "description" | "dtype">): string {
  return `${visible(description.name, 48)} ${visible(description.version, 16)}, ${dtype}`;
}

/** Counts the questions by kind of verdict, and says how far a run came if not to the end. */
export function countLines<T extends KindCounts>(
  section: Found<T, unknown>,
  questions: string,
  { red, yellow, green, bold }: Terminal["palette"],
): string[] {
  const { tally, extent } = section;
  const counts = Object.entries(tally).filter(([, times]) => times > 0);
  const isWrong = tally.disagrees + tally.crashed > 0;
  const isRight = exitCodeOfCounts(tally) === exitCodes.agrees;
  const mark = isWrong ? red("✗") : isRight ? green("✓") : yellow("–");
  const asked = counts.reduce((sum, [, times]) => sum + times, 0);
  const how = extent.ended === "time" ? "the time was over" : "interrupted";
  return [
    ...(extent.ended === "all"
      ? []
      : [`${yellow("–")} ${how} after ${asked} of ${extent.cases} ${questions}`]),
    `${mark} ${bold(titleOf(section))}: ${counts.map(([kind, times]) => `${times} ${kind}`).join(", ")}`,
  ];
}
