import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import type { Precision } from "../../engines/plan/executable.ts";
import {
  type ArrayFunctions,
  arrayFunctions,
  vectorFunctionNames,
} from "../../engines/wasm/functions/array_functions.test.kit.ts";
import { type VectorFunction, vectorAccuracy } from "../../engines/wasm/functions/index.ts";
import { accuracyPoints, worstError } from "./vector_accuracy.test.kit.ts";

const SEED = 20;
const precisions = ["float64", "float32"] as const;

function breaks(
  functions: ArrayFunctions,
  name: VectorFunction,
  precision: Precision,
  count: number,
): boolean {
  const points = accuracyPoints(name, precision, count, xoroshiro128plus(SEED));
  return worstError(functions, name, precision, points).error > vectorAccuracy[precision][name];
}

/** Whether the accuracy check notices another bit in each eight bytes of the table, by the number of the eight bytes. */
function noticed(precision: Precision): readonly boolean[] {
  const functions = arrayFunctions(precision);
  const view = new DataView(functions.table.buffer, functions.table.byteOffset, functions.table.length);
  return Array.from({ length: view.byteLength / 8 }, (_, slot) => {
    const isShort = precision === "float32" && view.getUint32(8 * slot + 4, true) === 0;
    // The first bit behind the point of the significand.
    const [place, bit] = isShort ? [8 * slot, 1 << 22] : [8 * slot + 4, 1 << 19];
    const right = view.getInt32(place, true);
    view.setInt32(place, right ^ bit, true);
    const isNoticed = vectorFunctionNames.some((name) => breaks(functions, name, precision, 1500));
    view.setInt32(place, right, true);
    return isNoticed;
  });
}

describe.each(precisions)("%s", (precision) => {
  const functions = arrayFunctions(precision);

  test.each(vectorFunctionNames)("%s is as accurate as declared", (name) => {
    const points = accuracyPoints(name, precision, 6000, xoroshiro128plus(SEED));
    const worst = worstError(functions, name, precision, points);
    expect(worst.error, `at ${worst.at}`).toBeLessThanOrEqual(vectorAccuracy[precision][name]);
  });

  test("x", () => {
    const n = noticed(precision);
    const view = new DataView(functions.table.buffer, functions.table.byteOffset, functions.table.length);
    console.log(
      n
        .map((x, i) => (x ? "" : `${i}: ${view.getFloat64(8 * i, true)} ${view.getFloat32(8 * i, true)}`))
        .filter((x) => x),
    );
  });
});
