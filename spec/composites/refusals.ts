import { existingAxis } from "../operators/index.ts";
import { formatShape, isSameShape, type Result, type Shape, type ShapeFault } from "../shapes/index.ts";

/** Returns what a shape rule found wrong, if anything. */
export function faultOf(result: Result<unknown, ShapeFault>): ShapeFault | undefined {
  return result.ok ? undefined : result.error;
}

/** Refuses an axis that the shape does not have. */
export function refuseAxis(axis: number, shape: Shape): ShapeFault | undefined {
  return faultOf(existingAxis(axis, shape.length));
}

/** Refuses operands of different shapes. */
export function refuseDifferent(operands: readonly Shape[]): ShapeFault | undefined {
  const first = operands[0] ?? [];
  const odd = operands.find((shape) => !isSameShape(shape, first));
  if (odd === undefined) return undefined;
  return {
    code: "shape/mismatch",
    message: `the operands have shapes ${formatShape(first)} and ${formatShape(odd)}.`,
    hint: "make the broadcast explicit with broadcast_to",
  };
}

/** Refuses what has fewer axes than a matrix. */
export function refuseNoMatrix(shape: Shape): ShapeFault | undefined {
  if (shape.length >= 2) return undefined;
  return {
    code: "shape/rank",
    message: `${formatShape(shape)} is no matrix: it has fewer than two axes.`,
    hint: "reshape it to a matrix; matrices lie in the last two axes",
  };
}

/** Refuses what is no stack `[...,n,n]` of square matrices. */
export function refuseNotSquare(shape: Shape): ShapeFault | undefined {
  const fault = refuseNoMatrix(shape);
  if (fault !== undefined || shape.at(-1) === shape.at(-2)) return fault;
  return {
    code: "shape/mismatch",
    message: `${formatShape(shape)} is not square.`,
    hint: "the shape is [...batch,n,n]",
  };
}
