import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { emptyDraft } from "./draft.ts";
import { motifs } from "./motifs.ts";
import { occurrences, plantMotif } from "./networks.ts";
import { networkProfile, restrict } from "./profile.ts";
import { drawExtents, drawInputShapes } from "./shapes.ts";

/** Counts in how many of this many empty graphs the motif is planted to its end. */
function completed(name: string, graphs: number): number {
  const motif = motifs[name];
  if (motif === undefined) throw new Error(name);
  let whole = 0;
  for (let seed = 0; seed < graphs; seed++) {
    const random = new Random(xoroshiro128plus(seed));
    const profile = { ...networkProfile, nodes: [1, 24] } as const;
    const extents = drawExtents(profile, random);
    const draft = emptyDraft(profile, random, extents, drawInputShapes(profile, random, extents));
    if (plantMotif(draft, motif) === motif.steps.length) whole += 1;
  }
  return whole;
}

describe.each(Object.keys(motifs))("the motif '%s'", (name) => {
  test("is planted whole in one graph of six at least, and is found in some architecture", () => {
    expect(completed(name, 60)).toBeGreaterThanOrEqual(10);
    const motif = motifs[name];
    expect(motif === undefined ? 0 : occurrences(motif)).toBeGreaterThan(0);
  });
});

test("a motif whose operators the profile lacks is not begun", () => {
  const random = new Random(xoroshiro128plus(1));
  const profile = restrict(networkProfile, ["add"]);
  const draft = emptyDraft(profile, random, [2, 3], [[2, 3]]);
  for (const motif of Object.values(motifs)) plantMotif(draft, motif);
  expect(draft.nodes.filter(({ op }) => op !== "add")).toEqual([]);
});
