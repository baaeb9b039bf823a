import { isSameShape, type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { happens } from "../random/index.ts";
import { append, type Draft, type NewEntry, pickWhere, room, shapeAt } from "./draft.ts";

/** An operand picked for its shape has no wider interval, so that exponents and variances stay bounded. */
const MAXIMUM_SPREAD = 4;

/** Tells whether the value at `id` is finite, and mostly whether it is near 0. */
function isModest({ estimates }: Draft, id: NodeId): boolean {
  const x = estimates[id];
  return x !== undefined && x.greatest - x.least <= MAXIMUM_SPREAD;
}

/** Tells whether a reshape of the value asks more than a constant does: not if it is one, or was reshaped. */
function isWorthReshaping({ inputs, nodes }: Draft, id: NodeId): boolean {
  const op = nodes[id - inputs.length]?.op;
  return op !== "constant" && op !== "reshape";
}

/** Draws a real entry of Δ of small numbers of either sign, eighths up to 1, as weights are. */
function newWeights(draft: Draft, shape: Shape): NewEntry {
  const data = Float64Array.from({ length: sizeOf(shape) }, () => draft.random.nextInt(-8, 8) / 8);
  const value: FlatTensor = { shape, data };
  return { declaration: { name: `c${draft.environment.length}`, shape, kind: "real" }, value };
}

/** Tells whether a node of `op` may come before the one that is being proposed. */
function mayAdd(draft: Draft, op: "reshape" | "constant"): boolean {
  return room(draft) >= 2 && draft.profile.operators.includes(op);
}

/**
 * Returns an id of exactly this shape: one of the graph, or one of its size reshaped, or a new constant,
 * since shapes hardly ever meet; `undefined` where the graph has neither one nor room for one.
 */
export function operandOf(draft: Draft, shape: Shape): NodeId | undefined {
  const found = pickWhere(draft, (id) => isSameShape(shapeAt(draft, id), shape) && isModest(draft, id));
  if (found !== undefined && happens(draft.random, 7, 8)) return found;
  const alike = pickWhere(
    draft,
    (id) =>
      sizeOf(shapeAt(draft, id)) === sizeOf(shape) && isModest(draft, id) && isWorthReshaping(draft, id),
  );
  if (alike !== undefined && mayAdd(draft, "reshape") && happens(draft.random, 1, 2)) {
    return append(draft, { node: { op: "reshape", attributes: { shape }, parents: [alike] } });
  }
  if (!mayAdd(draft, "constant")) return found;
  const entry = newWeights(draft, shape);
  const attributes = { name: entry.declaration.name };
  return append(draft, { node: { op: "constant", attributes, parents: [] }, entry });
}

/** Returns an operand of each shape, or `undefined` where one cannot be had. */
export function operandsOf(draft: Draft, shapes: readonly Shape[]): readonly NodeId[] | undefined {
  const found: NodeId[] = [];
  for (const shape of shapes) {
    const id = operandOf(draft, shape);
    if (id === undefined) return undefined;
    found.push(id);
  }
  return found;
}
