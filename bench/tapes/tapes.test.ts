import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { at, present } from "../../spec/index.ts";
import { growthAlong, leastAgain, TRADED, trades } from "./collected.ts";
import { families, gradBench } from "./families.ts";
import { exponentOf, measuredSystems, prepared, type Sized, stopBefore } from "./growth.ts";
import { printedOnly } from "./run.ts";
import { sectionOf, withSections } from "./sections.ts";
import { growthTable } from "./tables.ts";

const page = readFileSync(new URL("../../docs/tapes.md", import.meta.url), "utf8");
const silent = (): void => {};

/** Makes a run of this many nodes, of which this many were recomputed. */
const sized = (nodes: number, again: number, peak = 0): Sized => ({
  size: nodes,
  nodes,
  measure: {
    entries: 0,
    savedElements: 0,
    bytes: 0,
    recomputedOperations: again,
    bytesMoved: 0,
    livePeak: peak,
  },
});

const [anything] = [present(measuredSystems[0], "a system")];

describe("the growth of tapes", () => {
  test("of a transformer's block stands in docs/tapes.md as it is measured", () => {
    const family = present(
      families.find(({ name }) => name === "attention"),
      "the block",
    );
    expect(sectionOf(page, "attention")).toEqual(growthTable(growthAlong(family, 1e9, silent)));
  });

  test("covers every system in every table, and the nine functions", () => {
    for (const name of [...families.map((family) => family.name), "GradBench"]) {
      const built = families.find((family) => family.name === name && printedOnly.has(name));
      const rows = built === undefined ? sectionOf(page, name) : growthTable(growthAlong(built, 10, silent));
      const names = rows.flatMap((row) =>
        [...(row.split("|")[1] ?? "").matchAll(/`([^`]*)`/g)].map(([, system]) => system),
      );
      expect([name, names.toSorted()]).toEqual([
        name,
        measuredSystems.map((system) => system.name).toSorted(),
      ]);
    }
    const heads = sectionOf(page, "GradBench")[0] ?? "";
    expect(gradBench.filter(([name]) => !heads.includes(` ${name}, `))).toEqual([]);
    expect(gradBench).toHaveLength(9);
  });

  test("ends where the last size predicts too much work, and says why", () => {
    const quadratic = [sized(1000, 500_000), sized(2000, 2_000_000)];
    expect(stopBefore(anything, quadratic, 4000)).toBeUndefined();
    expect(stopBefore(anything, quadratic, 8000)).toBe("too slow");
    expect(stopBefore(anything, [sized(1000, 0), sized(2000, 0)], 1_000_000)).toBeUndefined();
    expect(stopBefore({ ...anything, longest: 10 }, [], 11)).toContain("10 nodes");
  });

  test("has the exponent of the last step", () => {
    const reached = [sized(10, 100, 5), sized(100, 10_000, 5)];
    expect(exponentOf(reached, ({ recomputedOperations }) => recomputedOperations)).toBeCloseTo(2, 12);
    expect(exponentOf(reached, ({ livePeak }) => livePeak)).toBe(0);
    expect(exponentOf(reached.slice(1), ({ livePeak }) => livePeak)).toBeUndefined();
  });
});

describe("memory against computing again", () => {
  test("is nowhere better than the binomial optimum, which the binomial tapes meet", () => {
    const found = trades();
    for (const { system, slots, again, peak } of found) {
      const held = peak / 8 - 1;
      // What is held beside the current value could be snapshots; a segment's own values are.
      expect([system, slots, again >= leastAgain(Math.min(TRADED, Math.max(1, held)))]).toEqual([
        system,
        slots,
        true,
      ]);
      if (system === "checkpointed") expect([slots, again]).toEqual([slots, leastAgain(slots)]);
    }
    expect(found).toHaveLength(33);
  });
});

describe("marks in a page", () => {
  const marked = "a\n<!-- measured: x -->\nold\n<!-- end -->\nb\n";
  test("hold what is put there, also if it is put there twice", () => {
    const once = withSections(marked, new Map([["x", ["new", "lines"]]]));
    expect(sectionOf(once, "x")).toEqual(["new", "lines"]);
    expect(withSections(once, new Map([["x", ["new", "lines"]]]))).toBe(once);
    expect(once.startsWith("a\n") && once.endsWith("\nb\n")).toBe(true);
  });

  test("that are missing are an error, not a page without figures", () => {
    expect(() => withSections(marked, new Map([["y", []]]))).toThrow(/no place for y/);
    expect(sectionOf(marked, "y")).toEqual([]);
  });

  test("each enclose something in docs/tapes.md", () => {
    const names = [...page.matchAll(/<!-- measured: (.*) -->/g)].map((found) => at(found, 1));
    expect(names.filter((name) => sectionOf(page, name).length === 0)).toEqual([]);
    expect(names.length).toBeGreaterThan(5);
  });
});

test("problems are prepared with everything that their graphs read", () => {
  for (const [, problem] of gradBench) {
    const { subject, point } = prepared(problem());
    expect(point.x.map(({ shape }) => shape)).toEqual(subject.shapes.slice(0, point.x.length));
  }
});
