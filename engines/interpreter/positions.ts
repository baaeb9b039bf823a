import { type Shape, sizeOf } from "../../spec/index.ts";

/**
 * For each index of `shape`, in row-major order, the position of its element in a buffer with these
 * strides: the sum of index times stride over the axes. A stride of 0 reads one element many times, which
 * is how a broadcast, and the reverse of a sum, are index maps like any other. Cost: one addition per element.
 */
export function positionsOf(shape: Shape, strides: readonly number[]): Int32Array {
  const positions = new Int32Array(sizeOf(shape));
  if (positions.length === 0) return positions;
  // The innermost axes first: each axis repeats the block below it, moved by one more stride.
  let block = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const stride = strides[axis] ?? 0;
    const end = block * (shape[axis] ?? 1);
    for (let i = block; i < end; i++) positions[i] = (positions[i - block] ?? 0) + stride;
    block = end;
  }
  return positions;
}
