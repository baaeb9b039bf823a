import type { NodeOf } from "../../spec/graph/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { type Draft, newRows, type Proposal, pick, shapeAt, withAxes } from "./draft.ts";

/** Takes a shape of the graph, so that the result finds partners. Some numbers are 0, some no float32. */
export function proposeFull(draft: Draft): Proposal<NodeOf<"full">> {
  const shape = shapeAt(draft, pick(draft));
  const { random } = draft;
  const value = happens(random, 1, 4) ? oneOf(random, [0, 0, 0.1, -1 / 3]) : random.nextInt(-24, 24) / 8;
  return { node: { op: "full", attributes: { shape, value }, parents: [] } };
}

/** Counts along an axis of a shape of the graph; none if no operand has axes. */
export function proposeIota(draft: Draft): Proposal<NodeOf<"iota">> | undefined {
  const like = withAxes(draft);
  if (like === undefined) return undefined;
  const shape = shapeAt(draft, like);
  const axis = draft.random.nextInt(0, shape.length - 1);
  return { node: { op: "iota", attributes: { shape, axis }, parents: [] } };
}

/** Every second mask reuses an earlier key, if there is one: the two masks must then be equal. */
export function proposeMask(draft: Draft): Proposal<NodeOf<"bernoulli_mask">> {
  const { random } = draft;
  const shape = shapeAt(draft, pick(draft));
  const rate = oneOf(random, [0.5, 0.25, 0.75, 0.1, 0, 1]);
  const known = draft.nodes.find((node) => node.op === "bernoulli_mask");
  if (known !== undefined && happens(random, 1, 2)) {
    const { key } = known.attributes;
    return { node: { op: "bernoulli_mask", attributes: { shape, key, rate }, parents: [] } };
  }
  const entry = newRows(draft, [2], [2 ** 32, 2 ** 32]);
  const { name: key } = entry.declaration;
  return { node: { op: "bernoulli_mask", attributes: { shape, key, rate }, parents: [] }, entry };
}
