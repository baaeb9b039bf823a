import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import type { Accumulation } from "../../../engines/index.ts";
import { rational, rationalFromNumber } from "../../../reference/index.ts";
import { type Description, referenceConventions } from "../../../spec/contract/index.ts";
import {
  at,
  binadeOf,
  checkGraph,
  compositeNames,
  type DataType,
  type FlatTensor,
  floatTypes,
  formats,
  nodeId,
  present,
} from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import type { Case } from "../../case/index.ts";
import { caseAt, exactProfile, longProfile, networkProfile, tensorProfile } from "../../generate/index.ts";
import { truthOf } from "../case_truth.ts";
import { approximateRational } from "../centre/centre.ts";
import { judged, sloppy } from "../erring.test.kit.ts";
import type { Component } from "../verdicts/component.ts";
import { type Adding, addingUp, shuffled } from "./accumulation.test.kit.ts";
import { accumulating } from "./accumulation.ts";
import { type Standard, standardOf } from "./standard.ts";

type Width = NonNullable<Accumulation["width"]>;

/** Returns the standard of an engine that adds up so wherever it adds up. */
function declaring(dtype: DataType, how: Accumulation): Standard {
  const accumulation: Description["accumulation"] = Object.fromEntries(
    [...accumulating, ...compositeNames].map((name) => [name, how]),
  );
  return standardOf({ conventions: referenceConventions, accuracy: {}, accumulation }, dtype);
}

const { add } = present(rational.levels.field, "the field of rational numbers");

function exactSum(terms: readonly number[]): number {
  return approximateRational(terms.map(rationalFromNumber).reduce(add, rationalFromNumber(0)));
}

/** Returns a number of a format, off by up to half an ulp in any direction where it is none already. */
function erring(dtype: DataType, random: Random): (x: number) => number {
  const { round, unitRoundoff, smallest, largest } = formats[dtype];
  return (x) => {
    if (dtype === "float64" || !Number.isFinite(x) || round(x) === x) return x;
    const room = Math.max(unitRoundoff * binadeOf(x), smallest / 2);
    const y = random.nextInt(0, 1) === 0 ? round(x) : x + (2 * random.nextDouble() - 1) * room;
    return Math.abs(y) > largest ? Math.sign(y) * Number.POSITIVE_INFINITY : y;
  };
}

/** Sums in a width and a random order, rounded once to the precision; roundings err by all they may. */
function wideAdding(dtype: DataType, width: Width, random: Random): Adding {
  const narrowed = erring(dtype, random);
  const wide = erring(width === "exact" ? "float64" : width, random);
  return {
    multiply: (x, y) => wide(x * y),
    add: (terms) =>
      narrowed(
        width === "exact" && terms.every(Number.isFinite)
          ? exactSum(terms)
          : shuffled(terms, random).reduce((x, y) => wide(x + y), 0),
      ),
    meet: (x, y) => (x === 0 || y === 0 ? x + y : narrowed(x + y)),
    isApart: () => random.nextInt(0, 1) === 0,
  };
}

/** Sums in the precision itself, one after the other; `order` changes the order. */
function ownAdding(
  dtype: DataType,
  random: Random,
  order: (terms: readonly number[]) => readonly number[] = (terms) => terms,
): Adding {
  // In order, a sum of given numbers has one right answer in float32, which no error may move.
  const rounded = dtype === "float32" ? formats.float32.round : erring(dtype, random);
  const meet = (x: number, y: number): number => (x === 0 || y === 0 ? x + y : rounded(x + y));
  return {
    multiply: (x, y) => rounded(x * y),
    add: (terms) => order(terms).reduce(meet, 0),
    meet,
    isApart: () => random.nextInt(0, 1) === 0,
  };
}

type Total = Record<"within" | "outside" | "undecided", number>;

/** Counts how engines that add up so, and err elsewhere as they may, are judged over random cases. */
function total(
  standard: Standard,
  cases: number,
  adding: (random: Random) => Adding,
  profiles: readonly (typeof tensorProfile)[] = [tensorProfile, exactProfile, networkProfile],
): Total {
  const random = new Random(xoroshiro128plus(14));
  const sum = { within: 0, outside: 0, undecided: 0 };
  for (const profile of profiles) {
    for (let index = 0; index < cases; index++) {
      const counts = judged(
        caseAt(profile, 5, index),
        standard,
        sloppy(standard, random, 1),
        (graph, meaning) => addingUp(graph, meaning, accumulating, adding(random)),
      );
      sum.within += counts.within;
      sum.outside += counts.outside;
      sum.undecided += counts.undecided;
    }
  }
  return sum;
}

/** Returns one operator, asked for its value alone. */
function applied(
  op: string,
  attributes: object,
  inputs: readonly FlatTensor[],
  parents: readonly number[] = [...inputs.keys()],
): Case {
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: inputs.map(({ shape }, i) => ({ name: `x${i}`, shape })),
    environment: [],
    nodes: [{ op, attributes, parents }],
  });
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  return { graph: graph.value, point: { inputs, environment: new Map() }, tangents: inputs, seeds: [] };
}

function firstValue(question: Case, standard: Standard): Component {
  return at(truthOf(question, standard).value(nodeId(question.graph.inputs.length)), 0);
}

const vector = (data: readonly number[]): FlatTensor => ({
  shape: [data.length],
  data: Float64Array.from(data),
});

const sumOf = (data: readonly number[]): Case =>
  applied("sum", { axes: [0], keepdims: false }, [vector(data)]);

describe("an engine that adds up in a declared width, in any order", () => {
  const widths = [
    ["float16", "float32"],
    ["bfloat16", "float32"],
    ["float16", "float64"],
    ["float32", "float64"],
    ["float16", "exact"],
    ["float32", "exact"],
  ] as const;

  test.each(sampled("widths", widths, 2))("is never outside: %s in %s", (dtype, width) => {
    const standard = declaring(dtype, { width });
    const engine = (random: Random): Adding => wideAdding(dtype, width, random);
    const counts = total(standard, 20, engine);
    expect(counts.outside).toBe(0);
    expect(counts.within).toBeGreaterThan(8_000);
    expect(total(standard, 2, engine, [longProfile]).outside).toBe(0);
  });

  test("is accused where it does not, and one that declares nothing is not", () => {
    const engine = (random: Random): Adding => ownAdding("bfloat16", random);
    const [wide, plain] = [declaring("bfloat16", { width: "float32" }), declaring("bfloat16", {})];
    expect(total(wide, 25, engine).outside).toBeGreaterThan(0);
    expect(total(plain, 25, engine).outside).toBe(0);
  });

  test("has a bound a thousand times as sharp on a thousand numbers, which catches sums in the precision", () => {
    const random = new Random(xoroshiro128plus(1000));
    const own = ownAdding("float16", random);
    const ratios: number[] = [];
    let caught = 0;
    for (let draw = 0; draw < 25; draw++) {
      const question = sumOf(Array.from({ length: 1000 }, () => Math.f16round(2 * random.nextDouble() - 1)));
      const answer = own.add([...at(question.point.inputs, 0).data]);
      const wide = firstValue(question, declaring("float16", { width: "float32" }));
      const plain = firstValue(question, declaring("float16", {}));
      expect(plain.judge(answer)).toBe("within");
      ratios.push(plain.bound / wide.bound);
      if (wide.judge(answer) === "outside") caught += 1;
    }
    expect(
      at(
        ratios.toSorted((a, b) => a - b),
        12,
      ),
    ).toBeGreaterThan(1000);
    expect(caught).toBeGreaterThan(15);
  });

  test("rounds a sum that is exact in the width once, and reaches beyond the range of the precision in between", () => {
    const wide = declaring("float16", { width: "float32" });
    const counted = firstValue(sumOf(Array.from({ length: 2051 }, () => 1)), wide);
    expect([2048, 2050, 2052, 2053].map((x) => counted.judge(x))).toEqual([
      "outside",
      "within",
      "within",
      "outside",
    ]);
    const row = { shape: [1, 2], data: Float64Array.of(300, 300) };
    const column = { shape: [2, 1], data: Float64Array.of(300, -299.5) };
    const product = applied("matmul", {}, [row, column]);
    const infinite = Number.POSITIVE_INFINITY;
    expect([150, 151, infinite].map((x) => firstValue(product, wide).judge(x))).toEqual([
      "within",
      "outside",
      "outside",
    ]);
    expect([150, infinite].map((x) => firstValue(product, declaring("float16", {})).judge(x))).toEqual([
      "undecided",
      "undecided",
    ]);
  });

  test("is no number of the precision where it goes beyond the range, however few digits it has", () => {
    const wide = declaring("float16", { width: "float32" });
    const beyond = firstValue(sumOf([2 ** 15, 2 ** 15, 2 ** 15]), wide);
    expect(beyond.judge(Number.POSITIVE_INFINITY)).not.toBe("outside");
  });

  test("may round each of two sums that meet", () => {
    const wide = declaring("float16", { width: "float32" });
    const ulp = 2 ** -10;
    const [row, column] = [
      [1, 2],
      [2, 1],
    ];
    // (1 + 2⁻¹¹) − 1, of which the first may be rounded to 1.
    const tangents = [
      { shape: row, data: Float64Array.of(1, ulp / 2) },
      { shape: column, data: Float64Array.of(-1, 0) },
    ];
    const ones = [row, column].map((shape) => ({ shape, data: Float64Array.of(1, 1) }));
    const bilinear = { ...applied("matmul", {}, ones), tangents };
    const tangent = at(truthOf(bilinear, wide).tangent(nodeId(2)), 0);
    expect([0, ulp, 4 * ulp].map((answer) => tangent.judge(answer))).toEqual(["within", "within", "outside"]);
    // (1 + 16 ulp)(1 + 31 ulp) − (1 + 47 ulp), of which the first may be rounded to 1 + 47 ulp.
    const square = (...data: number[]): FlatTensor => ({ shape: [2, 2], data: Float64Array.from(data) });
    const x = square(0, 1 + 16 * ulp, 1 + 47 * ulp, 0);
    const twice = applied("matmul", {}, [x], [0, 0]);
    const seeds = [{ id: nodeId(1), cotangent: square(0, 1 + 31 * ulp, -1, 0) }];
    const cotangent = at(truthOf({ ...twice, seeds }, wide).cotangent(nodeId(0)), 0);
    expect([0, ulp / 2, 8 * ulp].map((answer) => cotangent.judge(answer))).toEqual([
      "within",
      "within",
      "outside",
    ]);
  });
});

describe("an engine that declares a sequential order", () => {
  const reversed = (terms: readonly number[]): readonly number[] => terms.toReversed();

  test.each(sampled("orders", floatTypes, 1))("is never outside: %s", (dtype) => {
    const standard = declaring(dtype, { order: "sequential" });
    const counts = total(standard, 20, (random) => ownAdding(dtype, random));
    expect(counts.outside).toBe(0);
    expect(counts.within).toBeGreaterThan(8_000);
    expect(total(standard, 2, (random) => ownAdding(dtype, random), [longProfile]).outside).toBe(0);
  });

  test("is accused of another order, and one that declares nothing is not", () => {
    // A thousand small numbers, then a large one: their sum is exact before, and lost after it.
    const question = sumOf([...Array.from({ length: 999 }, () => 2 ** -12), 1]);
    const random = new Random(xoroshiro128plus(3));
    const terms = [...at(question.point.inputs, 0).data];
    const answer = ownAdding("float16", random).add(terms);
    const backwards = ownAdding("float16", random, reversed).add(terms);
    const judgements = [{ order: "sequential" }, {}] as const;
    expect(
      judgements.map((how) => {
        const component = firstValue(question, declaring("float16", how));
        return [answer, backwards].map((x) => component.judge(x));
      }),
    ).toEqual([
      ["within", "outside"],
      ["within", "within"],
    ]);
  });
});
