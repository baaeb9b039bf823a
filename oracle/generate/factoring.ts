import type { NodeOf } from "../../spec/graph/index.ts";
import { type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { drawElements, happens } from "../random/index.ts";
import { type Draft, type Proposal, pickWhere, room, shapeAt } from "./draft.ts";
import {
  appendConstant,
  appendSum,
  drawSquareShape,
  isSmallSquare,
  proposeSolve,
  rightHandSide,
} from "./systems.ts";

/** Inverts matrices far from singular, as `solve` gets them. */
export function proposeInverse(draft: Draft): Proposal<NodeOf<"inv">> | undefined {
  const [a] = proposeSolve(draft)?.node.parents ?? [];
  return a === undefined ? undefined : { node: { op: "inv", attributes: {}, parents: [a] } };
}

/** Factors a matrix known to be definite, or one made so; none if that cannot be made. */
export function proposeCholesky(draft: Draft): Proposal<NodeOf<"cholesky">> | undefined {
  const a = pickDefinite(draft) ?? appendDefinite(draft);
  if (a === undefined) return undefined;
  return { node: { op: "cholesky", attributes: { upper: happens(draft.random, 1, 2) }, parents: [a] } };
}

/** The other triangle is not read, and is seldom 0. */
export function proposeTriangularSolve(draft: Draft): Proposal<NodeOf<"triangular_solve">> | undefined {
  const a = pickDefinite(draft) ?? appendDefinite(draft);
  if (a === undefined) return undefined;
  const attributes = { upper: happens(draft.random, 1, 2) };
  return { node: { op: "triangular_solve", attributes, parents: [a, rightHandSide(draft, a)] } };
}

/** Picks matrices that are known to have a dominant diagonal. */
function pickDefinite(draft: Draft): NodeId | undefined {
  return pickWhere(
    draft,
    (id) => isSmallSquare(shapeAt(draft, id)) && (draft.estimates[id]?.definiteness ?? 0) > 0,
  );
}

/** Fills the diagonals of a shape `[...,n,n]` with `size`, the rest with zeros. */
function diagonals(shape: Shape, order: number, size: number): Float64Array {
  const data = new Float64Array(sizeOf(shape));
  for (let position = 0; position < data.length; position++) {
    const within = position % (order * order);
    if (Math.floor(within / order) === within % order) data[position] = size;
  }
  return data;
}

/** Appends a value plus a large diagonal, or constant matrices with one, if that and a reader fit. */
function appendDefinite(draft: Draft): NodeId | undefined {
  const has = (op: "constant" | "add"): boolean => draft.profile.operators.includes(op);
  if (room(draft) < 3 || !has("constant")) return undefined;
  const sum = has("add") && happens(draft.random, 2, 3) ? appendSum(draft, diagonals) : undefined;
  if (sum !== undefined || room(draft) < 2) return sum;
  const like = pickWhere(draft, (id) => isSmallSquare(shapeAt(draft, id)));
  const isLike = like !== undefined && happens(draft.random, 1, 2);
  const shape = isLike ? shapeAt(draft, like) : drawSquareShape(draft);
  const small = drawElements(draft.random, sizeOf(shape), "signed", draft.drawn);
  const large = diagonals(shape, shape.at(-1) ?? 0, 16);
  return appendConstant(
    draft,
    shape,
    small.map((x, position) => x + (large[position] ?? 0)),
  );
}
