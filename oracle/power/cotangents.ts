import type { Case } from "../case.ts";

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
