import { map, mapSparse, type Node, type Tensor } from "../../reference/index.ts";
import type { CompositeName } from "../../spec/composites/index.ts";
import { operators } from "../../spec/operators/index.ts";
import { at, type NodeId } from "../../spec/shapes/index.ts";
import type { Inside } from "../case/index.ts";
import { hasBound, isExact, loosened, withoutBound } from "./bounded.ts";
import type { Bounded } from "./radius.ts";
import { compositeUlps, type Standard } from "./standard.ts";

/** Linear composites that divide by a count, which an engine may multiply by a reciprocal. */
const dividing: ReadonlySet<CompositeName> = new Set(["mean", "avg_pool", "nll"]);

/**
 * A node of a composite's expansion, as far as an engine that computes the composite whole may differ from it: every
 * number that is rounded inside, and of a smooth composite and one that divides everything that leaves it, may be off by
 * {@link compositeUlps} more. Exact numbers inside (counts, masks, what is moved) stay exact. What a piecewise composite
 * makes of an element without a bound has none: it may be NaN, which is equal to no greatest element, even its own.
 */
export function insideComposite<C>(
  node: Node<Bounded<C>>,
  id: NodeId,
  { composite, applications, isLast, isWithin }: Inside,
  standard: Standard,
): Node<Bounded<C>> {
  const ulps = compositeUlps(standard, composite);
  const isSmooth =
    operators[composite].smoothness === "smooth" || standard.conventions.compositeKinks === "own";
  const isPiecewise = operators[composite].smoothness === "piecewise";
  const divisions = applications.filter((application) => dividing.has(application.node.op));
  const isRoundedValue = (isLast && isSmooth) || divisions.some(({ value }) => value === id);
  const isRoundedFor = (parent: NodeId): boolean =>
    (isSmooth && !isWithin(parent)) || divisions.some(({ first }) => parent < first);
  const freed = (t: Tensor<Bounded<C>>, isRounded: boolean): Tensor<Bounded<C>> =>
    map(t, (x) => (isExact(standard, x) && !isRounded ? x : loosened(standard, x, ulps)));
  const leaving = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> => {
    const free = freed(t, isRoundedValue);
    return isLast && composite === "cholesky" ? allOrNothing(free) : free;
  };
  return {
    ...node,
    forward: (context, environment) => leaving(node.forward(context, environment)),
    jvp: (context, tangents, environment) => {
      const tangent = leaving(node.jvp(context, tangents, environment));
      return isLast && isPiecewise ? chosen(tangent, node.forward(context, environment)) : tangent;
    },
    vjp: (context, environment, cotangent) =>
      mapSparse(node.vjp(context, environment, cotangent), (bar, parent) => {
        const free = freed(bar, isRoundedFor(parent));
        return isPiecewise && !isWithin(parent) ? chosen(free, at(context, parent)) : free;
      }),
  };
}

/** A derivative by elements of `from`, or of them. */
function chosen<C>(t: Tensor<Bounded<C>>, from: Tensor<Bounded<C>>): Tensor<Bounded<C>> {
  return { ...t, data: t.data.map((x, place) => (hasBound(at(from.data, place)) ? x : withoutBound(x))) };
}

/** A factorisation that fails has no factor: where one entry has no bound, none has. */
function allOrNothing<C>(t: Tensor<Bounded<C>>): Tensor<Bounded<C>> {
  return t.data.every(hasBound) ? t : map(t, withoutBound);
}
