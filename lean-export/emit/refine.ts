import { claimsPrefix } from "../run/admissible.ts";
import { evenSegments, inOrder, leanTheorem, partClaims } from "./claims.ts";
import type { ExportedFile } from "./lean_file.ts";

/** A theorem about the ids from a first to before a last, as {@link leanTheorem} writes it. */
const segment = /^theorem (\w+)s_(\d+)_(\d+) : ([A-Za-z ]+) \2 \3 :=\n {2}by decide \+kernel\n/gm;

const header = /^-- claims: .*$/m;
const firstTheorem = /^theorem /m;

/**
 * Into so many parts a segment is cut. Each costs the kernel a theorem, and each look at a file the reading
 * of all its numbers: of a thousand ids the third look finds the wrong one.
 */
const PARTS = 12;

/**
 * A file that claims for each part of a segment, and at its end for each id, what a rejected claim says of
 * the whole, to find where it is wrong. It is `undefined` if the claim is about no segment.
 */
export function refine(text: string, rejected: string): ExportedFile | undefined {
  const claims = [...text.matchAll(segment)].flatMap(([, noun = "", first, last, predicate = ""]) => {
    if (rejected !== `${noun}s_${first}_${last}`) return [];
    const [from, to] = [Number(first), Number(last)];
    const parts = evenSegments([from, to], Math.ceil((to - from) / PARTS));
    return inOrder({ noun }, partClaims({ noun, predicate }, parts));
  });
  if (claims.length === 0) return undefined;
  const definitions = text.slice(0, text.search(firstTheorem));
  const claimNames = claims.map(({ name }) => name);
  return {
    text: `${definitions.replace(header, `${claimsPrefix} ${claimNames.join(" ")}`)}${claims.map(leanTheorem).join("\n")}\nend Trace\n`,
    claims: claimNames,
  };
}
