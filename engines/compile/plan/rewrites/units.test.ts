import { describe, expect, test } from "vitest";
import { apply, literal, read } from "../expression.ts";
import type { Instruction } from "../program.ts";
import { units } from "./units.ts";
import { expectUntouched, from, map, program, rewrittenBy, sum } from "./written.test.kit.ts";

const whole = (value: number) => from(value, [1]);
const maximum = (instruction: ReturnType<typeof sum>): Instruction => ({
  ...instruction,
  operation: "maximum",
});
const piece = { shape: [0], place: from(0, [1]), reads: [], expression: literal(1) };
const assembly = { kind: "assemble", shape: [3], isCovered: false, pieces: [piece] } as const;
const scatter: Instruction = {
  kind: "scatter",
  shape: [3],
  base: undefined,
  over: [0],
  place: from(0, [1]),
  reads: [],
  expression: literal(1),
};

test("a unit is gone, and counts; what has none stays as it is", () => {
  const exp = map([3], apply("exp", read(0)), whole(0));
  const before = program([[3]], [map([3], apply("multiply", read(0), literal(1)), whole(0)), exp], 1, 2);
  const { program: after, fired } = rewrittenBy(units, before);
  expect(fired).toBe(1);
  expect(after.instructions[0]).toEqual(map([3], read(0), whole(0)));
  expect(after.instructions[1]).toBe(exp);
  expectUntouched(units, program([[3]], [exp]));
});

describe("a value that is one number is that number where it is read:", () => {
  test.each<readonly [string, Instruction, number]>([
    ["a map of it", map([3], literal(4)), 4],
    ["an assembly of nothing", assembly, 0],
    ["a scattered sum of nothing", scatter, 0],
  ])("%s", (_, constant, value) => {
    const reader = map([3], apply("pow", read(1), read(0)), whole(1), whole(0));
    const { program: after, fired } = rewrittenBy(units, program([[3]], [constant, reader]));
    expect(fired).toBe(1);
    expect(after.instructions[1]).toEqual(map([3], apply("pow", read(0), literal(value)), whole(0)));
  });

  test.each<readonly [string, Instruction]>([
    ["but not an assembly of something", { ...assembly, pieces: [piece, { ...piece, shape: [1] }] }],
    ["nor a scattered sum of something", { ...scatter, over: [1] }],
    ["nor one that begins with a value", { ...scatter, base: 0 }],
    ["nor a map of what is read", map([3], read(0), whole(0))],
    ["nor a fold", sum([3], [2], literal(4))],
  ])("%s", (_, instruction) => {
    expectUntouched(units, program([[3]], [instruction, map([3], apply("exp", read(0)), whole(1))]));
  });
});

describe("a fold is none", () => {
  test.each<readonly [string, Instruction, Instruction]>([
    ["of no summand", sum([3], [0], read(0), from(0, [1, 1])), map([3], literal(0))],
    [
      "of nothing to choose from",
      maximum(sum([3], [0], read(0), from(0, [1, 1]))),
      map([3], literal(-Infinity)),
    ],
    [
      "of one element to choose from",
      maximum(sum([3], [1], read(0), from(0, [1, 7]))),
      map([3], read(0), whole(0)),
    ],
  ])("%s", (_, fold, after) => {
    const made = rewrittenBy(units, program([[3]], [fold]));
    expect(made.fired).toBe(1);
    expect(made.program.instructions).toEqual([after]);
  });

  test.each<readonly [string, Instruction]>([
    ["but one of one summand, which may be −0", sum([3], [1], read(0), from(0, [1, 7]))],
    ["but one of two elements", maximum(sum([3], [2], read(0), from(0, [1, 0])))],
  ])("%s", (_, fold) => {
    expectUntouched(units, program([[3]], [fold]));
  });
});
