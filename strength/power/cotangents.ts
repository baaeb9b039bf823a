import type { Case } from "../../oracle/case/case.ts";
import type { Law } from "../../oracle/hearing/ask.ts";
import { laws } from "../../oracle/laws/index.ts";

/** A case pulls back generic cotangents, or ones everywhere, as a test of a summed output does. */
export type Cotangents = "generic" | "ones";

/** Replaces the elements of every seed as `cotangents` says; ones are asked without calls. */
export function withCotangents(asked: Case, cotangents: Cotangents): Case {
  if (cotangents === "generic") return asked;
  const { calls: _, ...question } = asked;
  const seeds = question.seeds.map(({ id, cotangent: { shape, data } }) => ({
    id,
    cotangent: { shape, data: data.map(() => 1) },
  }));
  return { ...question, seeds };
}

/** Returns the laws checked beside the truth; none for ones, since laws pull back other cotangents. */
export function lawsFor(cotangents: Cotangents): readonly Law[] {
  return cotangents === "generic" ? laws : [];
}
