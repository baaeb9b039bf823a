import type { NodeNeeds } from "../../../reference/index.ts";
import type { PrimitiveGraph, PrimitiveNode } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, type NodeId, nodeId } from "../../../spec/shapes/index.ts";

/**
 * A value's storage follows from its last use. `stack`: it ends within the pass that makes it; `arena`: when
 * the reverse sweep has read it; `heap`: when the caller has it; `static`: it was there before.
 */
export type EscapeClass = "stack" | "arena" | "heap" | "static";

/** Each class outlives the ones before it. */
export const escapeClasses: readonly EscapeClass[] = ["stack", "arena", "heap", "static"];

/** This use takes a value out of the pass that makes it. */
export type Cause =
  | { readonly kind: "given" }
  | { readonly kind: "result" }
  /** The pull of a node reads it. */
  | { readonly kind: "pull"; readonly reader: NodeId }
  /** A snapshot contains it. */
  | { readonly kind: "snapshot" }
  /** A view of it, which shares its storage, has such a use. */
  | { readonly kind: "view"; readonly view: NodeId };

/** This is the class of a value, and the first use that requires it; on the stack there is none. */
export interface Escape {
  readonly class: EscapeClass;
  readonly cause?: Cause;
}

/** These operators' values may be views of their operand's storage. */
const viewing: ReadonlySet<PrimitiveName> = new Set([
  "reshape",
  "permute_dims",
  "broadcast_to",
  "slice",
  "stop_gradient",
]);

/** Returns the operand a node is a view of, if it is one. */
export function viewedBy({ op, parents }: PrimitiveNode): NodeId | undefined {
  return viewing.has(op) ? parents[0] : undefined;
}

/** Returns for each id the value whose storage it uses: its own, unless it is a view. */
export function storageOf({ inputs, nodes }: PrimitiveGraph, hasViews: boolean): NodeId[] {
  const storage = inputs.map((_, id) => nodeId(id));
  for (const [index, node] of nodes.entries()) {
    const viewed = hasViews ? viewedBy(node) : undefined;
    storage.push(viewed === undefined ? nodeId(inputs.length + index) : at(storage, viewed));
  }
  return storage;
}

/** This says whether a value is a result, and what reads it in reverse mode. */
export interface Use {
  readonly isResult: boolean;
  /** The first pull that reads it, or a snapshot, is its later use. */
  readonly later?: Extract<Cause, { readonly kind: "pull" | "snapshot" }>;
}

/**
 * Computes every value's escape class, the least that all uses allow. Results need `heap`, values that a pull
 * reads `arena`, {@link isGiven | given} ones are `static`, and a view's operand takes the view's class. Ids
 * name earlier ones only, so one pass from the last finds the least solution. Cost: linear in nodes and uses.
 */
export function escapesOf(graph: PrimitiveGraph, uses: readonly Use[], hasViews: boolean): readonly Escape[] {
  const escapes: Escape[] = uses.map(({ isResult, later }, id) => {
    if (isGiven(graph, id)) return { class: "static", cause: { kind: "given" } };
    if (isResult) return { class: "heap", cause: { kind: "result" } };
    return later === undefined ? { class: "stack" } : { class: "arena", cause: later };
  });
  for (let index = graph.nodes.length - 1; hasViews && index >= 0; index--) {
    const id = nodeId(graph.inputs.length + index);
    const viewed = viewedBy(at(graph.nodes, index));
    if (viewed !== undefined && isBelow(at(escapes, viewed).class, at(escapes, id).class)) {
      escapes[viewed] = { class: at(escapes, id).class, cause: { kind: "view", view: id } };
    }
  }
  return escapes;
}

/** Tells whether an id is an input, or a node that stands for an entry of Δ; the caller stores both. */
export function isGiven({ inputs, nodes }: PrimitiveGraph, id: number): boolean {
  return id < inputs.length || nodes[id - inputs.length]?.op === "constant";
}

/** Tells whether the storage of one class ends before that of another. */
export function isBelow(one: EscapeClass, other: EscapeClass): boolean {
  return escapeClasses.indexOf(one) < escapeClasses.indexOf(other);
}

/** Lists the needs of a tape that records all operands of every node, whatever its rule reads. */
export function everyOperand({ nodes }: PrimitiveGraph): NodeNeeds[] {
  return nodes.map(({ parents }) => {
    const operands = parents.map((_, place) => place);
    return parents.map(() => ({ operands, value: false, entries: [] }));
  });
}
