import { encodeCase } from "../../spec/documents/index.ts";
import type { Case } from "../case/index.ts";
import { candidates } from "./candidates.ts";

export { candidates } from "./candidates.ts";
export { isSmaller, measure } from "./measure.ts";

/**
 * A smallest case that still fails: no candidate of it does, unless `budget`, the number of cases that may be
 * judged, ran out before. Greedy and deterministic: the first smaller case that fails is taken, and the search begins
 * anew from it; a case is never judged twice. Ends because every step is smaller by {@link measure}.
 */
export async function shrink(
  failing: Case,
  stillFails: (candidate: Case) => Promise<boolean>,
  budget: number,
): Promise<Case> {
  const judged = new Set<string>();
  let smallest = failing;
  let next: Case | undefined = failing;
  while (next !== undefined) {
    smallest = next;
    next = undefined;
    for (const candidate of candidates(smallest)) {
      const key = JSON.stringify(encodeCase(candidate, "base64"));
      if (judged.has(key)) continue;
      if (judged.size >= budget) return smallest;
      judged.add(key);
      if (await stillFails(candidate)) {
        next = candidate;
        break;
      }
    }
  }
  return smallest;
}
