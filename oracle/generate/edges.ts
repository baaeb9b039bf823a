import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { type FlatTensor, present, primitiveNames } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { drawCase } from "./arbitrary.ts";
import { type CaseProfile, tensorProfile } from "./profile.ts";
import { happens } from "./values.ts";

/** Few primitives on few small tensors, whose numbers {@link atEdges} replaces. */
const edgesProfile: CaseProfile = {
  ...tensorProfile,
  name: "edges",
  nodes: [1, 6],
  inputs: [1, 3],
  operators: primitiveNames,
  maximumRank: 2,
  extents: [2, 3],
  maximumElements: 6,
};

/** NaN, infinities, zeros, the ends of the formats' ranges, and arguments that take long to reduce. */
const edges: readonly number[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  ...[0, 1, 2 ** -1074, 2 ** -1030, 2 ** -149, 2 ** -130, 1e-300, 1e300, 1e-40, 1e38, 1e5, 123_456.75],
  ...[1e15, 710, 1000, 88.5, 104, 745, 0.5, 2 ** 1023],
].flatMap((x) => [x, -x]);

/** The case with about half of the numbers of its point at the edges. */
function atEdges(question: Case, random: Random): Case {
  const replaced = ({ shape, data }: FlatTensor): FlatTensor => ({
    shape,
    data: data.map((x) =>
      happens(random, 1, 2) ? present(edges[random.nextInt(0, edges.length - 1)], "an edge") : x,
    ),
  });
  const { graph, point } = question;
  const environment = graph.environment.map(({ name, kind }): [string, FlatTensor] => {
    const entry = present(point.environment.get(name), "an entry");
    return [name, kind === "real" ? replaced(entry) : entry];
  });
  return {
    ...question,
    point: { inputs: point.inputs.map(replaced), environment: new Map(environment) },
  };
}

/** Case number `index` of the search at the edges that `seed` names. */
export function edgeCaseAt(seed: number, index: number): Case {
  const random = new Random(xoroshiro128plus(Math.imul(seed, 0x9e3779b1) ^ index));
  return atEdges(drawCase(edgesProfile, random), random);
}
