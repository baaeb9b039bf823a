import { type Rational, rationalFromNumber, type Tensor } from "../../../reference/index.ts";
import type { Transform } from "../../../spec/programs/index.ts";

/** The elements of the location that a model's views are of, where it is run. */
export const LOCATION = 9;

/** So many elements from a place on, with a step. */
export function slice(start: number, size: number, step: number): Transform {
  return { kind: "slice", starts: [start], sizes: [size], steps: [step] };
}

/** That views of so many elements, each given by offset and stride, lie in the location; the strides may be 0. */
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

/** A vector of other numbers than a location holds. */
export function numbered(size: number): Tensor<Rational> {
  return { shape: [size], data: Array.from({ length: size }, (_, i) => rationalFromNumber(100 + i)) };
}
