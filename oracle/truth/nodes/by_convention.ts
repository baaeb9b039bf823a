import { type Context, map, mapSparse, type Node, type Tensor } from "../../../reference/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { type NodeId, present } from "../../../spec/shapes/index.ts";
import { type Bounded, radius, withoutBound } from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";

/** An operand is known by this: its value, NaN where it has no bound, and whether it is exact. */
interface Operand {
  readonly value: number;
  readonly isExact: boolean;
}

/** Tells whether only a convention decides the derivative by the operand at `position`, or by any. */
type Claim = (operands: readonly [Operand, ...Operand[]], position?: number) => boolean;

function isZero({ value, isExact }: Operand): boolean {
  return isExact && value === 0;
}

/**
 * Here an operator's formula has a derivative and mathematics has none, or another: functions outside their
 * domains; 0ʸ at y = 0, by y 0 for JAX, PyTorch and the reference, NaN for ChainRules.jl, −∞ as a limit; x⁰
 * at NaN.
 */
const claims: { readonly [P in PrimitiveName]?: Claim } = {
  log: ([x]) => x.value < 0,
  log2: ([x]) => x.value < 0,
  log1p: ([x]) => x.value < -1,
  atanh: ([x]) => Math.abs(x.value) > 1,
  pow: ([x, y], position) =>
    y !== undefined &&
    isZero(y) &&
    ((position !== 1 && Number.isNaN(x.value)) || (position !== 0 && isZero(x))),
};

/**
 * Returns what tells whether only a convention decides an operator's derivative by the operand at `position`,
 * or by any; `undefined` of an operator of which none does.
 */
export function decidedByConvention<C>(
  op: PrimitiveName,
  centre: Centre<C>,
  standard: Standard,
): ((operands: readonly Bounded<C>[], position?: number) => boolean) | undefined {
  const claim = claims[op];
  if (claim === undefined) return undefined;
  const known = (x: Bounded<C>): Operand => {
    if (x.infinity !== undefined) return { value: x.infinity * Number.POSITIVE_INFINITY, isExact: true };
    const reach = radius(centre, standard, x);
    return {
      value: Number.isFinite(reach) ? centre.approximate(x.centre) : Number.NaN,
      isExact: reach === 0 && centre.slack(x.centre) === 0,
    };
  };
  return (operands, position) => {
    const [x, ...others] = operands.map(known);
    return claim([present(x, "an operand"), ...others], position);
  };
}

/** Returns the node without bounds on the derivatives that only a convention decides ({@link claims}). */
export function byConvention<C>(
  node: Node<Bounded<C>>,
  op: PrimitiveName,
  parents: readonly NodeId[],
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const isDecided = decidedByConvention(op, centre, standard);
  if (isDecided === undefined) return node;
  const opened = (
    context: Context<Bounded<C>>,
    t: Tensor<Bounded<C>>,
    position?: number,
  ): Tensor<Bounded<C>> =>
    map(t, (element, place) => {
      const operands = parents.map((id) => present(context[id]?.data[place], "an operand"));
      return isDecided(operands, position) ? withoutBound(element) : element;
    });
  return {
    ...node,
    jvp: (context, tangents, environment) => opened(context, node.jvp(context, tangents, environment)),
    vjp: (context, environment, cotangent) => {
      const isReadTwice = new Set(parents).size < parents.length;
      return mapSparse(node.vjp(context, environment, cotangent), (bar, id) =>
        opened(context, bar, isReadTwice ? undefined : parents.indexOf(id)),
      );
    },
  };
}
