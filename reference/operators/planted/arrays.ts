import { isSameShape, present, sizeOf } from "../../../spec/shapes/index.ts";
import { at, type Tensor, tensor, zeros } from "../../tensor.ts";
import { operand } from "../rule.ts";
import { rules } from "../rules.ts";
import {
  ENOUGH,
  operandsThemselves,
  overwriting,
  type PlantedRules,
  rearranged,
  turned,
  unmoved,
} from "./rule.ts";

/** The primitives of which an element of the result is made of elements elsewhere. */
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

/** Cotangents at wrong places, or not summed where they come together. */
export const plantedArrays: Pick<PlantedRules, ArrayName> = {
  sum: [
    unmoved(),
    turned(rules.sum),
    operandsThemselves(),
    {
      name: "is-zero",
      says: "pulls back zeros",
      vjp: ({ algebra, operands }) => operands.map(({ shape }) => zeros(algebra, shape)),
      unasked: ENOUGH,
    },
  ],
  broadcast_to: [unmoved(), turned(rules.broadcast_to), operandsThemselves()],
  reshape: [turned(rules.reshape), operandsThemselves()],
  permute_dims: [
    unmoved(),
    turned(rules.permute_dims),
    operandsThemselves(),
    {
      name: "permutes-again",
      says: "permutes once more instead of back",
      vjp: (application, c) => {
        const fits = isSameShape(operand(application, 0).shape, c.shape);
        return fits
          ? [rules.permute_dims.forward({ ...application, operands: [c] })]
          : rules.permute_dims.vjp(application, c);
      },
    },
  ],
  concat: [
    unmoved(),
    turned(rules.concat),
    rearranged(rules.concat, "drops-last", "forgets the last part", (bars) => bars.slice(0, -1)),
  ],
  take: [overwriting(rules.take), unmoved(), turned(rules.take), operandsThemselves()],
  slice: [unmoved(), turned(rules.slice), operandsThemselves()],
  pad: [
    unmoved(),
    {
      name: "forgets-gaps",
      says: "forgets the gaps between elements",
      vjp: ({ attributes, ...application }, c) => {
        const interior = attributes.interior.map(() => 0);
        return rules.pad.vjp({ ...application, attributes: { ...attributes, interior } }, c);
      },
    },
    turned(rules.pad),
    operandsThemselves(),
    {
      name: "swaps-sides",
      says: "swaps the sides",
      vjp: ({ attributes, ...application }, c) => {
        const { low, high } = attributes;
        return rules.pad.vjp({ ...application, attributes: { ...attributes, low: high, high: low } }, c);
      },
    },
  ],
  take_along_axis: [overwriting(rules.take_along_axis), unmoved(), turned(rules.take_along_axis)],
  gather: [overwriting(rules.gather), unmoved(), turned(rules.gather), operandsThemselves()],
  scatter_add: [
    rearranged(rules.scatter_add, "forgets-x", "forgets x", ([, updates]) => [undefined, updates]),
    rearranged(rules.scatter_add, "forgets-updates", "forgets the updates", ([x]) => [x, undefined]),
    unmoved(),
    {
      name: "clears-x",
      says: "clears x where it is updated",
      vjp: (application, c) => {
        const [, updates] = rules.scatter_add.vjp(application, c);
        const kept = rules.scatter_add.forward({
          ...application,
          operands: [c, operand(application, 1)],
          algebra: { ...application.algebra, add: () => application.algebra.zero },
        });
        return [kept, updates];
      },
    },
  ],
  cumulative_sum: [
    { name: "sums-not", says: "does not sum", vjp: (_application, c) => [c] },
    {
      name: "sums-upwards",
      says: "sums upwards again",
      vjp: (application, c) => [rules.cumulative_sum.forward({ ...application, operands: [c] })],
    },
    operandsThemselves(),
    {
      name: "leaves-itself-out",
      says: "leaves the element itself out",
      vjp: (application, c) => {
        const bar = present(rules.cumulative_sum.vjp(application, c)[0], "a cotangent");
        const [along = 1, ...within] = application.shape.slice(application.attributes.axis);
        const inner = sizeOf(within);
        return [
          tensor(bar.shape, (position) =>
            Math.floor(position / inner) % along === along - 1
              ? application.algebra.zero
              : at(bar, position + inner),
          ),
        ];
      },
      unasked: ENOUGH,
    },
  ],
  matmul: [
    rearranged(rules.matmul, "swaps", "swaps its operands", (bars, _c, operands) => {
      const [x, y] = operands;
      const fits = x !== undefined && y !== undefined && isSameShape(x.shape, y.shape);
      return fits ? bars.toReversed() : bars;
    }),
    turned(rules.matmul),
    rearranged(rules.matmul, "drops-operand", "drops its second operand", (bars) => bars.slice(0, 1)),
    {
      name: "does-not-transpose",
      says: "multiplies with its operands as they stand",
      vjp: (application, c) => {
        const [x, y] = application.operands;
        const [rows, columns] = c.shape.slice(-2);
        if (x === undefined || y === undefined || rows !== columns || sizeOf(x.shape) !== sizeOf(c.shape)) {
          return rules.matmul.vjp(application, c);
        }
        return [
          rules.matmul.forward({ ...application, operands: [c, y], shape: x.shape }),
          rules.matmul.forward({ ...application, operands: [x, c], shape: y.shape }),
        ];
      },
    },
  ],
  solve: [
    {
      name: "does-not-transpose",
      says: "solves with the matrix as it stands",
      vjp: (application, c) => {
        const [aBar] = rules.solve.vjp(application, c);
        return [aBar, rules.solve.forward({ ...application, operands: [operand(application, 0), c] })];
      },
    },
    {
      name: "loses-sign",
      says: "loses the sign of the matrix's cotangent",
      vjp: (application, c) => {
        const [aBar, bBar] = rules.solve.vjp(application, c);
        const { negative } = application.algebra;
        return [aBar && { shape: aBar.shape, data: aBar.data.map((x) => negative(x)) }, bBar];
      },
    },
    {
      ...rearranged(rules.solve, "forgets-matrix", "pulls back to its right-hand side alone", ([, bBar]) => [
        undefined,
        bBar,
      ]),
      unasked: ENOUGH,
    },
  ],
  det: [
    {
      name: "forgets-cotangent",
      says: "forgets the cotangent",
      vjp: (application, c) =>
        rules.det.vjp(application, { shape: c.shape, data: c.data.map(() => application.algebra.one) }),
    },
    {
      name: "takes-adjugate",
      says: "takes the adjugate for the cofactors",
      vjp: (application, c) => rules.det.vjp(application, c).map((bar) => bar && transposed(bar)),
    },
    turned(rules.det),
  ],
};

function transposed<S>(x: Tensor<S>): Tensor<S> {
  const order = x.shape.at(-1) ?? 0;
  return tensor(x.shape, (position) => {
    const [row, column] = [Math.floor(position / order) % order, position % order];
    const matrix = position - (position % sizeOf([order, order]));
    return at(x, matrix + column * order + row);
  });
}
