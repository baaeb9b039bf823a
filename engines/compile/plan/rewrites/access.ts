import { type Shape, stridesOf } from "../../../../spec/shapes/index.ts";
import type { Access } from "../program.ts";

/**
 * Whether an access over a loop nest of `extents` finds the elements of a tensor in row-major order, from the first: an identity, if the
 * tensor has as many. Strides along axes of extent 1 do not matter.
 */
export function isIdentity(access: Access, extents: Shape): boolean {
  if (access.offset !== 0 || access.indirections.length > 0) return false;
  const rowMajor = stridesOf(extents);
  return extents.every((extent, axis) => extent <= 1 || access.strides[axis] === rowMajor[axis]);
}
