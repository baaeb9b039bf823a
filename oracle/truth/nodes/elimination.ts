import { type Context, map, mapSparse, type Node, type Tensor, tensor } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { type Field, type NodeId, present } from "../../../spec/shapes/index.ts";
import { allowing, type Bounded, enlarged, loosened, withoutBound } from "../bound/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import { forwardUlps, type Standard } from "../standard/index.ts";

/** These operators are computed by elimination, in an order of the engine's own. */
export const eliminating: ReadonlySet<PrimitiveName> = new Set(["solve", "det"]);

type Matrices<C> = Tensor<Bounded<C>>;

/**
 * Returns a node of `solve` or `det` as an engine may run it that eliminates with partial pivoting: its
 * answer is exact for a matrix near the given one. So the reference's formula is evaluated for all matrices
 * that near, and derivatives in the other form that engines have too. Source: Higham, "Accuracy and Stability
 * of Numerical Algorithms", 2nd ed., Theorems 9.3 and 9.4 [docs/truth.md].
 */
export function byElimination<C>(
  node: Node<Bounded<C>>,
  op: PrimitiveName,
  field: Field<Bounded<C>> | undefined,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  if (field === undefined || !eliminating.has(op)) return node;
  if (standard.taper !== undefined) return withoutBounds(node);
  if (op === "solve") return solveByElimination(node, field, centre, standard);
  return detByElimination(node, field, centre, standard);
}

/** Removes the bounds of posits, for which an error that is a part of the largest entry gives none. */
function withoutBounds<C>(node: Node<Bounded<C>>): Node<Bounded<C>> {
  const open = (t: Matrices<C>): Matrices<C> => map(t, withoutBound);
  return {
    ...node,
    forward: (...asked) => open(node.forward(...asked)),
    jvp: (...asked) => open(node.jvp(...asked)),
    vjp: (...asked) => mapSparse(node.vjp(...asked), open),
  };
}

function solveByElimination<C>(
  node: Node<Bounded<C>>,
  field: Field<Bounded<C>>,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const [a, b] = [parent(node, 0), parent(node, 1)];
  const near = (context: Context<Bounded<C>>): Context<Bounded<C>> => {
    const matrices = entryAt(context, a);
    const known = context.with(b, sidesNear(standard, matrices, entryAt(context, b)));
    return known.with(a, matricesNear(standard, "solve", entryAt(known, a)));
  };
  return {
    ...node,
    forward: (context, environment) => node.forward(near(context), environment),
    jvp: (context, tangents, environment) => {
      const around = near(context);
      const xDot = solvedTwice(field, around, tangents, a, b);
      return allowing(centre, standard, node.jvp(around, tangents, environment), xDot);
    },
    vjp: (context, environment, cotangent) => node.vjp(near(context), environment, cotangent),
  };
}

/** Solves A Ẋ = Ḃ − Ȧ X, where the reference differentiates Cramer's rule. */
function solvedTwice<C>(
  algebra: Field<Bounded<C>>,
  context: Context<Bounded<C>>,
  tangents: Context<Bounded<C>>,
  a: NodeId,
  b: NodeId,
): Matrices<C> {
  const apply = (name: "solve" | "matmul" | "subtract", x: Matrices<C>, y: Matrices<C>): Matrices<C> =>
    rules[name].forward({
      algebra,
      attributes: {},
      operands: [x, y],
      environment: new Map(),
      shape: entryAt(context, b).shape,
    });
  const x = apply("solve", entryAt(context, a), entryAt(context, b));
  const moved = apply("subtract", entryAt(tangents, b), apply("matmul", entryAt(tangents, a), x));
  return apply("solve", entryAt(context, a), moved);
}

function detByElimination<C>(
  node: Node<Bounded<C>>,
  field: Field<Bounded<C>>,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const a = parent(node, 0);
  const near = (context: Context<Bounded<C>>): Context<Bounded<C>> =>
    context.with(a, matricesNear(standard, "det", entryAt(context, a)));
  const forward: typeof node.forward = (context, environment) =>
    productOfPivots(standard, entryAt(context, a), node.forward(near(context), environment));
  return {
    ...node,
    forward,
    // The tangent may be det A · tr(A⁻¹ Ȧ).
    jvp: (context, tangents, environment) => {
      const around = near(context);
      const values = forward(context, environment);
      const traces = tracesOf(field, solvedFor(field, entryAt(around, a), entryAt(tangents, a)));
      const other = tensor(values.shape, (index) => field.multiply(at(values, index), at(traces, index)));
      return allowing(centre, standard, node.jvp(around, tangents, environment), other);
    },
    // The cotangent may be c · det A · A⁻ᵀ.
    vjp: (context, environment, cotangent) => {
      const around = near(context);
      const values = forward(context, environment);
      const scales = tensor(values.shape, (index) => field.multiply(at(cotangent, index), at(values, index)));
      const inverses = transposedInverses(field, entryAt(around, a));
      const size = matrixSize(inverses);
      const other = tensor(inverses.shape, (position) =>
        field.multiply(at(scales, Math.floor(position / size)), at(inverses, position)),
      );
      const ours = node.vjp(around, environment, cotangent);
      return mapSparse(ours, (bar) => allowing(centre, standard, bar, other));
    },
  };
}

/** Returns A⁻¹ B. */
function solvedFor<C>(algebra: Field<Bounded<C>>, a: Matrices<C>, b: Matrices<C>): Matrices<C> {
  const operands = [a, b];
  return rules.solve.forward({ algebra, attributes: {}, operands, environment: new Map(), shape: b.shape });
}

/** Returns A⁻ᵀ: what `solve` pulls the identity back to. */
function transposedInverses<C>(algebra: Field<Bounded<C>>, a: Matrices<C>): Matrices<C> {
  const order = a.shape.at(-1) ?? 0;
  const identity = tensor(a.shape, (position) => {
    const place = position % (order * order);
    return place % (order + 1) === 0 ? algebra.one : algebra.zero;
  });
  const application = { algebra, attributes: {}, operands: [a, identity], environment: new Map() };
  const [, bar] = rules.solve.vjp({ ...application, shape: a.shape }, identity);
  return present(bar, "the cotangent of the right-hand sides");
}

function tracesOf<C>(field: Field<Bounded<C>>, x: Matrices<C>): Matrices<C> {
  const order = x.shape.at(-1) ?? 0;
  return tensor(x.shape.slice(0, -2), (index) => {
    let total = field.zero;
    for (let i = 0; i < order; i++) total = field.add(total, at(x, index * order * order + i * (order + 1)));
    return total;
  });
}

/**
 * Returns `A` with the backward error of elimination: |ΔA| ≤ γ₃ₙ |L̂||Û|. The choice of pivots makes |L̂| ≤
 * 1, so row k of Û is at most 2ᵏ⁻¹ times the largest entry of A in the same column, and the product at most
 * 2ⁿ − 1 times. An engine may factor Aᵀ instead, so rows count as columns do. A determinant of one entry is
 * that entry; a solution may go through its reciprocal.
 */
function matricesNear<C>(standard: Standard, op: "solve" | "det", a: Matrices<C>): Matrices<C> {
  const order = a.shape.at(-1) ?? 0;
  if (order === 0 || (order === 1 && op === "det")) return a;
  const roundings = 3 * order * standard.unitRoundoff;
  const gamma = (roundings / (1 - roundings)) * Math.max(1, 2 * forwardUlps(standard, op));
  // The computed pivots grow by their own roundings too.
  const growth = (2 ** order - 1) * (1 + 2 * order * standard.unitRoundoff) ** 2;
  return tensor(a.shape, (position) => {
    const largest = largestBeside(a, order, position);
    const underflows = (2 * order + 2 ** order * largest) * standard.underflow;
    const by =
      roundings < 1 && 2 * growth * largest <= standard.largest ? gamma * growth * largest : Number.NaN;
    return enlarged(at(a, position), (by + underflows) * UPWARDS);
  });
}

/** Returns the largest magnitude in the row and in the column of an entry. */
function largestBeside<C>(a: Matrices<C>, order: number, position: number): number {
  const column = position % order;
  const row = position - column;
  const top = position - (position % (order * order)) + column;
  let largest = 0;
  for (let k = 0; k < order; k++) {
    largest = Math.max(largest, at(a, row + k).magnitude, at(a, top + k * order).magnitude);
  }
  return largest;
}

/** Returns right-hand sides with what the substitutions may lose by underflow. */
function sidesNear<C>(standard: Standard, a: Matrices<C>, b: Matrices<C>): Matrices<C> {
  const order = a.shape.at(-1) ?? 0;
  if (order < 2) return b;
  const largestOf = (x: Matrices<C>): number =>
    x.data.reduce((most, { magnitude }) => Math.max(most, magnitude), 0);
  const pivot = 2 ** order * largestOf(a);
  const lost = order * (2 * order + 2 + pivot) * standard.underflow;
  const by = 2 ** order * largestOf(b) <= standard.largest ? lost * UPWARDS : Number.NaN;
  return map(b, (x) => enlarged(x, by));
}

/** Returns the determinant as the product of pivots, which an engine multiplies in any order. */
function productOfPivots<C>(standard: Standard, a: Matrices<C>, determinants: Matrices<C>): Matrices<C> {
  const order = a.shape.at(-1) ?? 0;
  if (order < 2) return determinants;
  const size = order * order;
  return tensor(determinants.shape, (index) => {
    const entries = a.data.slice(index * size, (index + 1) * size);
    const pivot = 2 ** order * Math.max(1, ...entries.map(({ magnitude }) => magnitude));
    const product = pivot ** order;
    const lost = product <= standard.largest ? order * product * standard.underflow : Number.NaN;
    return enlarged(loosened(standard, at(determinants, index), order), lost * UPWARDS);
  });
}

function at<C>(x: Matrices<C>, position: number): Bounded<C> {
  return present(x.data[position], "an element");
}

function matrixSize({ shape }: { readonly shape: readonly number[] }): number {
  return (shape.at(-1) ?? 0) ** 2;
}

function parent<C>(node: Node<Bounded<C>>, place: number): NodeId {
  return present(node.reads[place], "a parent");
}

function entryAt<C>(context: Context<Bounded<C>>, id: NodeId): Matrices<C> {
  return present(context[id], "an entry of the context");
}
