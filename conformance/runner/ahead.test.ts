import process from "node:process";
import { describe, expect, test } from "vitest";
import { judgedAhead } from "../../oracle/driver/index.ts";
import {
  type Case,
  emptyTally,
  faultMemory,
  laws,
  posedCases,
  type Tally,
  tallied,
} from "../../oracle/index.ts";
import { type FlatTensor, formatIssue, nodeId } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { reportJson, type Section } from "../report/index.ts";
import { ProcessEngine } from "./engine.ts";
import type { Limits } from "./limits.ts";

/** The engines are baited by graphs of two negations, which these cases have. */
const baits = [5, 6, 13, 20];
const CASES = 24;

/** Negates a number so often as the index says. */
function caseAt(index: number): Case {
  const length = baits.includes(index) ? 2 : 3 + (index % 3);
  const nodes = Array.from({ length }, (_, id) => ({
    op: "negative" as const,
    attributes: {},
    parents: [nodeId(id)],
  }));
  return {
    graph: { format: "adjudge.graph.v1", inputs: [{ name: "x", shape: [1] }], environment: [], nodes },
    point: { inputs: [vector(index)], environment: new Map() },
    tangents: [vector(2)],
    seeds: [{ id: nodeId(length), cotangent: vector(4) }],
  };
}

function vector(x: number): FlatTensor {
  return { shape: [1], data: Float64Array.of(x) };
}

interface Run {
  readonly report: string;
  readonly tally: Tally;
  /** The engine's process was told to end these cases, in words. */
  readonly crashes: readonly (readonly [index: number, message: string])[];
}

/** Judges the engine with so many cases on their way at a time. */
async function judged(name: string, ahead: number, limits: Partial<Limits> = {}): Promise<Run> {
  const file = new URL("hostile/engines.ts", import.meta.url).pathname;
  const started = await ProcessEngine.start({ argv: [process.execPath, file, name] }, limits);
  if (!started.ok) throw new Error(started.error.map(formatIssue).join("\n"));
  await using engine = started.value;
  let tally = emptyTally;
  const crashes: [number, string][] = [];
  const verdicts: Section["verdicts"][number][] = [];
  const posed = posedCases(engine, "float64");
  const memory = faultMemory();
  const indexes = Array.from({ length: CASES }, (_, index) => index);
  let index = 0;
  for await (const one of judgedAhead(engine, indexes, (at) => posed(caseAt(at), { laws, memory }), {
    ahead,
  })) {
    tally = tallied(tally, one, index);
    verdicts.push({ case: index, verdict: one.verdict });
    if (one.verdict.kind === "crashed") crashes.push([index, one.verdict.message]);
    index += 1;
  }
  const description = engine.describe();
  const promised = description.operators;
  const extent = { cases: CASES, operators: new Set(promised), ended: "all", seconds: 0 } as const;
  const section = { label: name, description, promised, dtype: "float64", tally, extent, verdicts } as const;
  const run = { adjudge: "", seed: 1, cases: CASES, profile: "", lawsEvery: 1, shares: [] };
  return { report: JSON.stringify(reportJson(run, [section])), tally, crashes };
}

/** Requests and programs have other numbers where they are asked in another order; nothing else has. */
function unnumbered(report: string): string {
  return report
    .replaceAll(/request \d+ \((\w+) of program \d+\)/g, "request # ($1)")
    .replaceAll(/answered \d+|"id\\*":\d+|request \d+/g, "#");
}

describe("cases on their way at a time", () => {
  test.each(
    sampled(
      "cases ahead",
      ["honest", "gives_another_shape", "breaks_its_promises", "answers_line_by_line"],
      2,
    ),
  )("give the report of cases that are asked one after the other, byte for byte, where an engine %s", async (name) => {
    const [one, few, many] = await Promise.all([1, 4, 16].map((ahead) => judged(name, ahead)));
    expect([few?.tally, few?.report === one?.report]).toEqual([one?.tally, true]);
    expect([many?.tally, many?.report === one?.report]).toEqual([one?.tally, true]);
    expect(Object.values(one?.tally.counts ?? {}).reduce((sum, count) => sum + count)).toBe(CASES);
  });

  const ending: readonly (readonly [string, Partial<Limits>])[] = [
    ["exits", {}],
    ["answers_rubbish", {}],
    ["answers_twice", {}],
    ["answers_out_of_order", {}],
    ["exits_at_every_pullback", { restartsInAll: 4 }],
    ["hangs", { requestMilliseconds: 1000 }],
  ];
  test.each(
    sampled("endings ahead", ending, 2),
  )("blame the case that ends an engine that %s, and no other", async (name, limits) => {
    const [one, many] = await Promise.all([judged(name, 1, limits), judged(name, 16, limits)]);
    expect(one.crashes.length).toBeGreaterThan(1);
    const unnumberedCrashes = ({ crashes }: Run) => crashes.map(([at, message]) => [at, unnumbered(message)]);
    expect(unnumberedCrashes(many)).toEqual(unnumberedCrashes(one));
    expect(unnumbered(many.report) === unnumbered(one.report)).toBe(true);
  });

  test("blame the case whose answer was due, where no case ends the engine that is asked alone", async () => {
    const { crashes } = await judged("exits_at_the_hundredth_request", 16);
    expect(crashes.length).toBeGreaterThan(0);
    for (const [, message] of crashes) {
      const [, own] =
        /^request \d+ \(\w+ of (program \d+)\): the engine exited with code 6/.exec(message) ?? [];
      // Where it owed the answer to an `unload`, the case of that has come back, and another one is blamed.
      const [, due = own] =
        /owed the answer to request \d+ \((?!unload)\w+ of (program \d+)\)/.exec(message) ?? [];
      expect(due).toBe(own ?? "a program");
    }
  });

  test("do not wait for each other for good, though neither side reads before it has written 10 MB", async () => {
    const { tally } = await judged("answers_at_length", 16);
    expect(tally.counts).toEqual({ ...emptyTally.counts, agrees: CASES });
  }, 120_000);
});
