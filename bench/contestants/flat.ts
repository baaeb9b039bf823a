import type { Problem } from "../gradbench/graphs/problem.ts";

/** The elements of all inputs, one behind the other. */
export function flatPoint({ point }: Problem): Float64Array {
  return Float64Array.from(point.inputs.flatMap(({ data }) => [...data]));
}

/** Views of such a list, one for each input. */
export function views(all: Float64Array, sizes: readonly number[]): Float64Array[] {
  let end = 0;
  return sizes.map((size) => {
    end += size;
    return all.subarray(end - size, end);
  });
}
