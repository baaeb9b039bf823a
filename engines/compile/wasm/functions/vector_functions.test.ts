import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { at } from "../../../../spec/index.ts";
import { arrayFunctions, vectorFunctionNames } from "./array_functions.test.kit.ts";
import { VECTOR_TABLE_BYTES, type VectorFunction } from "./vector_functions.ts";

const { POSITIVE_INFINITY: INFINITY, NaN: NAN } = Number;

/** These are the values that IEEE 754 recommends, and exact ones. */
const exactValues: Readonly<Record<VectorFunction, readonly (readonly [x: number, y: number])[]>> = {
  exp: [
    [NAN, NAN],
    [INFINITY, INFINITY],
    [-INFINITY, 0],
    [0, 1],
    [-0, 1],
    [1000, INFINITY],
    [-1000, 0],
  ],
  expm1: [
    [NAN, NAN],
    [INFINITY, INFINITY],
    [-INFINITY, -1],
    [0, 0],
    [-0, -0],
    [1000, INFINITY],
    [-1000, -1],
  ],
  log: [
    [NAN, NAN],
    [INFINITY, INFINITY],
    [-INFINITY, NAN],
    [0, -INFINITY],
    [-0, -INFINITY],
    [1, 0],
    [-1, NAN],
  ],
  log1p: [
    [NAN, NAN],
    [INFINITY, INFINITY],
    [-INFINITY, NAN],
    [0, 0],
    [-0, -0],
    [-1, -INFINITY],
    [-2, NAN],
  ],
  sin: [
    [NAN, NAN],
    [INFINITY, NAN],
    [-INFINITY, NAN],
    [0, 0],
    [-0, -0],
  ],
  cos: [
    [NAN, NAN],
    [INFINITY, NAN],
    [-INFINITY, NAN],
    [0, 1],
    [-0, 1],
  ],
  tanh: [
    [NAN, NAN],
    [INFINITY, 1],
    [-INFINITY, -1],
    [0, 0],
    [-0, -0],
    [30, 1],
    [-1000, -1],
  ],
  erf: [
    [NAN, NAN],
    [INFINITY, 1],
    [-INFINITY, -1],
    [0, 0],
    [-0, -0],
    [7, 1],
    [-1000, -1],
  ],
};

/** Mixes numbers so that usual and rare ones share vectors. */
function mixture(count: number): readonly number[] {
  const random = xoroshiro128plus(4);
  const rare = [
    NAN,
    INFINITY,
    -INFINITY,
    -0,
    0,
    1e-310,
    -1e-310,
    1e-40,
    800,
    -800,
    90,
    -95,
    1e30,
    -1e300,
    -0.5,
  ];
  return Array.from({ length: count }, (_, index) => {
    const usual = random.next() * 2 ** -28;
    return (random.next() & 3) === 0 ? at(rare, index % rare.length) : usual;
  });
}

type Values = (name: VectorFunction, operands: readonly number[]) => readonly number[];

/** Lists the special values that are wrong. */
function wrongValues(value: Values, name: VectorFunction): readonly number[] {
  return exactValues[name].flatMap(([x, y]) =>
    value(name, [x, x, x, x]).every((z) => Object.is(z, y)) ? [] : [x],
  );
}

/** Says whether a number's value is the same in other lanes, and beside other numbers. */
function isPointwise(value: Values, name: VectorFunction): boolean {
  const operands = mixture(4000);
  const together = value(name, operands);
  const reversed = value(name, operands.toReversed()).toReversed();
  const moved = [at(together, 0), ...value(name, [...operands.slice(1), 0]).slice(0, -1)];
  return [reversed, moved].every((others) => others.every((y, index) => Object.is(y, together[index])));
}

describe.each(["float64", "float32"] as const)("in %s", (precision) => {
  const functions = arrayFunctions(precision);
  const value = (name: VectorFunction, operands: readonly number[]): readonly number[] => {
    functions.operands.set(operands);
    functions.run(name, operands.length);
    return [...functions.results.subarray(0, operands.length)];
  };

  test.each(
    vectorFunctionNames,
  )("%s of special values is what IEEE 754 recommends, signs included", (name) => {
    expect(wrongValues(value, name)).toEqual([]);
  });

  test.each(
    vectorFunctionNames,
  )("%s of a number does not depend on its lane, nor on its neighbours", (name) => {
    expect(isPointwise(value, name)).toBe(true);
    const operands = mixture(4000);
    const together = value(name, operands);
    functions.operands.set(operands);
    functions.runScalars(name, operands.length);
    expect([...functions.results.subarray(0, operands.length)]).toEqual(together);
  });

  test.each(["sin", "tanh", "expm1"] as const)("%s keeps the least numbers, of both signs", (name) => {
    const least = precision === "float64" ? Number.MIN_VALUE : 2 ** -149;
    const operands = [least, -least, 1000 * least, -1000 * least];
    expect(value(name, operands)).toEqual(operands);
  });

  test("a function that loses the sign of zero, or mixes lanes, is told from a right one", () => {
    const unsigned: Values = (name, operands) => value(name, operands).map((y) => y + 0);
    const mixed: Values = (name, operands) =>
      value(name, operands).map((y, lane, all) => (all[lane ^ 1] === 0 ? y * (1 + 2 ** -20) : y));
    for (const name of ["sin", "tanh", "expm1", "log1p", "erf"] as const) {
      expect(wrongValues(unsigned, name)).toEqual([-0]);
      expect(isPointwise(mixed, name)).toBe(false);
    }
  });

  test("any NaN gives a NaN, whatever its payload", () => {
    const bits = new Uint8Array(functions.operands.buffer, functions.operands.byteOffset, 16);
    for (const name of vectorFunctionNames) {
      functions.operands.fill(NAN, 0, 4);
      for (const byte of [255, 1, 128]) {
        for (let lane = 0; lane < 16; lane += functions.operands.BYTES_PER_ELEMENT) bits[lane] = byte;
        functions.run(name, 4);
        expect([...functions.results.subarray(0, 4)].every(Number.isNaN), name).toBe(true);
      }
    }
  });

  test("the constants fit into the room that is kept for them", () => {
    expect(functions.table.length).toBeLessThanOrEqual(VECTOR_TABLE_BYTES);
  });
});
