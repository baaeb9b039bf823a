import { describe, expect, test } from "vitest";
import {
  compareRationals,
  float64,
  type Rational,
  rational,
  rationalFromNumber,
} from "../../reference/package.ts";
import { graph, unaryFunctions, unaryNames } from "../../spec/index.ts";
import { enclosedRun } from "./enclose.ts";
import { readTraceJson } from "./export.ts";
import { isAround, isNearRow, rowOf } from "./function_rows.ts";
import { type Interval, pointInterval } from "./interval.ts";
import { checkTrace } from "./read.ts";
import { recorded } from "./recorded.test.kit.ts";
import { tabled } from "./tabled.ts";
import { accuracyFile, verdictFile } from "./verdict_file.ts";

const chain = graph(({ input }) => {
  const x = input("x", []);
  x.multiply(x).sin().exp().multiply(x);
});
const trace = checkTrace(recorded(chain, tabled, { inputs: [["1/2"]] }));
if (!trace.ok) throw new Error(trace.error[0]?.message);

const exact = (x: number): Rational => rationalFromNumber(x);
const isIn = (x: number, { low, high }: Interval): boolean =>
  compareRationals(low, exact(x)) !== 1 && compareRationals(exact(x), high) !== 1;
const widened = ({ low, high }: Interval): Interval => {
  const by = (x: Rational, step: bigint): Rational => ({
    numerator: x.numerator * 2n ** 50n + step * x.denominator,
    denominator: x.denominator * 2n ** 50n,
  });
  return { low: by(low, -1n), high: by(high, 1n) };
};

describe("a judged answer", () => {
  const gradient = 2 * 0.25 * Math.cos(0.25) * Math.exp(Math.sin(0.25)) + Math.exp(Math.sin(0.25));
  const asked = (number: number, bound: number) =>
    verdictFile(trace.value, [
      { part: "cotangent", id: 0, element: 0, number: exact(number), bound: exact(bound) },
    ]);

  test("is farther from the true number than its bound, or is not", () => {
    const [wrong, right] = [asked(gradient + 1, 0.5), asked(gradient, 2 ** -40)];
    expect(wrong.ok && wrong.value.text).toMatch(/^ {4}⟨true, 0, 0, .*, true⟩\]$/m);
    expect(right.ok && right.value.text).toMatch(/^ {4}⟨true, 0, 0, .*, false⟩\]$/m);
  });

  test("may be too near to its bound to tell, as 1 for the cosine of 0 within nothing", () => {
    const cosine = checkTrace(
      recorded(
        graph(({ input }) => input("x").cos()),
        tabled,
        { inputs: [["0"]] },
      ),
    );
    const answer = { part: "value", id: 1, element: 0, number: exact(1), bound: exact(0) } as const;
    const open = cosine.ok ? verdictFile(cosine.value, [answer]) : cosine;
    expect(open.ok ? [] : open.error).toMatchObject([{ code: "lean/undecided" }]);
  });

  test("stands in a file whose last theorem names no number but how many rows are near", () => {
    const file = asked(gradient, 2 ** -40);
    expect(file.ok && file.value.claims.at(-1)).toBe("verdict");
    expect(file.ok && file.value.text).toContain(
      "theorem verdict : program.Decides functions given enclosure answers 0 2 :=",
    );
  });

  test("may be every number of a run of floats, with how far it is at most", () => {
    const floats = checkTrace(recorded(chain, float64, { inputs: [["0.1"]] }));
    const file = floats.ok ? accuracyFile(floats.value) : floats;
    expect(file.ok && file.value.text.match(/^ {4}⟨(true|false), \d, 0, /gm)).toHaveLength(10);
  });

  test("is none where a divisor may be zero", () => {
    const quotient = graph(({ input }) => {
      const x = input("x", []);
      x.divide(x.sin().subtract(x.sin()));
    });
    const zero = recorded(quotient, tabled, { inputs: [["1"]] });
    const numbers = (data: readonly string[]) => data.map((text) => (text === "undefined" ? "1" : text));
    const filled = checkTrace({
      ...zero,
      values: zero.values.map(({ shape, data }) => ({ shape, data: numbers(data) })),
      cotangents: zero.cotangents.map(({ shape, data }) => ({ shape, data: numbers(data) })),
      hashes: undefined,
    });
    const file = filled.ok ? verdictFile(filled.value, []) : filled;
    expect(file.ok ? [] : file.error).toMatchObject([{ code: "lean/enclosure" }]);
  });
});

describe("the intervals of a run", () => {
  test("hold what floats compute, and are no wider than one part in 2⁵⁰", () => {
    const flat = readTraceJson(trace.value);
    const enclosed = flat.ok ? enclosedRun(trace.value, flat.value) : flat;
    if (!enclosed.ok) throw new Error(enclosed.error[0]?.message);
    const value = enclosed.value.values.at(-1)?.[0];
    expect(value && isIn(Math.exp(Math.sin(0.25)) / 2, widened(value))).toBe(true);
    const { low, high } = value ?? pointInterval(exact(0));
    expect(Number(high.numerator) / Number(high.denominator)).toBeCloseTo(
      Number(low.numerator) / Number(low.denominator),
      14,
    );
  });
});

describe("a row of an elementary function", () => {
  test("holds its values and slopes at and between the ends", () => {
    for (const name of unaryNames) {
      const { at } = unaryFunctions[name].example;
      for (const x of at) {
        const along = { low: exact(x), high: exact(x + 2 ** -30) };
        for (const operand of [pointInterval(exact(x)), along]) {
          const row = rowOf(name, [operand]);
          if (row === undefined) continue;
          const inner = rowOf(name, [pointInterval(exact(x + (operand === along ? 2 ** -31 : 0)))]);
          expect(inner && isAround({ ...row, arguments: inner.arguments }), `${name}(${x})`).toBe(true);
        }
      }
    }
  });

  test("is none where a value is not known, and a hypothesis where there is no series", () => {
    const along = (low: number, high: number): Interval => ({ low: exact(low), high: exact(high) });
    expect(rowOf("log", [along(-1, 1)])).toBeUndefined();
    expect(rowOf("tan", [along(1, 2)])).toBeUndefined();
    expect(rowOf("pow", [along(1, 2), pointInterval(exact(2))])).toBeUndefined();
    const near = (name: "cos" | "erf", x: number) => {
      const row = rowOf(name, [pointInterval(exact(x))]);
      return row && isNearRow(row);
    };
    expect([near("cos", 0), near("erf", 1)]).toEqual([true, false]);
  });

  test("that is a little off is seen not to be one", () => {
    const row = rowOf("erf", [pointInterval(exact(0.5))]);
    if (row === undefined) throw new Error("erf has a value");
    const off = { ...row, value: pointInterval(row.value.low) };
    expect([isAround(row), isAround(off), isAround({ ...row, f: "erg" })]).toEqual([true, false, false]);
    expect(rational.isSame(row.value.low, row.value.high)).toBe(false);
  });
});
