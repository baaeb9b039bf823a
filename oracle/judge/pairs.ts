import { type Graph, type Node, nodeAt } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { idealCotangents } from "../shrink/index.ts";
import { type Excerpt, type Isolated, isolate, type Numbers, sideBySide } from "./excerpt.ts";

/** One node reads another's result, as its operand at a place. */
export interface Edge {
  readonly operand: NodeId;
  readonly before: Node;
  readonly reader: NodeId;
  readonly node: Node;
  readonly place: number;
}

type Part = Pick<Excerpt, "node" | "cotangent">;

/** These have one operand, and their derivatives read that or their own results. */
const besides = ["sin", "cos", "tanh"] as const;

/** Lists the edges between nodes, by their readers in order. */
export function edgesIn({ inputs, nodes }: Graph): readonly Edge[] {
  return nodes.flatMap((node, index) =>
    node.parents.flatMap((operand, place): Edge[] => {
      const before = nodes[operand - inputs.length];
      const reader = nodeId(inputs.length + index);
      return before === undefined ? [] : [{ operand, before, reader, node, place }];
    }),
  );
}

/** Two nodes read one id. */
export interface Siblings {
  readonly shared: NodeId;
  readonly both: readonly [NodeId, NodeId];
}

/** Lists the nodes that read an id which another reads too, two by two. */
export function siblingsIn({ inputs, nodes }: Graph): readonly Siblings[] {
  const readers = Map.groupBy(
    nodes.flatMap(({ parents }, index) =>
      [...new Set(parents)].map((shared) => ({ shared, reader: nodeId(inputs.length + index) })),
    ),
    ({ shared }) => shared,
  );
  return [...readers].flatMap(([shared, all]) =>
    all.flatMap(({ reader: second }, position) =>
      all.slice(0, position).map(({ reader: first }): Siblings => ({ shared, both: [first, second] })),
    ),
  );
}

/** Two nodes are asked with these numbers, and their answers are judged so. */
export interface Trial {
  readonly question: Case;
  readonly numbers: Numbers;
  /** Is pulled back from the reader, and from its operand directly. */
  cotangents(edge: Edge): Pick<Excerpt, "cotangent" | "between">;
  isWrong(excerpt: Case): Promise<boolean>;
  /** Tells whether what is wrong of two is a number that the operand cannot have made wrong alone. */
  isReaders(pair: Isolated): Promise<boolean>;
}

/** One of two nodes is to blame; it is `plain` if it is wrong beside another operator too. */
export interface Culprit {
  readonly which: "operand" | "reader";
  readonly isPlain: boolean;
}

/** These have one operand, keep its shape and sign, and their derivatives read their own results. */
const others = ["tanh", "expm1", "sqrt"] as const;

/**
 * Asks two nodes, one of which reads the other, and says which is to blame where they are wrong: the one that
 * is wrong beside another operator too, or `both` if each is; else the one that the wrong number is of. A
 * node without operands computes nothing, and is never to blame. `undefined` if the two are right.
 */
export async function culpritOf(trial: Trial, edge: Edge): Promise<Culprit | "both" | undefined> {
  const { question, numbers } = trial;
  const { node, before, place, operand } = edge;
  const cotangents = trial.cotangents(edge);
  const pair = isolate(question, numbers, { node, before, place, ...cotangents });
  if (!(await trial.isWrong(pair.question))) return undefined;
  const strangers = others
    .filter((op) => op !== node.op && op !== before.op)
    .map((op): Node => ({ op, attributes: {}, parents: [operand] }));
  const isWrongBeside = async (excerpts: readonly Excerpt[]): Promise<boolean> => {
    for (const excerpt of excerpts) {
      if (await trial.isWrong(isolate(question, numbers, excerpt).question)) return true;
    }
    return false;
  };
  const afterOthers = strangers.map((other) => ({ node, before: other, place, ...cotangents }));
  const isReaderWrong = await isWrongBeside(afterOthers);
  if (before.parents.length === 0) return { which: "reader", isPlain: isReaderWrong };
  const ones = idealCotangents(at(numbers.values, operand).shape);
  const beforeOthers = strangers.map((other) => ({ node: other, cotangent: ones, before, place: 0 }));
  const isOperandWrong = await isWrongBeside(beforeOthers);
  if (isReaderWrong && isOperandWrong) return "both";
  if (isReaderWrong) return { which: "reader", isPlain: true };
  if (isOperandWrong) return { which: "operand", isPlain: true };
  return { which: (await trial.isReaders(pair)) ? "reader" : "operand", isPlain: false };
}

/**
 * Asks two nodes that read one id, and names the one that is wrong beside another reader of that id too;
 * `undefined` if there is not one operator that is, or any two are, so that they are added up wrongly.
 */
export async function culpritAmong(
  { question, numbers, isWrong }: Omit<Trial, "cotangents">,
  { shared, both }: Siblings,
  cotangents: ReadonlyMap<NodeId, FlatTensor>,
): Promise<NodeId | undefined> {
  const parts = both.map((id) => ({
    node: present(nodeAt(question.graph, id), "a node"),
    cotangent: cotangents.get(id),
  }));
  if (!(await isWrong(sideBySide(question, numbers, parts)))) return undefined;
  const cotangent = idealCotangents(at(numbers.values, shared).shape);
  const strangers = besides
    .filter((op) => parts.every(({ node }) => node.op !== op))
    .map((op): Part => ({ node: { op, attributes: {}, parents: [shared] }, cotangent }));
  const isWrongBeside = async (part: Part, sibling: Part): Promise<boolean> =>
    (await isWrong(sideBySide(question, numbers, [part, sibling]))) ||
    (await isWrong(sideBySide(question, numbers, [sibling, part])));
  const [one, another] = strangers;
  if (one === undefined || another === undefined || (await isWrongBeside(one, another))) return undefined;
  const culprits: NodeId[] = [];
  for (const [position, part] of parts.entries()) {
    for (const stranger of strangers) {
      if (!(await isWrongBeside(part, stranger))) continue;
      culprits.push(at(both, position));
      break;
    }
  }
  const named = new Set(culprits.map((id) => nodeAt(question.graph, id)?.op));
  return named.size === 1 ? culprits.at(-1) : undefined;
}
