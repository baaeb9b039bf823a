import { expect, test } from "vitest";
import { randomAt } from "../../random/index.ts";
import { forwardUlps, referenceStandard } from "../standard/index.ts";
import { rescaled, runningScale, type Sizes } from "./backward_errors.ts";

const axes = [0, 2];
const shape = [4, 2, 3];
const numbers = [0, 1, -1, 2.5, -2.5, 1e300, Number.NaN] as const;
const infinite = [undefined, undefined, undefined, 1, -1] as const;

/** Draws elements of few magnitudes, some of them infinite or NaN, with a reach of 0 or 1. */
function drawn(index: number): Sizes {
  const random = randomAt(3, index);
  const infinities = Array.from({ length: 24 }, () => infinite[random.nextInt(0, infinite.length - 1)]);
  const values = infinities.map((sign) =>
    sign === undefined
      ? (numbers[random.nextInt(0, numbers.length - 1)] ?? 0)
      : sign * Number.POSITIVE_INFINITY,
  );
  const sizes = values.map((x) => Math.abs(x) + random.nextInt(0, 1));
  return { shape, values, sizes, infinities };
}

/** Counts one by one the elements with the same middle coordinate that may be greater. */
function greater({ values, sizes, infinities }: Sizes, position: number): number {
  const reach = (i: number): number => (sizes[i] ?? Number.NaN) - Math.abs(values[i] ?? Number.NaN);
  const group = (i: number): number => Math.floor(i / 3) % 2;
  const least = (values[position] ?? Number.NaN) - reach(position);
  return values.filter(
    (x, i) =>
      i !== position && group(i) === group(position) && infinities[i] !== -1 && !(x + reach(i) <= least),
  ).length;
}

const cases = Array.from({ length: 300 }, (_, index) => drawn(index));

test("an element is rescaled as often as there may be greater ones along the axes", () => {
  const standard = referenceStandard("float64");
  const unit = 2 * forwardUlps(standard, "exp") + 1;
  for (const x of cases) {
    const distance = rescaled(axes, standard).value(x);
    for (const position of x.values.keys()) expect(distance(position)).toBe(unit * greater(x, position));
  }
});

test("a running scale counts those of greater size", () => {
  for (const x of cases) {
    const distance = runningScale(axes).value(x);
    const infinities = x.infinities.map((sign) => sign && Math.abs(sign));
    const absolute = { ...x, values: x.values.map(Math.abs), infinities };
    for (const [position, size] of x.sizes.entries())
      expect(distance(position)).toBe((1.5 + 2 * greater(absolute, position)) * size);
  }
});
