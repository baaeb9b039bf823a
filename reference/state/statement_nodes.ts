import type { Node } from "../../spec/graph/index.ts";
import type { Let, StatementOf } from "../../spec/programs/index.ts";
import { nodeId, type Shape } from "../../spec/shapes/index.ts";

/** This node stops derivatives [SEMANTICS §2.6, §10.6]. */
export const stopGradient: Node = { op: "stop_gradient", attributes: {}, parents: [nodeId(0)] };

/** Returns the node that a statement applies. */
export function nodeOf(statement: Let | StatementOf<"update">): Node {
  return statement.do === "let" ? nodeOfLet(statement) : nodeOfUpdate(statement);
}

function nodeOfLet({ do: _, name: _name, operands, ...applied }: Let): Node {
  return { ...applied, parents: operands.map((_operand, place) => nodeId(place)) };
}

function nodeOfUpdate({ op }: StatementOf<"update">): Node {
  return { op, attributes: {}, parents: [nodeId(0), nodeId(1)] };
}

/** Returns a reshape as a node. */
export function reshapeTo(shape: Shape): Node {
  return { op: "reshape", attributes: { shape }, parents: [nodeId(0)] };
}
