import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type LoopProgram,
  lower,
  type PlanOptions,
  plan,
  writtenOut,
} from "../../engines/compile/plan/index.ts";
import { nodeId, present, sizeOf } from "../../spec/index.ts";
import { compiledRuns, reuseIn, turnOf } from "./compiled.ts";
import { chain, families } from "./families.ts";
import { measured, measuredSystems, prepared } from "./growth.ts";
import { missesOf, StackDistances } from "./reuse.ts";
import { sectionOf } from "./sections.ts";

const page = readFileSync(new URL("../../docs/tapes.md", import.meta.url), "utf8");

describe("what tapes touch", () => {
  const layers = present(
    families.find(({ name }) => name === "MLP"),
    "layers",
  );
  test.each(measuredSystems)("is what they move, byte for byte: $name", (system) => {
    for (const problem of [chain(100), layers.at(4)]) {
      const distances = new StackDistances();
      const outcome = measured(system, prepared(problem, distances.touch));
      if (outcome.kind === "refused") return expect.unreachable(outcome.code);
      const { total, first, byDistance } = distances.reuse();
      expect(total).toBe(outcome.measure.bytesMoved);
      expect(first + byDistance.reduce((sum, bytes) => sum + bytes, 0)).toBe(total);
      // The run itself and its cotangents are touched at least once each.
      expect(first).toBeGreaterThanOrEqual(outcome.measure.bytes);
    }
  });

  test("stands in docs/tapes.md for each run that is compiled", () => {
    for (const { name } of compiledRuns)
      expect([name, sectionOf(page, name).length > 4]).toEqual([name, true]);
  });
});

describe("what a compiled gradient touches", () => {
  const bit: PlanOptions = { regime: "bit_exact", precision: "float64" };
  const gradient = (): LoopProgram => {
    const { graph, output } = writtenOut(chain(40).graph, bit.regime, undefined);
    const ids = graph.inputs.map((_, id) => nodeId(id));
    return lower(
      graph,
      { values: [], cotangents: { ids, seeds: [{ id: output, from: "ones" }] } },
      bit.regime,
    );
  };
  // Maps stay apart here, since one loop keeps nothing.
  const apart = { ...bit, without: new Set(["map_fusion", "fold_fusion"] as const) };

  test("is fetched once by a cache of everything, and is no more than the arena and the sources", () => {
    const { program, layout } = plan(gradient(), apart);
    const reuse = reuseIn(program, layout);
    expect(missesOf(reuse, 40)).toBe(reuse.first);
    const sources = program.sources.reduce((sum, { shape }) => sum + 64 * Math.ceil(sizeOf(shape) / 8), 0);
    expect(reuse.first).toBeLessThanOrEqual(64 * Math.ceil(layout.length / 8) + sources);
    expect(reuse.total).toBeGreaterThan(reuse.first);
  });

  test("is fetched less by small caches if the reverse pass reads the last value first, and no less by an empty one", () => {
    const { bytes, lastFirst, firstFirst } = turnOf(plan(gradient(), apart).program);
    expect([lastFirst.total, firstFirst.total, lastFirst.first]).toEqual([bytes, bytes, 0]);
    expect(missesOf(lastFirst, 0)).toBeLessThanOrEqual(bytes);
    expect(missesOf(lastFirst, 6)).toBeLessThan(missesOf(firstFirst, 6));
    // The sweep reads each value of the chain again once: a cache of eight has all of the last eight.
    expect(missesOf(firstFirst, 6)).toBe(bytes);
  });

  test("is more within a budget, and fetched less often by a cache of its size", () => {
    const stored = plan(gradient(), apart);
    const tight = plan(gradient(), { ...apart, budgetBytes: stored.report.arenaBytes / 3 });
    const [all, few] = [stored, tight].map(({ program, layout }) => reuseIn(program, layout));
    const [more, less] = [present(few, "a budget"), present(all, "none")];
    expect(more.total).toBeGreaterThan(less.total);
    expect(missesOf(more, 8)).toBeLessThan(missesOf(less, 8));
  });
});
