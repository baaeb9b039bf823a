import { dependents } from "../../../spec/derivatives/index.ts";
import { type Application, derivativeOf, expand } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { at, type NodeId, nodeId } from "../../../spec/shapes/index.ts";
import type { PrimitiveProgram } from "../../case/index.ts";

type Differentiate = Extract<Application["node"], { readonly op: "differentiate" }>;

/**
 * Finds what written-out derivatives add up at one id: contributions of its readers. The reference adds them
 * in an order of its own, and an engine that differentiates the inner graph itself in any. So what such an
 * addition reads hands its terms on unrounded, as contributions do in the sweep of a graph. Forward mode adds
 * at each operator what its two operands move, in no other order; of it these are sums only where a reverse
 * sweep lies within. Cost: linear in the derivatives, once for each.
 */
export function contributionsIn({
  applications,
}: Pick<PrimitiveProgram, "applications">): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
  for (const { node, first } of applications) {
    if (node.op !== "differentiate") continue;
    const inputs = node.parents.length;
    for (const id of contributionsOf(node.attributes)) found.add(nodeId(first + id - inputs));
  }
  return found;
}

const known = new WeakMap<Differentiate["attributes"], ReadonlySet<NodeId>>();

/** Finds the contributions of a derivative, by ids of the derived graph, those of derivatives within too. */
function contributionsOf(attributes: Differentiate["attributes"]): ReadonlySet<NodeId> {
  const before = known.get(attributes);
  if (before !== undefined) return before;
  const { graph, mode, of, wrt } = attributes;
  const { graph: derived, seeds } = derivativeOf(graph, { mode, of: [of], wrt: [wrt] });
  const differentiated = expand(graph);
  const within = contributionsIn(differentiated);
  const found = new Set<NodeId>();
  if (mode === "vjp" || within.size > 0) {
    const isSwept = dependents(derived.nodes, derived.inputs.length, seeds);
    const sums = derived.nodes.filter(
      ({ op, parents }) => op === "add" && parents.every((id) => isSwept[id]),
    );
    // A seed is rounded before it is handed to the derivative.
    for (const id of sums.flatMap(({ parents }) => parents)) if (id >= derived.inputs.length) found.add(id);
  }
  if (within.size > 0) {
    const numbers = new Map<string, number>();
    const original = expressionsOf(differentiated.graph, numbers);
    const sums = new Set([...within].map((id) => original[id]));
    for (const [id, expression] of expressionsOf(derived, numbers).entries())
      if (id >= derived.inputs.length && sums.has(expression)) found.add(nodeId(id));
  }
  known.set(attributes, found);
  return found;
}

/**
 * Numbers what stands at each id: the same operators, applied in the same way to the same inputs, are one.
 */
function expressionsOf({ inputs, nodes }: PrimitiveGraph, numbers: Map<string, number>): readonly number[] {
  const numberOf = (key: string): number => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  const found = inputs.map((_, place) => numberOf(`input ${place}`));
  for (const { op, attributes, parents } of nodes)
    found.push(numberOf(JSON.stringify([op, attributes, parents.map((id) => at(found, id))])));
  return found;
}
