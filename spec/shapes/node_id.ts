declare const nodeIdBrand: unique symbol;

/** A position in `Γ ++ ss` [SEMANTICS §1.4]: inputs come first, then computed values in evaluation order. */
export type NodeId = number & { readonly [nodeIdBrand]: true };

/** Brands a position as a node id; the caller knows that it is an index into `Γ ++ ss`. */
export function nodeId(position: number): NodeId {
  return position as NodeId;
}
