import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { vectorAccuracy } from "../../engines/compile/accuracy.ts";
import { coefficients, HALF_PI, SHORT_HALF_PI } from "../../engines/compile/coefficients.ts";
import type { Numbers, Precision } from "../../engines/compile/plan/executable.ts";
import { twoOverPi } from "../../engines/compile/two_over_pi.ts";
import {
  type ArrayFunctions,
  arrayFunctions,
  vectorFunctionNames,
} from "../../engines/compile/wasm/functions/array_functions.test.kit.ts";
import type { VectorFunction } from "../../engines/compile/wasm/functions/index.ts";
import { accuracyPoints, worstError } from "./vector_accuracy.test.kit.ts";

const SEED = 20;

/** The points of a test of wrong constants. */
function somePoints(precision: Precision): (name: VectorFunction) => Numbers {
  const points = vectorFunctionNames.map(
    (name) => [name, accuracyPoints(name, precision, 1500, xoroshiro128plus(SEED))] as const,
  );
  const found = new Map(points);
  return (name) => found.get(name) ?? new Float64Array();
}

/** Returns the bits of a function's values. */
function bitsAt(functions: ArrayFunctions, name: VectorFunction, points: Numbers): string {
  functions.operands.set(points);
  functions.run(name, points.length);
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = functions.results;
  return new Uint32Array(buffer, byteOffset, (points.length * BYTES_PER_ELEMENT) / 4).join();
}

/**
 * Tells whether the check of some function fails while `bytes` of the table are others. A function that gives
 * the same bits as before is not measured again.
 */
function isNoticed(
  functions: ArrayFunctions,
  precision: Precision,
  points: (name: VectorFunction) => Numbers,
  place: number,
  bytes: Uint8Array,
): boolean {
  const right = functions.table.slice(place, place + bytes.length);
  const before = vectorFunctionNames.map((name) => bitsAt(functions, name, points(name)));
  functions.table.set(bytes, place);
  const isWrong = vectorFunctionNames.some(
    (name, index) =>
      bitsAt(functions, name, points(name)) !== before[index] &&
      worstError(functions, name, precision, points(name)).error > vectorAccuracy[precision][name],
  );
  functions.table.set(right, place);
  return isWrong;
}

/** Finds where these bytes lie in the table, which puts everything on a multiple of 8. */
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

/** Returns the lists of constants that results depend on, each with its precision; not the borders. */
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
  const points = somePoints(precision);

  test.each(vectorFunctionNames)("%s is as accurate as declared", (name) => {
    const many = accuracyPoints(name, precision, 6000, xoroshiro128plus(SEED));
    const worst = worstError(functions, name, precision, many);
    expect(worst.error, `at ${worst.at}`).toBeLessThanOrEqual(vectorAccuracy[precision][name]);
  });

  test("a constant that is off by a 32nd is noticed, whichever it is", () => {
    for (const [kind, list] of constantsOf(precision)) {
      for (const constant of list) {
        const place = placeOf(functions.table, bytesOf(kind, constant));
        const wrong = bytesOf(kind, constant * (1 + 2 ** -5));
        expect(isNoticed(functions, precision, points, place, wrong), `${constant}`).toBe(true);
      }
    }
  });

  test("the first constant of each list is noticed to be off in its last places", () => {
    for (const [kind, list] of constantsOf(precision)) {
      const [first = Number.NaN] = list;
      const place = placeOf(functions.table, bytesOf(kind, first));
      const wrong = bytesOf(kind, first * (1 + 2 ** (kind === "float64" ? -46 : -16)));
      expect(isNoticed(functions, precision, points, place, wrong), `${first}`).toBe(true);
    }
  });
});

test("a wrong bit of 2/π is noticed, wherever it is but in the first and the last eight bytes that count", () => {
  const functions = arrayFunctions("float64");
  const digits = twoOverPi();
  const start = placeOf(functions.table, digits);
  const points = somePoints("float64");
  // The last 16 bytes are the zeros in front of the point.
  for (let place = 8; place + 8 <= digits.length - 24; place += 8) {
    const wrong = digits.slice(place, place + 8);
    wrong[3] = (wrong[3] ?? 0) ^ 1;
    expect(isNoticed(functions, "float64", points, start + place, wrong), `byte ${place}`).toBe(true);
  }
});
