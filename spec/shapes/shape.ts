import { fail, ok, type Result } from "./result.ts";

/** A tensor's extents, outermost first [SEMANTICS §1.1]. `[]` is a scalar; an extent may be 0. */
export type Shape = readonly number[];

/** The most elements one tensor may have: 2²⁷, one gibibyte of float64. */
export const MAXIMUM_ELEMENTS: number = 2 ** 27;

/** The highest rank; NumPy's limit is 64, most engines' is lower. */
export const MAXIMUM_RANK: number = 32;

/** Returns the number of elements of a tensor of this shape; 1 for a scalar. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (let axis = 0; axis < shape.length; axis++) size *= shape[axis] ?? 1;
  return size;
}

/** Says whether two shapes are the same: same rank, same extents. */
export function isSameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== b[axis]) return false;
  return true;
}

/** Returns row-major strides in elements: `stridesOf([2, 3, 4])` is `[12, 4, 1]`. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis] ?? 1;
  }
  return strides;
}

/** Returns `[2,3]`, as people write it. */
export function formatShape(shape: Shape): string {
  return `[${shape.join(",")}]`;
}

/** A shape rule refuses operands in these words. The caller adds the place. */
export interface ShapeFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Returns the failed outcome of a shape rule. */
export function shapeFault(code: string, message: string, hint: string): Result<never, ShapeFault> {
  return fail({ code, message, hint });
}

/** Returns `shape` itself if a tensor may have it: extents ≥ 0, rank and size within the limits. */
export function wellFormedShape(shape: Shape): Result<Shape, ShapeFault> {
  if (shape.length > MAXIMUM_RANK) {
    return shapeFault(
      "shape/rank",
      `the rank ${shape.length} is over ${MAXIMUM_RANK}.`,
      "reshape to a lower rank",
    );
  }
  if (!shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0)) {
    return shapeFault(
      "shape/extent",
      "an extent is not a non-negative integer.",
      "write extents as 0, 1, 2, …",
    );
  }
  // A zero extent must not hide a product that overflows: strides are computed from the others too.
  const size = sizeOf(shape.filter((extent) => extent > 0));
  if (size > MAXIMUM_ELEMENTS) {
    return shapeFault(
      "shape/too-large",
      `${formatShape(shape)} has over ${MAXIMUM_ELEMENTS} elements.`,
      "split the tensor, or make the case smaller",
    );
  }
  return ok(shape);
}
