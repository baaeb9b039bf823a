import type { Problem } from "../gradbench/graphs/problem.ts";

/** Joins the elements of all inputs. */
export function flatPoint({ point }: Problem): Float64Array {
  return Float64Array.from(point.inputs.flatMap(({ data }) => [...data]));
}

/** Splits such a list into views, one for each input. */
export function views(all: Float64Array, sizes: readonly number[]): Float64Array[] {
  let end = 0;
  return sizes.map((size) => {
    end += size;
    return all.subarray(end - size, end);
  });
}
