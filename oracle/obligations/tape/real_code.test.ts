import { describe, expect, test } from "vitest";
import { countNodes } from "../../../reference/package.ts";
import { type Loop, peelLast } from "./definition.ts";
import { braid, realLoop, tapeOf } from "./executing.ts";
import { graphTerms, isGraphsTerms, loopTerms, scalarGraph, sparseTerms, symbolicRun } from "./runs.ts";
import {
  ascending,
  clearing,
  lastContributionOnly,
  lastIdLast,
  overwriting,
  reversedAddition,
  seedless,
  shifted,
} from "./wrong_loops.ts";

const sizes = [1, 2, 10, 100, 1000];

describe("the code that runs, over unknowns", () => {
  test.each(sizes)("the dense tape of %i nodes has the graph's terms, where zero is a unit", (nodes) => {
    expect(isGraphsTerms(scalarGraph(nodes), ["zero"])).toBe(true);
  });

  test.each(sizes)("the sparse tape of %i nodes has the sparse graph's terms, by no law at all", (nodes) => {
    const pairs = sparseTerms(symbolicRun(scalarGraph(nodes), []));
    expect(pairs.length).toBeGreaterThan(1);
    expect(pairs.every(([tape, graph]) => tape !== undefined && tape === graph)).toBe(true);
  });

  test("the terms of 1,000 nodes are no larger than the work that makes them", () => {
    const run = symbolicRun(scalarGraph(1000), ["zero"]);
    const nodes = countNodes([...loopTerms(run), ...graphTerms(run)]);
    expect(nodes).toBeGreaterThan(3000);
    expect(nodes).toBeLessThan(30_000);
  });

  test("the dense emission is the definition word for word, by no law at all", () => {
    const { tape, algebra, seed } = symbolicRun(scalarGraph(60), []);
    const [got, want] = [realLoop(algebra.additive, tape, seed), peelLast(algebra.additive, tape, seed)];
    // The definition adds zeros that the loop does not add for a sparse emission; here they show.
    expect(got.ok && want.ok && got.value.every(({ data }, id) => data[0] === want.value[id]?.data[0])).toBe(
      false,
    );
    const wiring = braid(60);
    const dense = tapeOf(algebra.operations, wiring, (from, to) => algebra.variable(`s_${from}_${to}`));
    const seeds = Array.from({ length: 60 }, (_, id) => ({ shape: [], data: [algebra.variable(`c_${id}`)] }));
    const [left, right] = [
      realLoop(algebra.additive, dense, seeds),
      peelLast(algebra.additive, dense, seeds),
    ];
    expect(
      left.ok && right.ok && left.value.every(({ data }, id) => data[0] === right.value[id]?.data[0]),
    ).toBe(true);
  });

  test.each<[string, Loop]>([
    ["overwrites", overwriting],
    ["visits upwards", ascending],
    ["visits the last id last", lastIdLast],
    ["forgets the seed", seedless],
    ["clears what it visited", clearing],
    ["adds the other way round", reversedAddition],
    ["keeps last contributions alone", lastContributionOnly],
    ["goes one slot too far", shifted],
  ])("a loop that %s has other terms", (_name, loop) => {
    expect(isGraphsTerms(scalarGraph(100), ["zero"], loop)).toBe(false);
    expect(isGraphsTerms(scalarGraph(1000), ["zero"], loop)).toBe(false);
  });
});
