import type { OperatorName } from "../../spec/composites/index.ts";
import type { Graph, Node } from "../../spec/graph/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import { simplerDerivatives } from "./inner.ts";

/** Tells whether an operator is one of the two that replace any other in the smallest cases. */
export function isPlain(op: OperatorName): boolean {
  return op === "negative" || op === "add";
}

/**
 * Lists simpler nodes for each position: with fewer operands, or fewer different ones, or less in inner
 * graphs, or of a plain operator. The caller checks whether they fit.
 */
export function* simplerNodes({ nodes }: Graph): Generator<readonly [number, Node]> {
  for (const [position, node] of nodes.entries()) {
    const { parents, op } = node;
    for (const [place, parent] of parents.entries()) {
      if (op === "concat" && parents.length > 1) {
        yield [position, { ...node, parents: parents.toSpliced(place, 1) }];
      }
      for (const other of new Set(parents)) {
        if (other !== parent) yield [position, { ...node, parents: parents.with(place, other) }];
      }
    }
    if (node.op === "differentiate") {
      for (const simpler of simplerDerivatives(node)) yield [position, simpler];
    }
    for (const plain of plainNodes(node)) yield [position, plain];
  }
}

/**
 * Lists plain nodes in place of one: of its first and last operand, of the first input where it has none, and
 * of each operand alone, since an operator with several often has one that has the shape of the result.
 */
function* plainNodes({ op, parents }: Node): Generator<Node> {
  const [x = nodeId(0)] = parents;
  const last = parents.at(-1) ?? x;
  if (!isPlain(op) && parents.length > 1) yield { op: "add", attributes: {}, parents: [x, last] };
  if (op === "negative") return;
  for (const parent of new Set([x, ...parents])) yield { op: "negative", attributes: {}, parents: [parent] };
}
