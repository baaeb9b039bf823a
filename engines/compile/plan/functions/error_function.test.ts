import { expect, test } from "vitest";
import { erf } from "../../../../reference/index.ts";
import { errorFunction } from "./error_function.ts";

test("the error function has the reference's bits, at both signs, on all its parts", () => {
  const ends = [0, 2 ** -1074, 1, 1 + 2 ** -52, 6 - 2 ** -50, 6, Number.POSITIVE_INFINITY, Number.NaN];
  // Multiples of the golden ratio's fraction are spread evenly.
  const spread = Array.from({ length: 20_000 }, (_, n) => 6.5 * ((n * 0.618033988749895) % 1));
  const points = [...ends, ...spread].flatMap((x) => [x, -x]);
  expect(points.filter((x) => !Object.is(errorFunction(x), erf(x)))).toEqual([]);
});
