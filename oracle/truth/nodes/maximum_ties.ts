import { map, type Node, type Tensor } from "../../../reference/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, type NodeId, present } from "../../../spec/shapes/index.ts";
import { type Bounded, enlarged, isKnown, radius } from "../bound/index.ts";
import { type Centre, differenceOf, UPWARDS } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";

/**
 * Widens `maximum` for an engine that hands a tie's cotangent to both operands, or to neither: its tangent
 * may be the sum of both, or 0, which need not lie between the two.
 */
export function withTieSums<C>(
  node: Node<Bounded<C>>,
  op: PrimitiveName,
  parents: readonly NodeId[],
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const { maximumAtTie } = standard.conventions;
  if (op !== "maximum" || (maximumAtTie !== "both" && maximumAtTie !== "neither")) return node;
  const [left, right] = [present(parents[0], "an operand"), present(parents[1], "an operand")];
  const mayTie = (x: Bounded<C>, y: Bounded<C>): boolean => {
    // An infinity ties with an infinity alone.
    if (isKnown(x) && isKnown(y) && x.infinity !== y.infinity) return false;
    const apart = differenceOf(centre, x.centre, y.centre);
    const reach = centre.slack(apart) + radius(centre, standard, x) + radius(centre, standard, y);
    return !(Math.abs(centre.approximate(apart)) > reach * UPWARDS);
  };
  const sizeAt = (t: Tensor<Bounded<C>>, position: number): number => at(t.data, position).magnitude;
  return {
    ...node,
    jvp: (context, tangents, environment) => {
      const tangent = node.jvp(context, tangents, environment);
      const [x, y] = [at(context, left), at(context, right)];
      const [xDot, yDot] = [at(tangents, left), at(tangents, right)];
      return map(tangent, (element, position) =>
        mayTie(at(x.data, position), at(y.data, position))
          ? enlarged(element, sizeAt(xDot, position) + sizeAt(yDot, position))
          : element,
      );
    },
  };
}
