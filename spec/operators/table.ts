import type { Need } from "../algebra.ts";
import { acos } from "./acos.ts";
import { acosh } from "./acosh.ts";
import { add } from "./add.ts";
import { asin } from "./asin.ts";
import { asinh } from "./asinh.ts";
import { atan } from "./atan.ts";
import { atan2 } from "./atan2.ts";
import { atanh } from "./atanh.ts";
import { bernoulliMask } from "./bernoulli_mask.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import { cos } from "./cos.ts";
import { cosh } from "./cosh.ts";
import { cumulativeSum } from "./cumulative_sum.ts";
import { det } from "./det.ts";
import { divide } from "./divide.ts";
import { equal } from "./equal.ts";
import { erf } from "./erf.ts";
import { exp } from "./exp.ts";
import { expm1 } from "./expm1.ts";
import { floor } from "./floor.ts";
import { full } from "./full.ts";
import { gather } from "./gather.ts";
import { hypot } from "./hypot.ts";
import { iota } from "./iota.ts";
import { less } from "./less.ts";
import { log } from "./log.ts";
import { log1p } from "./log1p.ts";
import { log2 } from "./log2.ts";
import { matmul } from "./matmul.ts";
import { maximum } from "./maximum.ts";
import { multiply } from "./multiply.ts";
import { negative } from "./negative.ts";
import { pad } from "./pad.ts";
import { permuteDims } from "./permute_dims.ts";
import { pow } from "./pow.ts";
import { relu } from "./relu.ts";
import { reshape } from "./reshape.ts";
import { scatterAdd } from "./scatter_add.ts";
import type { Signature } from "./signature.ts";
import { sin } from "./sin.ts";
import { sinh } from "./sinh.ts";
import { slice } from "./slice.ts";
import { solve } from "./solve.ts";
import { sqrt } from "./sqrt.ts";
import { stopGradient } from "./stop_gradient.ts";
import { subtract } from "./subtract.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";
import { takeAlongAxis } from "./take_along_axis.ts";
import { tan } from "./tan.ts";
import { tanh } from "./tanh.ts";
import { where } from "./where.ts";

/** The primitives and the type of each one's signature, in the order every interpretation follows. */
export interface PrimitiveTable {
  readonly constant: typeof constant;
  readonly full: typeof full;
  readonly iota: typeof iota;
  readonly bernoulli_mask: typeof bernoulliMask;
  readonly stop_gradient: typeof stopGradient;
  readonly negative: typeof negative;
  readonly exp: typeof exp;
  readonly log: typeof log;
  readonly sin: typeof sin;
  readonly cos: typeof cos;
  readonly tanh: typeof tanh;
  readonly sqrt: typeof sqrt;
  readonly relu: typeof relu;
  readonly floor: typeof floor;
  readonly expm1: typeof expm1;
  readonly log1p: typeof log1p;
  readonly log2: typeof log2;
  readonly tan: typeof tan;
  readonly asin: typeof asin;
  readonly acos: typeof acos;
  readonly atan: typeof atan;
  readonly sinh: typeof sinh;
  readonly cosh: typeof cosh;
  readonly asinh: typeof asinh;
  readonly acosh: typeof acosh;
  readonly atanh: typeof atanh;
  readonly erf: typeof erf;
  readonly add: typeof add;
  readonly subtract: typeof subtract;
  readonly multiply: typeof multiply;
  readonly divide: typeof divide;
  readonly maximum: typeof maximum;
  readonly less: typeof less;
  readonly equal: typeof equal;
  readonly pow: typeof pow;
  readonly atan2: typeof atan2;
  readonly hypot: typeof hypot;
  readonly where: typeof where;
  readonly sum: typeof sum;
  readonly broadcast_to: typeof broadcastTo;
  readonly reshape: typeof reshape;
  readonly permute_dims: typeof permuteDims;
  readonly concat: typeof concat;
  readonly take: typeof take;
  readonly slice: typeof slice;
  readonly pad: typeof pad;
  readonly take_along_axis: typeof takeAlongAxis;
  readonly gather: typeof gather;
  readonly scatter_add: typeof scatterAdd;
  readonly cumulative_sum: typeof cumulativeSum;
  readonly matmul: typeof matmul;
  readonly solve: typeof solve;
  readonly det: typeof det;
}

/** The name of a primitive. */
export type PrimitiveName = keyof PrimitiveTable;

type NeedIn<T> = T extends Signature<infer N, infer _> ? N : never;
type AttributesIn<T> = T extends Signature<Need, infer A> ? A : never;

/** The algebra each primitive's rules need. */
export type NeedOf = { readonly [K in PrimitiveName]: NeedIn<PrimitiveTable[K]> };

/** Each primitive's attributes. */
export type PrimitiveAttributes = { readonly [K in PrimitiveName]: AttributesIn<PrimitiveTable[K]> };

/**
 * The primitives. A new one is one file here and one line in each total table the compiler then asks for: the
 * reference's rules, the interpreter's kernels.
 */
export const primitives: {
  readonly [K in PrimitiveName]: Signature<NeedOf[K], PrimitiveAttributes[K]>;
} = {
  constant,
  full,
  iota,
  bernoulli_mask: bernoulliMask,
  stop_gradient: stopGradient,
  negative,
  exp,
  log,
  sin,
  cos,
  tanh,
  sqrt,
  relu,
  floor,
  expm1,
  log1p,
  log2,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  asinh,
  acosh,
  atanh,
  erf,
  add,
  subtract,
  multiply,
  divide,
  maximum,
  less,
  equal,
  pow,
  atan2,
  hypot,
  where,
  sum,
  broadcast_to: broadcastTo,
  reshape,
  permute_dims: permuteDims,
  concat,
  take,
  slice,
  pad,
  take_along_axis: takeAlongAxis,
  gather,
  scatter_add: scatterAdd,
  cumulative_sum: cumulativeSum,
  matmul,
  solve,
  det,
};

/** Whether `name` is a primitive's. */
export function isPrimitiveName(name: string): name is PrimitiveName {
  return Object.hasOwn(primitives, name);
}

/** Every primitive's name, in the table's order. */
export const primitiveNames: readonly PrimitiveName[] = Object.keys(primitives).filter(isPrimitiveName);
