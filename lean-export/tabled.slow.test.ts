import { beforeAll, describe, expect, test } from "vitest";
import type { Rational } from "../reference/index.ts";
import { graph } from "../spec/index.ts";
import { checkBatch } from "./check.ts";
import { readTraceJson } from "./emit/export.ts";
import type { TabledTrace, TableRow } from "./emit/flat.ts";
import { leanFile } from "./emit/lean_file.ts";
import { recorded } from "./emit/recorded.test.kit.ts";
import { tabled } from "./emit/tabled.ts";
import type { LeanVerdict } from "./verdict.ts";

/** The sine of x², whose derivative is 2 x cos x². */
const sine = graph(({ input }) => {
  const x = input("x", []);
  x.multiply(x).sin();
});

function tabledTrace(): TabledTrace {
  const read = readTraceJson(recorded(sine, tabled, { inputs: [["1/2"]] }));
  if (!read.ok || !("table" in read.value)) throw new Error("the trace has no table");
  return read.value;
}

/** The file of a trace whose rows are changed. */
function withRows(change: (row: TableRow) => readonly TableRow[]): string {
  const trace = tabledTrace();
  return leanFile({ ...trace, table: trace.table.flatMap(change) }).text;
}

const twice = { numerator: 2n, denominator: 1n };
const zero = { numerator: 0n, denominator: 1n };
const one = { numerator: 1n, denominator: 1n };

/** A run by a wrong slope, which is 2 in the table, and in what is pulled back: 2 x · 2 for 2 x cos x². */
function byWrongSlope(): string {
  const trace = tabledTrace();
  const table = trace.table.map((row) => ({ ...row, slopes: [twice] }));
  const [, , top = []] = trace.run.cotangents;
  const cotangents = [[twice], [twice], top];
  return leanFile({ ...trace, table, run: { ...trace.run, cotangents } }).text;
}

/** A run whose sine is off by one part in 2⁵⁵, in the table as in the run: only the series can tell. */
function byNearSine(): string {
  const trace = tabledTrace();
  const moved = (x: Rational): Rational => ({
    numerator: x.numerator * 2n ** 55n + x.numerator,
    denominator: x.denominator * 2n ** 55n,
  });
  const table = trace.table.map((row) => ({ ...row, value: moved(row.value) }));
  const values = trace.run.values.map((numbers, id) => (id === 2 ? numbers.map(moved) : numbers));
  return leanFile({ ...trace, table, run: { ...trace.run, values } }).text;
}

const forgeries: Readonly<Record<string, string>> = {
  "a true run": leanFile(tabledTrace()).text,
  "a slope that the run has not": withRows((row) => [{ ...row, slopes: [twice] }]),
  "a value that the run has not": withRows((row) => [{ ...row, value: one }]),
  "a run by a wrong slope": byWrongSlope(),
  "a run by a sine that is off by 2⁻⁵⁵": byNearSine(),
  "two values for one argument": withRows((row) => [row, { ...row, value: one }]),
  "a row that the run does not ask for": withRows((row) => [
    row,
    { ...row, arguments: [zero], value: zero, slopes: [one] },
  ]),
  "no claim of how near the table is": leanFile(tabledTrace())
    .text.replace(/ rows?_\S+ table_is_near run_by_near_functions/, "")
    .replace(/theorem row_0[\s\S]*(?=\nend Trace)/, ""),
};

describe("a run by a table of elementary functions", () => {
  const verdicts = new Map<string, LeanVerdict>();
  beforeAll(async () => {
    const files = Object.entries(forgeries).map(([name, text]) => ({ name, text }));
    await checkBatch(files, { progress: (file, verdict) => verdicts.set(file.name, verdict) });
  }, 600_000);

  const rejected = (claim: string | undefined, message: RegExp): object =>
    expect.objectContaining({
      kind: "rejected",
      message: expect.stringMatching(message),
      ...(claim === undefined ? {} : { claim }),
    });

  test("is accepted, for all functions that agree with the table, and they are near the sine", () => {
    const verdict = verdicts.get("a true run");
    expect(verdict).toMatchObject({ kind: "accepted" });
    if (verdict?.kind !== "accepted") return;
    expect(verdict.seen.statement).toContain("RunsBy");
    expect(verdict.seen.statement).toContain("TableTrue Trace.table");
  });

  test.for([
    ["a slope that the run has not", "cotangent_1", /decide/],
    ["a value that the run has not", "value_2", /decide/],
    ["a run by a wrong slope", "row_0", /decide/],
    ["a run by a sine that is off by 2⁻⁵⁵", "row_0", /decide/],
    ["two values for one argument", "table_is_consistent", /decide/],
    ["a row that the run does not ask for", undefined, /does not ask for sin\(0\)/],
    ["no claim of how near the table is", undefined, /does not claim row_0/],
  ] as const)("is refused: %s", ([name, claim, message]) => {
    expect(verdicts.get(name)).toEqual(rejected(claim, message));
  });
});
