import { map, mapSparse, type Node, type Tensor, zip } from "../../../reference/index.ts";
import { hasSlopeFromValue, type PrimitiveName, slopesFromValue } from "../../../spec/operators/index.ts";
import { type Algebra, at } from "../../../spec/shapes/index.ts";
import { allowing, type Bounded, type Comparison, loosened } from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";

/**
 * Returns a node whose derivative may have a slope that the engine takes from the function's value: the wider
 * of both bounds counts. The value may be off by an ulp of 1 more, as that of `elu` is, which is scaled. An
 * engine that declares accurate slopes has no such freedom.
 */
export function withSlopeFromValue<C>(
  node: Node<Bounded<C>>,
  op: PrimitiveName,
  { levels }: Algebra<Bounded<C>, Comparison>,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const { real } = levels;
  const isTaken = hasSlopeFromValue(op) && standard.slopes !== "accurate" && standard.taper === undefined;
  if (!isTaken || real === undefined) return node;
  const slope = (y: Bounded<C>): Bounded<C> => loosened(standard, slopesFromValue[op](real, y), 1);
  const allowed = (
    ours: Tensor<Bounded<C>>,
    value: Tensor<Bounded<C>>,
    by: Tensor<Bounded<C>>,
  ): Tensor<Bounded<C>> => allowing(centre, standard, ours, zip(map(value, slope), by, real.multiply), 0);
  return {
    ...node,
    jvp: (context, tangents, environment) =>
      allowed(
        node.jvp(context, tangents, environment),
        node.forward(context, environment),
        at(tangents, at(node.reads, 0)),
      ),
    vjp: (context, environment, cotangent) =>
      mapSparse(node.vjp(context, environment, cotangent), (bar) =>
        allowed(bar, node.forward(context, environment), cotangent),
      ),
  };
}
