import { floats } from "../../reference/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { nodeAt } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type Case, runReference } from "../case/index.ts";
import { ask, type Blame, type Finding, isOfNoNode, isOverwritten, type Law } from "../hearing/index.ts";
import { type Counted, wrongWithin } from "./blame_inner.ts";
import { isolate, nodeAlone } from "./excerpt.ts";
import {
  areStrangersWrong,
  EVERY_NODE,
  type Inquiry,
  type Judged,
  judged,
  judgedOf,
  nameOf,
  opOf,
  toldAlone,
} from "./inquiry.ts";
import {
  type Culprit,
  culpritAmong,
  culpritOf,
  type Edge,
  edgesIn,
  type Siblings,
  siblingsIn,
  type Trial,
} from "./pairs.ts";
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
  if (node?.op !== "differentiate" || isOfNoNode(finding)) return found;
  const { values } = runReference(question, floats[dtype]);
  const within = {
    node,
    operands: node.parents.map((id) => at(values, id)),
    entries: question.point.environment,
    environment: question.graph.environment,
  };
  const inner = await wrongWithin(within, dtype, async (part) =>
    judgedOf(await ask(engine, part, dtype, [])),
  );
  const told = typeof inner === "string" ? `${inner} is wrong alone` : toldOfLevels(inner);
  const where = `in the inner graph of node ${found.id}, ${told}.`;
  return { ...found, sentence: `${found.sentence.slice(0, -1)}; ${where}` };
}

function toldOfLevels({ right, all }: Counted): string {
  const levels = right === all ? ": the levels are put together wrongly" : "";
  return `${toldAlone(right, all)}${levels}`;
}

async function blameNode(
  engine: Engine,
  question: Case,
  dtype: DataType,
  finding: Finding,
  laws: readonly Law[],
): Promise<Blame> {
  if (isOfNoNode(finding)) return blameNone(question, finding);
  if (finding.question === "evaluate") return blameForward(question, finding);
  const inquiry = { engine, question, dtype, finding, run: runReference(question, floats[dtype]) };
  return finding.question === "jvp" ? blameTangent(inquiry) : blameCotangent(inquiry, laws);
}

/** Nobody can say which tensor is one too many or missing, so no node is at fault, and no input. */
function blameNone(question: Case, { question: asked, id, answer, expected, element }: Finding): Blame {
  const due = asked === "vjp" ? "input" : asked === "backward_dense" ? "id" : "node";
  const part = asked === "evaluate" ? "value" : asked === "jvp" ? "tangent" : "accumulation";
  if (isOverwritten({ answer })) {
    const sentence = `the engine overwrites what the caller handed it: ${answer}, element ${element}, which was ${expected}.`;
    return { id, op: undefined, part, sentence };
  }
  const sentence = `the answer has ${answer}, and ${expected} is due, one for each ${due}; what is in them was not looked at.`;
  return { id, op: opOf(question, id), part, sentence };
}

/** The comparison runs in evaluation order, so the first id out of bounds had right inputs. */
function blameForward(question: Case, finding: Finding, besides: string = ""): Blame {
  const part = finding.question === "jvp" ? "tangent" : "value";
  const op = opOf(question, finding.id);
  return {
    id: finding.id,
    op,
    part,
    sentence: `${nameOf(finding.id, op)} has a wrong ${part}, though its operands are right${besides}.`,
  };
}

/**
 * Forward mode hides the values it computes, so a wrong one shows at the node that reads it. If the node with
 * the wrong tangent is right alone, it is asked with each of its operands and with each of its readers.
 */
async function blameTangent(inquiry: Inquiry): Promise<Blame> {
  const { question, finding, run, engine, dtype } = inquiry;
  const isOnlyOne = question.graph.nodes.length === 1;
  const itself = isOnlyOne ? "wrong" : await judged(inquiry, nodeAlone(question, finding.id, run), []);
  if (itself === "wrong") return blameOnlyIfAlone(inquiry);
  const trial: Trial = {
    question,
    numbers: run,
    cotangents: () => ({}),
    isWrong: async (excerpt) => (await judged(inquiry, excerpt, [])) === "wrong",
    async isReaders({ question: pair }) {
      const outcome = await ask(engine, pair, dtype, []);
      return outcome.kind === "differs" && outcome.finding.id > pair.graph.inputs.length;
    },
  };
  const edges = edgesIn(question.graph);
  const around = [
    ...edges.filter(({ reader }) => reader === finding.id),
    ...edges.filter(({ operand }) => operand === finding.id),
  ];
  const states = new Map([[finding.id, itself]]);
  for (const edge of around) {
    const culprit = await culpritOf(trial, edge);
    if (culprit === undefined) continue;
    if (culprit === "both") break;
    const blamed = await blameOfPair(inquiry, edge, culprit, states);
    if (blamed !== undefined) return blamed;
  }
  return blameForward(question, finding, itself === "right" ? "; alone it is right" : "");
}

/** Blames the node with the wrong tangent, unless any other operator is wrong in its place. */
async function blameOnlyIfAlone(inquiry: Inquiry): Promise<Blame> {
  const { question, finding } = inquiry;
  const { id } = finding;
  const node = nodeAt(question.graph, id);
  if (node === undefined || !(await areStrangersWrong(inquiry, node, [])))
    return blameForward(question, finding);
  const sentence = `an operator that the graph lacks is wrong so, too; the tangent of ${nameOf(id, node.op)} is wrong.`;
  return { id, op: undefined, part: "tangent", sentence };
}

/**
 * Asks each node alone, last first; then each two of which one reads the other. If all are right,
 * contributions are put together wrongly.
 */
async function blameCotangent(inquiry: Inquiry, laws: readonly Law[]): Promise<Blame> {
  const { question, finding, run, engine, dtype } = inquiry;
  const edges = edgesIn(question.graph).toReversed();
  const states = new Map<NodeId, Judged>();
  for (const [index, node] of [...question.graph.nodes.entries()].toReversed()) {
    const id = nodeId(question.graph.inputs.length + index);
    const cotangent = run.cotangents.get(id);
    // A node without operands hands nothing on.
    if (cotangent === undefined || node.parents.length === 0) continue;
    const state = await judged(inquiry, isolate(question, run, { node, cotangent }).question, laws);
    states.set(id, state);
    if (state !== "wrong") continue;
    if (await areStrangersWrong(inquiry, node, laws))
      return blameSum(inquiry, "an operator that the graph lacks is wrong so, too");
    const sentence = `${nameOf(id, node.op)} hands on a wrong cotangent, asked alone too.`;
    return { id, op: node.op, part: "cotangent", sentence };
  }
  // Pairs are many, so of the laws only the broken one is checked on them.
  const broken = laws.filter((law) => law.name === finding.question);
  const trial: Omit<Trial, "cotangents"> = {
    question,
    numbers: { values: run.values },
    isWrong: async (excerpt) => (await judged(inquiry, excerpt, broken)) === "wrong",
    async isReaders({ question: pair, outer }) {
      const surveyed = await survey(engine, pair, dtype, []);
      return surveyed.kind === "surveyed" && surveyed.outside.some(({ id }) => id >= outer);
    },
  };
  const ofReader: Trial["cotangents"] = ({ reader }) => ({ cotangent: run.cotangents.get(reader) });
  // Where a reader hands nothing on, as a comparison does, only what is seeded before it shows anything.
  const ofBoth: Trial["cotangents"] = (edge) => ({
    ...ofReader(edge),
    between: run.cotangents.get(edge.operand),
  });
  for (const cotangents of [ofReader, ofBoth]) {
    for (const edge of edges) {
      const isAsked = Object.values(cotangents(edge)).some((cotangent) => cotangent !== undefined);
      if (!isAsked) continue;
      const culprit = await culpritOf({ ...trial, cotangents }, edge);
      if (culprit === "both") return blameSum(inquiry, toldOf(states));
      const blamed = culprit && (await blameOfPair(inquiry, edge, culprit, states));
      if (blamed !== undefined) return blamed;
    }
  }
  for (const siblings of siblingsIn(question.graph)) {
    const id = await culpritAmong(trial, siblings, run.cotangents);
    if (id !== undefined) return blameOfSibling(question, siblings, id, states);
  }
  return blameSum(inquiry, toldOf(states));
}

/** Blames one of two nodes that read one id, and are wrong beside each other. */
function blameOfSibling(
  question: Case,
  { shared, both }: Siblings,
  id: NodeId,
  states: ReadonlyMap<NodeId, Judged>,
): Blame {
  const [first, second] = both.map((one) => nameOf(one, opOf(question, one)));
  const [culprit, place] = [nameOf(id, opOf(question, id)), nameOf(shared, opOf(question, shared))];
  const isKnown = both.every((one) => states.get(one) === "right");
  const two = `${first} and ${second} are ${isKnown ? "each right alone and " : ""}wrong beside each other`;
  const sentence = `${two}; ${culprit} is wrong wherever another node reads ${place}.`;
  return { id, op: opOf(question, id), part: "cotangent", sentence };
}

function toldOf(states: ReadonlyMap<NodeId, Judged>): string {
  const right = [...states.values()].filter((state) => state === "right").length;
  return toldAlone(right, states.size);
}

/** Blames how contributions are put together, as far as nodes were judged alone. */
function blameSum({ question, finding }: Inquiry, told: string): Blame {
  const op = opOf(question, finding.id);
  const place = nameOf(finding.id, op);
  const what =
    finding.question === "repeatability"
      ? `what is answered at ${place} depends on what was asked before`
      : `the cotangent of ${place} is ${told === EVERY_NODE ? "put together wrongly" : "wrong"}`;
  return { id: finding.id, op, part: "accumulation", sentence: `${told}; ${what}.` };
}

/**
 * Blames one of two nodes that are wrong together, unless one is wrong alone, as far as that could be judged:
 * `states` has what is known, and hears of the rest.
 */
async function blameOfPair(
  inquiry: Inquiry,
  { operand, before, reader, node }: Edge,
  { which, isPlain }: Culprit,
  states: Map<NodeId, Judged>,
): Promise<Blame | undefined> {
  const { question, finding, run } = inquiry;
  const part = finding.question === "jvp" ? "tangent" : "cotangent";
  const open: string[] = [];
  for (const [id, { op, parents }] of [
    [operand, before],
    [reader, node],
  ] as const) {
    const isNullary = parents.length === 0;
    const state = isNullary
      ? "right"
      : (states.get(id) ?? (await judged(inquiry, nodeAlone(question, id, run), [])));
    states.set(id, state);
    if (state === "wrong") return undefined;
    if (state === "open") open.push(nameOf(id, op));
  }
  const [first, second] = [nameOf(operand, before.op), nameOf(reader, node.op)];
  const two =
    open.length === 0
      ? `${first} and ${second} are each right alone and wrong together`
      : `${first} and ${second} are wrong together, and ${open.length === 2 ? "neither could" : `${open[0]} could not`} be judged alone`;
  const [id, op] = which === "reader" ? [reader, node.op] : [operand, before.op];
  const culprit = nameOf(id, op);
  if (part === "tangent" && which === "operand" && isPlain) {
    const sentence = `${first} has a wrong value in forward mode: ${second}, right alone, is wrong after it.`;
    return { id, op, part: "value", sentence };
  }
  const why = isPlain
    ? "is wrong beside another operator too"
    : part === "tangent"
      ? "has a wrong tangent"
      : "hands on a wrong cotangent";
  return { id, op, part, sentence: `${two}; ${culprit} ${why}.` };
}
