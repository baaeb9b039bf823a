import { describe, expect, test } from "vitest";
import { estimateMutants, estimating, interpreterEngine } from "../../engines/index.ts";
import { type FlatTensor, graph, nodeId } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import { caseAt, tensorProfile } from "../generate/index.ts";
import { judgeEstimates } from "./judge.ts";
import { estimateLaw, meanOf } from "./means.ts";

const flat = (shape: readonly number[], ...data: number[]): FlatTensor => ({
  shape,
  data: Float64Array.from(data),
});

/** A sum of products, whose gradient has four numbers. */
const wider: Case = (() => {
  const products = graph(({ input }) => {
    const [x, y] = [input("x", [2]), input("y", [2])];
    x.multiply(y).sum({ axes: [0], keepdims: false });
  });
  return {
    graph: products,
    point: { inputs: [flat([2], 1.5, -0.5), flat([2], 2, 1)], environment: new Map() },
    tangents: [flat([2], 1, 1), flat([2], 1, 1)],
    seeds: [{ id: nodeId(3), cotangent: flat([], 1) }],
  };
})();

/** x² y + sin of a product of two, and a sum beside it, from two results. */
const written = graph(({ input }) => {
  const [x, y] = [input("x", [2]), input("y", [])];
  x.multiply(x).multiply(y);
  x.sum({ axes: [0], keepdims: false })
    .multiply(y)
    .sin();
});
const last = nodeId(written.inputs.length + written.nodes.length - 1);
const question: Case = {
  graph: written,
  point: { inputs: [flat([2], 1.5, -0.5), flat([], 2)], environment: new Map() },
  tangents: [flat([2], 1, 1), flat([], 1)],
  seeds: [
    { id: nodeId(4), cotangent: flat([2], 1, -2) },
    { id: last, cotangent: flat([], 3) },
  ],
};

const options = { dtype: "float64", samples: 3000, seed: 11, alarm: 1e-6 } as const;

describe("an engine's forward gradients", () => {
  test.each([
    "float64",
    "float32",
  ] as const)("agree where they are right, in %s, by every law", async (dtype) => {
    const verdicts = await judgeEstimates(interpreterEngine(), question, { ...options, dtype });
    expect(verdicts.map(({ law, kind, compared }) => [law, kind, compared])).toEqual([
      ["given", "agrees", 48],
      ["rademacher", "agrees", 6],
      ["gaussian", "agrees", 6],
    ]);
  });

  test.each(estimateMutants)("are told where $fault: $name", async ({
    parts,
    isShownByGiven,
    isLawAlone,
  }) => {
    const engine = estimating(interpreterEngine(), parts);
    const verdicts = isLawAlone
      ? await judgeEstimates(engine, wider, { ...options, samples: 6000 })
      : await judgeEstimates(engine, question, options);
    const told = verdicts.flatMap(({ law, kind }) => (kind === "disagrees" ? [law] : []));
    expect(told.includes("given")).toBe(isShownByGiven);
    if (!isShownByGiven) expect(told.length).toBeGreaterThan(0);
  });

  test("agree or are undecided on random graphs", async () => {
    let agrees = 0;
    const indices = sampled("estimates", [...Array(60).keys()], 12);
    for (const index of indices) {
      const verdicts = await judgeEstimates(interpreterEngine(), caseAt(tensorProfile, 19, index), {
        ...options,
        samples: 60,
      });
      for (const { kind, faults, reason } of verdicts) {
        expect([index, kind, faults, reason]).toEqual([
          index,
          expect.stringMatching(/agrees|undecided/),
          [],
          undefined,
        ]);
        if (kind === "agrees") agrees += 1;
      }
    }
    expect(agrees).toBeGreaterThan(2 * indices.length);
  });

  test("are accused of a NaN, unless it may come of a zero that is stored", async () => {
    // The slope of a norm at 0 has no value, and the tangent of a comparison is a zero.
    const flatNorm = graph(({ input }) => {
      input("x", [1])
        .logical_not()
        .norm({ axes: [0], keepdims: true });
    });
    const seeds = [{ id: nodeId(2), cotangent: flat([1], 3) }];
    const point = { inputs: [flat([1], 2)], environment: new Map() };
    const stored: Case = { graph: flatNorm, point, tangents: [flat([1], 1)], seeds };
    const few = { ...options, samples: 60 };
    const excused = await judgeEstimates(interpreterEngine(), stored, few);
    expect(excused.map(({ kind }) => kind)).toEqual(["undecided", "undecided", "undecided"]);
    const engine = estimating(interpreterEngine(), { estimate: () => Number.NaN });
    const told = await judgeEstimates(engine, question, few);
    expect(told.map(({ kind }) => kind)).toEqual(["disagrees", "disagrees", "disagrees"]);
  });

  test("are not asked for where they are not promised, and declined where the graph is", async () => {
    const { estimates: _, ...engine } = interpreterEngine();
    expect(await judgeEstimates(engine, question, options)).toEqual([]);
    const half = await judgeEstimates(interpreterEngine(), question, { ...options, dtype: "float16" });
    expect(half.map(({ kind }) => kind)).toEqual(["unsupported", "unsupported", "unsupported"]);
  });
});

describe("the tests of means", () => {
  const gradient = [5, 3, -2];

  test("know mean and variance of estimates and of their squares, counted over all signs", () => {
    for (const place of gradient.keys()) {
      const all = Array.from({ length: 8 }, (_, bits) => {
        const v = gradient.map((_one, i) => ((bits >> i) & 1 ? 1 : -1));
        return gradient.reduce((slope, x, i) => slope + x * (v[i] ?? 0), 0) * (v[place] ?? 0);
      });
      const { estimate, square } = estimateLaw("rademacher", gradient, place);
      for (const [numbers, law] of [
        [all, estimate],
        [all.map((x) => x ** 2), square],
      ] as const) {
        const mean = numbers.reduce((sum, x) => sum + x, 0) / 8;
        expect(mean).toBe(law.mean);
        expect(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 8).toBe(law.variance);
        expect(Math.max(...numbers.map((x) => Math.abs(x - mean)))).toBeLessThanOrEqual(law.reach);
      }
    }
  });

  test("raise no alarm in 200 right campaigns, and one in each that is off by twice the threshold", () => {
    let state = 1;
    const uniform = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    for (const reach of [1, Number.POSITIVE_INFINITY])
      for (let campaign = 0; campaign < 200; campaign++) {
        const draws = Array.from({ length: 500 }, () => (uniform() > 0.5 ? 1 : -1));
        const { found, threshold } = meanOf(draws, { mean: 0, variance: 1, reach }, 1e-3);
        expect(Math.abs(found)).toBeLessThanOrEqual(threshold);
        const off = meanOf(
          draws.map((x) => x + 2 * threshold),
          { mean: 0, variance: 1, reach },
          1e-3,
        );
        expect(off.found).toBeGreaterThan(threshold);
      }
  });
});
