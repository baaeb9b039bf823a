import { map, type SparseContext } from "../../../reference/index.ts";
import { type NodeId, nodeId, present } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { anything, type FloatSet, isOnly, mayBe, ofKinds, union } from "../sets/float_set.ts";
import type { Operations, Sets } from "./composite.ts";

/** A `remainder` written out is x − ⌊x / y⌋ · y. */
export interface Remainder {
  readonly x: NodeId;
  readonly y: NodeId;
  readonly root: NodeId;
}

const zeros = ofKinds("0", "-0");

/** Returns the remainders that a case computes. */
export function remaindersOf({ graph, insides }: PrimitiveCase): readonly Remainder[] {
  const parentsOf = (id: NodeId): readonly NodeId[] =>
    present(graph.nodes[id - graph.inputs.length], "a node").parents;
  return insides.flatMap((inside, index): Remainder[] => {
    if (inside === undefined || inside.composite !== "remainder" || !inside.isLast) return [];
    const root = nodeId(graph.inputs.length + index);
    const [x, product] = parentsOf(root).map((id) => present(id, "a parent"));
    const y = parentsOf(present(product, "a product"))[1];
    return x === undefined || y === undefined ? [] : [{ x, y, root }];
  });
}

/**
 * Returns the value where an operand is NaN or infinite, or y is 0: NaN by ⌊x/y⌋ · y and by IEEE 754's
 * remainders. Of a finite x by an infinite y `fmod` leaves x, and a correction of its sign adds y.
 * `undefined` elsewhere.
 */
function valueAt(x: FloatSet, y: FloatSet): FloatSet | undefined {
  if (isOnly(y, "0", "-0", "nan") || isOnly(x, "nan", "inf", "-inf")) return ofKinds("nan");
  if (!isOnly(y, "inf", "-inf") || mayBe(x, "nan", "inf", "-inf", "far", "-far")) return undefined;
  return union(x, y, ofKinds("nan"), ...(mayBe(x, "0", "-0") ? [zeros] : []));
}

/** Returns the values of a remainder. */
export function remaindersAtPoles({ x, y }: Remainder, context: readonly Sets[]): Sets {
  const divisors = present(context[y], "y").data;
  return map(
    present(context[x], "x"),
    (set, position) => valueAt(set, present(divisors[position], "y")) ?? anything,
  );
}

/** Tells whether y is 0, and x and `c`, which comes back, are finite. */
function isPole(x: FloatSet, y: FloatSet, c: FloatSet): boolean {
  const areFinite = [x, c].every((set) => !mayBe(set, "nan", "inf", "-inf", "far", "-far"));
  return areFinite && isOnly(y, "0", "-0");
}

/** Returns the derivative by x: c, NaN of 0 times the quotient's slope 1/y, or 0 if left out. */
function byX(c: FloatSet): FloatSet {
  return union(c, zeros, ofKinds("nan"));
}

/** Returns the derivative by y: −c ⌊x/y⌋, where x/y is infinite or NaN; or NaN or 0 as above. */
function byY(a: Operations, c: FloatSet, x: FloatSet, y: FloatSet): FloatSet {
  return union(a.negative(a.multiply(c, a.divide(x, y))), zeros, ofKinds("nan"));
}

/** Returns the tangents of a remainder where y is 0. */
export function remainderTangents(
  a: Operations,
  { x, y }: Remainder,
  context: readonly Sets[],
  tangents: readonly Sets[],
): Sets {
  const at = (sets: Sets | undefined, position: number): FloatSet => sets?.data[position] ?? anything;
  return map(present(context[x], "x"), (set, position) => {
    const [divisor, xDot, yDot] = [
      at(context[y], position),
      at(tangents[x], position),
      at(tangents[y], position),
    ];
    if (!isPole(set, divisor, xDot) || !isPole(set, divisor, yDot)) return anything;
    return a.add(byX(xDot), byY(a, yDot, set, divisor));
  });
}

/** Returns what a remainder hands on where y is 0, `c` being its cotangent. */
export function remainderCotangents(
  a: Operations,
  { x, y }: Remainder,
  context: readonly Sets[],
  c: Sets,
): SparseContext<FloatSet> {
  const at = (id: NodeId, position: number): FloatSet => context[id]?.data[position] ?? anything;
  const handed = (f: (c: FloatSet, x: FloatSet, y: FloatSet) => FloatSet): Sets =>
    map(c, (cotangent, position) => {
      const [dividend, divisor] = [at(x, position), at(y, position)];
      return isPole(dividend, divisor, cotangent) ? f(cotangent, dividend, divisor) : anything;
    });
  // Where both are one node, the two are added, in an order of the engine's own.
  if (x === y) return new Map();
  return new Map([
    [x, handed(byX)],
    [y, handed((cotangent, dividend, divisor) => byY(a, cotangent, dividend, divisor))],
  ]);
}
