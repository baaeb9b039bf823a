import { describe, expect, it } from "vitest";
import { at, floatAt, sizeOf } from "../../../../spec/index.ts";
import type { Numbers } from "../executable.ts";
import type { Routine } from "../program.ts";
import { bindRoutine } from "./index.ts";

/** Runs a routine on float64 operands. */
function resultOf(
  routine: Routine,
  shape: readonly number[],
  shapes: readonly (readonly number[])[],
  operands: readonly (readonly number[])[],
): Numbers {
  const out = new Float64Array(sizeOf(shape));
  bindRoutine({ kind: "routine", shape, routine, operands: [] }, shapes, "float64").run(
    operands.map((operand) => Float64Array.from(operand)),
    out,
    [Uint32Array.of(1, 2)],
  );
  return out;
}

const matrix = [2, -1, 3, 4, 0, 5, -6, 1, 7] as const;

describe("routines on a matrix of small integers, where nothing is rounded", () => {
  it("take the determinant by Sarrus's rule, of each matrix of a stack", () => {
    const [a, b, c, d, e, f, g, h, i] = matrix;
    const sarrus = a * e * i + b * f * g + c * d * h - c * e * g - b * d * i - a * f * h;
    const stack = [...matrix, ...matrix.map((x) => 2 * x)];
    expect(resultOf({ kind: "determinant", n: 3 }, [2], [[2, 3, 3]], [stack])).toEqual(
      Float64Array.of(sarrus, 8 * sarrus),
    );
  });

  it("take cofactors whose products with a row sum up to the determinant, and with another row to 0", () => {
    const cofactors = resultOf({ kind: "cofactors", n: 3 }, [3, 3], [[3, 3]], [matrix]);
    const [determinant] = resultOf({ kind: "determinant", n: 3 }, [], [[3, 3]], [matrix]);
    const along = (row: number, by: number): number =>
      [0, 1, 2].reduce((sum, k) => sum + at(matrix, 3 * row + k) * floatAt(cofactors, 3 * by + k), 0);
    expect([along(0, 0), along(1, 1), along(0, 1), along(2, 0)]).toEqual([determinant, determinant, 0, 0]);
    // The law tells cofactors from their transpose.
    cofactors.set([0, 3, 6, 1, 4, 7, 2, 5, 8].map((i) => floatAt(cofactors, i)));
    expect([along(0, 0), along(1, 1)]).not.toEqual([determinant, determinant]);
  });

  it("take the determinant's tangent as the sum over the cofactors", () => {
    const dot = [1, 0, -2, 3, 1, 0, 2, -1, 1];
    const cofactors = resultOf({ kind: "cofactors", n: 3 }, [3, 3], [[3, 3]], [matrix]);
    const shapes = [
      [3, 3],
      [3, 3],
    ];
    expect(resultOf({ kind: "determinant_tangent", n: 3 }, [], shapes, [matrix, dot])).toEqual(
      Float64Array.of(dot.reduce((sum, x, i) => sum + x * floatAt(cofactors, i), 0)),
    );
  });

  it("solve a unimodular system and its transpose, and differentiate the solution", () => {
    // The determinant is 1, so that solutions are integers.
    const a = [2, 3, 1, 2];
    const [x, xDot, aDot] = [
      [5, -7],
      [1, 2],
      [1, -1, 0, 3],
    ];
    const times = (m: readonly number[], v: readonly number[]): number[] =>
      [0, 2].map((row) => at(m, row) * at(v, 0) + at(m, row + 1) * at(v, 1));
    const b = times(a, x);
    const bDot = times(aDot, x).map((term, i) => term + at(times(a, xDot), i));
    const [square, side] = [
      [2, 2],
      [2, 1],
    ];
    const size = { n: 2, m: 1 };
    expect(resultOf({ kind: "solution", ...size }, side, [square, side], [a, b])).toEqual(
      Float64Array.from(x),
    );
    const shapes = [square, side, square, side];
    expect(resultOf({ kind: "solution_tangent", ...size }, side, shapes, [a, b, aDot, bDot])).toEqual(
      Float64Array.from(xDot),
    );
    const transposed = [2, 1, 3, 2];
    expect(resultOf({ kind: "solution_cotangent", ...size }, side, [square, side], [transposed, b])).toEqual(
      Float64Array.from(x),
    );
  });

  it("draw a mask that is 1 everywhere at rate 0, and depends on nothing but the key and the rate", () => {
    const mask = (rate: number): Numbers => resultOf({ kind: "bernoulli", index: 0, rate }, [50], [], []);
    expect(mask(0)).toEqual(new Float64Array(50).fill(1));
    expect(mask(0.5)).toEqual(mask(0.5));
    const kept = [...mask(0.5)].reduce((sum, x) => sum + x, 0);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(50);
  });
});
