import { at, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { outside } from "./machine.ts";

/**
 * For each index of `shape`, in row-major order, the position of its element in a buffer with these
 * strides: `first` and the sum of index times stride over the axes. A stride of 0 reads one element many times, which
 * is how a broadcast, and the reverse of a sum, are index maps like any other. Cost: one addition per element.
 */
export function positionsOf(shape: Shape, strides: readonly number[], first = 0): Int32Array {
  const positions = new Int32Array(sizeOf(shape));
  if (positions.length === 0) return positions;
  positions[0] = first;
  // The innermost axes first: each axis repeats the block below it, moved by one more stride. Where it has one
  // element its stride is not used, which may be too long for a table.
  let block = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const stride = at(strides, axis);
    const end = block * at(shape, axis);
    for (let i = block; i < end; i++) positions[i] = (positions[i - block] ?? outside()) + stride;
    block = end;
  }
  return positions;
}
