import { expect, test } from "vitest";
import { apply, literal, read } from "../expression.ts";
import type { Body, Instruction, Piece } from "../program.ts";
import { withBodies, withOperands } from "./bodies.ts";
import { from, map, sum } from "./written.test.kit.ts";

const body: Body = { reads: [from(1, [1])], expression: apply("exp", read(0)) };
const place = from(0, [1]);
const piece: Piece = { shape: [2], place, ...body };
const instructions: readonly Instruction[] = [
  map([2], body.expression, ...body.reads),
  sum([2], [3], body.expression, from(1, [1, 2])),
  { kind: "assemble", shape: [4], isCovered: false, pieces: [piece, { ...piece, place: from(0, [1], 2) }] },
  { kind: "scatter", shape: [4], base: 1, over: [2], place, ...body },
  { kind: "scan", shape: [4], axis: 0, direction: 1, ...body },
  { kind: "routine", shape: [], routine: { kind: "determinant", n: 2 }, operands: [2, 1] },
];

test.each(instructions)("a $kind stays the same object where no body or operand changes", (instruction) => {
  expect(withBodies(instruction, (same) => ({ ...same }))).toBe(instruction);
  expect(withOperands(instruction, (value) => value)).toBe(instruction);
});

test.each(instructions)("a $kind gets new bodies and new operands", (instruction) => {
  const changed = JSON.stringify(withBodies(instruction, ({ reads }) => ({ reads, expression: literal(7) })));
  expect(changed).toBe(
    JSON.stringify(instruction).replaceAll(JSON.stringify(body.expression), '{"kind":"literal","value":7}'),
  );
  const named = JSON.stringify(withOperands(instruction, (value) => (value === 1 ? 5 : value)));
  const expected = JSON.stringify(instruction).replaceAll('"value":1', '"value":5');
  expect(named).toBe(expected.replace('"base":1', '"base":5').replace("[2,1]", "[2,5]"));
});

test("of two pieces one may change, and of a scatter the base alone", () => {
  const [, , assembly, scatter] = instructions;
  if (assembly?.kind !== "assemble" || scatter?.kind !== "scatter") throw new Error("other instructions");
  let seen = 0;
  const made = withBodies(assembly, (each) => (seen++ === 0 ? each : { ...each, expression: literal(7) }));
  expect(made).toMatchObject({ pieces: [piece, { expression: literal(7) }] });
  const other = { ...scatter, reads: [from(2, [1])] };
  expect(withOperands(other, (value) => (value === 1 ? 5 : value))).toEqual({ ...other, base: 5 });
  expect(withOperands({ ...other, base: undefined }, () => 3)).toMatchObject({
    base: undefined,
    reads: [{ value: 3 }],
  });
});
