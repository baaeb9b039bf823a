import { describe, expect, test } from "vitest";
import { apply, type Expression, read, type ScalarFunction } from "../plan/expression.ts";
import type { Regime } from "../plan/rewrite.ts";
import { chosen, type Machine } from "./choose.ts";
import type { Combination, Nest, Place } from "./nest.ts";

const BYTES = 8;
const LANES = 2;

const machine = (regime: Regime, calls: readonly ScalarFunction[] = []): Machine => ({
  bytes: BYTES,
  lanes: LANES,
  regime,
  isCall: (name) => calls.includes(name),
});

const place = (strides: readonly number[], lookedUp?: readonly number[]): Place => ({
  base: 0,
  strides: strides.map((stride) => stride * BYTES),
  lookups: lookedUp === undefined ? [] : [{ base: 0, scale: BYTES, strides: lookedUp.map((s) => s * 4) }],
});

/** So many negations of the first read. */
function applied(count: number, name: ScalarFunction = "negative"): Expression {
  let expression: Expression = read(0);
  for (let n = 0; n < count; n++) expression = apply(name, expression);
  return expression;
}

interface Written {
  readonly extents: readonly number[];
  readonly target: readonly number[];
  readonly reads: readonly (readonly number[])[];
  readonly over?: number;
  readonly work?: Expression;
}

const nestOf = (
  combination: Combination,
  { extents, target, reads, over = 0, work = applied(1) }: Written,
): Nest => ({
  combination,
  extents,
  over,
  expression: work,
  reads: reads.map((strides) => place(strides)),
  target: place(target),
});

/** Writes order, axis in lanes, copies, and whether sums keep their order. */
function told(nest: Nest, regime: Regime = "fast", calls: readonly ScalarFunction[] = []): string {
  const { order, vector, copies, isOrdered } = chosen(nest, machine(regime, calls));
  return `${order.join("")} ${vector ?? "none"} ${copies.join("")}${isOrdered ? " in order" : ""}`;
}

describe("the axis that goes into lanes", () => {
  /** What a step of a vector costs: an instruction for all lanes, or one for each. */
  const stepCost = (strides: readonly number[], axis: number): number =>
    strides[axis] === 0 ? 0.25 : strides[axis] === 1 ? 1 : LANES;
  /** Whole vectors, and then the rest in halves. */
  const steps = (extent: number): number => Math.floor(extent / LANES) + (extent % LANES);

  test("is that of least instructions for an element, the last of equal ones", () => {
    const strides = [0, 1, 3, 40];
    const extents = [2, 3, 5, 8];
    for (const [a, b, c, d] of all(strides))
      for (const [n, m] of [extents.slice(0, 2), extents.slice(1, 3), extents.slice(2)]) {
        if (n === undefined || m === undefined) throw new Error("two extents");
        const written = { extents: [n, m], target: [a, b], reads: [[c, d]] } as const;
        const costs = [n, m].map(
          (extent, axis) =>
            ((stepCost(written.target, axis) + stepCost(written.reads[0], axis) + 1) * steps(extent)) /
            extent,
        );
        const [first = 0, second = 0] = costs;
        const { vector } = chosen(nestOf("store", written), machine("fast"));
        expect([written, vector]).toEqual([written, second <= first ? 1 : 0]);
      }
  });

  test("is not one along which elements are looked up, unless all are", () => {
    const nest = nestOf("store", { extents: [6, 6], target: [6, 1], reads: [[1, 6]] });
    const lookedUp = (strides: readonly number[]): Nest => ({ ...nest, reads: [place([0, 0], strides)] });
    expect(told(lookedUp([0, 1]))).toBe("10 0 41");
    expect(told(lookedUp([1, 0]))).toBe("01 1 14");
    expect(told(lookedUp([1, 1]))).toBe("01 1 14");
  });

  test("of a scatter is the last, and none where places meet along it", () => {
    const scatter = (target: Place): Nest => ({
      ...nestOf("accumulate", { extents: [4, 6], target: [6, 1], reads: [[6, 1]] }),
      target,
    });
    expect(told(scatter(place([6, 1])))).toBe("01 1 12");
    expect(told(scatter(place([1, 0])))).toBe("01 none 11");
    expect(told(scatter(place([6, 1], [0, 1])))).toBe("01 none 11");
    expect(told(scatter(place([6, 1], [1, 0])))).toBe("01 1 12");
  });

  test("of a fold may be any that is folded if sums have no order, and else the last, which waits", () => {
    const dot = { extents: [3, 4, 5], over: 2, target: [1, 0, 0], reads: [[20, 1, 4]] } as const;
    expect(told(nestOf("add", dot))).toBe("021 1 121");
    expect(told(nestOf("add", dot), "bit_exact")).toBe("012 0 111 in order");
    const rows = { ...dot, reads: [[1, 3, 12]] };
    expect(told(nestOf("add", rows))).toBe("012 0 111");
    expect(told(nestOf("scan", { extents: [6, 8], over: 1, target: [8, 1], reads: [[8, 1]] }))).toBe(
      "01 0 31 in order",
    );
  });
});

test("a product with a turned operand has columns in lanes if that is copied, and else the sum", () => {
  const turned = (rows: number): number | undefined => {
    const extents = [rows, 20, 16];
    const reads = [
      [16, 0, 1],
      [0, 16, 1],
    ];
    const nest = nestOf("add", { extents, over: 1, target: [20, 1, 0], reads });
    return chosen(nest, { ...machine("fast"), lanes: 4 }).vector;
  };
  expect([127, 128].map(turned)).toEqual([2, 1]);
});

describe("copies", () => {
  const map = (work: Expression): Nest => nestOf("store", { extents: [40], target: [1], reads: [[1]], work });
  const scatter = (work: Expression): Nest =>
    nestOf("accumulate", { extents: [40], target: [1], reads: [[1]], work });

  test("of a map are 4, or as many as have twelve applications together", () => {
    const of = (count: number): string => told(map(applied(count)));
    expect([1, 3, 4, 5, 6, 7, 12, 13].map(of)).toEqual(
      [4, 4, 3, 2, 2, 1, 1, 1].map((copies) => `0 0 ${copies}`),
    );
    expect([1, 2].map((count) => told(map(applied(count, "sin"))))).toEqual(["0 0 1", "0 0 1"]);
    expect([4, 6, 7].map((count) => told(scatter(applied(count))))).toEqual(["0 0 2", "0 0 2", "0 0 1"]);
  });

  test("of a fold are as many as registers hold, of rows that share operands first", () => {
    const product = (rows: number, columns: number): Nest =>
      nestOf("add", {
        extents: [rows, columns, 9],
        over: 1,
        target: [columns, 1, 0],
        reads: [
          [9, 0, 1],
          [0, 1, columns],
        ],
        work: apply("multiply", read(0), read(1)),
      });
    expect(told(product(16, 16))).toBe("102 1 521");
    expect(told(product(16, 16), "bit_exact")).toBe("102 1 421 in order");
    expect(told(product(3, 16))).toBe("102 1 321");
    expect(told(product(16, 2))).toBe("102 1 1011");
    const rows = (extent: number, length: number): Nest =>
      nestOf("add", { extents: [extent, length], over: 1, target: [1, 0], reads: [[length, 1]] });
    expect([1, 2, 15, 16, 17, 18, 40].map((n) => told(rows(3, n)))).toEqual([
      "01 0 11",
      ...[1, 7, 8, 8, 8, 8].map((copies) => `01 1 1${copies}`),
    ]);
    expect([2, 3, 8].map((n) => told(rows(n, 40), "bit_exact"))).toEqual(
      [1, 1, 4].map((copies) => `01 0 ${copies}1 in order`),
    );
  });

  /** Folds an axis of an extent, and one of 16 around it. */
  const folded = (extent: number, work: Expression, calls: readonly ScalarFunction[] = []): string => {
    const extents = [6, 16, extent];
    const nest = nestOf("add", { extents, over: 2, target: [1, 0, 0], reads: [[1, 6, 96]], work });
    return told(nest, "bit_exact", calls);
  };
  const inOrder = (...copies: readonly string[]): readonly string[] =>
    copies.map((each) => `012 0 ${each} in order`);

  test("unroll folded axes of at most four steps, while bodies have at most 96 applications", () => {
    expect([2, 4, 5].map((extent) => folded(extent, applied(1)))).toEqual(inOrder("312", "314", "311"));
    expect([12, 24, 25, 48, 49].map((count) => folded(2, applied(count)))).toEqual(
      inOrder("212", "112", "112", "112", "111"),
    );
  });

  test("count a function of the module's own for 9 applications, and one that is called for 13", () => {
    const sine = (count: number, ...calls: readonly ScalarFunction[]): string =>
      folded(2, apply("sin", applied(count)), calls);
    expect([sine(39), sine(40)]).toEqual(inOrder("112", "111"));
    expect([sine(35, "sin"), sine(36, "sin")]).toEqual(inOrder("112", "111"));
  });

  test("unroll to at most 24 copies of a body", () => {
    const unrolled = (a: number, b: number, c: number): string => {
      const reads = [[1, 2, 2 * a, 2 * a * b]];
      return told(
        nestOf("add", { extents: [2, a, b, c], over: 3, target: [1, 0, 0, 0], reads }),
        "bit_exact",
      );
    };
    expect([unrolled(3, 4, 2), unrolled(3, 3, 3)]).toEqual(
      ["1342", "1133"].map((copies) => `0123 0 ${copies} in order`),
    );
  });
});

/** Lists all ways to choose four of several. */
function all(values: readonly number[]): readonly (readonly [number, number, number, number])[] {
  return values.flatMap((a) =>
    values.flatMap((b) => values.flatMap((c) => values.map((d) => [a, b, c, d] as const))),
  );
}
