import { describe, expect, test } from "vitest";
import { quireSums } from "../../reference/numerics/index.ts";
import { boundedPosit, positName, present, standardPosit } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { PositCode } from "./arithmetic.ts";
import { codesOf, firstWrongCode, firstWrongPair, pairsOf } from "./exhaustive.test.kit.ts";
import { type PositEngine, positEngine, positMutants } from "./mutants.ts";
import { drawnPairs } from "./random.test.kit.ts";

/** Returns the first operation or dot product of an engine that is not the standard's. */
function firstFault(engine: PositEngine): string | undefined {
  const { format } = engine;
  const { width } = format;
  const wrongDot = firstWrongDot(engine);
  if (wrongDot !== undefined) return wrongDot;
  const pairs = width === 8 ? [...pairsOf(codesOf(8))] : [...drawnPairs(width, 40, 4000)];
  const codes = width === 8 ? codesOf(8) : pairs.map(([x]) => x);
  for (const name of ["add", "multiply", "divide", "subtract"] as const) {
    const found = firstWrongPair(engine, name, pairs);
    if (found !== undefined) return found;
  }
  for (const name of ["sqrt", "negative", "floor"] as const) {
    const found = firstWrongCode(engine, name, codes);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Terms = readonly (readonly [PositCode, PositCode])[];

/** Yields factors that are hard for quires: drawn ones, half of them cancelling; near ties; huge sums. */
function* termsOf({ format: { width }, fromNumber, toNumber }: PositEngine): Generator<Terms> {
  const [one, most] = [fromNumber(1), 2 ** (width - 1) - 1];
  for (let n = 1; n <= 300; n++) {
    const drawn = [...drawnPairs(width, n, n % 9)];
    yield n % 2 === 0 ? drawn : [...drawn, ...drawn.slice(1).map(([x, y]) => [-x, y] as const)];
  }
  for (let lower = one - 9; lower < one + 9; lower++) {
    const half = fromNumber((toNumber(lower + 1) - toNumber(lower)) / 2);
    for (const far of [0, 1, -1]) {
      yield [
        [lower, one],
        [half, one],
        [far, 1],
      ];
    }
  }
  for (const count of [2, 3, 8, 100]) {
    const [up, down] = [Array.from({ length: count }, () => [most, most] as const), [-most, most] as const];
    yield [...up, [1, 1]];
    yield [...up, ...up.map(() => down), [1, 1]];
  }
}

/** Returns terms whose dot product is not the exact one rounded. */
function firstWrongDot(engine: PositEngine): string | undefined {
  const reference = quireSums(engine.format);
  for (const terms of termsOf(engine)) {
    // −NaR is NaR.
    const xs = terms.map(([x]) => (x === -engine.notReal ? -x : x));
    const ys = terms.map(([, y]) => y);
    const expected = Number(reference.dot(xs.map(BigInt), ys.map(BigInt)));
    const found = engine.dot(xs, ys);
    if (found + 0 !== expected + 0) return `${xs} · ${ys}: ${found}, not ${expected}`;
  }
  return undefined;
}

describe("an engine for posits", () => {
  const formats = [...[8, 16, 32].map(standardPosit), ...[16, 32].map(boundedPosit)];
  test.each(
    formats.map((format) => [positName(format), format] as const),
  )("%s without a fault has none that the laws see", (_, format) => {
    expect(firstFault(positEngine(format))).toBeUndefined();
  });

  test.each(sampled("posits", positMutants, 8))("is told from it: $name, for $fault", ({ engine }) => {
    expect(firstFault(engine)).toBeDefined();
  });

  test("has 33 mutants of different names, four of the catalogue's entries among them", () => {
    expect(new Set(positMutants.map(({ name }) => name)).size).toBe(33);
    expect(positMutants.flatMap(({ entry }) => entry ?? []).toSorted()).toEqual(["P01", "P02", "P03", "P05"]);
  });
});

describe("the catalogue's own examples", () => {
  const [right8, right16] = [positEngine(standardPosit(8)), positEngine(standardPosit(16))];
  const mutant = (entry: string): PositEngine =>
    present(
      positMutants.find((planted) => planted.entry === entry),
      entry,
    ).engine;

  test("P01: 1 + 2⁻⁴ + 2⁻ᵏ in a quire of posit8 is above the tie, for k from 9 to 17", () => {
    for (let k = 9; k <= 17; k++) {
      const far = right8.fromNumber(2 ** -k);
      const terms = [
        [0x40, right8.fromNumber(2 ** -4), far],
        [0x40, 0x40, 0x40],
      ] as const;
      // The last is a posit8 for some k only, or one rounded: still above the tie.
      expect(right8.dot(...terms)).toBe(0x41);
    }
    const [xs, ys] = [
      [0x40, right8.fromNumber(2 ** -4), right8.fromNumber(2 ** -16)],
      [0x40, 0x40, 0x40],
    ];
    expect(mutant("P01").dot(xs, ys)).toBe(0x40);
  });

  test("P02: fma(0x7680, 0x6128, 0x0001) of posit16 is 0x7b9d", () => {
    const [xs, ys] = [
      [0x7680, 0x0001],
      [0x6128, 0x4000],
    ];
    expect(right16.dot(xs, ys)).toBe(0x7b9d);
    expect(mutant("P02").dot(xs, ys)).toBe(0x7b9c);
  });

  test("P03: 1.5 · 2²² is 0x7f in posit8, though nearer to 2²⁰ than to 2²⁴", () => {
    expect(right8.fromNumber(1.5 * 2 ** 22)).toBe(0x7f);
    expect(mutant("P03").fromNumber(1.5 * 2 ** 22)).toBe(0x7e);
  });

  test("P05: 4096 + 1/2 − 4096 in a quire of posit16 is 1/2, and rounded each time 0", () => {
    const p = right16.fromNumber;
    const [xs, ys] = [
      [p(4096), p(1), p(4096)],
      [p(1), p(0.5), p(-1)],
    ];
    expect(right16.dot(xs, ys)).toBe(p(0.5));
    expect(mutant("P05").dot(xs, ys)).toBe(0);
  });
});
