import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, tapeEngineMutants } from "../../engines/index.ts";
import { admit, judgeTapes, runReference } from "../../oracle/index.ts";
import { float64, type TapeMutant, tapeMutants } from "../../reference/package.ts";
import { checkTapeVector, encodeTapeVector, graphOfStep, nodeId, present } from "../../spec/index.ts";
import { isCoarse } from "../../spec/wire/index.ts";
import { floatTapes, tapeEngine } from "../testees/tapes.ts";
import { tapeData } from "./suite.ts";

const vectors = [...tapeData().values()];

/** Returns the vectors that expose an engine; a vector that makes it throw counts too. */
async function telling(engine: () => Engine): Promise<readonly string[]> {
  const told: string[] = [];
  for (const { name, case: question } of vectors) {
    const { kind } = await judgeTapes(engine(), question, { dtype: "float64", shrinkBudget: 0 });
    if (kind === "disagrees" || kind === "crashed") told.push(name);
  }
  return told;
}

async function verdictsOf(engine: Engine, dtype: "float64" | "float32"): Promise<readonly string[]> {
  const verdicts: string[] = [];
  for (const { case: question } of vectors)
    verdicts.push((await judgeTapes(engine, question, { dtype })).kind);
  return verdicts;
}

describe("the vectors of tapes", () => {
  test("are at least two dozen with distinct names, and read back as they were written", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(25);
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
    for (const vector of vectors)
      expect(checkTapeVector(JSON.parse(JSON.stringify(encodeTapeVector(vector))))).toEqual({
        ok: true,
        value: vector,
      });
  });

  test("have sweeps whose refusal is never, may or must be", () => {
    const words = vectors.flatMap(({ case: { steps } }) =>
      steps.flatMap((step) => (step.do === "sweep" ? [step.refuse] : [])),
    );
    expect(new Set(words)).toEqual(new Set(["never", "may", "must"]));
  });

  test.each(vectors)("$name expects what the reference computes", ({ case: question, expected }) => {
    for (const { step, cotangents, hooks = [] } of expected) {
      const sweep = question.steps[step];
      const recorded = question.steps.find((other) => other.do === "record" && other.tape === sweep?.tape);
      if (sweep?.do !== "sweep" || recorded?.do !== "record") return expect.unreachable("a sweep of a tape");
      const { point } = recorded;
      const tangents = point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 0) }));
      const graph = present(graphOfStep(question, sweep), "a graph");
      const run = runReference({ graph, point, tangents, seeds: sweep.seeds }, float64);
      for (const { id, sets } of [...cotangents, ...hooks]) {
        const answer = run.cotangents.get(nodeId(id))?.data ?? [];
        for (const [i, set] of sets.entries()) {
          const x = answer[i] ?? 0;
          expect(admit(set, x, Math.abs(x) * 2 ** -40)).toBe("within");
          expect(admit(set, x + 1, 2 ** -40)).toBe("outside");
        }
      }
    }
  });

  test("all agree with the interpreter in both precisions", async () => {
    for (const dtype of ["float64", "float32"] as const)
      expect(new Set(await verdictsOf(interpreterEngine(), dtype))).toEqual(new Set(["agrees"]));
  });

  test("accept the reference's tapes, each on at least six vectors", async () => {
    for (const tape of floatTapes) {
      const verdicts = await verdictsOf(tapeEngine(tape), "float64");
      // What a tape keeps in codes of four bits may be anything, so that most of what it answers is open.
      const open = tape.saved !== undefined && isCoarse(tape.saved) ? ["undecided"] : [];
      expect([tape.name, new Set(verdicts)]).toEqual([
        tape.name,
        new Set(["agrees", "unsupported", ...open]),
      ]);
      expect(verdicts.filter((kind) => kind === "agrees").length).toBeGreaterThanOrEqual(6);
    }
  });

  test("expose each mutant, and each vector exposes the mutants that it names", async () => {
    expect(tapeEngineMutants.length).toBeGreaterThanOrEqual(15);
    const told = new Map<string, readonly string[]>();
    for (const { name, engine } of tapeEngineMutants) told.set(name, await telling(engine));
    expect([...told].filter(([, by]) => by.length === 0)).toEqual([]);
    const claimed = vectors.flatMap(({ name, faults }) => faults.map((fault) => [name, fault] as const));
    expect(claimed.filter(([name, fault]) => told.get(fault)?.includes(name) !== true)).toEqual([]);
    expect(claimed.length).toBeGreaterThan(50);
  });
});

/** Faults that only show when a tape is used twice or after its life, so that no single question does. */
const unmannered: readonly string[] = [
  "persistent-sweeps-share-slots",
  "persistent-answers-from-memory",
  "persistent-not-released",
  "persistent-spent-by-abandoned-sweep",
  "persistent-spent",
  "ephemeral-kept",
];

test.each(
  tapeMutants.filter(({ name }) => unmannered.includes(name)),
)("they expose that the planted $name $says", async ({ of, ...mutant }: TapeMutant) => {
  const life = of === "ephemeral" ? "once" : "until released";
  expect(await telling(() => tapeEngine({ ...mutant, life }))).not.toEqual([]);
});
