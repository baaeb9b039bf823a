import { describe, expect, test } from "vitest";
import { apply, type Expression, read } from "../expression.ts";
import type { AssembleInstruction, Instruction, ScatterInstruction } from "../program.ts";
import { accumulationInPlace } from "./accumulation_in_place.ts";
import { expectUntouched, from, map, program, rewrittenBy } from "./written.test.kit.ts";

const added = apply("add", read(0), read(1));
const whole = (value: number) => from(value, [1]);

/** Assembles two elements from the third on, of six. */
const assembled = (shape = [6], offset = 2): AssembleInstruction => ({
  kind: "assemble",
  shape,
  isCovered: false,
  pieces: [{ shape: [2], place: from(0, [1], offset), reads: [whole(1)], expression: read(0) }],
});
const scattered = (base?: number): ScatterInstruction => ({
  kind: "scatter",
  shape: [6],
  base,
  over: [2],
  place: from(0, [1], 2),
  reads: [whole(1)],
  expression: read(0),
});

/** Makes `x` of six elements, and a part of two of which the third instruction makes something. */
const sumOf = (part: Instruction, ...last: readonly Instruction[]) => program([[6], [2]], [part, ...last]);

describe("a part is added in place", () => {
  test.each([
    ["an assembly of one piece", assembled()],
    ["a scatter", scattered()],
  ])("where it is %s, whichever way round the sum stands", (_, part) => {
    for (const [x, a] of [
      [0, 2],
      [2, 0],
    ] as const) {
      const after = rewrittenBy(accumulationInPlace, sumOf(part, map([6], added, whole(x), whole(a))));
      expect(after.fired).toBe(1);
      expect(after.program.instructions[1]).toMatchObject({
        kind: "scatter",
        shape: [6],
        base: 0,
        over: [2],
      });
    }
  });

  test.each<readonly [string, Instruction, Instruction]>([
    [
      "is not added but subtracted",
      assembled(),
      map([6], apply("subtract", read(0), read(1)), whole(0), whole(2)),
    ],
    ["is read backwards", assembled(), map([6], added, whole(0), from(2, [-1], 5))],
    ["is added to something read backwards", assembled(), map([6], added, from(0, [-1], 5), whole(2))],
    ["is larger than the sum", assembled([8], 6), map([6], added, whole(0), whole(2))],
    ["is added to the beginning of something larger", assembled([4]), map([4], added, whole(0), whole(2))],
    ["begins with something else than zeros", scattered(0), map([6], added, whole(0), whole(2))],
    ["is added to itself", assembled(), map([6], apply("add", read(0), read(0)), whole(2))],
  ])("but not where it %s", (_, part, sum) => {
    expectUntouched(accumulationInPlace, sumOf(part, sum));
  });

  test("but not where it is read by another", () => {
    const sums = [map([6], added, whole(0), whole(2)), map([6], added, whole(2), whole(3))];
    expectUntouched(accumulationInPlace, sumOf(assembled(), ...sums));
  });

  test("but not where it is an assembly of two pieces", () => {
    const [one] = assembled().pieces;
    const two = one === undefined ? [] : [one, { ...one, place: from(0, [1], 4) }];
    expectUntouched(
      accumulationInPlace,
      sumOf({ ...assembled(), pieces: two }, map([6], added, whole(0), whole(2))),
    );
  });

  test("but not where it is more than half of the whole", () => {
    const most: Expression = read(0);
    const part: Instruction = {
      ...scattered(),
      over: [4],
      place: from(0, [1], 1),
      reads: [whole(0)],
      expression: most,
    };
    expectUntouched(accumulationInPlace, sumOf(part, map([6], added, whole(0), whole(2))));
  });
});
