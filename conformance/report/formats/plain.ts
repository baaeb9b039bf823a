import { createHash } from "node:crypto";
import { createColors } from "picocolors";
import { visible } from "../../../spec/shapes/index.ts";
import type { ReportJson } from "../../../spec/wire/index.ts";
import { type Finding, findingLines, kindsTold } from "../findings.ts";
import { counted } from "../fold.ts";

/** A finding is written in at most so many lines of so many characters, the first of them and the last. */
const [MOST_LINES, FIRST_LINES, MOST_CHARACTERS] = [56, 36, 480];

/**
 * Writes all of a finding but its headline without colours, for the forms of CI: what was given, the answer
 * and the right number, the graph, why, how to replay it, and which cases. Law: no line has a control
 * character, and all together are bounded, whatever the engine and the graph say.
 */
export function plainLines(finding: Finding, report: ReportJson): string[] {
  const lines = [
    ...findingLines(finding, report, { palette: createColors(false) }),
    `  cases: ${kindsTold(finding, 5)}`,
  ].map((line) => visible(line, MOST_CHARACTERS));
  if (lines.length <= MOST_LINES) return lines;
  const left = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, FIRST_LINES),
    `  … ${counted(left, "line")} left out`,
    ...lines.slice(left + FIRST_LINES),
  ];
}

/** Returns a hexadecimal name of an engine's fault that is the same in every report, run and version. */
export function fingerprintOfFinding({ shown, kind, title }: Finding): string {
  const told = JSON.stringify([shown.section.description.name, kind, title]);
  return createHash("sha256").update(told).digest("hex").slice(0, 32);
}
