import type { Need } from "../algebra.ts";
import { add } from "./add.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import { cos } from "./cos.ts";
import { det } from "./det.ts";
import { divide } from "./divide.ts";
import { exp } from "./exp.ts";
import { log } from "./log.ts";
import { matmul } from "./matmul.ts";
import { maximum } from "./maximum.ts";
import { multiply } from "./multiply.ts";
import { negative } from "./negative.ts";
import { permuteDims } from "./permute_dims.ts";
import { relu } from "./relu.ts";
import { reshape } from "./reshape.ts";
import type { Signature } from "./signature.ts";
import { sin } from "./sin.ts";
import { solve } from "./solve.ts";
import { sqrt } from "./sqrt.ts";
import { stopGradient } from "./stop_gradient.ts";
import { subtract } from "./subtract.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";
import { tanh } from "./tanh.ts";
import { where } from "./where.ts";

/** The operators and the type of each one's signature, in the order every interpretation follows. */
export interface OperatorTable {
  readonly constant: typeof constant;
  readonly stop_gradient: typeof stopGradient;
  readonly negative: typeof negative;
  readonly exp: typeof exp;
  readonly log: typeof log;
  readonly sin: typeof sin;
  readonly cos: typeof cos;
  readonly tanh: typeof tanh;
  readonly sqrt: typeof sqrt;
  readonly relu: typeof relu;
  readonly add: typeof add;
  readonly subtract: typeof subtract;
  readonly multiply: typeof multiply;
  readonly divide: typeof divide;
  readonly maximum: typeof maximum;
  readonly where: typeof where;
  readonly sum: typeof sum;
  readonly broadcast_to: typeof broadcastTo;
  readonly reshape: typeof reshape;
  readonly permute_dims: typeof permuteDims;
  readonly concat: typeof concat;
  readonly take: typeof take;
  readonly matmul: typeof matmul;
  readonly solve: typeof solve;
  readonly det: typeof det;
}

/** The name of an operator, as it stands on the wire. */
export type OperatorName = keyof OperatorTable;

type NeedIn<T> = T extends Signature<infer N, infer _> ? N : never;
type AttributesIn<T> = T extends Signature<Need, infer A> ? A : never;

/** The algebra each operator's rules need. */
export type NeedOf = { readonly [K in OperatorName]: NeedIn<OperatorTable[K]> };

/** Each operator's attributes. */
export type AttributesOf = { readonly [K in OperatorName]: AttributesIn<OperatorTable[K]> };

/**
 * The operator table. A new operator is one file here and one line in each total table the compiler then
 * asks for: the reference's rules, the interpreter's kernels.
 */
export const operators: { readonly [K in OperatorName]: Signature<NeedOf[K], AttributesOf[K]> } = {
  constant,
  stop_gradient: stopGradient,
  negative,
  exp,
  log,
  sin,
  cos,
  tanh,
  sqrt,
  relu,
  add,
  subtract,
  multiply,
  divide,
  maximum,
  where,
  sum,
  broadcast_to: broadcastTo,
  reshape,
  permute_dims: permuteDims,
  concat,
  take,
  matmul,
  solve,
  det,
};

/** Whether `name` is an operator's. */
export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(operators, name);
}

/** Every operator's name, in the table's order. */
export const operatorNames: readonly OperatorName[] = Object.keys(operators).filter(isOperatorName);
