import type { DataType, Engine } from "../engines/index.ts";
import { floats } from "../reference/index.ts";
import {
  type FlatTensor,
  idCount,
  type Node,
  type NodeId,
  nodeAt,
  nodeId,
  type OperatorName,
  present,
} from "../spec/index.ts";
import { ask, type Law } from "./ask.ts";
import type { Case } from "./case.ts";
import type { Finding } from "./finding.ts";
import { runReference } from "./reference_run.ts";
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
  if (finding.question === "evaluate" || finding.question === "jvp") return blameForward(question, finding);
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
  return {
    id: finding.id,
    op,
    part: "accumulation",
    sentence: `every node is right alone; the cotangent of ${name(finding.id, op)} is put together wrongly.`,
  };
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
