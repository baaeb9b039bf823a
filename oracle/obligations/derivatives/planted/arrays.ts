import type { Value } from "../../../../spec/builder/index.ts";
import { derivatives } from "../../../../spec/derivatives/index.ts";
import { isSameShape } from "../../../../spec/shapes/index.ts";
import {
  changed,
  operand,
  type PlantedDerivative,
  type PlantedDerivatives,
  rearranged,
  reversedElements,
  slope,
} from "./rule.ts";

/** In these primitives an element of the result is made of elements elsewhere. */
type ArrayName =
  | "sum"
  | "broadcast_to"
  | "reshape"
  | "permute_dims"
  | "concat"
  | "take"
  | "slice"
  | "pad"
  | "take_along_axis"
  | "gather"
  | "scatter_add"
  | "cumulative_sum"
  | "matmul"
  | "solve"
  | "det";

const turned = "turns-round";
const turnedSays = "has its cotangents last first";

/** Cotangents come at wrong places, or are not summed where they meet. */
export const plantedArrays: Pick<PlantedDerivatives, ArrayName> = {
  sum: [changed(derivatives.sum, turned, turnedSays, reversedElements), halved(derivatives.sum)],
  broadcast_to: [
    changed(derivatives.broadcast_to, turned, turnedSays, reversedElements),
    halved(derivatives.broadcast_to),
  ],
  reshape: [changed(derivatives.reshape, turned, turnedSays, reversedElements)],
  permute_dims: [
    rearranged(
      derivatives.permute_dims,
      "permutes-again",
      "permutes once more instead of back",
      (pulls, at) =>
        isSameShape(at.value.shape, operand(at).shape)
          ? pulls.map((pull) => pull && (() => at.again(at.again(pull()))))
          : pulls,
    ),
    changed(derivatives.permute_dims, turned, turnedSays, reversedElements),
  ],
  concat: [
    rearranged(derivatives.concat, "drops-last", "forgets the last part", (pulls) => pulls.slice(0, -1)),
  ],
  take: [changed(derivatives.take, turned, turnedSays, reversedElements)],
  slice: [changed(derivatives.slice, turned, turnedSays, reversedElements)],
  pad: [changed(derivatives.pad, turned, turnedSays, reversedElements)],
  take_along_axis: [changed(derivatives.take_along_axis, turned, turnedSays, reversedElements)],
  gather: [changed(derivatives.gather, turned, turnedSays, reversedElements)],
  scatter_add: [
    rearranged(derivatives.scatter_add, "forgets-updates", "forgets the updates", ([x]) => [x]),
    rearranged(derivatives.scatter_add, "forgets-x", "forgets x", ([, updates]) => [undefined, updates]),
  ],
  cumulative_sum: [
    slope("sums-upwards", "sums upwards again", (at, c) => at.again(c)),
    slope("sums-not", "does not sum", (_at, c) => c),
  ],
  matmul: [
    rearranged(derivatives.matmul, "drops-operand", "drops its second operand", (pulls) => pulls.slice(0, 1)),
    {
      name: "does-not-transpose",
      says: "multiplies with its operands as they stand",
      cotangents: (at, c) => {
        const [x, y] = [operand(at), operand(at, 1)];
        const fits = isSameShape(x.shape, y.shape) && isSameShape(x.shape, c.shape);
        return fits ? [() => c.matmul(y), () => x.matmul(c)] : derivatives.matmul.cotangents(at, c);
      },
    },
  ],
  solve: [
    rearranged(derivatives.solve, "forgets-matrix", "pulls back to its right-hand side alone", ([, b]) => [
      undefined,
      b,
    ]),
    {
      name: "does-not-transpose",
      says: "solves with the matrix as it stands",
      cotangents: (at, c) => [derivatives.solve.cotangents(at, c)[0], () => operand(at).solve(c)],
    },
  ],
  det: [
    changed(derivatives.det, "takes-adjugate", "takes the adjugate for the cofactors", (bar) =>
      bar.permute_dims({ axes: exchanged(bar) }),
    ),
    changed(derivatives.det, turned, turnedSays, reversedElements),
  ],
};

/** Halves the cotangents. */
function halved<A>(right: Parameters<typeof changed<A>>[0]): PlantedDerivative<A> {
  return changed(right, "halves", "pulls back half of it", (bar) => bar.multiply(0.5));
}

/** Swaps rows and columns in the axes of a stack of matrices. */
function exchanged({ shape }: Value): readonly number[] {
  const [last, other] = [shape.length - 1, shape.length - 2];
  return shape.map((_, axis) => (axis === last ? other : axis === other ? last : axis));
}
