import { describe, expect, test } from "vitest";
import { apply, literal, read } from "../expression.ts";
import type {
  AssembleInstruction,
  Instruction,
  Piece,
  Read,
  Routine,
  ScanInstruction,
  ScatterInstruction,
} from "../program.ts";
import { commonSubexpressions } from "./common_subexpressions.ts";
import { expectUntouched, from, map, program, rewrittenBy, sum } from "./written.test.kit.ts";

/** Makes a program of two sources of nine elements, whose instructions are all results. */
const sources = [[9], [9]];
const all = (...instructions: readonly Instruction[]) =>
  program(sources, instructions, ...instructions.map((_, n) => sources.length + n));

const lookup = { index: 0, offset: 1, strides: [1], scale: 1 };
const base = from(0, [1], 0, [lookup]);
const reading = (one: Read): Instruction => map([2], apply("exp", read(0)), one);
const one = literal(1);

const scatter: ScatterInstruction = {
  kind: "scatter",
  shape: [9],
  base: 0,
  over: [2],
  place: from(0, [1], 1),
  reads: [from(1, [1])],
  expression: read(0),
};
const fresh: ScatterInstruction = { ...scatter, base: undefined };
const scan: ScanInstruction = {
  kind: "scan",
  shape: [3, 3],
  axis: 0,
  direction: 1,
  reads: [from(0, [3, 1])],
  expression: read(0),
};
const piece: Piece = { shape: [2], place: from(0, [1], 1), reads: [], expression: one };
const assembly = (shape: readonly number[], ...pieces: readonly Piece[]): AssembleInstruction => ({
  kind: "assemble",
  shape,
  isCovered: false,
  pieces,
});
const bernoulli: Routine = { kind: "bernoulli", index: 0, rate: 0.5 };
const random = (shape: readonly number[], routine: Routine): Instruction => ({
  kind: "routine",
  shape,
  routine,
  operands: [],
});
const determinant = (operand: number): Instruction => ({
  kind: "routine",
  shape: [],
  routine: { kind: "determinant", n: 3 },
  operands: [operand],
});

describe("two instructions are not one that differ in", () => {
  test.each<readonly [string, Instruction, Instruction]>([
    ["the value they read", reading(base), reading({ ...base, value: 1 })],
    ["the offset of a read", reading(base), reading({ ...base, offset: 1 })],
    ["its strides", reading(base), reading({ ...base, strides: [2] })],
    ["whether it looks something up", reading(base), reading({ ...base, indirections: [] })],
    ["where it looks it up", reading(base), reading({ ...base, indirections: [{ ...lookup, index: 1 }] })],
    ["the offset there", reading(base), reading({ ...base, indirections: [{ ...lookup, offset: 2 }] })],
    ["the strides there", reading(base), reading({ ...base, indirections: [{ ...lookup, strides: [2] }] })],
    ["how far it moves", reading(base), reading({ ...base, indirections: [{ ...lookup, scale: 3 }] })],
    ["the function", reading(base), map([2], apply("sin", read(0)), base)],
    ["the shape of a map", map([2], one), map([3], one)],
    ["the kind", map([], one), sum([], [], one)],
    ["the shape of a fold", sum([2], [2], one), sum([3], [2], one)],
    ["what a fold is over", sum([2], [2], one), sum([2], [3], one)],
    [
      "the operation",
      sum([], [2], read(0), from(0, [1])),
      { ...sum([], [2], read(0), from(0, [1])), operation: "maximum" },
    ],
    ["what a fold sums", sum([], [2], one), sum([], [2], literal(2))],
    ["what a scan sums", scan, { ...scan, reads: [from(1, [3, 1])] }],
    ["what a scatter adds", scatter, { ...scatter, reads: [from(1, [2])] }],
    ["the axis of a scan", scan, { ...scan, axis: 1 }],
    ["its direction", scan, { ...scan, direction: -1 }],
    [
      "its shape",
      { ...scan, reads: [], expression: one },
      { ...scan, shape: [2, 3], reads: [], expression: one },
    ],
    ["what a scatter begins with", scatter, { ...scatter, base: 1 }],
    ["whether it begins with anything", scatter, fresh],
    ["its place", scatter, { ...scatter, place: from(0, [1], 2) }],
    ["its shape", fresh, { ...fresh, shape: [8] }],
    [
      "what it is over",
      { ...fresh, reads: [], expression: one },
      { ...fresh, over: [3], reads: [], expression: one },
    ],
    ["the place of a piece", assembly([9], piece), assembly([9], { ...piece, place: from(0, [1], 2) })],
    ["the shape of a piece", assembly([9], piece), assembly([9], { ...piece, shape: [3] })],
    ["the body of a piece", assembly([9], piece), assembly([9], { ...piece, expression: literal(2) })],
    ["the shape of an assembly", assembly([9], piece), assembly([8], piece)],
    ["the routine", random([2], bernoulli), random([2], { ...bernoulli, rate: 0.25 })],
    ["the shape of a routine", random([2], bernoulli), random([3], bernoulli)],
    ["the operand of a routine", determinant(0), determinant(1)],
  ])("%s", (_, first, second) => {
    expectUntouched(commonSubexpressions, all(first, second));
    const after = rewrittenBy(commonSubexpressions, all(first, second, first, first));
    expect(after.program.results).toEqual([2, 3, 2, 2]);
    expect(after.fired).toBe(2);
  });
});

describe("two instructions are one that differ in", () => {
  const x = from(0, [1], 3);
  const y = from(0, [1], 5);
  test.each<readonly [string, Instruction, Instruction, number]>([
    [
      "the order of a product",
      map([2], apply("multiply", read(0), read(1)), x, y),
      map([2], apply("multiply", read(0), read(1)), y, x),
      1,
    ],
    [
      "the strides along what has one index",
      map([2, 1], read(0), from(0, [1, 7])),
      map([2, 1], read(0), from(0, [1, 8])),
      1,
    ],
    [
      "such strides of a lookup",
      map([2, 1], read(0), from(0, [1, 0], 0, [{ ...lookup, strides: [1, 7] }])),
      map([2, 1], read(0), from(0, [1, 0], 0, [{ ...lookup, strides: [1, 8] }])),
      1,
    ],
    ["a read that is not used", map([2], read(0), x), map([2], read(0), x, y), 2],
    [
      "whether the pieces are known to cover it",
      assembly([2], { ...piece, place: from(0, [1]) }),
      { ...assembly([2], { ...piece, place: from(0, [1]) }), isCovered: true },
      1,
    ],
  ])("%s", (_, first, second, fired) => {
    const after = rewrittenBy(commonSubexpressions, all(first, second));
    expect(after.program.results).toEqual([2, 2]);
    expect(after.fired).toBe(fired);
  });
});

test("a reader of the second of two equals reads the first, and that counts", () => {
  const before = program(sources, [
    reading(base),
    reading(base),
    map([2], apply("sin", read(0)), from(3, [1])),
  ]);
  const after = rewrittenBy(commonSubexpressions, before);
  expect(after.fired).toBe(1);
  expect(after.program.instructions[2]).toMatchObject({ reads: [{ value: 2 }] });
});

test("equal reads of a body are one; reads stand in the order of the values, then of their places", () => {
  const many = Array.from({ length: 11 }, () => [9]);
  const product = apply("multiply", apply("multiply", read(0), read(1)), apply("add", read(2), read(3)));
  const before = program(many, [
    map([2], product, from(10, [1]), from(2, [1], 1), from(2, [1]), from(10, [1])),
  ]);
  const { program: after, fired } = rewrittenBy(commonSubexpressions, before);
  expect(fired).toBe(1);
  expect(after.instructions).toMatchObject([{ reads: [from(2, [1]), from(2, [1], 1), from(10, [1])] }]);
});
