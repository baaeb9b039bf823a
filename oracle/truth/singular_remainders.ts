import type { SparseContext, Tensor } from "../../reference/index.ts";
import { type Algebra, type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { anything, either, isOnly, mayBe, type Possible, those } from "./possible.ts";

/** The nodes of a `remainder` written out: x − ⌊x / y⌋ · y. */
export interface Remainder {
  readonly x: NodeId;
  readonly y: NodeId;
  readonly root: NodeId;
}

/** What sets of floats can do. */
type Operations = NonNullable<Algebra<Possible, unknown>["levels"]["field"]>;

type Sets = Tensor<Possible>;

const zeros = those("0", "-0");

/** The remainders that a case computes, of two operands that are not one. */
export function remaindersOf({ graph, insides }: PrimitiveCase): readonly Remainder[] {
  const parentsOf = (id: NodeId): readonly NodeId[] =>
    present(graph.nodes[id - graph.inputs.length], "a node").parents;
  return insides.flatMap((inside, index): Remainder[] => {
    if (inside === undefined || inside.composite !== "remainder" || !inside.isLast) return [];
    const root = nodeId(graph.inputs.length + index);
    const [x, product] = parentsOf(root).map((id) => present(id, "a parent"));
    const y = parentsOf(present(product, "a product"))[1];
    return x === undefined || y === undefined || x === y ? [] : [{ x, y, root }];
  });
}

/**
 * The value where an operand is a NaN or infinite, or y is 0: NaN by ⌊x/y⌋ · y and by IEEE 754's remainders alike. Of a
 * finite x by an infinite y `fmod` leaves x, and what corrects its sign adds y. `undefined` elsewhere.
 */
function valueAt(x: Possible, y: Possible): Possible | undefined {
  if (isOnly(y, "0", "-0", "nan") || isOnly(x, "nan", "inf", "-inf")) return those("nan");
  if (!isOnly(y, "inf", "-inf") || mayBe(x, "nan", "inf", "-inf", "far", "-far")) return undefined;
  return either(x, y, those("nan"), ...(mayBe(x, "0", "-0") ? [zeros] : []));
}

/** The values of a remainder. */
export function remaindersAtPoles({ x, y }: Remainder, context: readonly Sets[]): Sets {
  const divisors = present(context[y], "y").data;
  return map2(
    present(context[x], "x"),
    (set, position) => valueAt(set, present(divisors[position], "y")) ?? anything,
  );
}

/** Where y is 0, x is finite, and so is the `c` that comes. */
function isPole(x: Possible, y: Possible, c: Possible): boolean {
  const areFinite = [x, c].every((set) => !mayBe(set, "nan", "inf", "-inf", "far", "-far"));
  return areFinite && isOnly(y, "0", "-0");
}

/** By x: c, or 0 times the slope 1/y of the quotient beside it, which is NaN; or what is singular is left out. */
function byX(c: Possible): Possible {
  return either(c, zeros, those("nan"));
}

/** By y: −c ⌊x/y⌋, where x/y is infinite or NaN; NaN beside it, as above, or left out. */
function byY(a: Operations, c: Possible, x: Possible, y: Possible): Possible {
  return either(a.negative(a.multiply(c, a.divide(x, y))), zeros, those("nan"));
}

/** The tangents of a remainder where y is 0. */
export function remainderTangents(
  a: Operations,
  { x, y }: Remainder,
  context: readonly Sets[],
  tangents: readonly Sets[],
): Sets {
  const at = (sets: Sets | undefined, position: number): Possible => sets?.data[position] ?? anything;
  return map2(present(context[x], "x"), (set, position) => {
    const [divisor, xDot, yDot] = [
      at(context[y], position),
      at(tangents[x], position),
      at(tangents[y], position),
    ];
    if (!isPole(set, divisor, xDot) || !isPole(set, divisor, yDot)) return anything;
    return a.add(byX(xDot), byY(a, yDot, set, divisor));
  });
}

/** What a remainder hands on where y is 0, `c` being its cotangent. */
export function remainderCotangents(
  a: Operations,
  { x, y }: Remainder,
  context: readonly Sets[],
  c: Sets,
): SparseContext<Possible> {
  const at = (id: NodeId, position: number): Possible => context[id]?.data[position] ?? anything;
  const handed = (f: (c: Possible, x: Possible, y: Possible) => Possible): Sets =>
    map2(c, (cotangent, position) => {
      const [dividend, divisor] = [at(x, position), at(y, position)];
      return isPole(dividend, divisor, cotangent) ? f(cotangent, dividend, divisor) : anything;
    });
  return new Map([
    [x, handed(byX)],
    [y, handed((cotangent, dividend, divisor) => byY(a, cotangent, dividend, divisor))],
  ]);
}

function map2(sets: Sets, f: (set: Possible, position: number) => Possible): Sets {
  return { shape: sets.shape, data: sets.data.map(f) };
}
