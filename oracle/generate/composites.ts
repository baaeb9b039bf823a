import type { CompositeName, NoAttributes, NodeId, NodeOf } from "../../spec/index.ts";
import { type Draft, type Proposal, pick, pickLike } from "./draft.ts";

/** How each composite is proposed; `undefined` where the graph has no operand for it. */
export type CompositeProposals = {
  readonly [K in CompositeName]: (draft: Draft) => Proposal<NodeOf<K>> | undefined;
};

/** As many operands of one shape. */
export function alike(draft: Draft, count: number): NodeId[] {
  const x = pick(draft);
  return [x, ...Array.from({ length: count - 1 }, () => pickLike(draft, x))];
}

/** A node without attributes, of operands of one shape. */
function plain<K extends CompositeName>(op: K, count: number): PlainProposal<K> {
  return (draft) => ({ node: { op, attributes: {}, parents: alike(draft, count) } });
}

type PlainProposal<K> = (draft: Draft) => {
  readonly node: { readonly op: K; readonly attributes: NoAttributes; readonly parents: readonly NodeId[] };
};

/** How each composite's nodes are drawn, in the table's order. */
export const compositeProposals: CompositeProposals = {
  square: plain("square", 1),
};
