import { floats } from "../../../reference/index.ts";
import type { OperatorName } from "../../../spec/composites/index.ts";
import { type NodeId, nodeId } from "../../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64, formats } from "../../../spec/wire/index.ts";
import { type Case, type ReferenceRun, runReference } from "../../case/index.ts";
import { lazily } from "../lazily.ts";
import type { Part, Parts } from "../nodes/bounds.ts";
import { accumulatorOf, declaredExcess, type Standard } from "../standard/index.ts";
import { type Component, judgedBy } from "./component.ts";

/** These add numbers up in their values and tangents, without products. */
const forwards = ["sum", "scatter_add", "cumulative_sum"] as const;

/** These add numbers up in the cotangent that they hand back, without products. */
const backwards = ["broadcast_to", "take", "take_along_axis", "gather", "cumulative_sum"] as const;

/**
 * Returns components that hold an engine to every bit where it declares a sequential order, and adds up
 * numbers that it is given: then each rounding is known, and one number is right. What it computed before may
 * have been fused into the sum, so sums of that keep their bounds. Cost: a run of the reference, if the case
 * has such a sum.
 */
export function addedInOrder(
  parts: Parts<Component>,
  question: Case,
  standard: Standard,
): Parts<Component> | undefined {
  const { dtype, flushesSubnormals } = standard;
  // Who emulates narrower formats may break ties in another way.
  if ((dtype !== "float64" && dtype !== "float32") || flushesSubnormals) return undefined;
  const ids = givenSums(question, (op) => isInOrder(standard, op));
  if (ids.forward.size === 0 && ids.reverse.size === 0) return undefined;
  const { round } = formats[dtype];
  const run = lazily(() => runReference(roundedBy(round, question), floats[dtype]));
  const known = (part: Part, among: ReadonlySet<NodeId>, of: (run: ReferenceRun, id: NodeId) => Answer) => {
    return (id: NodeId): readonly Component[] =>
      among.has(id)
        ? parts[part](id).map((component, element) => only(component, () => of(run(), id)?.data[element]))
        : parts[part](id);
  };
  return {
    value: known("value", ids.forward, ({ values }, id) => values[id]),
    tangent: known("tangent", ids.forward, ({ tangents }, id) => tangents[id]),
    cotangent: known("cotangent", ids.reverse, ({ cotangents }, id) => cotangents.get(id)),
  };
}

type Answer = FlatTensor | undefined;

function isInOrder(standard: Standard, op: OperatorName): boolean {
  const name = [...forwards, ...backwards].find((one) => one === op);
  if (name === undefined || declaredExcess(standard, name) > 0) return false;
  return accumulatorOf(standard, name, undefined).kind === "sequential";
}

/** Finds the nodes that add up given numbers, and the ids whose cotangent is such a sum of one seed. */
function givenSums(
  { graph, seeds }: Case,
  isOrdered: (op: OperatorName) => boolean,
): { readonly forward: ReadonlySet<NodeId>; readonly reverse: ReadonlySet<NodeId> } {
  const first = graph.inputs.length;
  const isGiven = (id: NodeId): boolean => id < first || graph.nodes[id - first]?.op === "constant";
  const readers = new Map<NodeId, number>();
  for (const { parents } of graph.nodes)
    for (const id of parents) readers.set(id, (readers.get(id) ?? 0) + 1);
  const seeded = new Set(seeds.map(({ id }) => id));
  const [forward, reverse] = [new Set<NodeId>(), new Set<NodeId>()];
  for (const [index, { op, parents }] of graph.nodes.entries()) {
    if (!isOrdered(op)) continue;
    const id = nodeId(first + index);
    if (forwards.some((one) => one === op) && parents.every(isGiven)) forward.add(id);
    const [read] = parents;
    if (read === undefined || !backwards.some((one) => one === op)) continue;
    const isAlone = !readers.has(id) && seeded.has(id) && readers.get(read) === 1 && !seeded.has(read);
    if (isAlone) reverse.add(read);
  }
  return { forward, reverse };
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

/** Returns a component for which one number alone is right, if it is known. */
function only(component: Component, bits: () => number | undefined): Component {
  return judgedBy(
    component,
    (answer) => {
      const one = bits();
      const isOne = one === undefined || answer === one || Object.is(answer, one);
      return isOne ? component.judge(answer) : "outside";
    },
    {
      allowed: () => {
        const one = bits();
        return one === undefined ? component.allowed : formatFloat64(one);
      },
      boundFor: () => 0,
    },
  );
}
