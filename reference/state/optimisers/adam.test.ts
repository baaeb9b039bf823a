import { describe, expect, test } from "vitest";
import { float64 } from "../../algebras/float.ts";
import { afterCalls } from "./calls.test.kit.ts";
import { adam } from "./index.ts";

describe("Adam, with its other conventions", () => {
  const gradients = [0.5, -1.25, 3, 0.125, -2, 0.75];
  const calls = gradients.map((gradient) => ({
    gradient: [gradient],
    rate: [0.1],
    beta1: [0.75],
    beta2: [0.875],
    epsilon: [0.25],
    epsilonRoot: [0.125],
  }));

  function path(options: Parameters<typeof adam>[1]): (number | undefined)[] {
    return afterCalls(float64, adam([], options), { x: [2] }, calls).map((left) => left.get("x")?.[0]);
  }

  /** Adam written out in floats: what it is divided by is `divisor` of v and of 1 − β₂ᵗ. */
  function byHand(divisor: (v: number, correction: number) => number, isCorrected = true): number[] {
    let [x, m, v, p1, p2] = [2, 0, 0, 1, 1];
    return gradients.map((g) => {
      m = m * 0.75 + 0.25 * g;
      v = v * 0.875 + 0.125 * (g * g);
      [p1, p2] = [p1 * 0.75, p2 * 0.875];
      x -= (0.1 * (isCorrected ? m / (1 - p1) : m)) / divisor(v, isCorrected ? 1 - p2 : 1);
      return x;
    });
  }

  test("is its recurrence to the bit: ε inside an uncorrected root, at both places, before the correction", () => {
    const inside = byHand((v) => Math.sqrt(v + 0.25), false);
    expect(path({ epsilonPlace: "inside", isCorrected: false })).toEqual(inside);
    const both = byHand((v, c) => Math.sqrt(v / c + 0.125) + 0.25);
    expect(path({ epsilonPlace: "both" })).toEqual(both);
    const before = byHand((v, c) => (Math.sqrt(v) + 0.25) / Math.sqrt(c));
    expect(path({ epsilonPlace: "uncorrected" })).toEqual(before);
    expect(path({})).not.toEqual(before);
  });

  test("of AMSGrad divides by the greatest moment, and PyTorch's is not optax'", () => {
    let greatest = 0;
    const ofMoment = byHand((v, c) => {
      greatest = Math.max(greatest, v);
      return Math.sqrt(greatest / c) + 0.25;
    });
    expect(path({ greatest: "ofMoment" })).toEqual(ofMoment);
    greatest = 0;
    const ofCorrected = byHand((v, c) => {
      greatest = Math.max(greatest, v / c);
      return Math.sqrt(greatest) + 0.25;
    });
    expect(path({ greatest: "ofCorrected" })).toEqual(ofCorrected);
    expect(ofCorrected).not.toEqual(ofMoment);
  });

  test("does not depend on where its correction stands if it is not corrected", () => {
    for (const epsilonPlace of ["outside", "inside", "both"] as const) {
      const uncorrected = { epsilonPlace, isCorrected: false };
      const first = path({ ...uncorrected, greatest: "ofMoment" });
      expect(first).toEqual(path({ ...uncorrected, greatest: "ofCorrected" }));
      expect(first).not.toEqual(path({ epsilonPlace, greatest: "ofMoment" }));
    }
    for (const greatest of ["none", "ofMoment", "ofCorrected"] as const) {
      const uncorrected = { greatest, isCorrected: false };
      expect(path({ ...uncorrected, epsilonPlace: "uncorrected" })).toEqual(path(uncorrected));
    }
  });
});
