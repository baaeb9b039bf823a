import { encodeCase } from "../../spec/documents/index.ts";
import type { Case } from "../case/index.ts";
import { candidates } from "./candidates.ts";

export { candidates } from "./candidates.ts";
export { isSmaller, measure } from "./measure.ts";

/**
 * Finds a smallest case that still fails: no candidate of it does, unless `budget` (the cases judged) ran
 * out. It is greedy and deterministic: the first smaller case that fails is taken, and the search starts anew
 * from it; no case is judged twice. It ends because every step is smaller by {@link measure}.
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
