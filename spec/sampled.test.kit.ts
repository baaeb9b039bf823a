import { createHash } from "node:crypto";
import process from "node:process";

/**
 * Draws `count` of the cases, in their order: `npm test` asks other cases at every commit. The files that
 * import this are run by `npm run test:slow` too, where all cases are drawn. The name keeps apart what two
 * tests draw of equally many cases. Cost: one hash a case.
 */
export function sampled<T>(
  name: string,
  cases: readonly T[],
  count: number,
  seed: string = process.env.ADJUDGE_TEST_SEED ?? "all",
): readonly T[] {
  if (seed === "all") return cases;
  const ranks = cases.map((_, index) =>
    createHash("sha256").update(`${seed} ${name} ${index}`).digest("hex"),
  );
  const last = ranks.toSorted()[Math.ceil(count) - 1] ?? "g";
  return cases.filter((_, index) => (ranks[index] ?? "") <= last);
}

/**
 * The least count that a sample of `count` cases shows of what at least a `share` of all of them have: four
 * standard deviations of the drawing lie between, so that next to no commit draws less by chance.
 */
export const leastOf = (share: number, count: number): number =>
  share * count - 4 * Math.sqrt(count * share * (1 - share));
