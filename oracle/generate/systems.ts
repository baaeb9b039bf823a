import type { NodeOf } from "../../spec/graph/index.ts";
import { type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { drawElements, happens } from "../random/index.ts";
import { orderOf, rowSum } from "./dominance.ts";
import { append, type Draft, type Proposal, pickWhere, room, shapeAt } from "./draft.ts";
import { operandOf } from "./operands.ts";
import { shuffledAxes } from "./shapes.ts";

/** A matrix that is solved for, or whose determinant is taken, has at most this many rows. */
const ROWS = 4;

/** Tells whether the shape is of small square matrices. */
export function isSmallSquare(shape: Shape): boolean {
  const order = orderOf(shape);
  return order !== undefined && order <= ROWS;
}

/** Puts ±`size` once in each row and column of each matrix of a shape `[...,n,n]`, and zeros elsewhere. */
function drawPermutations(draft: Draft, shape: Shape, order: number, size: number): Float64Array {
  const data = new Float64Array(sizeOf(shape));
  for (let matrix = 0; matrix < data.length; matrix += order * order) {
    shuffledAxes(draft.random, order).forEach((column, row) => {
      data[matrix + row * order + column] = happens(draft.random, 1, 2) ? size : -size;
    });
  }
  return data;
}

/** Appends a new real entry of Δ with these numbers, as a node. */
export function appendConstant(draft: Draft, shape: Shape, data: Float64Array): NodeId | undefined {
  const name = `c${draft.environment.length}`;
  const entry = { declaration: { name, shape, kind: "real" }, value: { shape, data } } as const;
  return append(draft, { node: { op: "constant", attributes: { name }, parents: [] }, entry });
}

/** Constants stay below this, so that they are the same numbers in every precision. */
const LARGEST = 128;

/**
 * Appends `x + kP` for square matrices x, with P a signed permutation and k so large that the sum is far from
 * singular; its pivots need not lie on the diagonal.
 */
function appendShifted(draft: Draft): NodeId | undefined {
  return appendSum(draft, (shape, order, size) => drawPermutations(draft, shape, order, size));
}

/** Appends `x + drawFar(shape, n, k)` for some square matrices x, with k above every row sum of x. */
export function appendSum(
  draft: Draft,
  drawFar: (shape: Shape, order: number, size: number) => Float64Array,
): NodeId | undefined {
  const shiftFor = (id: NodeId): number => {
    const estimate = draft.estimates[id];
    return estimate === undefined ? Number.NaN : 2 ** Math.ceil(Math.log2(rowSum(estimate) + 1));
  };
  const x = pickWhere(draft, (id) => isSmallSquare(shapeAt(draft, id)) && shiftFor(id) <= LARGEST);
  if (x === undefined) return undefined;
  const shape = shapeAt(draft, x);
  const far = appendConstant(draft, shape, drawFar(shape, orderOf(shape) ?? 0, shiftFor(x)));
  if (far === undefined) return undefined;
  return append(draft, { node: { op: "add", attributes: {}, parents: [x, far] } });
}

/** Draws the shape of small square matrices, alone or in a batch. */
export function drawSquareShape({ random, profile }: Draft): Shape {
  const order = random.nextInt(1, 3);
  const length = random.nextInt(0, Math.max(profile.maximumRank - 2, 0));
  const batch = Array.from({ length }, () => random.nextInt(1, 2));
  const shape = [...batch, order, order];
  return sizeOf(shape) > profile.maximumElements ? [order, order] : shape;
}

/**
 * Picks right-hand sides: a value with the rows of the matrices `a`. For several batch axes, which hardly
 * ever meet one, it is sometimes made; where there is none, `a` itself.
 */
export function rightHandSide(draft: Draft, a: NodeId): NodeId {
  const shape = shapeAt(draft, a);
  const isMade = shape.length > 3 && happens(draft.random, 1, 2);
  const found = isMade
    ? operandOf(draft, [...shape.slice(0, -1), draft.random.nextInt(1, 3)])
    : pickWhere(draft, (id) => id !== a && isSystem(shape, shapeAt(draft, id)));
  return found ?? a;
}

/** Appends constant matrices far from singular: entries up to 3, one of each row and column ±16 more. */
function appendConstantMatrices(draft: Draft): NodeId | undefined {
  const b = pickWhere(draft, (id) => (shapeAt(draft, id).at(-2) ?? ROWS + 1) <= ROWS);
  if (b === undefined) return undefined;
  const rows = shapeAt(draft, b).slice(0, -1);
  const shape = happens(draft.random, 1, 4) ? drawSquareShape(draft) : [...rows, rows.at(-1) ?? 0];
  const order = orderOf(shape) ?? 0;
  const small = drawElements(draft.random, sizeOf(shape), "signed", draft.drawn);
  const large = drawPermutations(draft, shape, order, 16);
  return appendConstant(
    draft,
    shape,
    small.map((x, position) => x + (large[position] ?? 0)),
  );
}

/** Appends matrices far from singular, if there is room for them and for a node that reads them. */
function appendRegular(draft: Draft): NodeId | undefined {
  const has = (op: "constant" | "add"): boolean => draft.profile.operators.includes(op);
  if (room(draft) < 3 || !has("constant")) return undefined;
  const shifted = has("add") && happens(draft.random, 2, 3) ? appendShifted(draft) : undefined;
  return shifted ?? (room(draft) < 2 ? undefined : appendConstantMatrices(draft));
}

/** Tells whether the shapes are `[...batch, n, n]` and `[...batch, n, m]`. */
function isSystem(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((extent, axis) => axis === a.length - 1 || extent === b[axis]);
}

/** Solves for matrices known to be far from singular: some of the graph, or some made so. */
export function proposeSolve(draft: Draft): Proposal<NodeOf<"solve">> | undefined {
  const isRegular = (id: NodeId): boolean =>
    isSmallSquare(shapeAt(draft, id)) && (draft.estimates[id]?.dominance ?? 0) > 0;
  const a = pickWhere(draft, isRegular) ?? appendRegular(draft);
  if (a === undefined) return undefined;
  return { node: { op: "solve", attributes: {}, parents: [a, rightHandSide(draft, a)] } };
}

/** Takes any square matrices, singular ones too. */
export function proposeDet(draft: Draft): Proposal<NodeOf<"det">> | undefined {
  const x = pickWhere(draft, (id) => isSmallSquare(shapeAt(draft, id)));
  return x === undefined ? undefined : { node: { op: "det", attributes: {}, parents: [x] } };
}
