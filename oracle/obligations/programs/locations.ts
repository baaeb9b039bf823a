import { type Rational, rationalFromNumber, type Tensor } from "../../../reference/index.ts";
import type { Transform } from "../../../spec/programs/index.ts";

/** The location that a model's views refer to has this many elements when it is run. */
export const LOCATION = 9;

/** Takes this many elements from `start` on, with a step. */
export function slice(start: number, size: number, step: number): Transform {
  return { kind: "slice", starts: [start], sizes: [size], steps: [step] };
}

/** States that views of this many elements, by offset and stride (perhaps 0), lie in the location. */
export function ranged(
  ...views: readonly (readonly [offset: string, stride: string, size: number])[]
): string {
  const bounds = views.flatMap(([offset, stride, size]) => [
    `(<= 0 ${offset})`,
    `(<= 0 ${stride})`,
    `(< (+ ${offset} (* ${size - 1} ${stride})) ${LOCATION})`,
  ]);
  return `(and ${bounds.join(" ")})`;
}

/** Makes a vector of numbers that a location does not hold. */
export function numbered(size: number): Tensor<Rational> {
  return { shape: [size], data: Array.from({ length: size }, (_, i) => rationalFromNumber(100 + i)) };
}
