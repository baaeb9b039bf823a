import { type Shape, stridesOf } from "../../../../spec/shapes/index.ts";
import type { Access } from "../program.ts";

/**
 * Says whether an access over a nest of `extents` visits a tensor from its first element in row-major order.
 * It is an identity if the tensor has as many elements. Strides along axes of extent 1 do not matter.
 */
export function isIdentity(access: Access, extents: Shape): boolean {
  if (access.offset !== 0 || access.indirections.length > 0) return false;
  const rowMajor = stridesOf(extents);
  return extents.every((extent, axis) => extent <= 1 || access.strides[axis] === rowMajor[axis]);
}
