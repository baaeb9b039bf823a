import { map, type Node } from "../../../reference/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, type NodeId, present } from "../../../spec/shapes/index.ts";
import { type Bounded, enlarged, isExact, isKnown, loosenedOrigin, radius } from "../bound/index.ts";
import { type Centre, differenceOf, UPWARDS } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";

/**
 * Widens `maximum` for an engine that hands a tie's cotangent to both operands, or to neither: its tangent
 * may be the sum of both, or 0, which need not lie between the two. The sum of both halves lies there, but
 * for what they lose where they underflow.
 */
export function withTieSums<C>(
  node: Node<Bounded<C>>,
  op: PrimitiveName,
  parents: readonly NodeId[],
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const { maximumAtTie } = standard.conventions;
  if (op !== "maximum" || maximumAtTie === "first" || maximumAtTie === "second") return node;
  const [left, right] = [present(parents[0], "an operand"), present(parents[1], "an operand")];
  const mayTie = (x: Bounded<C>, y: Bounded<C>): boolean => {
    // An infinity ties with an infinity alone.
    if (isKnown(x) && isKnown(y) && x.infinity !== y.infinity) return false;
    const apart = differenceOf(centre, x.centre, y.centre);
    const reach = centre.slack(apart) + radius(centre, standard, x) + radius(centre, standard, y);
    return !(Math.abs(centre.approximate(apart)) > reach * UPWARDS);
  };
  const widened = (tangent: Bounded<C>, u: Bounded<C>, v: Bounded<C>): Bounded<C> =>
    maximumAtTie === "split"
      ? withHalves(standard, tangent, u, v)
      : enlarged(tangent, u.magnitude + v.magnitude);
  return {
    ...node,
    jvp: (context, tangents, environment) => {
      const tangent = node.jvp(context, tangents, environment);
      const [x, y] = [at(context, left), at(context, right)];
      const [xDot, yDot] = [at(tangents, left), at(tangents, right)];
      return map(tangent, (element, position) =>
        mayTie(at(x.data, position), at(y.data, position))
          ? widened(element, at(xDot.data, position), at(yDot.data, position))
          : element,
      );
    },
  };
}

/** Returns a number between two, with what the sum of their halves may lose besides. */
function withHalves<C>(standard: Standard, x: Bounded<C>, u: Bounded<C>, v: Bounded<C>): Bounded<C> {
  if (x.infinity !== undefined || (isExact(standard, u, 2) && isExact(standard, v, 2))) return x;
  const { underflow, taper } = standard;
  // Halves of floats are exact unless they underflow.
  const lost = taper === undefined ? 2 * underflow : 3 * taper.errorUpTo(u.magnitude + v.magnitude);
  return { ...enlarged(x, lost), ...loosenedOrigin(x, lost) };
}
