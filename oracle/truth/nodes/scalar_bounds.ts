import { float64, step, type Tensor } from "../../../reference/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveNode } from "../../../spec/graph/index.ts";
import { hasSlopeFromValue, type PrimitiveName, slopesFromValue } from "../../../spec/operators/index.ts";
import { type Algebra, at, type NodeId, present } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import {
  allowing,
  type Bounded,
  type Comparison,
  finiteOnly,
  given,
  loosened,
  settle,
  withoutBound,
} from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import { lazily } from "../lazily.ts";
import { declaredExcess, derivativeUlps, openTies, type Standard } from "../standard/index.ts";
import { decidedByConvention } from "./by_convention.ts";
import { type Elementwise, elementwiseOver } from "./elementwise.ts";

/** These are the bounded numbers of a case of scalars by id; a cotangent is missing where none arrives. */
export interface ScalarBounds<C> {
  values(): readonly Bounded<C>[];
  tangents(): readonly Bounded<C>[];
  cotangents(): readonly (Bounded<C> | undefined)[];
}

/** An operator of scalars has these operands; what it hands on is rounded as an honest engine may. */
interface ScalarOperator<C> {
  /** Returns the value whose additions are pending. */
  value(operands: readonly Bounded<C>[]): Bounded<C>;
  /** Returns the value as its readers have it. */
  settled(value: Bounded<C>): Bounded<C>;
  /** Returns the tangent where `y` is the value, its additions pending. */
  tangent(operands: readonly Bounded<C>[], dots: readonly Bounded<C>[], y: Bounded<C>): Bounded<C>;
  /** Returns what the operand at a place is handed of a cotangent; nothing where it is not differentiated. */
  bar(operands: readonly Bounded<C>[], place: number, c: Bounded<C>, y: Bounded<C>): Bounded<C> | undefined;
  /** Returns what an operand is handed in all, as an engine may; its place is missing if it has several. */
  handed(
    bar: Bounded<C>,
    operands: readonly Bounded<C>[],
    place: number | undefined,
    c: Bounded<C>,
    y: Bounded<C>,
  ): Bounded<C>;
}

/** The operators over one algebra of bounds are made when they are first asked for. */
export type ScalarOperators<C> = (op: PrimitiveName) => ScalarOperator<C> | undefined;

/**
 * Returns the operators of scalars over an algebra. Law: each does to numbers what the honest graph's node
 * does to tensors without axes.
 */
export function scalarOperators<C>(
  algebra: Algebra<Bounded<C>, Comparison>,
  standard: Standard,
  centre: Centre<C>,
  written: Elementwise<Bounded<C>> = elementwiseOver(algebra, standard.slopes === "accurate"),
): ScalarOperators<C> {
  const made = new Map<PrimitiveName, ScalarOperator<C> | undefined>();
  return (op) => {
    if (!made.has(op)) made.set(op, operatorOf(op, algebra, standard, centre, written));
    return made.get(op);
  };
}

/** An operator's formulas are those of the reference, for a list of operands. */
interface Formulas<S> {
  value(operands: readonly S[]): S;
  tangent(operands: readonly S[], dots: readonly S[], y: S): S;
  bar(operands: readonly S[], place: number, c: S, y: S): S | undefined;
}

function formulasOf<S extends NonNullable<unknown>>(
  op: PrimitiveName,
  zero: S,
  { one, two, where }: Elementwise<S>,
): Formulas<S> | undefined {
  const [unary, binary] = [one[op], two[op]];
  if (unary !== undefined) {
    return {
      value: (xs) => unary.value(at(xs, 0)),
      tangent: (xs, dots, y) => unary.tangent(at(xs, 0), at(dots, 0), y),
      bar: (xs, _place, c, y) => unary.bar?.(at(xs, 0), c, y),
    };
  }
  if (binary !== undefined) {
    return {
      value: (xs) => binary.value(at(xs, 0), at(xs, 1)),
      tangent: (xs, dots, z) => binary.tangent(at(xs, 0), at(xs, 1), at(dots, 0), at(dots, 1), z),
      bar: (xs, place, c, z) => binary.bars && at(binary.bars, place)(at(xs, 0), at(xs, 1), c, z),
    };
  }
  if (op === "where" && where !== undefined) {
    return {
      value: (xs) => where.value(at(xs, 0), at(xs, 1), at(xs, 2)),
      tangent: (xs, dots) => where.value(at(xs, 0), at(dots, 1), at(dots, 2)),
      bar: (xs, place, c) => (place === 0 ? undefined : at(where.bars, place - 1)(at(xs, 0), c)),
    };
  }
  // What is read of Δ, or written down, is put in by the case.
  if (op === "constant" || op === "full")
    return { value: () => zero, tangent: () => zero, bar: () => undefined };
  return undefined;
}

function operatorOf<C>(
  op: PrimitiveName,
  { additive: { zero }, levels: { real } }: Algebra<Bounded<C>, Comparison>,
  standard: Standard,
  centre: Centre<C>,
  written: Elementwise<Bounded<C>>,
): ScalarOperator<C> | undefined {
  const formulas = formulasOf(op, zero, written);
  if (formulas === undefined) return undefined;
  const [excess, ulps] = [declaredExcess(standard, op), derivativeUlps(standard, op)];
  const isDecided = decidedByConvention(op, centre, standard);
  const loose = (x: Bounded<C>): Bounded<C> => (ulps === 0 ? x : finiteOnly(loosened(standard, x, ulps)));
  const opened = (x: Bounded<C>, operands: readonly Bounded<C>[], place?: number): Bounded<C> =>
    isDecided?.(operands, place) === true ? withoutBound(x) : x;
  const isTaken = hasSlopeFromValue(op) && standard.slopes !== "accurate" && real !== undefined;
  const allowed = (ours: Bounded<C>, y: Bounded<C>, by: Bounded<C>): Bounded<C> => {
    if (!isTaken) return ours;
    const slope = loosened(standard, slopesFromValue[op](real, y), 1);
    const other = scalar(real.multiply(slope, by));
    return at(allowing(centre, standard, scalar(ours), other, 0).data, 0);
  };
  return {
    value: formulas.value,
    settled: (y) => settle(centre, standard, loosened(standard, y, excess)),
    tangent: (xs, dots, y) => {
      const tangent = settle(centre, standard, loose(opened(formulas.tangent(xs, dots, y), xs)));
      return isTaken ? allowed(tangent, y, at(dots, 0)) : tangent;
    },
    bar: (xs, place, c, y) => formulas.bar(xs, place, settle(centre, standard, c), y),
    handed: (bar, xs, place, c, y) => allowed(loose(opened(bar, xs, place)), y, c),
  };
}

function scalar<S>(x: S): Tensor<S> {
  return { shape: [], data: [x] };
}

const floats = elementwiseOver(float64, false);

/**
 * Returns the values of a case whose nodes are operators of scalars, by the reference over float64;
 * `undefined` of others. Law: they are those of the run of a case by the reference, to the bit.
 */
export function valuesOfScalars(
  { graph, point }: PrimitiveCase,
  written: Elementwise<number> = floats,
): readonly number[] | undefined {
  if (shapesOf(graph).some(({ length }) => length > 0)) return undefined;
  const first = ({ data }: FlatTensor): number => data[0] ?? Number.NaN;
  const values = point.inputs.map(first);
  for (const node of graph.nodes) {
    step(2);
    const formulas = formulasOf(node.op, 0, written);
    if (formulas === undefined) return undefined;
    values.push(
      node.op === "full"
        ? node.attributes.value
        : node.op === "constant"
          ? first(present(point.environment.get(node.attributes.name), "an entry"))
          : formulas.value(node.parents.map((id) => at(values, id))),
    );
  }
  return values;
}

/** A case has these at a node of scalars. */
interface Placed<C> {
  readonly parents: readonly NodeId[];
  readonly operator: ScalarOperator<C>;
  /** This is its value if it has no operands. */
  readonly source?: Bounded<C> | undefined;
}

/**
 * Returns the bounded numbers of a case whose nodes are operators of scalars, none from a composite;
 * `undefined` of others, and where an engine may do otherwise than by the operators' formulas.
 * Law: they are those of the honest graph, to the bit. Cost: some operations of the algebra a node, where the
 * graph makes functions, tensors and dual numbers besides.
 */
export function scalarBounds<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  { additive }: Algebra<Bounded<C>, Comparison>,
  operators: ScalarOperators<C>,
): ScalarBounds<C> | undefined {
  const { graph, applications, point, seeds } = question;
  const { taper, saved, ofFunction } = standard;
  const isOwn = taper !== undefined || saved !== undefined || ofFunction === true;
  if (applications.length > 0 || isOwn || openTies(standard).size > 0) return undefined;
  if (shapesOf(graph).some(({ length }) => length > 0)) return undefined;
  const lift = ({ data }: FlatTensor): Bounded<C> => given(centre, standard, data[0] ?? 0);
  const entries = new Map<string, Bounded<C>>();
  const sourceOf = (node: PrimitiveNode): Bounded<C> | undefined => {
    if (node.op === "full") return given(centre, standard, node.attributes.value);
    if (node.op !== "constant") return undefined;
    const { name } = node.attributes;
    const entry = entries.get(name) ?? lift(present(point.environment.get(name), "an entry"));
    entries.set(name, entry);
    return entry;
  };
  const nodes: Placed<C>[] = [];
  for (const node of graph.nodes) {
    const operator = operators(node.op);
    if (operator === undefined) return undefined;
    nodes.push({ parents: node.parents, operator, source: sourceOf(node) });
  }
  const inputs = point.inputs.length;
  const forward = lazily(() => {
    const values = point.inputs.map(lift);
    const pending: Bounded<C>[] = [];
    const operands: (readonly Bounded<C>[])[] = [];
    for (const { parents, operator, source } of nodes) {
      step(2);
      const xs = parents.map((id) => at(values, id));
      const y = source ?? operator.value(xs);
      operands.push(xs);
      pending.push(y);
      values.push(operator.settled(y));
    }
    return { values, pending, operands };
  });
  const tangents = lazily(() => {
    const { pending, operands } = forward();
    const found = question.tangents.map(lift);
    for (const [index, { parents, operator }] of nodes.entries()) {
      step(2);
      const dots = parents.map((id) => at(found, id));
      found.push(operator.tangent(at(operands, index), dots, at(pending, index)));
    }
    return found;
  });
  const cotangents = lazily(() => {
    const { pending, operands } = forward();
    const found = new Array<Bounded<C> | undefined>(inputs + nodes.length);
    for (const { id, cotangent } of seeds) found[id] = lift(cotangent);
    for (let index = nodes.length - 1; index >= 0; index--) {
      const c = found[inputs + index];
      if (c === undefined) continue;
      step(2);
      const { parents, operator } = at(nodes, index);
      const [xs, y] = [at(operands, index), at(pending, index)];
      const bars = parents.map((_, place) => operator.bar(xs, place, c, y));
      const isReadTwice = new Set(parents).size < parents.length;
      for (const [place, id] of parents.entries()) {
        const bar = barAt(additive, parents, bars, place);
        if (bar === undefined) continue;
        const handed = operator.handed(bar, xs, isReadTwice ? undefined : place, c, y);
        const before = found[id];
        found[id] = before === undefined ? handed : additive.add(before, handed);
      }
    }
    return found;
  });
  return { values: () => forward().values, tangents, cotangents };
}

/** Returns what the operand at a place is handed: the sum, if it has several, at the first of them. */
function barAt<S>(
  { add }: { add(x: S, y: S): S },
  parents: readonly NodeId[],
  bars: readonly (S | undefined)[],
  place: number,
): S | undefined {
  if (bars[place] === undefined) return undefined;
  let sum: S | undefined;
  for (let other = 0; other < parents.length; other++) {
    const bar = bars[other];
    if (parents[other] !== parents[place] || bar === undefined) continue;
    if (sum === undefined && other < place) return undefined;
    sum = sum === undefined ? bar : add(sum, bar);
  }
  return sum;
}
