import { describe, expect, it, test } from "vitest";
import { caseAt, restrict, tensorProfile } from "../../oracle/index.ts";
import {
  compareRationals,
  floats,
  type Rational,
  rational,
  rationalFromNumber,
  traceOf,
} from "../../reference/package.ts";
import {
  type DataType,
  encodeCase,
  floatTypes,
  formats,
  present,
  type TensorJson,
  type TraceJson,
} from "../../spec/index.ts";
import { arithmeticOf } from "./arithmetic.ts";
import { readTraceJson } from "./export.ts";
import type { EngineTrace, Numbers } from "./flat.ts";
import {
  allowance,
  known,
  magnitudeOf,
  type RunningError,
  roundedUp,
  runningErrors,
} from "./running_error.ts";
import { roundedOperators } from "./translate.ts";

const profile = restrict(
  tensorProfile,
  roundedOperators.filter((op) => op !== "scatter_add"),
);

/** Returns a random run in a precision, by the reference. */
function randomRun(precision: DataType, index: number): TraceJson {
  const { graph, ...drawn } = caseAt(profile, 11, index);
  const { point, seeds } = encodeCase({ graph, ...drawn });
  const texts = (tensor: TensorJson): string[] => ("data" in tensor ? tensor.data.map(String) : []);
  const trace = traceOf(
    graph,
    floats[precision],
    {
      inputs: point.inputs.map(texts),
      environment: new Map(Object.entries(point.environment).map(([name, tensor]) => [name, texts(tensor)])),
      seeds: new Map(seeds.map(({ id, cotangent }) => [id, texts(cotangent)])),
    },
    "sparse",
  );
  return present(trace.ok ? trace.value : undefined, "a trace");
}

function floatTraces(precision: DataType, count: number): EngineTrace[] {
  return Array.from({ length: count }, (_, index) => readTraceJson(randomRun(precision, index))).flatMap(
    (trace) => (trace.ok && "engine" in trace.value ? [trace.value] : []),
  );
}

function difference(x: Rational, y: Rational): Rational {
  const ring = present(rational.levels.ring, "the rational numbers");
  return magnitudeOf(ring.add(x, ring.negative(y)));
}

/** Counts the numbers that are exact and those that are off, and checks that none exceeds its bound. */
function offsWithin(
  exact: readonly Numbers[],
  engine: readonly Numbers[],
  bounds: readonly Numbers[],
): number {
  let off = 0;
  for (const [id, numbers] of exact.entries()) {
    for (const [position, x] of numbers.entries()) {
      const error = difference(x, present(engine[id]?.[position], "a number"));
      expect(compareRationals(error, present(bounds[id]?.[position], "a bound"))).not.toBe(1);
      if (error.numerator !== 0n) off++;
    }
  }
  return off;
}

describe("bounds", () => {
  test.each(floatTypes)("are kept by runs of the reference in %s, in values and cotangents", (precision) => {
    const traces = floatTraces(precision, 150);
    expect(traces.length).toBeGreaterThan(100);
    const offs = traces.map(({ run, engine }) => [
      offsWithin(run.values, engine.values, engine.valueBounds),
      offsWithin(run.cotangents, engine.cotangents, engine.cotangentBounds),
    ]);
    const total = offs.flat().reduce((sum, count) => sum + count, 0);
    // Random numbers have few bits: wide formats seldom round them.
    if (precision === "bfloat16") expect(total).toBeGreaterThan(100);
  });
});

const zero: Rational = { numerator: 0n, denominator: 1n };

describe("allowance", () => {
  const one = { numerator: 1n, denominator: 1n };
  const format = formats.float32;

  it("is nothing for a number that is moved, and for a zero added to it", () => {
    expect(allowance(format, known(one, one))).toEqual(zero);
    expect(known(zero, zero).terms).toBe(0);
  });

  it("is one rounding for a sum of two, relative to their sum, and γ beyond", () => {
    const two = { ...known(one, zero), terms: 2, exact: { numerator: 1n, denominator: 2n } };
    expect(allowance(format, two)).toEqual({ numerator: 1n, denominator: 2n ** 25n });
    const three = { ...two, terms: 3 };
    // γ₂ = 2u / (1 − 2u) of magnitude 1
    expect(allowance(format, three)).toEqual({ numerator: 1n, denominator: 2n ** 23n - 1n });
  });

  it("has the smallest number for each product, which may underflow", () => {
    const tiny = { ...known(zero, one), depth: 1 };
    expect(allowance(format, tiny)).toEqual({ numerator: 1n, denominator: 2n ** 149n });
  });
});

describe("a quotient", () => {
  const { divide } = present(
    runningErrors(present(arithmeticOf("float32"), "an arithmetic")).levels.field,
    "division",
  );
  const at = (x: number, bound: number): RunningError =>
    known(rationalFromNumber(x), rationalFromNumber(bound));

  it("brings along no less than the true quotients are off, and that where they are off the most", () => {
    for (const x of [-3, -0.5, 0, 0.25, 7]) {
      for (const y of [-5, -1, 0.75, 2]) {
        const { exact, propagated } = divide(at(x, 0.125), at(y, 0.5));
        const offs = [-0.125, 0, 0.125].flatMap((dx) =>
          [-0.5, 0, 0.5].map((dy) => difference(divide(at(x + dx, 0), at(y + dy, 0)).exact, exact)),
        );
        const comparisons = offs.map((off) => compareRationals(off, propagated));
        expect(comparisons).not.toContain(1);
        expect(comparisons).toContain(0);
      }
    }
  });

  it("brings along what has no value where the divisor may be zero", () => {
    const divisors = [at(1, 1), at(-1, 2), at(0, 1), at(0, 0)];
    expect(divisors.map((y) => divide(at(1, 0), y).propagated.denominator)).toEqual([0n, 0n, 0n, 0n]);
    expect(roundedUp(divide(at(1, 0), at(1, 1)).propagated).denominator).toBe(0n);
  });
});

describe("the cotangent of a divisor", () => {
  type Step = (x: number, y: number) => number;
  /** −c x / y², as engines compute it. */
  const orders: [string, (c: number, x: number, y: number, times: Step, over: Step) => number][] = [
    ["c (x / y) / y", (c, x, y, times, over) => -over(times(c, over(x, y)), y)],
    ["c x / y / y", (c, x, y, times, over) => -over(over(times(c, x), y), y)],
    ["(c / y) (x / y)", (c, x, y, times, over) => -times(over(c, y), over(x, y))],
    ["c x / (y y)", (c, x, y, times, over) => -over(times(c, x), times(y, y))],
    ["c (x / (y y))", (c, x, y, times, over) => -times(c, over(x, times(y, y)))],
    ["x (c / (y y))", (c, x, y, times, over) => -times(x, over(c, times(y, y)))],
  ];

  test.each(orders)("is within its allowance computed as %s, where it underflows too", (_order, compute) => {
    const format = formats.float16;
    const { divide, multiply, negative } = present(
      runningErrors(present(arithmeticOf("float16"), "an arithmetic")).levels.field,
      "division",
    );
    // What overflows on the way is no number from there on.
    const finite = (x: number): number => (Number.isFinite(x) ? x : Number.NaN);
    const times: Step = (a, b) => finite(format.round(a * b));
    const over: Step = (a, b) => finite(format.round(a / b));
    const exactly = (x: number): RunningError => known(rationalFromNumber(x), zero);
    const numbers = (offset: number): number[] =>
      Array.from({ length: 16 }, (_, i) =>
        format.round((1 + ((0.618 * i + offset) % 1)) * 2 ** (2 * i - 22)),
      );
    let [count, off] = [0, 0];
    for (const c of numbers(0.1)) {
      for (const x of numbers(0.4)) {
        for (const y of numbers(0)) {
          const answer = compute(c, x, y, times, over);
          if (!Number.isFinite(answer)) continue;
          const analysis = negative(divide(multiply(exactly(c), divide(exactly(x), exactly(y))), exactly(y)));
          const error = difference(rationalFromNumber(answer), analysis.exact);
          expect(compareRationals(error, allowance(format, analysis)), `${c} ${x} ${y}`).not.toBe(1);
          count++;
          if (error.numerator !== 0n) off++;
        }
      }
    }
    expect(count).toBeGreaterThan(1000);
    expect(off).toBeGreaterThan(100);
  });
});

describe("roundedUp", () => {
  it("is never less, and by less than one part in two thousand more", () => {
    for (const [numerator, denominator] of [
      [1n, 3n],
      [2n ** 70n + 1n, 1n],
      [1n, 2n ** 149n],
      [12345678901234567890n, 987654321n],
      [4095n, 4096n],
    ] as const) {
      const [x, y] = [{ numerator, denominator }, roundedUp({ numerator, denominator })];
      expect(compareRationals(x, y)).not.toBe(1);
      const slack = { numerator: numerator * 2001n, denominator: denominator * 2000n };
      expect(compareRationals(y, slack)).not.toBe(1);
    }
  });
});
