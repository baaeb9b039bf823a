import type { NodeOf } from "../../spec/graph/index.ts";
import type { SumAttributes } from "../../spec/operators/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { type Draft, type Proposal, pick, pickWhere, shapeAt, withAxes } from "./draft.ts";
import { shuffledAxes } from "./shapes.ts";

/** Proposes a node of an operator whose attributes are those of `sum`. */
type Reduction<K> = (draft: Draft) => {
  readonly node: { readonly op: K; readonly attributes: SumAttributes; readonly parents: readonly NodeId[] };
};

/** Draws all axes in one case of three, none in one of sixteen, else some, in any order; and if they stay. */
export function drawAxes({ random }: Draft, rank: number): SumAttributes {
  const axes = shuffledAxes(random, rank);
  const areAll = happens(random, 1, 3);
  if (!areAll) axes.length = happens(random, 1, 16) ? 0 : random.nextInt(Math.min(1, rank), rank);
  return { axes, keepdims: happens(random, 1, 2) };
}

/** Proposes a reduction of any operand; the operator's row refuses an empty one where it must. */
export function reduction<K extends string>(op: K): Reduction<K> {
  return (draft) => {
    const x = (happens(draft.random, 7, 8) ? withAxes(draft) : undefined) ?? pick(draft);
    return { node: { op, attributes: drawAxes(draft, shapeAt(draft, x).length), parents: [x] } };
  };
}

/** Reduces as others do; a correction that equals the count makes it divide by 0. */
export function proposeVar(draft: Draft): Proposal<NodeOf<"var">> {
  const { node } = reduction("var")(draft);
  const correction = oneOf(draft.random, [0, 1, 0.5]);
  return { node: { ...node, attributes: { ...node.attributes, correction } } };
}

/** Prefers a value that stays on one side of 0, since the norm is not differentiable at 0. */
export function proposeNorm(draft: Draft): Proposal<NodeOf<"norm">> {
  const isOneSided = (id: NodeId): boolean => {
    const x = draft.estimates[id];
    return x !== undefined && (x.least > 0 || x.greatest < 0);
  };
  const x = pickWhere(draft, isOneSided) ?? pick(draft);
  return { node: { op: "norm", attributes: drawAxes(draft, shapeAt(draft, x).length), parents: [x] } };
}

/** Picks an operand with axes, and one of them; an axis of a single element is drawn again once. */
export function drawAxis(draft: Draft): { readonly x: NodeId; readonly axis: number } | undefined {
  const x = withAxes(draft);
  if (x === undefined) return undefined;
  const shape = shapeAt(draft, x);
  const draw = (): number => draft.random.nextInt(0, shape.length - 1);
  const axis = draw();
  return { x, axis: shape[axis] === 1 ? draw() : axis };
}

/** Multiplies along any axis; none if no operand has axes. */
export function proposeCumulativeProd(draft: Draft): Proposal<NodeOf<"cumulative_prod">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  return { node: { op: "cumulative_prod", attributes: { axis: drawn.axis }, parents: [drawn.x] } };
}

/** Finds the greatest along an axis; none if no operand has axes. */
export function proposeArgmax(draft: Draft): Proposal<NodeOf<"argmax">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const attributes = { axis: drawn.axis, keepdims: happens(draft.random, 1, 2) };
  return { node: { op: "argmax", attributes, parents: [drawn.x] } };
}

/** Sorts along an axis, up or down; none if no operand has axes. */
export function proposeSort(draft: Draft): Proposal<NodeOf<"sort">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const attributes = { axis: drawn.axis, descending: happens(draft.random, 1, 2) };
  return { node: { op: "sort", attributes, parents: [drawn.x] } };
}

/** Keeps up to all elements of an axis, seldom none; none if no operand has axes. */
export function proposeTopK(draft: Draft): Proposal<NodeOf<"top_k">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const extent = shapeAt(draft, drawn.x)[drawn.axis] ?? 0;
  const k = draft.random.nextInt(Math.min(happens(draft.random, 1, 4) ? 0 : 1, extent), extent);
  return { node: { op: "top_k", attributes: { axis: drawn.axis, k }, parents: [drawn.x] } };
}
