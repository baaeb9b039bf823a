import { map, mapSparse, type Node, type Tensor } from "../../../reference/index.ts";
import { type CompositeName, operators } from "../../../spec/composites/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, type NodeId } from "../../../spec/shapes/index.ts";
import type { Inside } from "../../case/index.ts";
import { type Bounded, hasBound, isExact, loosened, withoutBound } from "../bound/index.ts";
import { compositeUlps, type Standard } from "../standard/index.ts";

/** These linear composites divide by a count, and an engine may multiply by its reciprocal. */
const dividing: ReadonlySet<CompositeName> = new Set(["mean", "avg_pool", "nll"]);

/** These composites give one of the numbers that they are given, perhaps with the other sign. */
const choosing: ReadonlySet<CompositeName> = new Set([
  "abs",
  "minimum",
  "clip",
  "max",
  "min",
  "sort",
  "top_k",
  "max_pool",
]);

/** These primitives round nothing: what they give are numbers that they were given. */
const moving: ReadonlySet<PrimitiveName> = new Set([
  "negative",
  "maximum",
  "where",
  "stop_gradient",
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "slice",
  "take",
  "take_along_axis",
  "gather",
]);

/**
 * Returns a node of a composite's expansion as an engine may have it that computes the composite whole. Every
 * number that is rounded inside may be off by {@link compositeUlps} more; so may all that leaves a composite
 * that is smooth or divides. Exact numbers inside (counts, masks, what is moved) stay exact, and a composite
 * that chooses rounds no value that it moves. What a piecewise composite makes of an element without a bound
 * has none: it may be NaN, which equals no greatest element.
 */
export function insideComposite<C>(
  node: Node<Bounded<C>>,
  op: PrimitiveName,
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
  // Who declares an accuracy of the composite may round in it.
  const isMoved =
    choosing.has(composite) && moving.has(op) && ulps <= compositeUlps({ accuracy: {} }, composite);
  return {
    ...node,
    forward: (context, environment) => {
      const value = node.forward(context, environment);
      return isMoved ? value : leaving(value);
    },
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

/** Returns a derivative by elements of `from`, or of them, as far as these have bounds. */
function chosen<C>(t: Tensor<Bounded<C>>, from: Tensor<Bounded<C>>): Tensor<Bounded<C>> {
  return map(t, (x, place) => (hasBound(at(from.data, place)) ? x : withoutBound(x)));
}

/** Removes all bounds where one entry has none: a factorisation that fails has no factor. */
function allOrNothing<C>(t: Tensor<Bounded<C>>): Tensor<Bounded<C>> {
  return t.data.every(hasBound) ? t : map(t, withoutBound);
}
