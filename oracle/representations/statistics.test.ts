import { describe, expect, test } from "vitest";
import { Arena } from "../../reference/numerics/index.ts";
import { at, graph, nodeId, present, type StatisticsJson } from "../../spec/index.ts";
import { randomAt } from "../random/index.ts";
import { type Boxed, boxOf, type SeenRange } from "./box.ts";
import { bundledTargets, representationsOf, statisticsOf } from "./index.ts";
import { keptRun, pointIn, trueRun } from "./kept.test.kit.ts";
import { errorsOf, rangesOver } from "./losses.ts";
import { runsOf } from "./runs.ts";
import { seenOf } from "./seen.ts";
import { select, unitsAt } from "./selection.ts";

const subject = graph(({ input, parameter }) => {
  const w = input("w", [3, 4]);
  const out = input("out", [4, 1]);
  const x = parameter("x", [2, 3]);
  x.matmul(w)
    .tanh()
    .matmul(out)
    .multiply(2)
    .sum({ axes: [0, 1], keepdims: false });
});
const ranges = { inputs: { w: [-2, 2], out: [-2, 2] }, environment: { x: [-3, 3] } } as const;
const made = boxOf(subject, { format: "adjudge.ranges.v1", ...ranges });
const box = present(made.ok ? made.value : undefined, "a box");
const asked = {
  of: [nodeId(subject.inputs.length + subject.nodes.length - 1)],
  wrt: [nodeId(0), nodeId(1)],
  box,
};

function recorded(calls: number, rate: number, seed = 3): StatisticsJson {
  const found = statisticsOf(subject, { ...asked, calls, rate, seed });
  return present(found.ok ? found.value : undefined, "statistics");
}

const runs = runsOf(subject, asked);
const [forward, gradient] = present(runs.ok ? runs.value : undefined, "runs");
const both = [present(forward, "the graph"), present(gradient, "its gradient")];

function seenIn(json: StatisticsJson, share: number): readonly (readonly SeenRange[])[] {
  const found = seenOf({ json, share }, both);
  return present(found.ok ? found.value : undefined, "ranges");
}

/**
 * Returns the largest part of its certified error by which an element errs at points within what was seen.
 */
function worstWithin(seen: readonly SeenRange[], claimed: readonly SeenRange[]): number {
  const run = at(both, 1);
  const boxed: Boxed = { ...run.boxed, seen: claimed };
  using arena = new Arena(64);
  const formats = select(
    boxed.graph,
    rangesOver(boxed, unitsAt(run.results, 2), arena),
    present(bundledTargets.get("neuromorphic"), "a target").formats,
    0.5,
  );
  const errors = errorsOf(boxed, formats, arena);
  const random = randomAt(5, 0);
  let [worst, points] = [0, 0];
  for (let n = 0; n < 60; n++) {
    const point = pointIn(boxed.box, () => random.nextInt(0, 2 ** 30) / 2 ** 30);
    const truths = trueRun(boxed.graph, point);
    const isWithin = truths.every((all, id) => {
      const [least, greatest] = at(seen, id).range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      return all.every(([low, high]) => least <= low && high <= greatest);
    });
    if (!isWithin) continue;
    points += 1;
    for (const [id, data] of keptRun(boxed.graph, point, formats).entries())
      for (const [i, x] of data.entries()) {
        const [low, high] = at(at(truths, id), i);
        worst = Math.max(worst, Math.max(low - x, x - high, 0) / at(at(errors, id), i) || 0);
      }
  }
  expect(points).toBeGreaterThan(5);
  return worst;
}

describe("statistics of a training run", () => {
  const json = recorded(200, 0);

  test("count every number of every value once, and are the same for the same seed", () => {
    expect(recorded(20, 0.1)).toEqual(recorded(20, 0.1));
    expect(recorded(20, 0.1, 4)).not.toEqual(recorded(20, 0.1));
    for (const { values } of json.runs)
      for (const { zeros, unknown, exponents, range = [0, 0] } of values) {
        const counts = Object.entries(exponents);
        expect((counts.reduce((sum, [, count]) => sum + count, zeros + unknown) / 200) % 1).toBe(0);
        const reach = 2 ** (Math.max(...counts.map(([exponent]) => Number(exponent))) + 1);
        expect(Math.max(-range[0], range[1])).toBeLessThan(reach);
        expect(Math.max(-range[0], range[1])).toBeGreaterThanOrEqual(reach / 2);
      }
  });

  test("are of a run that trains: after steps the loss is lower than any without", () => {
    const least = (some: StatisticsJson): number => at(at(some.runs, 0).values, 6 + 1).range?.[0] ?? 0;
    expect(least(recorded(50, 0.2))).toBeLessThan(least(recorded(50, 0)) - 1);
  });

  test("give ranges with a share within, and the part outside exactly", () => {
    const value = {
      name: "input w",
      range: [-9, 5],
      zeros: 2,
      unknown: 0,
      exponents: { "-1": 5, "1": 2, "3": 1 },
    };
    const names = at(json.runs, 0).values;
    const one = (share: number) => {
      const runs = [{ run: "the graph", values: names.with(0, value as never) }, at(json.runs, 1)];
      return at(at(seenIn({ ...json, runs }, share), 0), 0);
    };
    expect(one(1)).toEqual({ range: [-9, 5], outside: 0 });
    expect(one(0.9)).toEqual({ range: [-4, 4], outside: 0.1 });
    expect(one(0.7)).toEqual({ range: [-1, 1], outside: 0.3 });
    expect(one(0.2)).toEqual({ range: [-0, 0], outside: 0.8 });
  });

  test("certify errors of runs within what was seen, and of none where less was said to be seen", () => {
    const seen = at(seenIn(json, 1), 1);
    expect(worstWithin(seen, seen)).toBeLessThanOrEqual(1);
    const tenth = seen.map(({ range = [0, 0], outside }) => ({
      range: [range[0] / 10, range[1] / 10] as const,
      outside,
    }));
    expect(worstWithin(seen, tenth)).toBeGreaterThan(1);
  });

  test("of other values are refused", () => {
    const targets = [...bundledTargets.values()];
    const other = { ...json, runs: json.runs.slice(0, 1) };
    const told = representationsOf(subject, {
      ...asked,
      digits: 2,
      targets,
      statistics: { json: other, share: 1 },
    });
    expect(told).toMatchObject({ ok: false, error: [{ code: "statistics/graph" }] });
  });
});
