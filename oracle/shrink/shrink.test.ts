import { describe, expect, test } from "vitest";
import { checkCase, encodeCase, type FlatTensor, type Node, shapesOf, sizeOf } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import {
  type CaseProfile,
  campaign,
  chainProfile,
  crowdProfile,
  deepProfile,
  longProfile,
  ranksProfile,
  structuresIn,
  tensorProfile,
  windowsProfile,
} from "../generate/index.ts";
import { candidates, isSmaller, measure, shrink } from "./shrink.ts";

const seed = 404;
const budget = 3000;

/** Finds the first `count` cases of a campaign of which the predicate holds. */
function failing(
  profile: CaseProfile,
  count: number,
  fails: (question: Case) => boolean,
  drawnBy: number = seed,
): readonly Case[] {
  const found: Case[] = [];
  for (const question of campaign(profile, drawnBy, 5000)) {
    if (fails(question)) found.push(question);
    if (found.length === count) return found;
  }
  throw new Error(`only ${found.length} cases of ${profile.name} have what is looked for`);
}

function readersOf(question: Case, id: number): readonly Node[] {
  return question.graph.nodes.filter(({ parents }) => parents.some((parent) => parent === id));
}

function isBetween(question: Case, id: number): boolean {
  return id >= question.graph.inputs.length && readersOf(question, id).length > 0;
}

/** Each fault shows in structure alone; three numbers are a smallest case's nodes, names and seeds. */
const structural: readonly (readonly [
  string,
  (question: Case) => boolean,
  { readonly nodes: number; readonly leaves: number; readonly seeds: number },
])[] = [
  ["anything at all", () => true, { nodes: 0, leaves: 1, seeds: 1 }],
  [
    "one operand twice",
    (question) => structuresIn(question).includes("same operand twice"),
    { nodes: 1, leaves: 1, seeds: 1 },
  ],
  [
    "a quotient whose divisor another node reads too",
    (question) =>
      question.graph.nodes.some(
        ({ op, parents: [, y] }) => op === "divide" && y !== undefined && readersOf(question, y).length > 1,
      ),
    { nodes: 2, leaves: 1, seeds: 1 },
  ],
  ["a diamond", (question) => structuresIn(question).includes("diamond"), { nodes: 2, leaves: 1, seeds: 1 }],
  [
    "a node that no seed depends on",
    (question) => structuresIn(question).includes("unused node"),
    { nodes: 1, leaves: 1, seeds: 1 },
  ],
  [
    "a seed between nodes, and one on an input",
    ({ seeds, ...rest }) =>
      seeds.some(({ id }) => isBetween({ seeds, ...rest }, id)) &&
      seeds.some(({ id }) => id < rest.graph.inputs.length),
    { nodes: 2, leaves: 1, seeds: 2 },
  ],
  [
    "a product of what was taken with a repeated index",
    ({ graph, point }) =>
      graph.nodes.some(({ op, parents: [x] }) => {
        const taken = graph.nodes[(x ?? 0) - graph.inputs.length];
        if (op !== "multiply" || taken?.op !== "take") return false;
        const indices = point.environment.get(taken.attributes.indices)?.data ?? [];
        return new Set(indices).size < indices.length;
      }),
    { nodes: 2, leaves: 2, seeds: 1 },
  ],
  [
    "a repeated row of gathered indices",
    (question) =>
      structuresIn(question).includes("repeated row") &&
      question.graph.nodes.every(({ op }) => op !== "scatter_add"),
    { nodes: 1, leaves: 2, seeds: 1 },
  ],
  [
    "a slice that goes backwards",
    (question) => structuresIn(question).includes("negative step"),
    { nodes: 1, leaves: 1, seeds: 1 },
  ],
  [
    "a value without elements",
    ({ graph }) => shapesOf(graph).some((shape) => sizeOf(shape) === 0),
    { nodes: 0, leaves: 1, seeds: 1 },
  ],
  [
    "equal inputs",
    (question) => structuresIn(question).includes("twin inputs"),
    { nodes: 0, leaves: 2, seeds: 1 },
  ],
];

describe.each(structural)("cases that fail for %s", (_name, fails, { nodes, leaves, seeds }) => {
  test(`shrink to ${nodes} nodes, ${leaves} inputs and entries, and ${seeds} seeds`, async () => {
    for (const question of failing(tensorProfile, 6, fails)) {
      const smallest = await shrink(question, async (candidate) => fails(candidate), budget);
      const [, , nodeCount, leafCount, , seedCount] = measure(smallest);
      expect(fails(smallest)).toBe(true);
      expect([nodeCount, leafCount, seedCount]).toEqual([nodes, leaves, seeds]);
    }
  });
});

test("a chain shrinks to the nodes it needs", async () => {
  const isLong = (question: Case): boolean => structuresIn(question).includes("depth ≥ 5");
  for (const question of failing(tensorProfile, 10, isLong)) {
    const { graph, seeds } = await shrink(question, async (candidate) => isLong(candidate), budget);
    expect([graph.nodes.length, seeds.length]).toEqual([5, 1]);
  }
});

test("a pair of nodes is found in a chain of 200 within 500 judgements", async () => {
  const fails = ({ graph }: Case): boolean =>
    graph.nodes.some(
      (node, i) =>
        node.op === "cos" &&
        graph.nodes[i - 1]?.op === "exp" &&
        node.parents[0] === graph.inputs.length + i - 1,
    );
  for (const question of failing(chainProfile, 3, fails)) {
    let judgements = 0;
    const stillFails = async (candidate: Case): Promise<boolean> => {
      judgements++;
      return fails(candidate);
    };
    const smallest = await shrink(question, stillFails, budget);
    expect(smallest.graph.nodes.map(({ op }) => op)).toEqual(["exp", "cos"]);
    expect(judgements).toBeLessThan(500);
  }
});

test("shapes shrink to the axes and extents that matter", async () => {
  const fails = ({ graph }: Case): boolean =>
    graph.nodes.some(
      ({ op, parents }) => op === "matmul" && (shapesOf(graph)[parents[0] ?? 0]?.at(-1) ?? 0) > 1,
    );
  for (const question of failing(tensorProfile, 5, fails)) {
    const { graph } = await shrink(question, async (candidate) => fails(candidate), budget);
    const shapes = shapesOf(graph);
    expect(
      [...shapes, ...graph.environment.map(({ shape }) => shape)].flat().every((extent) => extent > 0),
    ).toBe(true);
    expect(shapes.every(({ length }) => length === 2)).toBe(true);
    expect(Math.max(...shapes.flat())).toBe(2);
  }
});

/** Each fault needs a shape that users have; the numbers bound a smallest case's nodes and inputs. */
const ofShapes = [
  ["rank 6", ranksProfile, 1, 1],
  ["windows along 3 axes", windowsProfile, 2, 2],
  ["long axis", longProfile, 1, 1],
  ["11 inputs and more", crowdProfile, 0, 11],
  ["concat of 5 and more", crowdProfile, 1, 1],
  ["depth > 256", deepProfile, 310, 4],
] as const;

test.each(
  sampled("shapes to shrink", ofShapes, 3),
)("cases that fail for '%s' shrink to what they need", async (name, profile, nodes, inputs) => {
  for (const question of failing(profile, 2, (drawn) => structuresIn(drawn).includes(name))) {
    const smallest = await shrink(question, async (x) => structuresIn(x).includes(name), budget);
    expect(structuresIn(smallest)).toContain(name);
    expect(smallest.graph.nodes.length).toBeLessThanOrEqual(nodes);
    expect(smallest.graph.inputs.length).toBeLessThanOrEqual(inputs);
  }
});

test("numbers shrink to plain ones, but a special number that matters stays", async () => {
  const hasMinusZero = ({ point }: Case): boolean =>
    point.inputs.some(({ data }) => data.some((x) => Object.is(x, -0)));
  for (const question of failing(tensorProfile, 5, hasMinusZero)) {
    const { point, tangents, seeds } = await shrink(question, async (x) => hasMinusZero(x), budget);
    expect(point.inputs.map(({ data }) => [...data])).toEqual([[-0]]);
    expect(tangents.map(({ data }) => [...data])).toEqual([[3]]);
    expect(seeds.map(({ cotangent }) => [...cotangent.data])).toEqual([[3]]);
  }
});

/** Lists ever smaller cases that a search may visit: each time the candidate after `stride` others. */
function descent(question: Case, stride: number): readonly Case[] {
  const smaller = [...candidates(question)];
  const next = smaller[stride % Math.max(smaller.length, 1)];
  return next === undefined ? [question] : [question, ...descent(next, stride)];
}

describe("the candidates of a case", () => {
  const short = { ...chainProfile, nodes: [30, 30] } as const;
  const cases = [
    ...[...campaign(tensorProfile, seed, 6)].flatMap((question) => descent(question, 23)),
    ...[...campaign(tensorProfile, seed, 6)].flatMap((question) => descent(question, 61)),
    ...campaign(tensorProfile, seed + 1, 15),
    ...campaign(short, seed, 1),
  ];
  const pairs = cases.flatMap((question) =>
    [...candidates(question)].map((smaller) => [question, smaller] as const),
  );

  test("are thousands here", () => {
    expect(pairs.length).toBeGreaterThan(2000);
  });

  test("are well-formed and seeded", () => {
    const isSound = (question: Case): boolean =>
      checkCase(encodeCase(question)).ok && question.seeds.length > 0;
    expect(sampled("sound", pairs, 300).find(([, smaller]) => !isSound(smaller))).toBeUndefined();
  });

  test("are smaller than the case", () => {
    expect(
      pairs.find(([question, smaller]) => !isSmaller(measure(smaller), measure(question))),
    ).toBeUndefined();
  });

  test("of a case of numbers of float32 hold only such numbers", () => {
    const isSingle = ({ data }: FlatTensor): boolean => data.every((x) => Object.is(Math.fround(x), x));
    const tensorsOf = ({ point, tangents, seeds }: Case): readonly FlatTensor[] => [
      ...point.inputs,
      ...tangents,
      ...seeds.map(({ cotangent }) => cotangent),
    ];
    const single = pairs.filter(([question]) => tensorsOf(question).every(isSingle));
    expect(single.length).toBeGreaterThan(1000);
    expect(single.find(([, smaller]) => !tensorsOf(smaller).every(isSingle))).toBeUndefined();
  });

  test("are none for the smallest case", async () => {
    const [question] = cases;
    if (question === undefined) throw new Error("no case");
    const smallest = await shrink(question, async () => true, budget);
    expect([...candidates(smallest)]).toEqual([]);
  });
});

describe("the order of measures", () => {
  test("is decided by the first difference", () => {
    expect(isSmaller([1, 9, 9], [2, 0, 0])).toBe(true);
    expect(isSmaller([2, 0, 0], [1, 9, 9])).toBe(false);
    expect(isSmaller([1, 2, 3], [1, 2, 3])).toBe(false);
  });
});

describe("shrinking", () => {
  const [question] = failing(tensorProfile, 1, ({ graph }) => graph.nodes.length === 12);
  if (question === undefined) throw new Error("no case");

  test("leaves a case alone whose smaller cases all pass", async () => {
    expect(await shrink(question, async () => false, budget)).toBe(question);
  });

  test("judges no more cases than the budget allows, and none twice", async () => {
    const judged: string[] = [];
    const smallest = await shrink(
      question,
      async (candidate) => {
        judged.push(JSON.stringify(encodeCase(candidate)));
        return candidate.graph.nodes.length > 6;
      },
      100,
    );
    expect(judged).toHaveLength(100);
    expect(new Set(judged).size).toBe(100);
    expect(smallest.graph.nodes.length).toBeLessThan(12);
    expect(await shrink(question, async () => true, 0)).toBe(question);
  });

  test("gives the same case again", async () => {
    const fails = async ({ graph }: Case): Promise<boolean> => graph.nodes.length >= 3;
    expect(await shrink(question, fails, budget)).toEqual(await shrink(question, fails, budget));
  });
});
