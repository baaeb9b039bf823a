import { refine } from "./emit/refine.ts";
import type { LeanFile, LeanVerdict } from "./verdict.ts";

/**
 * Returns the verdict on a file. If a rejected claim is about many ids, further files find the wrong one.
 * `ask` has Lean check a file. Law: a rejection is replaced only by one that tells more, never by an
 * acceptance.
 */
export async function narrowedVerdict(
  ask: (file: LeanFile) => Promise<LeanVerdict>,
  file: LeanFile,
): Promise<LeanVerdict> {
  let verdict = await ask(file);
  let closer = closerLook(file, verdict);
  while (closer !== undefined) {
    const look = await ask(closer);
    if (look.kind !== "rejected" || look.claim === undefined) return verdict;
    verdict = look;
    closer = closerLook(closer, verdict);
  }
  return verdict;
}

/** Returns a file that tells more of what was rejected: it claims the same of fewer ids each. */
function closerLook(file: LeanFile, verdict: LeanVerdict): LeanFile | undefined {
  const claim = verdict.kind === "rejected" ? verdict.claim : undefined;
  const parts = claim === undefined ? undefined : refine(file.text, claim);
  return parts && { name: file.name, text: parts.text };
}
