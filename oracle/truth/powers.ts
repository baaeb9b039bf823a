import type { Context, Node, SparseContext, Tensor } from "../../reference/index.ts";
import { at, type NodeId, present } from "../../spec/index.ts";
import { type Bounded, radius } from "./bounded.ts";
import type { Centre } from "./centre.ts";
import type { Standard } from "./standard.ts";

/**
 * A node of `pow` without a bound on the derivatives at y = 0 that only a convention decides: by y where x is 0, which is 0
 * for JAX, PyTorch and the reference, NaN for ChainRules.jl, and −∞ as a limit; and by x where x has no bound (a NaN).
 */
export function openAtExponentZero<C>(
  node: Node<Bounded<C>>,
  parents: readonly NodeId[],
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const [base, exponent] = [at(parents, 0), at(parents, 1)];
  const isZero = (x: Bounded<C>): boolean =>
    centre.approximate(x.centre) === 0 && centre.slack(x.centre) === 0 && radius(centre, standard, x) === 0;
  const hasBound = (x: Bounded<C>): boolean => Number.isFinite(radius(centre, standard, x));
  /** The parts of `t` at the places where the exponent is 0 and the base is so. */
  const opened = (
    context: Context<Bounded<C>>,
    t: Tensor<Bounded<C>>,
    isOpen: (x: Bounded<C>) => boolean,
  ): Tensor<Bounded<C>> => ({
    ...t,
    data: t.data.map((element, position) => {
      const [x, y] = [base, exponent].map((id) => present(context[id]?.data[position], "an operand"));
      return isZero(present(y, "y")) && isOpen(present(x, "x"))
        ? { ...element, error: Number.NaN, terms: 1, grain: 0 }
        : element;
    }),
  });
  const either = (x: Bounded<C>): boolean => isZero(x) || !hasBound(x);
  return {
    ...node,
    jvp: (context, tangents, environment) =>
      opened(context, node.jvp(context, tangents, environment), either),
    vjp: (context, environment, cotangent): SparseContext<Bounded<C>> => {
      const isOpenBy = (id: NodeId): ((x: Bounded<C>) => boolean) =>
        base === exponent ? either : id === base ? (x) => !hasBound(x) : isZero;
      const contributions = node.vjp(context, environment, cotangent);
      return new Map([...contributions].map(([id, bar]) => [id, opened(context, bar, isOpenBy(id))]));
    },
  };
}
