import type { Instruction } from "../../engines/compile/plan/index.ts";
import { at, sizeOf } from "../../spec/shapes/index.ts";

/** Such an instruction adds up: into each of its elements, or into one after the other. */
export type Adding = Exclude<
  Extract<Instruction, { readonly kind: "fold" | "scan" | "scatter" }>,
  { readonly operation: "maximum" }
>;

/** Says whether an instruction adds up. */
export function adds(instruction: Instruction): instruction is Adding {
  const { kind } = instruction;
  return kind === "scan" || kind === "scatter" || (kind === "fold" && instruction.operation === "add");
}

/** Bounds the number of terms of one element of an instruction's value. A start other than 0 is a term. */
export function termsOf(instruction: Adding): number {
  switch (instruction.kind) {
    case "fold":
      return sizeOf(instruction.over);
    case "scan":
      return at(instruction.shape, instruction.axis);
    case "scatter":
      return meetings(instruction) + (instruction.base === undefined ? 0 : 1);
  }
}

/**
 * Bounds the additions of a scatter that may meet at one place. Axes whose places form a mixed-radix number
 * never meet while the others stand still, so at most the product of the others' extents do; an axis along
 * which something is looked up is one of those.
 */
function meetings({ over, place }: Extract<Instruction, { readonly kind: "scatter" }>): number {
  const isLookedUp = (axis: number): boolean => place.indirections.some(({ strides }) => strides[axis] !== 0);
  const axes = over
    .map((extent, axis) => ({ extent, stride: Math.abs(at(place.strides, axis)), axis }))
    .filter(({ extent }) => extent > 1)
    .toSorted((x, y) => x.stride - y.stride);
  let reach = 1;
  let count = sizeOf(over) === 0 ? 0 : 1;
  for (const { extent, stride, axis } of axes) {
    if (stride >= reach && !isLookedUp(axis)) reach = stride * extent;
    else count *= extent;
  }
  return count;
}
