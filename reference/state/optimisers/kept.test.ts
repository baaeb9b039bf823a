import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Program, program } from "../../../spec/index.ts";
import { float32 } from "../../algebras/float.ts";
import { decode, encode, halfAway } from "../../numerics/storage/index.ts";
import { afterCalls } from "./calls.test.kit.ts";
import { type Keeping, keptDescent, keptMomentum, onFreshGrid } from "./kept.ts";

const SIZE = 4;
const numbers = fc.array(
  fc.oneof(
    fc.constantFrom(0, 0.5, -1.5, 2 ** -149, 2 ** -127, 3),
    fc.float({ noNaN: true, noDefaultInfinity: true, min: -(2 ** 100), max: 2 ** 100 }),
    fc.integer({ min: -20, max: 20 }).map((n) => n / 2),
  ),
  { minLength: SIZE, maxLength: SIZE },
);
/** A number just below a half becomes 1 if a half is added to it, on a grid whose scale is 1. */
const justBelow = [127, 0.499_999_97, -0.499_999_97, 1];
const drawn = fc.sample(numbers, { seed: 203, numRuns: 150 });
const tensors = [justBelow, ...drawn].map((tensor) => tensor.map(Math.fround));

/** Passes a tensor through the codec and back. */
function coded(data: readonly number[], bits: number): number[] {
  const stored = encode({ kind: "sym_int32", bits }, data, halfAway);
  return stored.ok ? decode(stored.value) : expect.unreachable("all are finite");
}

/** Lists what a location holds after each call, in float32. */
function along(
  written: Program,
  state: Readonly<Record<string, readonly number[]>>,
  given: Readonly<Record<string, readonly number[]>>,
  calls: number,
  name: string,
): (readonly number[])[] {
  const all = afterCalls(
    float32,
    written,
    state,
    Array.from({ length: calls }, () => given),
  );
  return all.map((left) => (left.get(name) ?? []).map((x) => x + 0));
}

/** −0 is 0. */
const unsigned = (data: readonly number[]): number[] => data.map((x) => x + 0);

describe("a value on a fresh grid", () => {
  const writing = program((builder) => {
    const x = builder.state("x", [SIZE]);
    x.write(onFreshGrid(builder, x, 8));
    return [];
  });

  test.each([4, 8, 12, 16])("of %i bits is what the codec gives, to the bit", (bits) => {
    const written = program((builder) => {
      const x = builder.state("x", [SIZE]);
      x.write(onFreshGrid(builder, x, bits));
      return [];
    });
    for (const tensor of tensors)
      expect([tensor, along(written, { x: tensor }, {}, 1, "x")[0]]).toEqual([
        tensor,
        unsigned(coded(tensor, bits)),
      ]);
  });

  test("stays what it is on the next one", () => {
    for (const tensor of tensors) {
      const [once, twice] = along(writing, { x: tensor }, {}, 2, "x");
      expect(twice).toEqual(once);
    }
  });
});

describe("a step that keeps its parameter in codes", () => {
  const given = { rate: [0.125], momentum: [0.5] };
  const both = (what: Keeping["what"], bits: number): readonly (readonly [Program, string])[] => [
    [keptDescent([SIZE], { bits, what }), "descent"],
    [keptMomentum([SIZE], { bits, what }), "momentum"],
  ];

  test("only reads the gradient", () => {
    for (const [written] of both("parameter", 8))
      for (const g of tensors.slice(0, 25))
        expect(along(written, { x: [3, -2, 1, 0], g }, given, 2, "g")).toEqual([unsigned(g), unsigned(g)]);
  });

  test("does the same under both disciplines where the gradient fills its grid", () => {
    for (const tensor of tensors.slice(0, 25)) {
      const state = { x: [3, -2, 1, 0], g: coded(tensor, 8) };
      const [right, older] = [both("parameter", 8), both("parameterAndGradient", 8)];
      for (const [n, [written]] of right.entries())
        for (const name of ["x", "g"])
          expect(along(older[n]?.[0] ?? written, state, given, 3, name)).toEqual(
            along(written, state, given, 3, name),
          );
    }
  });

  test("does another from the second step on, if the older discipline writes back a gradient that does not", () => {
    // The codes 3, −2, 1 of 4 bits on a grid whose scale is 1/2.
    const state = { x: [3, -2, 1, 0], g: [1.5, -1, 0.5, 0] };
    const rate = { rate: [1] };
    const right = along(keptDescent([SIZE], { bits: 4, what: "parameter" }), state, rate, 4, "x");
    const written = keptDescent([SIZE], { bits: 4, what: "parameterAndGradient" });
    const older = along(written, state, rate, 4, "x");
    const scale = Math.fround(1.5 / 7);
    expect(along(written, state, rate, 1, "g")[0]).toEqual(
      [7, -5, 2, 0].map((code) => Math.fround(code * scale)),
    );
    expect(older[0]).toEqual(right[0]);
    expect(older).not.toEqual(right);
  });

  test("moves no parameter by less than half of its grid, and none at all in the dead zone", () => {
    const x = coded([127, 1, -5, 40], 8);
    const still = along(
      keptDescent([SIZE], { bits: 8, what: "parameter" }),
      { x, g: [0, 3, 3, 3] },
      given,
      9,
      "x",
    );
    expect(still.at(-1)).toEqual(x);
    const moved = along(
      keptDescent([SIZE], { bits: 8, what: "parameter" }),
      { x, g: [0, 5, 5, 5] },
      given,
      1,
      "x",
    );
    expect(moved[0]).toEqual([127, 0, -6, 39]);
  });
});
