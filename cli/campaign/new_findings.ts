import type { Section } from "../../conformance/report/index.ts";
import { withoutNumbers } from "../../oracle/judge/index.ts";

/** These flags end a run early. */
export interface EndingFlags {
  readonly failFast?: boolean;
  readonly maxFindings?: number;
}

/** Returns after how many new findings a run ends. */
export function mostFindings({ failFast, maxFindings }: EndingFlags): number {
  return failFast === true ? 1 : (maxFindings ?? Number.POSITIVE_INFINITY);
}

/**
 * Counts the findings that are not known failures. A finding is of an engine: a part of an operator that is
 * wrong, whatever cases, precisions and attributes show it, or what a crash says but for its numbers.
 */
export function newFindings(sections: readonly Section[]): number {
  const findings = sections.flatMap(({ label, verdicts }) =>
    verdicts.flatMap(({ verdict, known }) => {
      if (known !== undefined) return [];
      if (verdict.kind === "crashed") return [JSON.stringify([label, withoutNumbers(verdict.message)])];
      if (verdict.kind !== "disagrees") return [];
      const { op = "input", part } = verdict.witness.blame;
      return [JSON.stringify([label, op, part])];
    }),
  );
  return new Set(findings).size;
}
