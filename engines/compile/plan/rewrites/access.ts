import { at, type Shape } from "../../../../spec/shapes/index.ts";
import type { Access, Read } from "../program.ts";

/**
 * Says whether an access over a nest of `extents` visits a tensor from its first element in row-major order.
 * It is an identity if the tensor has as many elements. Strides along axes of extent 1 do not matter.
 */
export function isIdentity(access: Access, extents: Shape): boolean {
  if (access.offset !== 0 || access.indirections.length > 0) return false;
  let rowMajor = 1;
  for (let axis = extents.length - 1; axis >= 0; axis--) {
    const extent = at(extents, axis);
    if (extent > 1 && access.strides[axis] !== rowMajor) return false;
    rowMajor *= extent;
  }
  return true;
}

/** Zeroes strides along axes with one index, where they have no effect; the same object if they are 0. */
export function alongExtents(access: Read, extents: Shape): Read {
  const isStill = (strides: readonly number[]): boolean =>
    extents.every((extent, axis) => extent > 1 || strides[axis] === 0);
  if (isStill(access.strides) && access.indirections.every(({ strides }) => isStill(strides))) return access;
  const needed = (strides: readonly number[]): readonly number[] =>
    strides.map((stride, axis) => (at(extents, axis) <= 1 ? 0 : stride));
  return {
    ...access,
    strides: needed(access.strides),
    indirections: access.indirections.map((indirection) => ({
      ...indirection,
      strides: needed(indirection.strides),
    })),
  };
}
