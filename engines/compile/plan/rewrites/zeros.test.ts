import { describe, expect, test } from "vitest";
import { apply, literal, read } from "../expression.ts";
import type { Instruction } from "../program.ts";
import { expectUntouched, from, map, program, rewrittenBy, sum } from "./written.test.kit.ts";
import { zeros } from "./zeros.ts";

const whole = from(0, [1]);
const zero = literal(0);
const nothing = { reads: [], expression: zero };
const scan: Instruction = { kind: "scan", shape: [3], axis: 0, direction: 1, ...nothing };
const scatter = {
  kind: "scatter",
  shape: [3],
  base: undefined,
  over: [2],
  place: from(0, [1]),
  ...nothing,
} as const;
const place = { shape: [1], place: from(0, [1], 1) };
const pieces = [
  { shape: [1], place: from(0, [1]), reads: [whole], expression: read(0) },
  { ...place, ...nothing },
];
const assembly: Instruction = { kind: "assemble", shape: [2], isCovered: false, pieces };

describe("what adds zero is gone:", () => {
  test.each<readonly [string, Instruction, Instruction]>([
    ["x + 0", map([3], apply("add", read(0), zero), whole), map([3], read(0), whole)],
    ["0 + x", map([3], apply("add", zero, read(0)), whole), map([3], read(0), whole)],
    ["x − 0", map([3], apply("subtract", read(0), zero), whole), map([3], read(0), whole)],
    ["a sum of zeros", sum([3], [2], zero), map([3], zero)],
    ["a sum of one element", sum([3], [1], read(0), from(0, [1, 7])), map([3], read(0), whole)],
    ["a running sum of zeros", scan, map([3], zero)],
    ["a scattered sum of zeros", scatter, map([3], zero)],
    ["one that begins with a value", { ...scatter, base: 0 }, map([3], read(0), whole)],
    ["a piece of zeros", assembly, { ...assembly, pieces: pieces.slice(0, 1) }],
  ])("%s", (_, before, after) => {
    const made = rewrittenBy(zeros, program([[3]], [before]));
    expect(made.fired).toBe(1);
    expect(made.program.instructions).toEqual([after]);
  });
});

describe("what does not is not:", () => {
  test.each<readonly [string, Instruction]>([
    ["0 − x", map([3], apply("subtract", zero, read(0)), whole)],
    ["x · 0", map([3], apply("multiply", read(0), zero), whole)],
    ["x + y", map([3], apply("add", read(0), read(0)), whole)],
    ["the maximum of no zero", { ...sum([3], [0], zero), operation: "maximum" }],
    ["a sum of two elements", sum([3], [2], read(0), from(0, [1, 0]))],
    ["a running sum of ones", { ...scan, expression: literal(1) }],
    ["a scattered sum of ones", { ...scatter, expression: literal(1) }],
    ["a piece of zeros where nothing else is written", { ...assembly, isCovered: true }],
    ["pieces of which none is zero", { ...assembly, pieces: pieces.slice(0, 1) }],
  ])("%s", (_, instruction) => {
    expectUntouched(zeros, program([[3]], [instruction]));
  });
});
