import { beforeAll, describe, expect, test } from "vitest";
import { type Rational, rationalOf } from "../reference/index.ts";
import { graph } from "../spec/index.ts";
import { at } from "../spec/shapes/index.ts";
import { checkBatch } from "./check.ts";
import { type Enclosed, enclosedRun } from "./emit/enclose.ts";
import { readTraceJson } from "./emit/export.ts";
import type { FlatTrace } from "./emit/flat.ts";
import { type Interval, pointInterval } from "./emit/interval.ts";
import { checkTrace } from "./emit/read.ts";
import { recorded } from "./emit/recorded.test.kit.ts";
import { tabled } from "./emit/tabled.ts";
import { accuracyFile, type JudgedAnswer, judgementFile } from "./emit/verdict_file.ts";
import type { LeanVerdict } from "./verdict.ts";

/**
 * The sum of exp (sin x²) · tanh x, whose functions follow one another, and choices between what is known.
 */
const chain = graph(({ input }) => {
  const x = input("x", [2]);
  const slow = x.multiply(x).sin().exp();
  slow
    .multiply(x.tanh())
    .relu()
    .divide(slow)
    .sum({ axes: [0], keepdims: false });
});
const wave = graph(({ input }) => input("x").sin());
const rounded = graph(({ input }) => input("x").erf());

function judgementOf(program: typeof chain, inputs: readonly (readonly string[])[]): [FlatTrace, Enclosed] {
  const trace = checkTrace(recorded(program, tabled, { inputs }));
  const flat = trace.ok ? readTraceJson(trace.value) : trace;
  if (!trace.ok || !flat.ok) throw new Error("there is no trace");
  const enclosed = enclosedRun(trace.value, flat.value);
  if (!enclosed.ok) throw new Error(enclosed.error[0]?.message);
  return [flat.value, enclosed.value];
}

const [flat, enclosed] = judgementOf(chain, [["1/2", "-1"]]);
const tiny = rationalOf(1n, 1n << 40n);

/**
 * The slope of tanh at 1/2 comes to the cotangent of the first element, which is the derivative of tanh x.
 */
const wrong: JudgedAnswer = {
  part: "cotangent",
  id: 0,
  element: 0,
  number: rationalOf(1n, 1n),
  bound: tiny,
  isRefuted: true,
};
const middle = ({ low, high }: Interval): Rational =>
  rationalOf(
    low.numerator * high.denominator + high.numerator * low.denominator,
    2n * low.denominator * high.denominator,
  );
const truth = at(at(enclosed.cotangents, 0), 0);
const right: JudgedAnswer = { ...wrong, number: middle(truth), isRefuted: false };

function fileWith(change: Partial<Enclosed>, answers: readonly JudgedAnswer[] = [wrong, right]): string {
  return judgementFile(flat, { ...enclosed, ...change }, answers).text;
}

const sin = 2;
const shifted = ({ low, high }: Interval): Interval => {
  const by = (x: Rational): Rational =>
    rationalOf(x.numerator * (1n << 50n) + x.denominator, x.denominator << 50n);
  return { low: by(low), high: by(high) };
};
const narrowed = (interval: Interval): Interval => pointInterval(interval.low);

/** An enclosure of a sine that is off by 2⁻⁵⁰, in the row as in the value: only the series can tell. */
function bySine(): string {
  const [sine, own] = judgementOf(wave, [["1/4"]]);
  const rows = own.rows.map((row) => ({ ...row, value: shifted(row.value) }));
  const values = own.values.map((row, id) => (id === 0 ? row : row.map(shifted)));
  return judgementFile(sine, { ...own, rows, values }, []).text;
}

/** An enclosure of an error function whose row and value are changed alike. */
function bySupposition(change: (interval: Interval) => Interval): string {
  const [erf, own] = judgementOf(rounded, [["1/2"]]);
  const rows = own.rows.map((row) => ({ ...row, value: change(row.value) }));
  const values = own.values.map((row, id) => (id === 0 ? row : row.map(change)));
  return judgementFile(erf, { ...own, rows, values }, []).text;
}

function ofFloats(): string {
  const trace = checkTrace(recorded(chain, tabled, { inputs: [["1/2", "-1"]] }));
  const file = trace.ok ? accuracyFile(trace.value) : trace;
  if (!file.ok) throw new Error(file.error[0]?.message);
  return file.value.text;
}

const files: Readonly<Record<string, string>> = {
  "a wrong answer and a right one": fileWith({}),
  "how far every number of a run is from the true one": ofFloats(),
  "a bound too wide for the wrong answer": fileWith({}, [{ ...wrong, bound: rationalOf(1n, 1n) }]),
  "a bound too narrow for the right answer": fileWith({}, [{ ...right, bound: rationalOf(1n, 1n << 90n) }]),
  "the wrong answer moved inside": fileWith({}, [{ ...wrong, number: right.number }]),
  "a right answer that is called wrong": fileWith({}, [{ ...right, isRefuted: true }]),
  "an answer about no id": fileWith({}, [{ ...wrong, id: 99 }]),
  "the interval of a value narrowed": fileWith({
    values: enclosed.values.map((row, id) => (id === sin ? row.map(narrowed) : row)),
  }),
  "the interval of a cotangent narrowed": fileWith({
    cotangents: enclosed.cotangents.map((row, id) => (id === 0 ? row.map(narrowed) : row)),
  }),
  "a sine that is off by 2⁻⁵⁰": bySine(),
  "a row of a function left out": fileWith({ rows: enclosed.rows.filter((row) => row.f !== "tanh") }),
  "a function without series": bySupposition((interval) => interval),
  "a wrong supposition of it": bySupposition(shifted),
  "rows of which Lean is not asked": fileWith({}).replace(
    /(FunctionsSeen functions|enclosure answers) 0 \d+/g,
    "$1 0 0",
  ),
};

describe("a file that judges answers", () => {
  const verdicts = new Map<string, LeanVerdict>();
  beforeAll(async () => {
    const all = Object.entries(files).map(([name, text]) => ({ name, text }));
    await checkBatch(all, { progress: (file, verdict) => verdicts.set(file.name, verdict) });
  }, 1_200_000);

  test.for([
    "a wrong answer and a right one",
    "how far every number of a run is from the true one",
    "a function without series",
  ])("is accepted: %s", (name) => {
    const verdict = verdicts.get(name);
    expect(verdict).toMatchObject({ kind: "accepted" });
    if (verdict?.kind === "accepted")
      expect(verdict.seen.statement).toContain("Adjudge.Program.Decides Trace.program");
  });

  test.for([
    ["a bound too wide for the wrong answer", "answers_seen", /decide/],
    ["a bound too narrow for the right answer", "answers_seen", /decide/],
    ["the wrong answer moved inside", "answers_seen", /decide/],
    ["a right answer that is called wrong", "answers_seen", /decide/],
    ["an answer about no id", "answers_seen", /decide/],
    ["the interval of a value narrowed", "value_2", /decide/],
    ["the interval of a cotangent narrowed", "cotangent_0", /decide/],
    ["a sine that is off by 2⁻⁵⁰", "functions_seen", /decide/],
    ["a row of a function left out", "value_4", /decide/],
    ["a wrong supposition of it", undefined, /it supposes of erf what is not known of it/],
    ["rows of which Lean is not asked", "functions_seen", /not FunctionsSeen functions 0 [1-9]/],
  ] as const)("is refused: %s", ([name, claim, message]) => {
    expect(verdicts.get(name)).toEqual(
      expect.objectContaining({
        kind: "rejected",
        message: expect.stringMatching(message),
        ...(claim === undefined ? {} : { claim }),
      }),
    );
  });
});
