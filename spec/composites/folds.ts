import type { Value } from "../construction/value.ts";
import { extentOf, permuted, sliceAlong } from "./slices.ts";

/**
 * Returns `x` with its elements along `axes` in front, `[count, ...others]`. They keep their row-major order,
 * whatever the order in which the axes are named.
 */
export function inFront(x: Value, axes: readonly number[]): Value {
  const reduced = axes.toSorted((a, b) => a - b);
  const others = [...x.shape.keys()].filter((axis) => !axes.includes(axis));
  const count = reduced.reduce((product, axis) => product * extentOf(x, axis), 1);
  return permuted(x, [...reduced, ...others]).reshape({
    shape: [count, ...others.map((axis) => extentOf(x, axis))],
  });
}

/**
 * The first axis, which is not empty, folded to extent 1 by joining neighbours in rounds. Both operands of
 * `join` stand for runs of elements, the first operand's before the second's: where `join` prefers its first
 * at a tie, the first of all the elements wins.
 */
export function foldFront(x: Value, join: (first: Value, second: Value) => Value): Value {
  const count = extentOf(x, 0);
  if (count <= 1) return x;
  const even = count - (count % 2);
  const pairs = join(sliceAlong(x, 0, 0, even, 2), sliceAlong(x, 0, 1, even, 2));
  const round = even === count ? pairs : pairs.concat(sliceAlong(x, 0, even, count), { axis: 0 });
  return foldFront(round, join);
}
