import type { CompositeAttributes } from "../../spec/composites/index.ts";
import type { NodeOf } from "../../spec/graph/index.ts";
import type { SumAttributes } from "../../spec/operators/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import { type Draft, type Proposal, pick, pickWhere, shapeAt, withAxes } from "./draft.ts";
import { shuffledAxes } from "./shapes.ts";
import { happens, oneOf } from "./values.ts";

/** A node of an operator whose attributes are those of `sum`. */
type Reduction<K> = (draft: Draft) => {
  readonly node: { readonly op: K; readonly attributes: SumAttributes; readonly parents: readonly NodeId[] };
};

/** Some of the axes in any order, in one case of sixteen none, and whether they stay. */
export function drawAxes({ random }: Draft, rank: number): SumAttributes {
  const axes = shuffledAxes(random, rank);
  axes.length = happens(random, 1, 16) ? 0 : random.nextInt(Math.min(1, rank), rank);
  return { axes, keepdims: happens(random, 1, 2) };
}

/** A reduction of any operand; what it does to an empty one, its row decides. */
export function reduction<K extends string>(op: K): Reduction<K> {
  return (draft) => {
    const x = (happens(draft.random, 7, 8) ? withAxes(draft) : undefined) ?? pick(draft);
    return { node: { op, attributes: drawAxes(draft, shapeAt(draft, x).length), parents: [x] } };
  };
}

export function proposeVar(draft: Draft): Proposal<NodeOf<"var">> {
  const { node } = reduction("var")(draft);
  const correction = oneOf(draft.random, [0, 1, 0.5]);
  return { node: { ...node, attributes: { ...node.attributes, correction } } };
}

/** Of a value that stays on one side of 0, if there is one: at 0 the length is not differentiable. */
export function proposeNorm(draft: Draft): Proposal<NodeOf<"norm">> {
  const isOneSided = (id: NodeId): boolean => {
    const x = draft.estimates[id];
    return x !== undefined && (x.least > 0 || x.greatest < 0);
  };
  const x = pickWhere(draft, isOneSided) ?? pick(draft);
  return { node: { op: "norm", attributes: drawAxes(draft, shapeAt(draft, x).length), parents: [x] } };
}

/** An operand with axes, and one of them: if it has a single element, another is drawn once. */
export function drawAxis(draft: Draft): { readonly x: NodeId; readonly axis: number } | undefined {
  const x = withAxes(draft);
  if (x === undefined) return undefined;
  const shape = shapeAt(draft, x);
  const draw = (): number => draft.random.nextInt(0, shape.length - 1);
  const axis = draw();
  return { x, axis: shape[axis] === 1 ? draw() : axis };
}

export function proposeCumulativeProd(draft: Draft): Proposal<NodeOf<"cumulative_prod">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  return { node: { op: "cumulative_prod", attributes: { axis: drawn.axis }, parents: [drawn.x] } };
}

export function proposeArgmax(draft: Draft): Proposal<NodeOf<"argmax">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const attributes: CompositeAttributes["argmax"] = {
    axis: drawn.axis,
    keepdims: happens(draft.random, 1, 2),
  };
  return { node: { op: "argmax", attributes, parents: [drawn.x] } };
}

export function proposeSort(draft: Draft): Proposal<NodeOf<"sort">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const attributes: CompositeAttributes["sort"] = {
    axis: drawn.axis,
    descending: happens(draft.random, 1, 2),
  };
  return { node: { op: "sort", attributes, parents: [drawn.x] } };
}

export function proposeTopK(draft: Draft): Proposal<NodeOf<"top_k">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const extent = shapeAt(draft, drawn.x)[drawn.axis] ?? 0;
  const k = draft.random.nextInt(Math.min(happens(draft.random, 1, 4) ? 0 : 1, extent), extent);
  return { node: { op: "top_k", attributes: { axis: drawn.axis, k }, parents: [drawn.x] } };
}
