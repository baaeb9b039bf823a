import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { Graph, Node } from "../../spec/graph/index.ts";
import { at, type FlatTensor, type NodeId, nodeId, type Seed } from "../../spec/index.ts";

/** One of two operators, one of which reads the other, has twice its derivative where it meets the other. */
export interface PairFault {
  readonly read: OperatorName;
  readonly reader: OperatorName;
  /** This one of the two is wrong. */
  readonly wrong: "read" | "reader";
  /** Only this direction is wrong; values are right. */
  readonly direction: "forward" | "reverse";
}

/** A graph whose wrong nodes have twice the derivative, and for each old id the one that stands for it. */
interface Doubled {
  readonly graph: Graph;
  readonly results: readonly NodeId[];
}

/** Lists the ids of the nodes at which the fault shows. */
function wrongIds({ inputs, nodes }: Graph, { read, reader, wrong }: PairFault): ReadonlySet<NodeId> {
  const ids = nodes.flatMap(({ op, parents }, index) => {
    if (op !== reader) return [];
    const operands = parents.filter((id) => nodes[id - inputs.length]?.op === read);
    if (operands.length === 0) return [];
    return wrong === "read" ? operands : [nodeId(inputs.length + index)];
  });
  return new Set(ids);
}

/** Puts r + (r − stop_gradient(r)) in place of each wrong node's result r: its value, and twice its slope. */
function doubled(graph: Graph, wrong: ReadonlySet<NodeId>): Doubled {
  const results = graph.inputs.map((_, id) => nodeId(id));
  const nodes: Node[] = [];
  const append = (node: Node): NodeId => nodeId(graph.inputs.length + nodes.push(node) - 1);
  for (const [index, node] of graph.nodes.entries()) {
    const source = append({ ...node, parents: node.parents.map((id) => at(results, id)) });
    if (!wrong.has(nodeId(graph.inputs.length + index))) {
      results.push(source);
      continue;
    }
    const stopped = append({ op: "stop_gradient", attributes: {}, parents: [source] });
    const zero = append({ op: "subtract", attributes: {}, parents: [source, stopped] });
    results.push(append({ op: "add", attributes: {}, parents: [source, zero] }));
  }
  return { graph: { ...graph, nodes }, results };
}

/** Makes the interpreter with a fault of a pair. Values are right, and whatever does not have the pair. */
export function pairFaultEngine(fault: PairFault): Engine {
  const sound = interpreterEngine();
  return {
    describe: () => ({ ...sound.describe(), name: `${fault.read} → ${fault.reader}` }),
    async load(graph, dtype): Promise<Reply<LoadedGraph>> {
      const right = await sound.load(graph, dtype);
      const wrong = wrongIds(graph, fault);
      if (right.kind !== "result" || wrong.size === 0) return right;
      const changed = doubled(graph, wrong);
      const other = await sound.load(changed.graph, dtype);
      if (other.kind !== "result") return other;
      const program = right.value;
      return { kind: "result", value: { ...program, ...callsOf(other.value, changed, fault, graph) } };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Asks the changed graph in the wrong direction. */
function callsOf(
  program: LoadedGraph,
  { results }: Doubled,
  { direction }: PairFault,
  { inputs }: Graph,
): Partial<LoadedGraph> {
  const moved = (seeds: readonly Seed[]): Seed[] =>
    seeds.map(({ id, cotangent }) => ({ id: at(results, id), cotangent }));
  const chosen = (
    reply: Reply<readonly FlatTensor[]>,
    ids: readonly number[],
  ): Reply<readonly FlatTensor[]> =>
    reply.kind === "result" ? { kind: "result", value: ids.map((id) => at(reply.value, id)) } : reply;
  if (direction === "forward") {
    const ids = results.slice(inputs.length).map((id) => id - inputs.length);
    return { jvp: async (point, tangents) => chosen(await program.jvp(point, tangents), ids) };
  }
  return {
    vjp: (point, seeds) => program.vjp(point, moved(seeds)),
    backwardDense: async (point, seeds) => chosen(await program.backwardDense(point, moved(seeds)), results),
  };
}
