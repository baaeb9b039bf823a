import { describe, expect, test } from "vitest";
import type { Access, Instruction } from "../../engines/compile/plan/index.ts";
import { Choice } from "../../engines/compile/plan/programs.test.kit.ts";
import { at, sizeOf } from "../../spec/index.ts";
import { type Adding, adds, termsOf } from "./terms.ts";

type Scatter = Extract<Instruction, { readonly kind: "scatter" }>;

/** Counts the most additions at one place. Lookups find what `index` has. */
function counted({ over, place }: Scatter, index: readonly number[]): number {
  const meetings = new Map<number, number>();
  const where = ({ offset, strides }: Omit<Access, "indirections">, position: readonly number[]): number =>
    position.reduce((sum, step, axis) => sum + step * at(strides, axis), offset);
  for (let n = 0; n < sizeOf(over); n++) {
    let left = n;
    const position = over.toReversed().map((extent) => {
      const step = left % extent;
      left = Math.floor(left / extent);
      return step;
    });
    position.reverse();
    const found = place.indirections.reduce(
      (sum, lookup) => sum + lookup.scale * at(index, where(lookup, position)),
      where(place, position),
    );
    meetings.set(found, (meetings.get(found) ?? 0) + 1);
  }
  return Math.max(0, ...meetings.values());
}

/** Draws a scatter of up to three axes, with strides of any sign, and a lookup now and then. */
function scatter(seed: number): { readonly instruction: Scatter; readonly index: readonly number[] } {
  const choice = new Choice(seed);
  const over = Array.from({ length: choice.between(0, 3) }, () => choice.between(1, 4));
  const stride = (): number => choice.of(0, 1, 2, 3, 4, 6, 8, 12, -1, -4);
  const strides = over.map(stride);
  const isLookedUp = choice.happens(0.4);
  const along = over.map(() => choice.of(0, 1));
  const place: Access = {
    offset: 0,
    strides,
    indirections: isLookedUp ? [{ index: 0, offset: 0, strides: along, scale: choice.of(1, 3, 12) }] : [],
  };
  const index = Array.from({ length: 16 }, () => choice.below(3));
  const body = { reads: [], expression: { kind: "literal", value: 1 } } as const;
  return { instruction: { kind: "scatter", shape: [9], base: undefined, over, place, ...body }, index };
}

describe("the number of terms", () => {
  test("of a scatter is never less than the additions that meet at a place, and often just that", () => {
    let exact = 0;
    for (let seed = 0; seed < 2000; seed++) {
      const { instruction, index } = scatter(seed);
      const most = counted(instruction, index);
      expect(termsOf(instruction), `seed ${seed}`).toBeGreaterThanOrEqual(most);
      exact += termsOf(instruction) === most ? 1 : 0;
    }
    expect(exact).toBeGreaterThan(800);
  });

  test("of a scatter would be too small if overlapping axes were taken for separate ones", () => {
    const tooSmall = (instruction: Scatter): number => {
      const isStill = (axis: number): boolean => at(instruction.place.strides, axis) === 0;
      return sizeOf(instruction.over.filter((_, axis) => isStill(axis)));
    };
    const isCaught = Array.from({ length: 2000 }, (_, seed) => scatter(seed)).some(
      ({ instruction, index }) => tooSmall(instruction) < counted(instruction, index),
    );
    expect(isCaught).toBe(true);
  });

  test("counts the start of a scatter, and all elements of a fold", () => {
    const { instruction } = scatter(1);
    const based: Adding = { ...instruction, base: 0 };
    expect(termsOf(based)).toBe(termsOf(instruction) + 1);
    const { reads, expression } = instruction;
    expect(termsOf({ kind: "fold", operation: "add", shape: [], over: [3, 5], reads, expression })).toBe(15);
  });
});

test("maxima, maps and moves add nothing up", () => {
  const body = { reads: [], expression: { kind: "literal", value: 1 } } as const;
  expect(adds({ kind: "fold", operation: "maximum", shape: [], over: [3], ...body })).toBe(false);
  expect(adds({ kind: "fold", operation: "add", shape: [], over: [3], ...body })).toBe(true);
  expect(adds({ kind: "map", shape: [], ...body })).toBe(false);
});
