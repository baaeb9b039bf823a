import fc from "fast-check";
import { describe, test } from "vitest";
import { type Arena, exactArenas, floatArenas, lawlessArenas } from "./arenas.test.kit.ts";
import { definitions, forwardMode, laws, type Theorem, tapeTheorems } from "./theorems.test.kit.ts";

/** Fails with fast-check's report, which names the seed, unless the theorem holds of every question. */
function assertHolds(arena: Arena, theorem: Theorem, runs: number): void {
  const details = arena.tries(theorem, runs);
  if (details.failed) throw new Error(fc.defaultReportMessage(details) ?? "failed");
}

const forEveryGraph = Object.entries({ ...tapeTheorems, ...definitions });

describe.each([...exactArenas, ...floatArenas])("of graphs of operators over $name", (arena) => {
  test.each(forEveryGraph)("%s", (_name, theorem) => assertHolds(arena, theorem, 150));
  test("jvpCtx is evaluation over dual numbers", () => assertHolds(arena, forwardMode, 150));
});

describe.each(exactArenas)("of graphs of lawful nodes over $name", (arena) => {
  test.each(Object.entries(laws))("%s", (_name, theorem) => assertHolds(arena, theorem, 150));
});

describe.each(lawlessArenas)("of graph data over $name", (arena) => {
  test.each(forEveryGraph)("%s", (_name, theorem) => assertHolds(arena, theorem, 300));
});
