import { describe, expect, test } from "vitest";
import {
  accumulate,
  decode,
  halfAway,
  type Stored,
  steppedInIntegers,
  zeros,
} from "../../reference/numerics/index.ts";
import { at, nodeId, present, graph as written } from "../../spec/index.ts";
import { randomAt } from "../random/index.ts";
import { bundledTargets, representationsOf } from "./index.ts";
import type { StepAsked } from "./steps.ts";

/** f = Σ w x² of four numbers: its gradient by w is x², of one sign. */
const squares = written(({ input }) => {
  const [w, x] = [input("w", [4]), input("x", [4])];
  w.multiply(x.multiply(x)).sum({ axes: [0], keepdims: false });
});

const [reach, side] = [1, 2];

function stepOf(step: StepAsked) {
  const box = {
    inputs: [
      [-reach, reach],
      [0, side],
    ].map(([least = 0, most = 0]) => ({
      low: Array.from({ length: 4 }, () => least),
      high: Array.from({ length: 4 }, () => most),
    })),
    environment: new Map(),
    indices: new Map(),
  };
  const told = representationsOf(squares, {
    of: [nodeId(4)],
    wrt: [nodeId(0)],
    box,
    digits: 1,
    targets: [...bundledTargets.values()],
    step,
  });
  return present(told.ok ? told.value.step : undefined, "a step");
}

/** Draws gradients, sums them in codes of so many bits, and returns how many codes the update is off. */
function worst(bits: number, kind: "sym" | "asym", { rate, calls }: StepAsked, scale: number): number {
  const random = randomAt(7, bits);
  let most = 0;
  for (let n = 0; n < 150; n++) {
    const gradients = Array.from({ length: calls }, () =>
      Array.from({ length: 4 }, (_, i) =>
        Math.fround(i === 0 ? side ** 2 : (random.nextInt(0, 1000) / 500) ** 2),
      ),
    );
    const sum = accumulate(zeros({ kind, bits }, 4), gradients, "dynamic", halfAway);
    const kept = decode(present(sum.ok ? sum.value : undefined, "a sum"));
    for (const [i, x] of kept.entries()) {
      const exact = gradients.reduce((total, one) => total + at(one, i), 0);
      most = Math.max(most, (rate * Math.abs(x - exact)) / scale);
    }
  }
  return most;
}

describe("a step of what is kept as codes", () => {
  test.each([
    1, 3,
  ] as const)("has gradients of as many bits as keep it within half a code: %d calls", (calls) => {
    const asked = { rate: 0.05, calls };
    const { parameters } = stepOf(asked);
    expect(parameters.map(({ target }) => target)).toContain("neuromorphic");
    for (const { format, moved, sym, asym } of parameters) {
      const bits = Number(format.replace(/\D+/, ""));
      const scale = format.startsWith("asym") ? (2 * reach) / (2 ** bits - 1) : reach / (2 ** (bits - 1) - 1);
      expect(moved).toBeCloseTo((0.05 * side ** 2) / scale, 3);
      // Of one sign, asym spends no bit on the other.
      expect(asym).toBe(sym - 1);
      for (const [own, kind] of [
        [sym, "sym"],
        [asym, "asym"],
      ] as const) {
        expect(worst(own, kind, asked, scale)).toBeLessThanOrEqual(0.5);
        if (own > 4) expect(worst(own - 3, kind, asked, scale)).toBeGreaterThan(0.5);
      }
    }
  });

  test("is taken in integers, as near as is said", () => {
    const { parameters } = stepOf({ rate: 0.05, calls: 1 });
    const { format, sym, integer } = present(
      parameters.find(({ target }) => target === "neuromorphic"),
      "codes",
    );
    const bits = Number(format.replace(/\D+/, ""));
    const { off } = present(integer, "a step in integers");
    const scale = Math.fround(reach / (2 ** (bits - 1) - 1));
    const parameter: Stored = {
      type: { kind: "sym", bits },
      codes: [1, -2, 3, 0],
      grids: [{ scale, zero: 0 }],
    };
    const sum = accumulate(zeros({ kind: "sym", bits: sym }, 4), [[4, 0.3, 1.9, 2.2]], "dynamic", halfAway);
    const gradient = present(sum.ok ? sum.value : undefined, "a gradient");
    const stepped = steppedInIntegers(parameter, gradient, 0.05);
    const next = present(stepped.ok ? stepped.value : undefined, "a step");
    for (const [i, g] of decode(gradient).entries())
      expect(Math.abs(at(next.codes, i) - (at(parameter.codes, i) - (0.05 * g) / scale))).toBeLessThanOrEqual(
        off + 1e-6,
      );
    expect(off).toBeLessThan(0.75);
  });

  test("is of nothing where no target keeps codes, or nothing moves", () => {
    expect(stepOf({ rate: 0, calls: 1 }).parameters).toEqual([]);
  });
});
