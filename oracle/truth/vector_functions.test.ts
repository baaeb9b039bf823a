import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import type { Precision } from "../../engines/plan/executable.ts";
import {
  type ArrayFunctions,
  arrayFunctions,
  vectorFunctionNames,
} from "../../engines/wasm/functions/array_functions.test.kit.ts";
import { coefficients, HALF_PI, SHORT_HALF_PI } from "../../engines/wasm/functions/coefficients.ts";
import { type VectorFunction, vectorAccuracy } from "../../engines/wasm/functions/index.ts";
import { twoOverPi } from "../../engines/wasm/functions/quarter_turns.ts";
import { accuracyPoints, worstError } from "./vector_accuracy.test.kit.ts";

const SEED = 20;

/** Whether a function is less accurate than declared, at some of the points of its test. */
function isInaccurate(functions: ArrayFunctions, name: VectorFunction, precision: Precision): boolean {
  const points = accuracyPoints(name, precision, 1500, xoroshiro128plus(SEED));
  return worstError(functions, name, precision, points).error > vectorAccuracy[precision][name];
}

/** Whether any of these functions is noticed to be inaccurate while `bytes` of the table are others. */
function isNoticed(
  functions: ArrayFunctions,
  precision: Precision,
  place: number,
  bytes: Uint8Array,
): boolean {
  const right = functions.table.slice(place, place + bytes.length);
  functions.table.set(bytes, place);
  const noticed = vectorFunctionNames.some((name) => isInaccurate(functions, name, precision));
  functions.table.set(right, place);
  return noticed;
}

/** Where these bytes lie in the table, which puts everything on a multiple of 8. */
function placeOf(table: Uint8Array, bytes: Uint8Array): number {
  for (let place = 0; place < table.length; place += 8) {
    if (bytes.every((byte, index) => table[place + index] === byte)) return place;
  }
  throw new RangeError("not in the table");
}

function bytesOf(precision: Precision, value: number): Uint8Array {
  const numbers = precision === "float64" ? Float64Array.of(value) : Float32Array.of(value);
  return new Uint8Array(numbers.buffer);
}

/** The lists of constants that the results depend on, each with the precision that it is used in; not the borders. */
function constantsOf(precision: Precision): readonly (readonly [Precision, readonly number[]])[] {
  const { ln2, exp, log, sin, cos, tanhNumerator, tanhDenominator } = coefficients[precision];
  const lists = [ln2, exp, log, sin, cos, tanhNumerator, tanhDenominator.slice(1)];
  return [
    ...lists.map((list) => [precision, list] as const),
    ["float64", precision === "float64" ? HALF_PI : SHORT_HALF_PI],
  ];
}

describe.each(["float64", "float32"] as const)("in %s", (precision) => {
  const functions = arrayFunctions(precision);

  test.each(vectorFunctionNames)("%s is as accurate as declared", (name) => {
    const points = accuracyPoints(name, precision, 6000, xoroshiro128plus(SEED));
    const worst = worstError(functions, name, precision, points);
    expect(worst.error, `at ${worst.at}`).toBeLessThanOrEqual(vectorAccuracy[precision][name]);
  });

  test("a constant that is off by a 32nd is noticed, whichever it is", () => {
    for (const [kind, list] of constantsOf(precision)) {
      for (const constant of list) {
        const place = placeOf(functions.table, bytesOf(kind, constant));
        const wrong = bytesOf(kind, constant * (1 + 2 ** -5));
        expect(isNoticed(functions, precision, place, wrong), `${constant}`).toBe(true);
      }
    }
  });

  test("the first constant of each list is noticed to be off in its last places", () => {
    for (const [kind, list] of constantsOf(precision)) {
      const [first = Number.NaN] = list;
      const place = placeOf(functions.table, bytesOf(kind, first));
      const wrong = bytesOf(kind, first * (1 + 2 ** (kind === "float64" ? -46 : -16)));
      expect(isNoticed(functions, precision, place, wrong), `${first}`).toBe(true);
    }
  });
});

test("a wrong bit of 2/π is noticed, wherever it is but in the first and the last eight bytes that count", () => {
  const functions = arrayFunctions("float64");
  const digits = twoOverPi();
  const start = placeOf(functions.table, digits);
  // The last 16 bytes are the zeros in front of the point.
  for (let place = 8; place + 8 <= digits.length - 24; place += 8) {
    const wrong = digits.slice(place, place + 8);
    wrong[3] = (wrong[3] ?? 0) ^ 1;
    expect(isNoticed(functions, "float64", start + place, wrong), `byte ${place}`).toBe(true);
  }
});
