import { describe, expect, test } from "vitest";
import { floatAt } from "../../../../spec/index.ts";
import { Choice } from "../programs.test.kit.ts";
import { type Reversal, reversalsOf } from "./reversal.ts";

/** The sizes of these steps are integers, so small that a unit of memory is one element. */
interface Chain {
  readonly starts: readonly number[];
  readonly work: Float64Array;
  readonly kept: Float64Array;
  readonly crossing: Float64Array;
}

function chainOf(seed: number, steps: number): Chain {
  const choice = new Choice(seed);
  const drawn = (low: number): Float64Array =>
    Float64Array.from({ length: steps }, () => choice.between(low, 4));
  return { starts: [...drawn(0).keys()], work: drawn(1), kept: drawn(0), crossing: drawn(0) };
}

/** The work and the memory of a plan, from its definition. */
interface Taken {
  readonly work: number;
  readonly peak: number;
}

const sum = (sizes: Float64Array, from: number, to: number): number =>
  sizes.slice(from, to).reduce((total, size) => total + size, 0);

function takenBy(chain: Chain, reversal: Reversal, to: number): Taken {
  const { work, kept, crossing } = chain;
  if (reversal.kind === "whole") {
    expect(reversal.to).toBe(to);
    return { work: sum(work, reversal.from, to), peak: sum(kept, reversal.from, to) };
  }
  const { from, between } = reversal;
  const [right, left] = [takenBy(chain, reversal.right, to), takenBy(chain, reversal.left, between)];
  return {
    work: sum(work, from, between) + right.work + left.work,
    peak: Math.max(floatAt(crossing, between) + right.peak, left.peak),
  };
}

/** Yields every plan. */
function* plansOf(from: number, to: number): Generator<Reversal> {
  yield { kind: "whole", from, to };
  for (let between = from + 1; between < to; between++)
    for (const right of plansOf(between, to))
      for (const left of plansOf(from, between)) yield { kind: "split", from, between, right, left };
}

describe("the best plan of a chain", () => {
  test("does the least work of all plans within its memory, for every amount of it", () => {
    for (let seed = 0; seed < 12; seed++) {
      const steps = 1 + (seed % 6);
      const chain = chainOf(seed, steps);
      const all = [...plansOf(0, steps)].map((plan) => takenBy(chain, plan, steps));
      const reversals = reversalsOf(chain, Number.POSITIVE_INFINITY);
      const total = sum(chain.kept, 0, steps);
      expect(reversals.units).toBe(total);
      for (let m = 0; m <= total; m++) {
        const least = Math.min(...all.filter(({ peak }) => peak <= m).map(({ work }) => work));
        expect([seed, m, reversals.workWithin(m)]).toEqual([seed, m, least]);
        const found = reversals.within(m);
        expect(found === undefined).toBe(least === Number.POSITIVE_INFINITY);
        if (found === undefined) continue;
        const taken = takenBy(chain, found, steps);
        expect(taken.work).toBe(least);
        expect(taken.peak).toBeLessThanOrEqual(m);
      }
    }
  });

  test("is to keep all, where there is room, and there is none without anything to keep", () => {
    const chain = chainOf(3, 40);
    const reversals = reversalsOf(chain, 1e9);
    expect(reversals.within(reversals.units)).toEqual({ kind: "whole", from: 0, to: 40 });
    expect(reversalsOf({ ...chain, kept: new Float64Array(40) }, 100).least).toBe(-1);
  });

  test("stays within its memory where that is counted in units of many elements", () => {
    const chain = chainOf(5, 100);
    const large = {
      ...chain,
      kept: chain.kept.map((size) => 1000 * size + 17),
      crossing: chain.crossing.map((size) => 1000 * size + 5),
    };
    const capacity = sum(large.kept, 0, 100) / 3;
    const reversals = reversalsOf(large, capacity);
    const found = reversals.within(reversals.units);
    if (found === undefined) return expect.unreachable("a third is enough");
    expect(takenBy(large, found, 100).peak).toBeLessThanOrEqual(capacity);
  });

  test("rounds no snapshot of the usual size where 192 units are enough for that, and else has 64 units", () => {
    const unitsOf = (kept: number, usual: number): number => {
      const steps = Float64Array.of(0, 1, 1, 1);
      const chain = { starts: [0, 1, 2, 3], work: steps, kept: steps.map((x) => (x * kept) / 3) };
      return reversalsOf({ ...chain, crossing: steps.map((x) => x * usual) }, kept).units;
    };
    expect([1, 5, 1000].map((usual) => unitsOf(192 * usual, usual))).toEqual([192, 192, 192]);
    expect([1, 5, 1000].map((usual) => unitsOf(195 * usual, usual))).toEqual([64, 64, 64]);
  });

  test("searches for a sixteenth of all that could be kept, though less is asked for", () => {
    const one = new Float64Array(48).fill(1);
    const chain = { starts: [...one.keys()], work: one, kept: one, crossing: new Float64Array(48) };
    const units = [0, 2, 3, 4, 20].map((capacity) => reversalsOf(chain, capacity).units);
    expect(units).toEqual([3, 3, 3, 4, 20]);
  });

  test("does sixteen times the work of a forward sweep at most", () => {
    // Of two elements one is a snapshot, so that steps are kept one by one: 31 more runs of 31 steps or less.
    const withLast = (work: number): number => {
      const one = new Float64Array(32).fill(1);
      const chain = { starts: [...one.keys()], work: one.with(31, work), kept: one, crossing: one };
      return reversalsOf(chain, 2).workWithin(2);
    };
    expect(withLast(2)).toBe(16 * 33);
    expect(withLast(1)).toBe(Number.POSITIVE_INFINITY);
    expect(withLast(3)).toBe(529);
  });

  test("counts memory in the most frequent size of snapshots, the first of equally frequent ones", () => {
    const unitsOf = (crossing: readonly number[]): number => {
      const chain = { work: new Float64Array(4).fill(1), starts: [0, 1, 2, 3] };
      const kept = Float64Array.of(0, 300, 300, 300);
      return reversalsOf({ ...chain, kept, crossing: Float64Array.from(crossing) }, 900).units;
    };
    expect(unitsOf([0, 30, 30, 45])).toBe(90);
    expect(unitsOf([0, 45, 30, 30])).toBe(90);
    expect(unitsOf([0, 45, 30, 0])).toBe(80);
    expect(unitsOf([0, 30, 45, 0])).toBe(90);
    expect(unitsOf([0, 0, 0, 0])).toBe(64);
  });
});
