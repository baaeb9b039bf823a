import { expect, test } from "vitest";
import { fromTheLeft, type Order, orderOf, type Sum, sumBy, summed } from "./summation.ts";

const add = (x: number, y: number): number => x + y;

/** Lists the places of the numbers in an order. */
function placesIn(order: Order): readonly number[] {
  return typeof order === "number" ? [order] : order.flatMap(placesIn);
}

test.each<readonly [string, Order]>([
  ["from the left", fromTheLeft(5)],
  [
    "in pairs",
    [
      [
        [0, 1],
        [2, 3],
      ],
      4,
    ],
  ],
  [
    "from both ends",
    [
      [0, 4],
      [[1, 3], 2],
    ],
  ],
  ["from the right", [0, [1, [2, [3, 4]]]]],
])("a sum %s is told by its answers", (_, order) => {
  const sum: Sum = (numbers) => summed(order, numbers, add);
  const told = orderOf(sum, 5);
  // Left and right of a sum do not matter: any sum of float64 in the order is the same.
  for (let seed = 1; seed < 50; seed++) {
    const numbers = [3, 1, 4, 1, 5].map((x, n) => (x / 7) * (seed % (n + 2)) * 10 ** ((seed * n) % 9));
    expect(summed(told, numbers, add)).toBe(sum(numbers));
  }
});

test("a number that a sum leaves out has no place in its order", () => {
  expect(orderOf(([a = 0, , c = 0]) => a + c, 3)).toEqual([0, 2]);
});

test.each([
  { backend: "wasm", precision: "float64", length: 37 },
  { backend: "wasm", precision: "float32", length: 45 },
  { backend: "javascript", precision: "float64", length: 22 },
] as const)("$backend code of $length $precision adds in several parts if it may, each number once, bit for bit as told", (one) => {
  const round = one.precision === "float32" ? Math.fround : (x: number): number => x;
  const numbers = Array.from({ length: one.length }, (_, n) => round(Math.sin(n + 1) * 10 ** (n % 5)));
  const [exact, fast] = (["bit_exact", "fast"] as const).map((regime) => {
    const sum = sumBy({ ...one, regime });
    const order = orderOf(sum, one.length);
    expect(placesIn(order).toSorted((a, b) => a - b)).toEqual(numbers.map((_, n) => n));
    expect(summed(order, numbers, (x, y) => round(x + y))).toBe(sum(numbers));
    return order;
  });
  expect(exact).toEqual(fromTheLeft(one.length));
  expect(fast).not.toEqual(exact);
});
