import type { NodeOf } from "../../spec/graph/index.ts";
import { type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { orderOf } from "./dominance.ts";
import { append, type Draft, type Proposal, pickWhere, room, shapeAt } from "./draft.ts";
import { operandOf } from "./operands.ts";
import { shuffledAxes } from "./shapes.ts";
import { drawElements, happens } from "./values.ts";

/** The most rows of a drawn matrix that is solved for or whose determinant is taken. */
const ROWS = 4;

/** Whether the shape is of square matrices, small ones. */
export function isSmallSquare(shape: Shape): boolean {
  const order = orderOf(shape);
  return order !== undefined && order <= ROWS;
}

/** For each matrix of a shape `[...,n,n]` one ±`size` in each row and column, and zeros. */
function drawPermutations(draft: Draft, shape: Shape, order: number, size: number): Float64Array {
  const data = new Float64Array(sizeOf(shape));
  for (let matrix = 0; matrix < data.length; matrix += order * order) {
    shuffledAxes(draft.random, order).forEach((column, row) => {
      data[matrix + row * order + column] = happens(draft.random, 1, 2) ? size : -size;
    });
  }
  return data;
}

/** A new real entry of Δ with these numbers, as a node. */
export function appendConstant(draft: Draft, shape: Shape, data: Float64Array): NodeId | undefined {
  const name = `c${draft.environment.length}`;
  const entry = { declaration: { name, shape, kind: "real" }, value: { shape, data } } as const;
  return append(draft, { node: { op: "constant", attributes: { name }, parents: [] }, entry });
}

/** Constants stay below this, so that they are the same numbers in every precision. */
const LARGEST = 128;

/**
 * Appends `x + kP` for some square matrices x, with P a permutation with signs and k so large that the sum is far from
 * singular; its pivots need not be on the diagonal.
 */
function appendShifted(draft: Draft): NodeId | undefined {
  return appendSum(draft, (shape, order, size) => drawPermutations(draft, shape, order, size));
}

/** Appends `x + k` of some square matrices x, with a constant drawn for their shape and order, and k above every row's sum. */
export function appendSum(
  draft: Draft,
  drawFar: (shape: Shape, order: number, size: number) => Float64Array,
): NodeId | undefined {
  const shiftFor = (id: NodeId): number => {
    const { least, greatest } = draft.estimates[id] ?? { least: Number.NaN, greatest: Number.NaN };
    const rowSum = (shapeAt(draft, id).at(-1) ?? 0) * Math.max(Math.abs(least), Math.abs(greatest));
    return 2 ** Math.ceil(Math.log2(rowSum + 1));
  };
  const x = pickWhere(draft, (id) => isSmallSquare(shapeAt(draft, id)) && shiftFor(id) <= LARGEST);
  if (x === undefined) return undefined;
  const shape = shapeAt(draft, x);
  const far = appendConstant(draft, shape, drawFar(shape, orderOf(shape) ?? 0, shiftFor(x)));
  if (far === undefined) return undefined;
  return append(draft, { node: { op: "add", attributes: {}, parents: [x, far] } });
}

/** The shape of small square matrices, alone or along other axes. */
export function drawSquareShape({ random, profile }: Draft): Shape {
  const order = random.nextInt(1, 3);
  const length = random.nextInt(0, Math.max(profile.maximumRank - 2, 0));
  const batch = Array.from({ length }, () => random.nextInt(1, 2));
  const shape = [...batch, order, order];
  return sizeOf(shape) > profile.maximumElements ? [order, order] : shape;
}

/**
 * A value with the rows of square matrices for right-hand sides: one that the graph has, or, for matrices of several batch axes,
 * which hardly ever meet one, one that is made; where there is none, they themselves.
 */
export function rightHandSide(draft: Draft, a: NodeId): NodeId {
  const shape = shapeAt(draft, a);
  const isMade = shape.length > 3 && happens(draft.random, 1, 2);
  const found = isMade
    ? operandOf(draft, [...shape.slice(0, -1), draft.random.nextInt(1, 3)])
    : pickWhere(draft, (id) => id !== a && isSystem(shape, shapeAt(draft, id)));
  return found ?? a;
}

/** Appends constant matrices far from singular that some value has the rows for, or of any shape: entries up to 3, one of each row ±16 more. */
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

/** Appends matrices that are far from singular, if there is room for them, and for a node that reads them. */
function appendRegular(draft: Draft): NodeId | undefined {
  const has = (op: "constant" | "add"): boolean => draft.profile.operators.includes(op);
  if (room(draft) < 3 || !has("constant")) return undefined;
  const shifted = has("add") && happens(draft.random, 2, 3) ? appendShifted(draft) : undefined;
  return shifted ?? (room(draft) < 2 ? undefined : appendConstantMatrices(draft));
}

/** Whether the shapes are `[...batch, n, n]` and `[...batch, n, m]`. */
function isSystem(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((extent, axis) => axis === a.length - 1 || extent === b[axis]);
}

/** Of matrices that are known to be far from singular: some that the graph has, or some made so. */
export function proposeSolve(draft: Draft): Proposal<NodeOf<"solve">> | undefined {
  const isRegular = (id: NodeId): boolean =>
    isSmallSquare(shapeAt(draft, id)) && (draft.estimates[id]?.dominance ?? 0) > 0;
  const a = pickWhere(draft, isRegular) ?? appendRegular(draft);
  if (a === undefined) return undefined;
  return { node: { op: "solve", attributes: {}, parents: [a, rightHandSide(draft, a)] } };
}

/** Of any square matrices, singular ones too. */
export function proposeDet(draft: Draft): Proposal<NodeOf<"det">> | undefined {
  const x = pickWhere(draft, (id) => isSmallSquare(shapeAt(draft, id)));
  return x === undefined ? undefined : { node: { op: "det", attributes: {}, parents: [x] } };
}
