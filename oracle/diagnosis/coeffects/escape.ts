import type { NodeNeeds } from "../../../reference/index.ts";
import type { PrimitiveGraph, PrimitiveNode } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, type NodeId, nodeId } from "../../../spec/shapes/index.ts";

/**
 * Where a value has to be stored, by how long it is used. `stack`: within the pass that makes it; `arena`: until the sweep back has read it;
 * `heap`: until whoever asked has it; `static`: it was there before.
 */
export type EscapeClass = "stack" | "arena" | "heap" | "static";

/** Classes in their order: who needs a later one cannot do with an earlier one. */
export const escapeClasses: readonly EscapeClass[] = ["stack", "arena", "heap", "static"];

/** The use that takes a value out of the pass that makes it. */
export type Cause =
  | { readonly kind: "given" }
  | { readonly kind: "result" }
  /** The pull of a node reads it. */
  | { readonly kind: "pull"; readonly reader: NodeId }
  /** It is in a snapshot. */
  | { readonly kind: "snapshot" }
  /** A node that only looks at it, and has its storage, is used there. */
  | { readonly kind: "view"; readonly view: NodeId };

/** The class of a value, and the first use that asks for it; none keeps it on the stack. */
export interface Escape {
  readonly class: EscapeClass;
  readonly cause?: Cause;
}

/** Operators whose value may be another way to look at their operand's storage. */
const viewing: ReadonlySet<PrimitiveName> = new Set([
  "reshape",
  "permute_dims",
  "broadcast_to",
  "slice",
  "stop_gradient",
]);

/** What a node looks at, if it is a view. */
function viewedBy({ op, parents }: PrimitiveNode): NodeId | undefined {
  return viewing.has(op) ? parents[0] : undefined;
}

/** By id, the value whose storage a value has: its own, unless it is a view. */
export function storageOf({ inputs, nodes }: PrimitiveGraph, hasViews: boolean): NodeId[] {
  const storage = inputs.map((_, id) => nodeId(id));
  for (const [index, node] of nodes.entries()) {
    const viewed = hasViews ? viewedBy(node) : undefined;
    storage.push(viewed === undefined ? nodeId(inputs.length + index) : at(storage, viewed));
  }
  return storage;
}

/** What is known of a value beside the graph: whether it is a result, and what asks for it on the way back. */
export interface Use {
  readonly isResult: boolean;
  /** The first pull that reads it, or a snapshot. */
  readonly later?: Extract<Cause, { readonly kind: "pull" | "snapshot" }>;
}

/**
 * The escape class of every value, by id: the least that all uses allow. A result goes to `heap`, what a pull reads to `arena`, what is
 * given is `static`, and what a view is of goes where the view goes. Ids only name earlier ones, so that one pass from the last finds the
 * least solution. Cost: linear in nodes and uses.
 */
export function escapesOf(graph: PrimitiveGraph, uses: readonly Use[], hasViews: boolean): readonly Escape[] {
  const escapes: Escape[] = uses.map(({ isResult, later }, id) => {
    if (id < graph.inputs.length) return { class: "static", cause: { kind: "given" } };
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

/** Whether a class is left earlier than another. */
export function isBelow(one: EscapeClass, other: EscapeClass): boolean {
  return escapeClasses.indexOf(one) < escapeClasses.indexOf(other);
}

/** What a tape needs that writes down the operands of every node, whatever its rule reads. */
export function everyOperand({ nodes }: PrimitiveGraph): NodeNeeds[] {
  return nodes.map(({ parents }) => {
    const operands = parents.map((_, place) => place);
    return parents.map(() => ({ operands, value: false, entries: [] }));
  });
}
