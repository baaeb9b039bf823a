import { type Context, map, mapSparse, type Node, type Tensor } from "../../../reference/index.ts";
import type { CompositeName } from "../../../spec/composites/index.ts";
import { expand } from "../../../spec/expansion/index.ts";
import { type Graph, nodeAt, type PrimitiveGraph } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, type NodeId, nodeId, present } from "../../../spec/shapes/index.ts";
import type { PrimitiveProgram } from "../../case/index.ts";
import { type Bounded, enlarged, isExact, loosened, radius, withoutBound } from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import { derivativeUlps, type Standard } from "../standard/index.ts";
import { contributionsIn } from "./contributions.ts";

/** An engine has choices of its own in these: primitives everywhere, composites if it declares so. */
interface Choices {
  readonly open: ReadonlySet<PrimitiveName>;
  readonly kinked: ReadonlySet<CompositeName>;
}

/** An engine that differentiates inner graphs itself may do this otherwise at an id. */
export interface InnerDerivatives {
  /** Tells whether the id compares in a derived graph, whose inner graph has open kinks or ties. */
  isKink(op: PrimitiveName, id: number): boolean;
  /**
   * Returns by how many ulps of its terms an exact sum in a derived graph may be off, as another formula may
   * round. A sum with a literal, as the exponent y − 1 of a power, is in every formula.
   */
  ulps(op: PrimitiveName, id: number): number;
  /** Returns the ulps by which a slope in a derived graph may be off: the inner operator's. */
  slopeUlps(op: PrimitiveName, id: number): number;
  /** Tells whether the id is the exponential of a sigmoid, or of one like it, in a derived graph. */
  isLogistic(op: PrimitiveName, id: number): boolean;
  /** Tells whether the id is part of a derived graph. */
  holds(id: number): boolean;
  /** Tells whether the id is one of several contributions that an engine adds up in any order. */
  isContribution(id: NodeId): boolean;
}

/** Engines write the derivatives of these composites with σ (1 − σ). */
const logistic: ReadonlySet<CompositeName> = new Set([
  "sigmoid",
  "silu",
  "softplus",
  "logaddexp",
  "bce_with_logits",
]);

const sums: ReadonlySet<PrimitiveName> = new Set(["add", "subtract"]);

/** Returns what engines may do otherwise in a graph and its composites. Cost: linear in the inner graphs. */
export function innerDerivativesOf(
  { graph, applications }: Pick<PrimitiveProgram, "graph" | "applications">,
  standard: Standard,
  { open, kinked }: Choices,
): InnerDerivatives {
  const isOwn = standard.conventions.compositeKinks === "own";
  const places = applications.flatMap(({ node, first, end }) => {
    if (node.op !== "differentiate") return [];
    const { primitives, composites } = written(node.attributes.graph);
    const hasChoices =
      [...primitives].some((op) => open.has(op)) || (isOwn && [...composites].some((op) => kinked.has(op)));
    const hasFreedom = [...primitives].some((op) => derivativeUlps(standard, op) > 0);
    const ulps = hasFreedom ? 1 : 0;
    const isLogistic = [...composites].some((op) => logistic.has(op));
    return [{ first, end, hasChoices, ulps, primitives, isLogistic }];
  });
  const hasLiteral = (id: number): boolean =>
    nodeAt(graph, nodeId(id))?.parents.some((parent) => nodeAt(graph, parent)?.op === "full") ?? false;
  const contributions = contributionsIn({ applications });
  const around = (id: number) => places.filter(({ first, end }) => first <= id && id < end);
  return {
    isKink: (op, id) => op === "less" && around(id).some(({ hasChoices }) => hasChoices),
    ulps: (op, id) =>
      sums.has(op) && !hasLiteral(id) ? Math.max(0, ...around(id).map(({ ulps }) => ulps)) : 0,
    slopeUlps: (op, id) => {
      const inner = slopes.filter((slope) => isWrittenSo(graph, op, id, slope)).flatMap(({ of }) => of);
      const found = around(id).flatMap(({ primitives }) => inner.filter((name) => primitives.has(name)));
      return Math.max(0, ...found.map((name) => derivativeUlps(standard, name)));
    },
    isLogistic: (op, id) => op === "exp" && around(id).some(({ isLogistic }) => isLogistic),
    holds: (id) => around(id).length > 0,
    isContribution: (id) => contributions.has(id),
  };
}

/** A slope is written as a quotient by the value of an operator `by`, or as the operator `op` itself. */
interface Slope {
  readonly of: readonly PrimitiveName[];
  readonly op: PrimitiveName;
  readonly by?: PrimitiveName;
}

/**
 * Engines choose the formulas of these slopes: c / √((1 − x)(1 + x)) or c / √(1 − x²), eˣ or (eˣ − 1) + 1.
 * Others are a factor that every engine has, or come from the function's own value.
 */
const slopes: readonly Slope[] = [
  { op: "divide", by: "sqrt", of: ["asin", "acos"] },
  { op: "divide", by: "multiply", of: ["acosh", "atanh"] },
  { op: "divide", by: "add", of: ["atan", "log1p", "sqrt"] },
  { op: "divide", by: "hypot", of: ["asinh", "atan2", "hypot"] },
  { op: "divide", by: "log", of: ["log2"] },
  { op: "divide", of: ["log"] },
  { op: "exp", of: ["expm1"] },
];

function isWrittenSo(graph: PrimitiveGraph, op: PrimitiveName, id: number, slope: Slope): boolean {
  if (slope.op !== op) return false;
  const divisor = nodeAt(graph, nodeId(id))?.parents[1];
  return slope.by === undefined || (divisor !== undefined && nodeAt(graph, divisor)?.op === slope.by);
}

/** Returns the operators of a graph and of those within it, as written and written out. */
function written(graph: Graph): {
  primitives: ReadonlySet<PrimitiveName>;
  composites: ReadonlySet<CompositeName>;
} {
  const expansion = expand(graph);
  const [primitives, composites] = [new Set<PrimitiveName>(), new Set<CompositeName>()];
  for (const { op } of expansion.graph.nodes) primitives.add(op);
  for (const { node } of expansion.applications) {
    composites.add(node.op);
    if (node.op !== "differentiate") continue;
    const inner = written(node.attributes.graph);
    for (const op of inner.primitives) primitives.add(op);
    for (const op of inner.composites) composites.add(op);
  }
  return { primitives, composites };
}

/** This is known besides of a node of an honest graph. */
interface Place<C> {
  readonly op: PrimitiveName;
  readonly id: NodeId;
  readonly program: PrimitiveGraph;
  readonly centre: Centre<C>;
  readonly standard: Standard;
}

/** Loosens a node as far as an engine is free that takes the derivative of an inner graph in its own way. */
export function withFreedomOf<C>(
  derivatives: InnerDerivatives,
  node: Node<Bounded<C>>,
  { op, id, program, centre, standard }: Place<C>,
): Node<Bounded<C>> {
  if (!derivatives.holds(id)) return node;
  if (op === "where") return openAtCorner(node, id, program, centre, standard);
  if (derivatives.isLogistic(op, id)) return withLogisticError(node, centre, standard);
  const ulps = derivatives.ulps(op, id);
  const sum = ulps === 0 ? node : withSumError(node, standard, ulps);
  const slopeUlps = derivatives.slopeUlps(op, id);
  return slopeUlps === 0 ? sum : withSlopeError(sum, standard, slopeUlps);
}

/** Loosens a value that an engine may compute by another formula. */
function withSlopeError<C>(node: Node<Bounded<C>>, standard: Standard, ulps: number): Node<Bounded<C>> {
  return {
    ...node,
    forward: (context, environment) =>
      map(node.forward(context, environment), (x) => loosened(standard, x, ulps)),
  };
}

/**
 * Opens the convention of a derived graph for xʸ at x = y = 0, if the id is one, as for `pow` itself ({@link
 * byConvention}). In the slope by y it is the 0 for log x; the 0 of the slope by x is settled, and what moves
 * with it is open.
 */
function openAtCorner<C>(
  node: Node<Bounded<C>>,
  id: NodeId,
  graph: PrimitiveGraph,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const isZero = (x: Bounded<C>): boolean =>
    radius(centre, standard, x) + centre.slack(x.centre) === 0 && centre.approximate(x.centre) === 0;
  const isPositive = (x: Bounded<C>): boolean => centre.approximate(x.centre) > 0;
  const of = (parent: NodeId | undefined) => (parent === undefined ? undefined : nodeAt(graph, parent));
  const [condition, chosen, other] = of(id)?.parents ?? [];
  const test = of(condition);
  const equals = test?.op === "multiply" ? test.parents.map(of) : [test];
  if (!equals.every((equal) => equal?.op === "equal")) return node;
  const [x, y] = equals.map((equal) => equal?.parents[0]);
  // A power whose exponent comes later is not the one whose slope this is.
  const exponents =
    y === undefined
      ? graph.nodes
          .flatMap(({ op, parents }) => (op === "pow" && parents[0] === x ? parents.slice(1) : []))
          .filter((exponent) => exponent < id)
      : [y];
  const isLogarithm = y === undefined && of(other)?.op === "log";
  if (x === undefined || (y === undefined && !isLogarithm)) return node;
  const isSafeOperand = y !== undefined && other === x;
  const isSlope =
    y !== undefined &&
    of(other)?.op === "multiply" &&
    of(chosen)?.op === "full" &&
    of(of(other)?.parents[1])?.op === "pow";
  if (isSafeOperand) return node;
  const opened = (context: Context<Bounded<C>>, t: Tensor<Bounded<C>>): Tensor<Bounded<C>> => {
    const isZeroAt = (operand: NodeId, place: number): boolean =>
      isZero(present(context[operand]?.data[place], "an operand"));
    // At a negative exponent too the slope by y may be infinite, 0 or NaN at x = 0.
    const isOpenAt = (operand: NodeId, place: number): boolean =>
      isLogarithm
        ? !isPositive(present(context[operand]?.data[place], "an operand"))
        : isZeroAt(operand, place);
    return map(t, (element, place) =>
      isZeroAt(x, place) && exponents.some((exponent) => isOpenAt(exponent, place))
        ? withoutBound(element)
        : element,
    );
  };
  if (!isSlope) {
    return {
      ...node,
      forward: (context, environment) => opened(context, node.forward(context, environment)),
    };
  }
  return {
    ...node,
    jvp: (context, tangents, environment) => opened(context, node.jvp(context, tangents, environment)),
    vjp: (context, environment, cotangent) =>
      mapSparse(node.vjp(context, environment, cotangent), (bar) => opened(context, bar)),
  };
}

/**
 * Loosens e = exp(−x) of σ = 1/(1 + e), whose slope e/(1 + e)² engines write σ (1 − σ). The difference loses
 * an ulp of 1, as if e were off by u (1 + e); four times that is allowed for each of the two, since
 * derivatives of e, which are e times what comes along or back, lose it again.
 */
function withLogisticError<C>(
  node: Node<Bounded<C>>,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const lossOf = (x: Bounded<C>): number => 8 * standard.unitRoundoff * (1 + centre.approximate(x.centre));
  const sizeOf = (x: Bounded<C>): number =>
    Math.abs(centre.approximate(x.centre)) + radius(centre, standard, x);
  const moved = (
    derivative: Tensor<Bounded<C>>,
    values: Tensor<Bounded<C>>,
    by: Tensor<Bounded<C>>,
  ): Tensor<Bounded<C>> =>
    map(derivative, (x, place) => {
      const size = sizeOf(at(by.data, place));
      return size === 0 ? x : enlarged(x, lossOf(at(values.data, place)) * size);
    });
  return {
    ...node,
    forward: (context, environment) => map(node.forward(context, environment), (x) => enlarged(x, lossOf(x))),
    jvp: (context, tangents, environment) =>
      moved(
        node.jvp(context, tangents, environment),
        node.forward(context, environment),
        at(tangents, at(node.reads, 0)),
      ),
    vjp: (context, environment, cotangent) =>
      mapSparse(node.vjp(context, environment, cotangent), (bar) =>
        moved(bar, node.forward(context, environment), cotangent),
      ),
  };
}

/**
 * Loosens sums that are exact by luck (1 · y − x is 0), since an engine's formula may round there. Others
 * have the roundings of the reference's formula.
 */
function withSumError<C>(node: Node<Bounded<C>>, standard: Standard, ulps: number): Node<Bounded<C>> {
  return {
    ...node,
    forward: (context, environment) =>
      map(node.forward(context, environment), (x) =>
        isExact(standard, x) ? loosened(standard, x, ulps) : x,
      ),
  };
}
