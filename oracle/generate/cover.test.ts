import { describe, expect, test } from "vitest";
import { type OperatorName, operatorNames } from "../../spec/index.ts";
import { coveringOrder, type Sketch } from "./cover.ts";
import { drawnAt, mix } from "./drawing.ts";

function sketchesOf(seed: number, cases: number): Sketch[] {
  return Array.from({ length: cases }, (_, index) => {
    const { nodes } = drawnAt(mix, operatorNames, seed, index).graph;
    return { index, operators: [...new Set(nodes.map(({ op }) => op))], nodes: nodes.length };
  });
}

/** Counts how many cases of an order come until every operator that occurs in any has been asked. */
function untilCovered(sketches: readonly Sketch[], indexes: readonly number[]): number {
  const all = new Set(sketches.flatMap(({ operators }) => operators));
  const asked = new Set<OperatorName>();
  return (
    1 +
    indexes.findIndex((index) => {
      for (const op of sketches[index]?.operators ?? []) asked.add(op);
      return asked.size === all.size;
    })
  );
}

describe("coveringOrder", () => {
  const sketches = sketchesOf(1, 300);
  const asTheyCome = sketches.map(({ index }) => index);
  const order = coveringOrder(sketches);

  test("asks each case once", () => {
    expect(order.indexes.toSorted((a, b) => a - b)).toEqual(asTheyCome);
  });

  test("asks every operator in a fifth of the cases that it takes as they come", () => {
    expect(untilCovered(sketches, order.indexes)).toBe(order.covering);
    expect(order.covering).toBeLessThan(50);
    expect(untilCovered(sketches, asTheyCome)).toBeGreaterThanOrEqual(5 * order.covering);
  });

  test("leaves the others in their order, and cases without any node for the end", () => {
    const rest = order.indexes.slice(order.covering);
    expect(rest).toEqual(rest.toSorted((a, b) => a - b));
    const empty: Sketch = { index: 7, operators: [], nodes: 0 };
    const one: Sketch = { index: 9, operators: ["sin"], nodes: 1 };
    expect(coveringOrder([empty, one])).toEqual({ indexes: [9, 7], covering: 1 });
    expect(coveringOrder([])).toEqual({ indexes: [], covering: 0 });
  });

  test("prefers a small graph to a large one that adds as much", () => {
    const large: Sketch = { index: 0, operators: ["sin", "cos"], nodes: 200 };
    const small: Sketch = { index: 1, operators: ["sin", "cos"], nodes: 2 };
    expect(coveringOrder([large, small]).indexes).toEqual([1, 0]);
  });
});
