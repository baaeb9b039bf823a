import { expect, test } from "vitest";
import { merged } from "./merging.ts";
import { type Row, tableFrom } from "./tables.test.kit.ts";

const rows: readonly (readonly [first: number, ...Row])[] = [
  [2, "constant", 0],
  [2, "constant", 0],
  [4, "constant", 1],
  [5, "constant", 2],
  // Entries 2 and 3 differ, although ids 2 and 3 are equal.
  [6, "constant", 3],
  [7, "literal", 2.1],
  [7, "literal", 2.1],
  [9, "literal", 0],
  [10, "literal", -0],
  [11, "literal", Number.NaN],
  [12, "add", 0, 1],
  [12, "add", 0, 1],
  [14, "add", 1, 0],
  [15, "add", 0, 0],
  [16, "subtract", 0, 1],
  [17, "multiply", 12, 13],
  [17, "multiply", 13, 12],
  [17, "copy", 18],
  [20, "sin", 19],
  [20, "sin", 18],
  [22, "where", 0, 1, 12],
  [22, "where", 0, 1, 13],
  [24, "where", 0, 1, 14],
  [25, "where", 0, 2, 12],
  [26, "where", 1, 1, 12],
  [27, "where", 0, 1, 0],
];

test("equals are the first of them, and what differs in anything is not", () => {
  const table = tableFrom(
    2,
    rows.map(([, ...row]) => row),
  );
  const { first, table: lean } = merged(table);
  expect([...first]).toEqual([0, 1, ...rows.map(([id]) => id)]);
  const operands = (id: number): readonly (number | undefined)[] => [lean.x[id], lean.y[id], lean.z[id]];
  expect([17, 18, 19, 21, 23].map(operands)).toEqual([
    [12, 12, 0],
    [12, 12, 0],
    [17, 0, 0],
    [17, 0, 0],
    [0, 1, 12],
  ]);
  // A leaf has no operands: its numbers are entries and literals.
  expect([3, 5, 6, 8, 10].map(operands)).toEqual([0, 2, 3, 1, 3].map((x) => [x, 0, 0]));
  expect([...lean.codes]).toEqual([...table.codes]);
});

test("a table without equals stays the same object", () => {
  const table = tableFrom(2, [
    ["add", 0, 1],
    ["add", 1, 0],
  ]);
  expect(merged(table).table).toBe(table);
});

test("literals are not equal whose hashes are", () => {
  // There are so many that about five have the whole hash of their predecessor in its place.
  const sines = Array.from({ length: 360_000 }, (_, n): Row => ["literal", Math.sin(n)]);
  const { first } = merged(tableFrom(2, sines));
  expect(first.every((one, id) => one === id)).toBe(true);
});
