import { encodeCase } from "../../spec/documents/index.ts";
import type { Case } from "../case/index.ts";
import { type Proposal, passes } from "./candidates.ts";

export { candidates } from "./candidates.ts";
export { isSmaller, measure } from "./measure.ts";

/**
 * Finds a smallest case that still fails: no candidate of it does, unless `budget` (the cases judged) ran
 * out. It is greedy and deterministic: a smaller case that fails is taken at once, and the pass that found it
 * goes on from where it was, so that a long graph costs a few judgements a node. The passes are repeated
 * until none finds any. No case is judged twice. It ends because every step is smaller by {@link measure}.
 */
export async function shrink(
  failing: Case,
  stillFails: (candidate: Case) => Promise<boolean>,
  budget: number,
): Promise<Case> {
  const judged = new Set<string>();
  const isTaken = async (candidate: Case): Promise<boolean> => {
    const key = JSON.stringify(encodeCase(candidate, "base64"));
    if (judged.has(key)) return false;
    judged.add(key);
    return stillFails(candidate);
  };
  let smallest = failing;
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    let all = passes(smallest);
    for (let pass = 0; pass < all.length; pass++) {
      let from = 0;
      while (judged.size < budget) {
        const taken = await firstTaken(all[pass] ?? [], from, () => judged.size < budget, isTaken);
        if (taken === undefined) break;
        smallest = taken.candidate;
        from = taken.place;
        all = passes(smallest);
        isSettled = false;
      }
    }
    isSettled ||= judged.size >= budget;
  }
  return smallest;
}

/** Returns the first proposal of a pass that is taken, from a place on, while any may be judged. */
async function firstTaken(
  pass: Iterable<Proposal>,
  from: number,
  mayJudge: () => boolean,
  isTaken: (candidate: Case) => Promise<boolean>,
): Promise<{ readonly candidate: Case; readonly place: number } | undefined> {
  let place = 0;
  for (const propose of pass) {
    if (!mayJudge()) return undefined;
    const candidate = place < from ? undefined : propose();
    if (candidate !== undefined && (await isTaken(candidate))) return { candidate, place };
    place += 1;
  }
  return undefined;
}
