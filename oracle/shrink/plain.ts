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
    const plain = plainNode(node);
    if (plain !== undefined) yield [position, plain];
  }
}

/** Makes a plain node of the first and the last operand, or of the first input where there is none. */
function plainNode({ op, parents }: Node): Node | undefined {
  if (isPlain(op)) return undefined;
  const [x = nodeId(0)] = parents;
  if (parents.length < 2) return { op: "negative", attributes: {}, parents: [x] };
  return { op: "add", attributes: {}, parents: [x, parents.at(-1) ?? x] };
}
