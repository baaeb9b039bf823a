import type { Random } from "fast-check";
import type { NodeOf } from "../../spec/graph/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import {
  type Draft,
  newIndices,
  type Proposal,
  pick,
  pickLike,
  pickWhere,
  shapeAt,
  withAxes,
} from "./draft.ts";
import { drawAxis } from "./reductive.ts";
import { shuffledAxes } from "./shapes.ts";

/** Proposes operands of one shape, stacked along any axis of the result, the last one too. */
export function proposeStack(draft: Draft): Proposal<NodeOf<"stack">> | undefined {
  const x = pickWhere(draft, (id) => shapeAt(draft, id).length < draft.profile.maximumRank);
  if (x === undefined) return undefined;
  const others = Array.from({ length: draft.random.nextInt(0, draft.profile.maximumOperands - 1) }, () =>
    pickLike(draft, x),
  );
  const axis = draft.random.nextInt(0, shapeAt(draft, x).length);
  return { node: { op: "stack", attributes: { axis }, parents: [x, ...others] } };
}

/** Takes part of an axis whose sections are as fine as may be, or any; none if no operand has axes. */
export function proposeSplit(draft: Draft): Proposal<NodeOf<"split">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const extent = shapeAt(draft, drawn.x)[drawn.axis] ?? 0;
  const divisors = [1, 2, 3, 4].filter((count) => extent % count === 0);
  const isFine = happens(draft.random, 1, 2);
  const sections = (isFine ? divisors.at(-1) : divisors[draft.random.nextInt(0, divisors.length - 1)]) ?? 1;
  const part = draft.random.nextInt(0, sections - 1);
  return { node: { op: "split", attributes: { axis: drawn.axis, sections, part }, parents: [drawn.x] } };
}

/** Flips some axes in any order, at least one where there is one. */
export function proposeFlip(draft: Draft): Proposal<NodeOf<"flip">> {
  const x = withAxes(draft) ?? pick(draft);
  const axes = shuffledAxes(draft.random, shapeAt(draft, x).length);
  axes.length = draft.random.nextInt(Math.min(1, axes.length), axes.length);
  return { node: { op: "flip", attributes: { axes }, parents: [x] } };
}

/** Shifts by nothing, by the whole extent, or by any number of either sign. */
export function proposeRoll(draft: Draft): Proposal<NodeOf<"roll">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const extent = shapeAt(draft, drawn.x)[drawn.axis] ?? 0;
  const most = oneOf(draft.random, [0, 6, extent, extent]);
  const shift = draft.random.nextInt(-most, most);
  return { node: { op: "roll", attributes: { shift, axis: drawn.axis }, parents: [drawn.x] } };
}

/** Draws up to `maximumRank` repetitions, so that there are more of them than x has axes, or fewer. */
export function proposeTile(draft: Draft): Proposal<NodeOf<"tile">> {
  const x = pick(draft);
  const length = draft.random.nextInt(0, draft.profile.maximumRank);
  const repetitions = Array.from({ length }, () => oneOf(draft.random, [1, 1, 2, 3]));
  if (happens(draft.random, 1, 8) && length > 0) repetitions[0] = 0;
  return { node: { op: "tile", attributes: { repetitions }, parents: [x] } };
}

/** Takes rows and classes from some matrix, so that the result finds partners; either may be 0. */
export function proposeOneHot(draft: Draft): Proposal<NodeOf<"one_hot">> | undefined {
  const like = pickMatrix(draft) ?? withAxes(draft);
  if (like === undefined) return undefined;
  const [rows = 2, columns = 3] = shapeAt(draft, like);
  const classes = happens(draft.random, 1, 8) ? draft.random.nextInt(0, 1) : columns;
  const entry = newIndices(draft, classes, classes === 0 || happens(draft.random, 1, 8) ? 0 : rows);
  return {
    node: { op: "one_hot", attributes: { indices: entry.declaration.name, classes }, parents: [] },
    entry,
  };
}

/** Picks an operand of at least two axes. */
function pickMatrix(draft: Draft): NodeId | undefined {
  return pickWhere(draft, (id) => shapeAt(draft, id).length >= 2);
}

/** Draws the main diagonal in one case of three, else another one, seldom outside the matrix. */
function drawOffset(random: Random): number {
  return happens(random, 1, 3) ? 0 : random.nextInt(-3, 3);
}

/** Proposes a node of an operator that has the attribute `offset`, the number of a diagonal. */
type OnDiagonal<K> = (draft: Draft) =>
  | {
      readonly node: {
        readonly op: K;
        readonly attributes: { readonly offset: number };
        readonly parents: readonly NodeId[];
      };
    }
  | undefined;

/** Proposes the operator on any matrices, square or not. */
export function onDiagonal<K extends string>(op: K): OnDiagonal<K> {
  return (draft) => {
    const x = pickMatrix(draft);
    if (x === undefined) return undefined;
    return { node: { op, attributes: { offset: drawOffset(draft.random) }, parents: [x] } };
  };
}
