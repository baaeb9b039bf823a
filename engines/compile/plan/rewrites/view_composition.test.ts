import { describe, expect, test } from "vitest";
import { apply, read } from "../expression.ts";
import type { AssembleInstruction, Instruction } from "../program.ts";
import { viewComposition } from "./view_composition.ts";
import { expectUntouched, from, map, program, rewrittenBy } from "./written.test.kit.ts";

const exp = apply("exp", read(0));
const whole = (value: number) => from(value, [1]);
const copy = (value: number): Instruction => map([4], read(0), whole(value));
const reversed = map([4], read(0), from(0, [-1], 3));
const routine = (operand: number): Instruction => ({
  kind: "routine",
  shape: [],
  routine: { kind: "determinant", n: 2 },
  operands: [operand],
});
const scatter = (base: number): Instruction => ({
  kind: "scatter",
  shape: [4],
  base,
  over: [1],
  place: from(0, [1], 2),
  reads: [whole(0)],
  expression: read(0),
});
const halves: AssembleInstruction = {
  kind: "assemble",
  shape: [4],
  isCovered: true,
  pieces: [0, 2].map((at) => ({
    shape: [2],
    place: from(0, [1], at),
    reads: [from(0, [2], at / 2)],
    expression: read(0),
  })),
};

describe("a move is read through", () => {
  test.each<readonly [string, Instruction, Instruction, Instruction]>([
    ["by a map", reversed, map([4], exp, whole(1)), map([4], exp, from(0, [-1], 3))],
    ["in a piece", halves, map([2], exp, whole(1)), map([2], exp, from(0, [2]))],
    ["in a later piece", halves, map([2], exp, from(1, [1], 2)), map([2], exp, from(0, [2], 1))],
    ["by a scatter that begins with a copy", copy(0), scatter(1), scatter(0)],
    ["by a routine that takes a copy", copy(0), routine(1), routine(0)],
  ])("%s", (_, move, reader, after) => {
    const made = rewrittenBy(viewComposition, program([[4]], [move, reader]));
    expect(made.fired).toBe(1);
    expect(made.program.instructions).toEqual([move, after]);
  });

  test.each<readonly [string, Instruction, Instruction]>([
    ["that computes something", map([4], exp, whole(0)), map([4], exp, whole(1))],
    [
      "in a piece that computes something",
      { ...halves, pieces: halves.pieces.map((piece) => ({ ...piece, expression: exp })) },
      map([2], exp, whole(1)),
    ],
    ["in two pieces at once", halves, map([4], exp, whole(1))],
    ["by a scatter that begins with what is no copy", reversed, scatter(1)],
    ["by a routine that takes what is no copy", reversed, routine(1)],
    ["by a routine that takes the beginning of something", map([2], read(0), whole(0)), routine(1)],
  ])("but not one %s", (_, move, reader) => {
    expectUntouched(viewComposition, program([[4]], [move, reader]));
  });
});

test("a result that copies a value is that value, but no source", () => {
  const before = program([[4]], [map([4], exp, whole(0)), copy(1), copy(0)], 1, 2, 3);
  const after = rewrittenBy(viewComposition, before);
  expect(after.fired).toBe(1);
  expect(after.program.results).toEqual([1, 1, 3]);
});
