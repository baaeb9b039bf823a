import { describe, expect, test } from "vitest";
import { present } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { type Arena, exactArenas, floatArenas, lawlessArenas } from "./arenas.test.kit.ts";
import {
  type Fault,
  functionFaults,
  lawFaults,
  roundingFaults,
  sparseFaults,
  tangentFaults,
  tapeFaults,
} from "./planted.test.kit.ts";
import {
  definitions,
  forwardMode,
  laws,
  sparseTheorems,
  type Theorem,
  tapeTheorems,
} from "./theorems.test.kit.ts";

/** Fails with fast-check's report unless the theorem holds of every question. */
function assertHolds(arena: Arena, theorem: Theorem, runs: number): void {
  const { failed, report } = arena.tries(theorem, runs);
  if (failed) expect.fail(report);
}

/** Fails unless the fault's theorem is refuted by a counterexample. */
function assertRefutes(arena: Arena, { fault, theorem: name, planted }: Fault, runs: number): void {
  const theorem = present(everyTheorem.get(name), name);
  const { isRefuted } = arena.tries(theorem, runs, planted);
  if (!isRefuted) expect.fail(`${fault} survives: ${name}, over ${arena.name}`);
}

const forEveryGraph = Object.entries({ ...tapeTheorems, ...sparseTheorems, ...definitions });

const everyTheorem = new Map([
  ...forEveryGraph,
  ...Object.entries(laws),
  ["jvpCtx is evaluation over dual numbers", forwardMode] as const,
]);

describe.each([...exactArenas, ...floatArenas])("of graphs of operators over $name", (arena) => {
  const chosen = sampled(`operators ${arena.name}`, forEveryGraph, 6);

  test.each(chosen)("%s", (_name, theorem) => assertHolds(arena, theorem, 150));
  test("jvpCtx is evaluation over dual numbers", () => assertHolds(arena, forwardMode, 150));
});

describe.each(exactArenas)("of graphs of lawful nodes over $name", (arena) => {
  test.each(Object.entries(laws))("%s", (_name, theorem) => assertHolds(arena, theorem, 150));
});

describe.each(lawlessArenas)("of graph data over $name", (arena) => {
  const chosen = sampled(`data ${arena.name}`, forEveryGraph, 6);

  test.each(chosen)("%s", (_name, theorem) => assertHolds(arena, theorem, 300));
});

describe.each(
  lawlessArenas.filter(({ name }) => name !== "boolean"),
)("over $name is refuted that", (arena) => {
  const faults = [...tapeFaults, ...sparseFaults, ...functionFaults];

  test.each(sampled(`faults ${arena.name}`, faults, 6))("$fault", (fault) =>
    assertRefutes(arena, fault, 300));
});

describe.each(floatArenas)("over $name is refuted that", (arena) => {
  test.each([...roundingFaults, ...tangentFaults])("$fault", (fault) => assertRefutes(arena, fault, 300));
});

describe.each(exactArenas.filter(({ name }) => name !== "boolean"))("over $name is refuted", (arena) => {
  test.each([...lawFaults, ...tangentFaults])("$fault, by the $theorem", (fault) =>
    assertRefutes(arena, fault, 300));
});

describe.each(exactArenas)("over $name, where additions commute", (arena) => {
  test.each(roundingFaults)("$fault makes no difference", ({ theorem, planted }) => {
    expect(arena.tries(present(everyTheorem.get(theorem), theorem), 150, planted).failed).toBe(false);
  });
});

test("every theorem is refuted of something", () => {
  const faults = [tapeFaults, sparseFaults, functionFaults, roundingFaults, lawFaults, tangentFaults].flat();
  const refutable = new Set(faults.map(({ theorem }) => theorem));
  expect([...everyTheorem.keys()].filter((name) => !refutable.has(name))).toEqual([]);
});
