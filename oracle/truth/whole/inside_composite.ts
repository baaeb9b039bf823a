import { map, mapSparse, type Node, type Tensor } from "../../../reference/index.ts";
import { type CompositeName, operators } from "../../../spec/composites/index.ts";
import type { PrimitiveGraph, PrimitiveNode } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, type NodeId } from "../../../spec/shapes/index.ts";
import type { Inside } from "../../case/index.ts";
import {
  type Bounded,
  finiteOnly,
  hasBound,
  isExact,
  isKnown,
  loosened,
  settle,
  withoutBound,
} from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import { compositeUlps, type Standard } from "../standard/index.ts";

/** These linear composites divide by a count, and an engine may multiply by its reciprocal. */
const dividing: ReadonlySet<CompositeName> = new Set(["mean", "avg_pool", "nll"]);

/** These primitives move elements or choose between them, and round nothing, forward or back. */
const moving: ReadonlySet<PrimitiveName> = new Set([
  "stop_gradient",
  "negative",
  "relu",
  "maximum",
  "where",
  "reshape",
  "permute_dims",
  "concat",
  "slice",
  "pad",
]);

/** These repeat elements, and add up what they pull back. */
const repeating: ReadonlySet<PrimitiveName> = new Set(["broadcast_to", "take", "take_along_axis", "gather"]);

/** A node of a program stands at an id. */
interface Placed {
  readonly op: PrimitiveName;
  readonly id: NodeId;
  /** It tells whether the node is one of {@link singleDifferences}. */
  readonly isSingleDifference: boolean;
}

const adding: ReadonlySet<PrimitiveName> = new Set(["add", "subtract", "sum", "cumulative_sum", "matmul"]);

/**
 * Returns the differences that no engine adds up with other numbers: neither operand is a sum, and no sum
 * reads them, though what is only moved in between does not count. Cost: two visits of every node.
 */
export function singleDifferences({ inputs, nodes }: PrimitiveGraph): ReadonlySet<number> {
  const moves = ({ op }: PrimitiveNode): boolean => moving.has(op) || repeating.has(op);
  const [sums, added] = [new Set<number>(), new Set<number>()];
  const single = new Set<number>();
  for (const [position, node] of nodes.entries()) {
    const id = inputs.length + position;
    const ofSums = node.parents.some((parent) => sums.has(parent));
    if (adding.has(node.op) || (moves(node) && ofSums)) sums.add(id);
    if (node.op === "subtract" && !ofSums) single.add(id);
  }
  for (const [position, node] of [...nodes.entries()].reverse()) {
    const id = inputs.length + position;
    if (adding.has(node.op) || (moves(node) && added.has(id)))
      for (const parent of node.parents) added.add(parent);
  }
  return new Set([...single].filter((id) => !added.has(id)));
}
/** The slope of this composite may be had as a quotient, y/x, which is NaN at an infinity. */
const byQuotient: CompositeName = "copysign";

/**
 * Returns a node of a composite's expansion as an engine may have it that computes the composite whole. Every
 * number that is rounded inside may be off by {@link compositeUlps} more, in a sum every term, unless it is
 * one of {@link singleDifferences}; so may all that leaves a composite that is smooth or divides. Exact
 * numbers inside (counts, masks) stay exact, and what is only moved is rounded no second time. What a
 * piecewise composite makes of an element without a bound has none: it may be NaN, which equals no greatest
 * element.
 */
export function insideComposite<C>(
  node: Node<Bounded<C>>,
  { op, id, isSingleDifference }: Placed,
  { composite, applications, isLast, isWithin }: Inside,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const ulps = compositeUlps(standard, composite);
  const isSmooth =
    operators[composite].smoothness === "smooth" || standard.conventions.compositeKinks === "own";
  const isPiecewise = operators[composite].smoothness === "piecewise";
  const has = composite === byQuotient ? hasBound : isKnown;
  // Of a derivative's formula the terms may be infinities of both signs, in one way of writing it or another.
  const isLinear = operators[composite].smoothness === "linear";
  const written = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> => (isLinear ? t : map(t, finiteOnly));
  // A slope at an infinity is a limit that other formulas miss, as 0 · ∞.
  const isFunction = operators[composite].isElementwise === true && !isPiecewise && !isLinear;
  const divisions = applications.filter((application) => dividing.has(application.node.op));
  const isRoundedValue = (isLast && isSmooth) || divisions.some(({ value }) => value === id);
  const roundsBack = !moving.has(op);
  const rounds = roundsBack && !repeating.has(op);
  const isRoundedFor = (parent: NodeId): boolean =>
    (isSmooth && !isWithin(parent)) || divisions.some(({ first }) => parent < first);
  const freed = (t: Tensor<Bounded<C>>, mayRound: boolean, isRounded: boolean): Tensor<Bounded<C>> =>
    map(t, (x) => (isRounded || (mayRound && !isExact(standard, x)) ? loosened(standard, x, ulps) : x));
  const subtracted = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> =>
    isSingleDifference ? map(t, (x) => settle(centre, standard, x)) : t;
  const leaving = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> => {
    const free = freed(t, rounds, isRoundedValue);
    return isLast && whole.has(composite) ? allOrNothing(free) : free;
  };
  return {
    ...node,
    forward: (context, environment) => leaving(subtracted(node.forward(context, environment))),
    jvp: (context, tangents, environment) => {
      const tangent = written(leaving(node.jvp(context, tangents, environment)));
      if (isLast && isPiecewise) return chosen(tangent, node.forward(context, environment), has);
      if (!isLast || !isFunction) return tangent;
      const operands = applications.at(-1)?.node.parents.map((parent) => at(context, parent)) ?? [];
      return operands.reduce((known, operand) => chosen(known, operand, isNoInfinity), tangent);
    },
    vjp: (context, environment, cotangent) =>
      mapSparse(node.vjp(context, environment, cotangent), (bar, parent) => {
        const free = written(freed(bar, roundsBack, isRoundedFor(parent)));
        if (isWithin(parent)) return free;
        if (convolutions.has(composite)) return allOrNothing(free);
        if (isPiecewise) return chosen(free, at(context, parent), has);
        return isFunction ? chosen(free, at(context, parent), isNoInfinity) : free;
      }),
  };
}

function isNoInfinity({ infinity }: Bounded<unknown>): boolean {
  return infinity === undefined;
}

/** Returns a derivative by elements of `from`, or of them, as far as these have what it depends on. */
function chosen<C>(
  t: Tensor<Bounded<C>>,
  from: Tensor<Bounded<C>>,
  has: (x: Bounded<C>) => boolean,
): Tensor<Bounded<C>> {
  return map(t, (x, place) => (has(at(from.data, place)) ? x : withoutBound(x)));
}

/** They multiply the zeros between and around their elements, too, and in transforms all by all. */
const convolutions: ReadonlySet<CompositeName> = new Set<CompositeName>(["conv", "conv_transpose"]);

/** What they make has no bound where one entry has none. */
const whole: ReadonlySet<CompositeName> = new Set<CompositeName>([...convolutions, "cholesky"]);

/**
 * Removes all bounds where one entry has none: a factorisation that fails has no factor, and 0 · ∞ is NaN
 * wherever a convolution multiplies the zeros that another leaves out.
 */
function allOrNothing<C>(t: Tensor<Bounded<C>>): Tensor<Bounded<C>> {
  return t.data.every(hasBound) ? t : map(t, withoutBound);
}
