import { at, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { outside } from "./machine.ts";

/**
 * Returns, for each index of `shape` in row-major order, the position of its element in a buffer with these
 * strides: `first` plus the sum of index times stride over the axes. A stride of 0 reads one element
 * repeatedly, as in a broadcast or the reverse of a sum. Cost: one addition per element.
 */
export function positionsOf(shape: Shape, strides: readonly number[], first = 0): Int32Array {
  const positions = new Int32Array(sizeOf(shape));
  if (positions.length === 0) return positions;
  positions[0] = first;
  // Beginning with the innermost axis, each axis repeats the block below it, moved by one more stride. The
  // stride of an axis of one element is not used; it may be too long for a table.
  let block = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const stride = at(strides, axis);
    const end = block * at(shape, axis);
    for (let i = block; i < end; i++) positions[i] = (positions[i - block] ?? outside()) + stride;
    block = end;
  }
  return positions;
}
