import type { Case } from "../../oracle/case/case.ts";
import type { Law } from "../../oracle/hearing/ask.ts";
import { laws } from "../../oracle/laws/index.ts";

/** Which cotangents a case pulls back: its own, generic ones, or ones everywhere, as a test of a summed output does. */
export type Cotangents = "generic" | "ones";

/** The case with every seed's elements as `cotangents` says. */
export function withCotangents(question: Case, cotangents: Cotangents): Case {
  if (cotangents === "generic") return question;
  const seeds = question.seeds.map(({ id, cotangent: { shape, data } }) => ({
    id,
    cotangent: { shape, data: data.map(() => 1) },
  }));
  return { ...question, seeds };
}

/** The laws checked beside the truth: none for ones, since the laws would pull back other cotangents on their own. */
export function lawsFor(cotangents: Cotangents): readonly Law[] {
  return cotangents === "generic" ? laws : [];
}
