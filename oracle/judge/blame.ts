import type { DataType, Engine } from "../../engines/index.ts";
import { floats } from "../../reference/index.ts";
import {
  type FlatTensor,
  idCount,
  type Node,
  type NodeId,
  nodeAt,
  nodeId,
  type OperatorName,
  present,
} from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { type ReferenceRun, runReference } from "../reference_run.ts";
import { idealCotangents } from "../shrink/ideal.ts";
import { ask, type Law } from "./ask.ts";
import type { Finding } from "./finding.ts";
import type { Blame } from "./verdict.ts";

/**
 * Names the first wrong node: the one whose own inputs were right and whose output is not. A wrong value or
 * tangent is that node's. For a wrong cotangent each node is asked alone, last first, with the reference's
 * values and cotangent; if every node is right alone, the fault is in how contributions are put together.
 */
export async function blame(
  engine: Engine,
  question: Case,
  dtype: DataType,
  finding: Finding,
  laws: readonly Law[],
): Promise<Blame> {
  if (finding.question === "evaluate") return blameForward(question, finding);
  if (finding.question === "jvp") {
    return (await blameOperand(engine, question, dtype, finding.id)) ?? blameForward(question, finding);
  }
  const culprit = await firstWrongAlone(engine, question, dtype, laws);
  if (culprit !== undefined) {
    const op = opOf(question, culprit);
    return {
      id: culprit,
      op,
      part: "cotangent",
      sentence: `${name(culprit, op)} hands on a wrong cotangent, asked alone too.`,
    };
  }
  const op = opOf(question, finding.id);
  const what = `the cotangent of ${name(finding.id, op)}`;
  const how =
    finding.question === "repeatability" ? "depends on what was asked before" : "is put together wrongly";
  const sentence = `every node is right alone; ${what} ${how}.`;
  return { id: finding.id, op, part: "accumulation", sentence };
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
 * Forward mode does not show the values it computes along the way, so a wrong one shows at the node that reads it. If
 * the node with the wrong tangent is right alone, but not together with one of its operands, that operand is to blame.
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

/** The case that asks some nodes alone, in order: whatever else they read is an input, with the reference's numbers. */
function excerpt(
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
  engine: Engine,
  question: Case,
  dtype: DataType,
  laws: readonly Law[],
): Promise<NodeId | undefined> {
  const run = runReference(question, floats[dtype]);
  for (let position = idCount(question.graph) - 1; position >= question.graph.inputs.length; position--) {
    const id = nodeId(position);
    const node = nodeAt(question.graph, id);
    const cotangent = run.cotangents.get(id);
    if (node === undefined || cotangent === undefined) continue;
    const alone = isolate(question, node, run.values, cotangent);
    if ((await ask(engine, alone, dtype, laws)).kind === "differs") return id;
  }
  return undefined;
}

/** The case that asks one node alone: its parents, each once, as inputs. */
function isolate(question: Case, node: Node, values: readonly FlatTensor[], cotangent: FlatTensor): Case {
  const parents = [...new Set(node.parents)];
  const operands = parents.map((id) => present(values[id], "operand"));
  const inputs = operands.map(({ shape }, place) => ({ name: `operand${place}`, shape }));
  const own = node.parents.map((id) => nodeId(parents.indexOf(id)));
  return {
    graph: { ...question.graph, inputs, nodes: [{ ...node, parents: own }] },
    point: { inputs: operands, environment: question.point.environment },
    tangents: operands,
    seeds: [{ id: nodeId(operands.length), cotangent }],
  };
}

function opOf({ graph }: Case, id: NodeId): OperatorName | undefined {
  return nodeAt(graph, id)?.op;
}

function name(id: NodeId, op: OperatorName | undefined): string {
  return op === undefined ? `input ${id}` : `node ${id} (${op})`;
}
