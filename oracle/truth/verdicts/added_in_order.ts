import { floats, interpret, type Node, zeros } from "../../../reference/index.ts";
import type { OperatorName } from "../../../spec/composites/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import {
  type Algebra,
  at,
  InvariantError,
  type NodeId,
  nodeId,
  present,
} from "../../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64, formats } from "../../../spec/wire/index.ts";
import { type Case, expandCase, floatEnvironment, unflatten } from "../../case/index.ts";
import { lazily } from "../lazily.ts";
import type { Part, Parts } from "../nodes/bounds.ts";
import { accumulatorOf, declaredExcess, type Standard } from "../standard/index.ts";
import { type Component, judgedBy } from "./component.ts";

/** These add numbers up in their values and tangents, without products. */
const forwards = ["sum", "scatter_add", "cumulative_sum"] as const;

/** These add numbers up in the cotangent that they hand back, without products. */
const backwards = ["broadcast_to", "take", "take_along_axis", "gather", "cumulative_sum"] as const;

/**
 * Returns what holds an engine to every bit where it declares a sequential order, and adds up numbers that it
 * is given: then each rounding is known, and one number is right. What it computed before may have been fused
 * into the sum, so sums of that keep their bounds. Cost: the sums themselves, when they are looked at.
 */
export function addedInOrder(
  question: Case,
  standard: Standard,
): (parts: Parts<Component>) => Parts<Component> {
  const { dtype, flushesSubnormals } = standard;
  // Who emulates narrower formats may break ties in another way.
  if ((dtype !== "float64" && dtype !== "float32") || flushesSubnormals) return (parts) => parts;
  const given = givenSums(question, (op) => isInOrder(standard, op));
  if (given.forward.size === 0 && given.reverse.size === 0) return (parts) => parts;
  const sums = lazily(() => sumsOf(roundedBy(formats[dtype].round, question), floats[dtype], given));
  return (parts) => {
    const held = (part: Part, among: { has(id: NodeId): boolean }) => {
      const known: (readonly Component[])[] = [];
      return (id: NodeId): readonly Component[] => {
        if (!among.has(id)) return parts[part](id);
        const numbers = lazily(() => sums()[part](id));
        known[id] ??= parts[part](id).map((component, i) => only(component, () => at(numbers(), i)));
        return known[id];
      };
    };
    return {
      value: held("value", given.forward),
      tangent: held("tangent", given.forward),
      cotangent: held("cotangent", given.reverse),
    };
  };
}

function isInOrder(standard: Standard, op: OperatorName): boolean {
  const name = [...forwards, ...backwards].find((one) => one === op);
  if (name === undefined || declaredExcess(standard, name) > 0) return false;
  return accumulatorOf(standard, name, undefined).kind === "sequential";
}

/** These nodes add up given numbers, and the cotangent of these ids is such a sum of one seed, by a node. */
interface GivenSums {
  readonly forward: ReadonlySet<NodeId>;
  readonly reverse: ReadonlyMap<NodeId, NodeId>;
}

function givenSums({ graph, seeds }: Case, isOrdered: (op: OperatorName) => boolean): GivenSums {
  const first = graph.inputs.length;
  const isGiven = (id: NodeId): boolean => id < first || graph.nodes[id - first]?.op === "constant";
  const readers = lazily(() => readersIn(graph));
  const isSeeded = (id: NodeId): boolean => seeds.some((seed) => seed.id === id);
  const [forward, reverse] = [new Set<NodeId>(), new Map<NodeId, NodeId>()];
  graph.nodes.forEach(({ op, parents }, index) => {
    if (!isOrdered(op)) return;
    const id = nodeId(first + index);
    if (forwards.some((one) => one === op) && parents.every(isGiven)) forward.add(id);
    const [read] = parents;
    if (read === undefined || !backwards.some((one) => one === op)) return;
    const isAlone = !readers().has(id) && isSeeded(id) && readers().get(read) === 1 && !isSeeded(read);
    if (isAlone) reverse.set(read, id);
  });
  return { forward, reverse };
}

function readersIn({ nodes }: Graph): ReadonlyMap<NodeId, number> {
  const readers = new Map<NodeId, number>();
  for (const { parents } of nodes) for (const id of parents) readers.set(id, (readers.get(id) ?? 0) + 1);
  return readers;
}

/** Adds up as the reference does, in the program's order. */
function sumsOf(
  question: Case,
  algebra: Algebra<number, boolean>,
  { forward, reverse }: GivenSums,
): Parts<number> {
  const { question: expanded, ids } = expandCase(question);
  const meaning = interpret(expanded.graph, algebra);
  if (!meaning.ok) throw new InvariantError(`${algebra.name} does not offer what the graph needs`);
  const { nodes } = meaning.value;
  const first = question.point.inputs.length;
  const nodeOf = (id: NodeId): Node<number> => at(nodes, at(ids, id) - first);
  const environment = floatEnvironment(question);
  const [context, tangents] = [question.point.inputs.map(unflatten), question.tangents.map(unflatten)];
  for (const id of [...forward].flatMap((sum) => at(question.graph.nodes, sum - first).parents)) {
    if (id < first) continue;
    context[at(ids, id)] = nodeOf(id).forward(context, environment);
    tangents[at(ids, id)] = nodeOf(id).jvp(context, tangents, environment);
  }
  // The cotangent that an operand gets from these does not depend on its number.
  for (const read of reverse.keys()) {
    const id = at(ids, read);
    context[id] ??= zeros(algebra.additive, at(shapesOf(expanded.graph), id));
  }
  const seeds = new Map(question.seeds.map(({ id, cotangent }) => [id, cotangent]));
  return {
    value: (id) => nodeOf(id).forward(context, environment).data,
    tangent: (id) => nodeOf(id).jvp(context, tangents, environment).data,
    cotangent: (id) => {
      const sum = present(reverse.get(id), "a node that adds up");
      const seed = unflatten(present(seeds.get(sum), "its seed"));
      return present(nodeOf(sum).vjp(context, environment, seed).get(at(ids, id)), "a cotangent").data;
    },
  };
}

/** Rounds what an engine is given, as it does first. */
function roundedBy(round: (x: number) => number, { graph, point, tangents, seeds }: Case): Case {
  const rounded = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.map(round) });
  const real = new Set(graph.environment.filter(({ kind }) => kind === "real").map(({ name }) => name));
  return {
    graph,
    point: {
      inputs: point.inputs.map(rounded),
      environment: new Map(
        [...point.environment].map(([name, flat]) => [name, real.has(name) ? rounded(flat) : flat]),
      ),
    },
    tangents: tangents.map(rounded),
    seeds: seeds.map(({ id, cotangent }) => ({ id, cotangent: rounded(cotangent) })),
  };
}

/** Returns a component for which one number alone is right. */
function only(component: Component, bits: () => number): Component {
  return judgedBy(
    component,
    (answer) => (answer === bits() || Object.is(answer, bits()) ? component.judge(answer) : "outside"),
    { allowed: () => formatFloat64(bits()), boundFor: () => 0 },
  );
}
