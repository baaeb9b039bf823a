import { floats } from "../../reference/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { type Node, nodeAt } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type Case, type ReferenceRun, runReference } from "../case/index.ts";
import { ask, type Blame, type Finding, isMiscount, type Law } from "../hearing/index.ts";
import { idealCotangents } from "../shrink/index.ts";
import { wrongWithin } from "./blame_inner.ts";
import { survey } from "./survey.ts";

/**
 * Names the first wrong node, whose own inputs were right and whose output is not. A wrong value or tangent
 * is that node's. For a wrong cotangent each node is asked alone, last first, with the reference's values and
 * cotangent, then each two in a row; if all are right, contributions are put together wrongly. For a
 * derivative of an inner graph the sentence names the level, and the node there that is wrong alone.
 */
export async function blame(
  engine: Engine,
  question: Case,
  dtype: DataType,
  finding: Finding,
  laws: readonly Law[],
): Promise<Blame> {
  const found = await blameNode(engine, question, dtype, finding, laws);
  const node = nodeAt(question.graph, found.id);
  if (node?.op !== "differentiate" || isMiscount(finding)) return found;
  const isWrong = async (excerpt: Case): Promise<boolean> =>
    (await ask(engine, excerpt, dtype, [])).kind === "differs";
  const { values } = runReference(question, floats[dtype]);
  const within = {
    node,
    operands: node.parents.map((id) => at(values, id)),
    entries: question.point.environment,
    environment: question.graph.environment,
  };
  const inner = await wrongWithin(within, dtype, isWrong);
  const place = `in the inner graph of node ${found.id},`;
  const where =
    inner === undefined
      ? `${place} every node is right alone: the levels are put together wrongly.`
      : `${place} ${inner} is wrong alone.`;
  return { ...found, sentence: `${found.sentence.slice(0, -1)}; ${where}` };
}

async function blameNode(
  engine: Engine,
  question: Case,
  dtype: DataType,
  finding: Finding,
  laws: readonly Law[],
): Promise<Blame> {
  if (isMiscount(finding)) return blameCount(question, finding);
  if (finding.question === "evaluate") return blameForward(question, finding);
  if (finding.question === "jvp") {
    return (await blameOperand(engine, question, dtype, finding.id)) ?? blameForward(question, finding);
  }
  const run = runReference(question, floats[dtype]);
  const isWrong =
    (checked: readonly Law[]) =>
    async (excerpt: Case): Promise<boolean> =>
      (await ask(engine, excerpt, dtype, checked)).kind === "differs";
  // Pairs are many, so of the laws only the broken one is checked on them.
  const broken = laws.filter((law) => law.name === finding.question);
  const isWrongBetween = async (pair: Case): Promise<boolean> => {
    const surveyed = await survey(engine, pair, dtype, []);
    const between = nodeId(pair.graph.inputs.length);
    const isThere = ({ question: asked, id }: Finding): boolean =>
      asked === "backward_dense" && id === between;
    return surveyed.kind === "surveyed" && surveyed.outside.some(isThere);
  };
  const culprit =
    (await firstWrongAlone(question, run, isWrong(laws))) ??
    (await firstWrongPair(question, run, isWrong(broken), isWrongBetween));
  if (culprit !== undefined) return culprit;
  const op = opOf(question, finding.id);
  const place = name(finding.id, op);
  const what =
    finding.question === "repeatability"
      ? `what is answered at ${place} depends on what was asked before`
      : `the cotangent of ${place} is put together wrongly`;
  const sentence = `every node is right alone; ${what}.`;
  return { id: finding.id, op, part: "accumulation", sentence };
}

/** Nobody can say which tensor is one too many or missing, so no node is at fault, and no input. */
function blameCount(question: Case, { question: asked, id, answer, expected }: Finding): Blame {
  const due = asked === "vjp" ? "input" : asked === "backward_dense" ? "id" : "node";
  const part = asked === "evaluate" ? "value" : asked === "jvp" ? "tangent" : "accumulation";
  const sentence = `the answer has ${answer}, and ${expected} is due, one for each ${due}; what is in them was not looked at.`;
  return { id, op: opOf(question, id), part, sentence };
}

/** The comparison runs in evaluation order, so the first id out of bounds had right inputs. */
function blameForward(question: Case, finding: Finding): Blame {
  const part = finding.question === "jvp" ? "tangent" : "value";
  const op = opOf(question, finding.id);
  return {
    id: finding.id,
    op,
    part,
    sentence: `${name(finding.id, op)} has a wrong ${part}, though its operands are right.`,
  };
}

/**
 * Forward mode hides the values it computes, so a wrong one shows at the node that reads it. If the node with
 * the wrong tangent is right alone, but not together with an operand, that operand is to blame.
 */
async function blameOperand(
  engine: Engine,
  question: Case,
  dtype: DataType,
  id: NodeId,
): Promise<Blame | undefined> {
  const run = runReference(question, floats[dtype]);
  const isWrong = async (ids: readonly NodeId[]): Promise<boolean> => {
    const outcome = await ask(engine, excerpt(question, ids, run), dtype, []);
    return outcome.kind === "differs" && outcome.finding.question === "jvp";
  };
  const operands = [...new Set(nodeAt(question.graph, id)?.parents)];
  const computed = operands.filter((parent) => nodeAt(question.graph, parent) !== undefined);
  if (computed.length === 0 || (await isWrong([id]))) return undefined;
  for (const parent of computed) {
    if (await isWrong([parent])) continue;
    if (!(await isWrong([parent, id]))) continue;
    const op = opOf(question, parent);
    const reader = name(id, opOf(question, id));
    const sentence = `${name(parent, op)} has a wrong value in forward mode: ${reader}, right alone, is wrong after it.`;
    return { id: parent, op, part: "value", sentence };
  }
  return undefined;
}

/** Asks some nodes alone, in order; whatever else they read becomes an input with the reference's numbers. */
export function excerpt(
  question: Case,
  ids: readonly NodeId[],
  { values, tangents }: Pick<ReferenceRun, "values" | "tangents">,
): Case {
  const nodes = ids.map((id) => present(nodeAt(question.graph, id), "node"));
  const outside = [...new Set(nodes.flatMap(({ parents }) => parents))].filter((id) => !ids.includes(id));
  const order = [...outside, ...ids];
  const point = outside.map((id) => present(values[id], "operand"));
  const last = present(values[present(ids.at(-1), "last node")], "value");
  return {
    graph: {
      ...question.graph,
      inputs: point.map(({ shape }, place) => ({ name: `operand${place}`, shape })),
      nodes: nodes.map((node) => ({ ...node, parents: node.parents.map((id) => nodeId(order.indexOf(id))) })),
    },
    point: { inputs: point, environment: question.point.environment },
    tangents: outside.map((id) => present(tangents[id], "tangent")),
    seeds: [{ id: nodeId(order.length - 1), cotangent: idealCotangents(last.shape) }],
  };
}

async function firstWrongAlone(
  question: Case,
  run: ReferenceRun,
  isWrong: (excerpt: Case) => Promise<boolean>,
): Promise<Blame | undefined> {
  for (const [id, node, cotangent] of swept(question, run)) {
    if (!(await isWrong(isolate(question, run, { node, cotangent })))) continue;
    const sentence = `${name(id, node.op)} hands on a wrong cotangent, asked alone too.`;
    return { id, op: node.op, part: "cotangent", sentence };
  }
  return undefined;
}

/**
 * Finds nodes that are right alone but wrong one after the other: each is asked with each of its operands,
 * last first. The one that is wrong beside another operator too is to blame; if both are, neither. If it
 * takes the two, it is the operand, or the reader where the cotangent between them is wrong. Cost: one
 * question for each edge.
 */
async function firstWrongPair(
  question: Case,
  run: ReferenceRun,
  isWrong: (excerpt: Case) => Promise<boolean>,
  isWrongBetween: (excerpt: Case) => Promise<boolean>,
): Promise<Blame | undefined> {
  for (const [reader, node, cotangent] of swept(question, run)) {
    for (const [place, operand] of node.parents.entries()) {
      const before = nodeAt(question.graph, operand);
      if (before === undefined) continue;
      const pair = isolate(question, run, { node, cotangent, before, place });
      if (!(await isWrong(pair))) continue;
      const op = present(
        others.find((other) => other !== node.op && other !== before.op),
        "an operator of neither",
      );
      const other = { op, attributes: {}, parents: [operand] };
      const ones = idealCotangents(at(run.values, operand).shape);
      const isReaderWrong = await isWrong(isolate(question, run, { node, cotangent, before: other, place }));
      const isOperandWrong = await isWrong(
        isolate(question, run, { node: other, cotangent: ones, before, place: 0 }),
      );
      if (isReaderWrong && isOperandWrong) return undefined;
      const isPlain = isReaderWrong || isOperandWrong;
      const isReaders = isPlain ? isReaderWrong : await isWrongBetween(pair);
      const culprit = isReaders ? name(reader, node.op) : name(operand, before.op);
      const two = `${name(operand, before.op)} and ${name(reader, node.op)} are each right alone and wrong together`;
      const why = isPlain ? "is wrong beside another operator too" : "hands on a wrong cotangent";
      const sentence = `${two}; ${culprit} ${why}.`;
      return isReaders
        ? { id: reader, op: node.op, part: "cotangent", sentence }
        : { id: operand, op: before.op, part: "cotangent", sentence };
    }
  }
  return undefined;
}

/** These have one operand, keep its shape and sign, and their derivatives read their own results. */
const others = ["tanh", "expm1", "sqrt"] as const;

/** Lists the nodes that a cotangent reaches, in the order of the sweep. */
function swept(
  { graph }: Case,
  { cotangents }: ReferenceRun,
): readonly (readonly [NodeId, Node, FlatTensor])[] {
  const nodes = graph.nodes.flatMap((node, position): readonly (readonly [NodeId, Node, FlatTensor])[] => {
    const id = nodeId(graph.inputs.length + position);
    const cotangent = cotangents.get(id);
    return cotangent === undefined ? [] : [[id, node, cotangent]];
  });
  return nodes.toReversed();
}

/** This is a node, its cotangent, and perhaps the node that computes its operand at a place. */
interface Excerpt {
  readonly node: Node;
  readonly cotangent: FlatTensor;
  readonly before?: Node;
  readonly place?: number;
}

/**
 * Asks one node, or two in a row; what else they read becomes inputs with the reference's numbers. A node
 * reads each operand from one input, but two nodes share none, so no cotangents are added up between them.
 */
function isolate(question: Case, { values }: ReferenceRun, excerpt: Excerpt): Case {
  const { node, cotangent, before, place } = excerpt;
  const outer = [...new Set(before?.parents)];
  const beside = [...new Set(node.parents.filter((_, position) => position !== place))];
  const operands = [...outer, ...beside].map((id) => at(values, id));
  const between = nodeId(operands.length);
  const moved = {
    ...node,
    parents: node.parents.map((id, position) =>
      position === place ? between : nodeId(outer.length + beside.indexOf(id)),
    ),
  };
  const first = before && { ...before, parents: before.parents.map((id) => nodeId(outer.indexOf(id))) };
  const nodes = first === undefined ? [moved] : [first, moved];
  return {
    graph: {
      ...question.graph,
      inputs: operands.map(({ shape }, position) => ({ name: `operand${position}`, shape })),
      nodes,
    },
    point: { inputs: operands, environment: question.point.environment },
    tangents: operands,
    seeds: [{ id: nodeId(operands.length + nodes.length - 1), cotangent }],
  };
}

function opOf({ graph }: Case, id: NodeId): OperatorName | undefined {
  return nodeAt(graph, id)?.op;
}

function name(id: NodeId, op: OperatorName | undefined): string {
  return op === undefined ? `input ${id}` : `node ${id} (${op})`;
}
