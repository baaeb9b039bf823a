import { expect, test } from "vitest";
import { expand, type Graph, graph, type Value } from "../../../spec/index.ts";
import { isOfDegree } from "./degree.ts";

/** What a graph computes of two scalars, a square matrix of order 3 and a column, and its degree. */
const degrees: Readonly<
  Record<string, readonly [degree: number, write: (x: Value, y: Value, m: Value, v: Value) => Value]>
> = {
  "a sum with a number": [1, (x) => x.add(2)],
  "a difference of inputs": [1, (x, y) => x.subtract(y)],
  "a sum of products": [2, (x, y) => x.multiply(y).add(x.multiply(x))],
  "a product with a number": [2, (x) => x.multiply(3)],
  "a quotient": [2, (x, y) => x.divide(y)],
  "a product of a quotient and a product": [4, (x, y) => x.divide(y).multiply(x.multiply(y))],
  "a column that is a row": [1, (_x, _y, _m, v) => v.reshape({ shape: [1, 3] })],
  "a determinant": [3, (_x, _y, m) => m.det()],
  "a determinant of products": [6, (_x, _y, m) => m.multiply(m).det()],
  "a solution": [4, (_x, _y, m, v) => m.solve(v)],
  "a solution of products": [8, (_x, _y, m, v) => m.multiply(m).solve(v.multiply(v))],
  "an exponential": [Number.POSITIVE_INFINITY, (x) => x.exp()],
};

/** The least number of factors that a graph is said not to exceed. */
function leastOf(given: Graph): number {
  const { graph: primitive } = expand(given);
  const numbers = [...Array(20).keys()].filter((most) => isOfDegree(primitive, most));
  expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n));
  return numbers[0] ?? Number.POSITIVE_INFINITY;
}

test.each(Object.entries(degrees))("the degree of %s is that of its factors", (_, [degree, write]) => {
  const given = graph(({ input }) => write(input("x"), input("y"), input("m", [3, 3]), input("v", [3, 1])));
  expect(leastOf(given)).toBe(degree);
});
