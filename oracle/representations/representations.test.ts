import { describe, expect, test } from "vitest";
import { gmm } from "../../bench/gradbench/graphs/gmm.ts";
import { ode } from "../../bench/gradbench/graphs/ode.ts";
import type { Problem } from "../../bench/gradbench/graphs/problem.ts";
import { mlp } from "../../bench/workloads/mlp.ts";
import { Arena } from "../../reference/numerics/index.ts";
import {
  at,
  derive,
  expand,
  nodeAt,
  nodeId,
  present,
  shapesOf,
  sizeOf,
  graph as written,
} from "../../spec/index.ts";
import { leastOf, sampled } from "../../spec/sampled.test.kit.ts";
import { storageOf } from "../diagnosis/index.ts";
import { caseAt, mix, profileIn } from "../generate/index.ts";
import { randomAt } from "../random/index.ts";
import { type Boxed, boxRound } from "./box.ts";
import { bundledTargets, representationsOf, storageFormats } from "./index.ts";
import { keptIn, keptRun, pointIn, trueRun } from "./kept.test.kit.ts";
import { type Assignment, errorsOf, rangesOver } from "./losses.ts";
import { cheaper, reachOf, select, unitsAt } from "./selection.ts";

const PRECISION = 64;

/** Results are to keep this many decimal digits. */
const DIGITS = 2;

/** Derives the gradient of a problem as a graph, over a box round its point. */
function gradientOf(
  { graph, point }: Problem,
  within: number,
): { readonly boxed: Boxed; readonly results: readonly ReturnType<typeof nodeId>[] } {
  const of = [nodeId(graph.inputs.length + graph.nodes.length - 1)];
  const wrt = graph.inputs.map((_, id) => nodeId(id));
  const derived = derive(graph, { mode: "vjp", of, wrt }, 20_000);
  const { graph: gradient, results, seeds } = present(derived.ok ? derived.value : undefined, "a gradient");
  const ones = seeds.map((id) => {
    const one = Array.from({ length: sizeOf(at(gradient.inputs, id).shape) }, () => 1);
    return { low: one, high: one };
  });
  const box = boxRound(point, graph, within);
  return { boxed: { graph: gradient, box: { ...box, inputs: [...box.inputs, ...ones] } }, results };
}

const ratio = (error: number, bound: number): number => (error === 0 ? 0 : error / bound);

/** Returns the largest share of its bound that an element is off by; over 1 the certificate is wrong. */
function worstOf(
  { graph, box }: Boxed,
  formats: Assignment,
  errors: readonly (readonly number[])[],
  seed: number,
): number {
  const random = randomAt(seed, 0);
  const point = pointIn(box, () => random.nextInt(0, 2 ** 30) / 2 ** 30);
  const kept = keptRun(graph, point, formats);
  let worst = 0;
  for (const [id, truths] of trueRun(graph, point).entries())
    for (const [i, [low, high]] of truths.entries()) {
      const x = at(at(kept, id), i);
      const bound = at(at(errors, id), i);
      const off = Math.max(low - x, x - high, 0);
      if (bound < Number.POSITIVE_INFINITY && !(off <= bound)) return Number.POSITIVE_INFINITY;
      if (bound > 0 && bound < Number.POSITIVE_INFINITY) worst = Math.max(worst, off / bound);
    }
  return worst;
}

function certified(boxed: Boxed, formats: Assignment): readonly (readonly number[])[] {
  using arena = new Arena(PRECISION);
  return errorsOf(boxed, formats, arena);
}

const problems = [mlp({ batch: 3, widths: [4, 5, 3] }), gmm({ d: 2, k: 3, n: 4 }), ode(4, 3)];

describe.for(problems.map((problem) => [problem.name, problem] as const))("the gradient of %s", ([
  ,
  problem,
]) => {
  const { boxed, results } = gradientOf(problem, 0.001);
  const chosen = (name: string): Assignment => {
    using arena = new Arena(PRECISION);
    const ranges = rangesOver(boxed, unitsAt(results, DIGITS), arena);
    return select(boxed.graph, ranges, present(bundledTargets.get(name), name).formats, 0.5);
  };
  const narrower = (formats: Assignment, name: string): Assignment =>
    formats.map(
      (format) => cheaper(format, 1, present(bundledTargets.get(name), name).formats).at(-1) ?? format,
    );

  test.for([...bundledTargets.keys()])("errs by no more than is certified, as %s keeps it", (target) => {
    const formats = chosen(target);
    const errors = certified(boxed, formats);
    for (let seed = 0; seed < 12; seed++)
      expect(worstOf(boxed, formats, errors, seed)).toBeLessThanOrEqual(1);
  });

  test.for([
    ...bundledTargets.keys(),
  ])("errs by more where %s keeps each value in its next narrower format", (target) => {
    const formats = chosen(target);
    const errors = certified(boxed, formats);
    expect(worstOf(boxed, narrower(formats, target), errors, 0)).toBeGreaterThan(1);
  });

  test.for(
    sampled(`narrowest ${problem.name}`, ["x86_64", "fpga"], 1),
  )("has no value on %s that could be narrower alone", (target) => {
    const { graph, point } = problem;
    const of = [nodeId(graph.inputs.length + graph.nodes.length - 1)];
    const wrt = graph.inputs.map((_, id) => nodeId(id));
    const { formats } = present(bundledTargets.get(target), target);
    const targets = [present(bundledTargets.get(target), target)];
    const told = representationsOf(graph, {
      of,
      wrt,
      box: boxRound(point, graph, 0.001),
      digits: DIGITS,
      targets,
    });
    const [assignment] = present(told.ok ? told.value.runs[1] : undefined, "a gradient").assignments;
    expect(assignment).toMatchObject({ isMet: true, isNarrowest: true });
    const storage = storageOf(boxed.graph, true);
    const kept = storage.map((place, id) =>
      place === nodeId(id) ? storageFormats.get(at(present(assignment, "one").formats, id)) : undefined,
    );
    const sizes = shapesOf(boxed.graph).map(sizeOf);
    const digitsOf = (assigned: Assignment): number => {
      const errors = certified(boxed, assigned);
      using arena = new Arena(PRECISION);
      const { values } = rangesOver(boxed, unitsAt(results, DIGITS), arena);
      return Math.min(
        ...results.map((id) => -Math.log10(Math.max(...at(errors, id)) / reachOf(at(values, id)))),
      );
    };
    expect(digitsOf(kept)).toBeGreaterThanOrEqual(DIGITS);
    for (const [id, format] of kept.entries())
      for (const other of cheaper(format, at(sizes, id), formats))
        expect(digitsOf(kept.with(id, other))).toBeLessThan(DIGITS);
  });
});

describe("whatever values are kept in", () => {
  const names = [...storageFormats.keys()];

  /** Draws a case of the mix with primitives alone, and a format for each value. */
  function drawn(index: number): { readonly boxed: Boxed; readonly formats: Assignment } {
    const { graph, point } = caseAt(profileIn(mix, index), 5, index);
    const random = randomAt(9, index);
    const { graph: written } = expand(graph);
    const box = boxRound(point, graph, index % 3 === 0 ? 0 : 0.001);
    const storage = storageOf(written, true);
    const formats = storage.map((place, id) =>
      place === nodeId(id) ? storageFormats.get(at(names, random.nextInt(0, names.length - 1))) : undefined,
    );
    return { boxed: { graph: written, box }, formats };
  }

  test("nothing is certified of a function of what a format may make NaN", () => {
    // The scale of 8-bit codes is a float32, and infinite for such numbers.
    const asked = written(({ input }) => {
      const x = input("x", []);
      x.atan2(2);
      x.atan();
    });
    const point = { inputs: [{ shape: [], data: Float64Array.of(-1e300) }], environment: new Map() };
    const { graph: expanded } = expand(asked);
    const sym8 = present(storageFormats.get("sym8"), "sym8");
    const errors = certified({ graph: expanded, box: boxRound(point, asked, 0) }, [sym8]);
    expect(
      [...errors.keys()]
        .filter((id) => ["atan2", "atan"].includes(nodeAt(expanded, nodeId(id))?.op ?? ""))
        .map((id) => errors[id]),
    ).toEqual([[Number.POSITIVE_INFINITY], [Number.POSITIVE_INFINITY]]);
  });

  test.each([
    ["maximum", 0, [-0.25, 1]],
    ["minimum", 1, [-1, 0.5]],
    ["relu", 2, [0, 1]],
    ["max", 3, [-0.25, 1]],
  ] as const)("a %s moves no further than what it is taken of, and has its range", (_, place, range) => {
    const asked = written(({ input }) => {
      const [x, y] = [input("x", [4]), input("y", [4])];
      x.maximum(y);
      x.minimum(y);
      x.relu();
      x.reshape({ shape: [2, 2] })
        .maximum(y.reshape({ shape: [2, 2] }))
        .max({ axes: [0], keepdims: false });
    });
    const { graph, ids } = expand(asked);
    const id = at(ids, [2, 3, 4, asked.nodes.length + 1][place] ?? 0);
    const ends = ([low, high]: readonly [number, number]) => ({
      low: [low, low, low, low],
      high: [high, high, high, high],
    });
    const box = { inputs: [ends([-1, 1]), ends([-0.25, 0.5])], environment: new Map(), indices: new Map() };
    const boxed = { graph, box };
    using arena = new Arena(PRECISION);
    const { values } = rangesOver(boxed, () => new Map(), arena);
    const { low, high } = at(values, id);
    expect([Math.min(...low), Math.max(...high)]).toEqual(range);
    const float16 = present(storageFormats.get("float16"), "float16");
    const formats = shapesOf(graph).map(() => float16);
    const errors = certified(boxed, formats);
    // A number up to 1 loses at most 2⁻¹² whenever it is kept, which is fewer than 16 times.
    expect(Math.max(...at(errors, id))).toBeLessThan(2 ** -8);
    for (let seed = 0; seed < 100; seed++)
      expect(worstOf(boxed, formats, errors, seed)).toBeLessThanOrEqual(1);
  });

  test("a choice of what was not compared may leap", () => {
    const asked = written(({ input }) => {
      const [x, y] = [input("x", []), input("y", [])];
      x.less(y).where(x, x.negative());
    });
    const { graph, ids } = expand(asked);
    const ends = { low: [-1], high: [1] };
    const box = { inputs: [ends, ends], environment: new Map(), indices: new Map() };
    const float16 = present(storageFormats.get("float16"), "float16");
    const errors = certified(
      { graph, box },
      shapesOf(graph).map(() => float16),
    );
    expect(Math.max(...at(errors, present(ids.at(-1), "the last")))).toBeGreaterThan(1);
  });

  test("errors stay within their certificates in graphs of all operators", () => {
    let bounded = 0;
    const indices = sampled("certificates", [...Array(400).keys()], 80);
    for (const index of indices) {
      const { boxed, formats } = drawn(index);
      const errors = certified(boxed, formats);
      const worst = worstOf(boxed, formats, errors, index);
      expect({ index, isWithin: worst <= 1 }).toEqual({ index, isWithin: true });
      bounded += worst > 0 ? 1 : 0;
    }
    expect(bounded).toBeGreaterThan(leastOf(0.63, indices.length));
  });

  test.for([
    ["sym4", [-2, 2], 1 / 7],
    ["sym16", [-2, 2], 1 / 32_767],
    ["asym4", [-1, 2], 1.5 / 15],
    ["sym4", [3, 3], 1.5 / 7],
  ] as const)("a single element has no better format for its scale: %s of %j loses %d", ([
    name,
    [low, high],
    half,
  ]) => {
    const { losses } = present(storageFormats.get(name), name);
    const [loss] = losses({ low: [low], high: [high] });
    expect(loss).toBeGreaterThanOrEqual(half);
    expect(loss).toBeLessThan(1.02 * half);
    expect(losses({ low: [0], high: [0] })).toEqual([0]);
  });

  test.for(names)("%s loses as much as is said, and a quarter of that is too little", (name) => {
    const format = present(storageFormats.get(name), name);
    const random = randomAt(3, 0);
    const drawnFrom = (least: number, most: number): number =>
      least + ((most - least) * random.nextInt(0, 2 ** 26)) / 2 ** 26;
    let most = 0;
    for (const size of [1, 0.013, 37]) {
      const ranges = {
        low: Array.from({ length: 400 }, () => -size),
        high: Array.from({ length: 400 }, () => size),
      };
      const losses = format.losses(ranges);
      const data = losses.map((_, i) => (i === 0 ? -size : i === 1 ? size : drawnFrom(-size, size)));
      for (const [i, x] of keptIn(name, data).entries())
        most = Math.max(most, ratio(Math.abs(x - at(data, i)), at(losses, i)));
    }
    expect(most).toBeLessThanOrEqual(1);
    // These formats keep a float64 as it is.
    if (name !== "float64" && name !== "posit64") expect(most).toBeGreaterThan(0.25);
  });
});
