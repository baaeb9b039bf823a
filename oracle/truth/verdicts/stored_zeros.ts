import { type Graph, jvpCtx, map, type Node, type Tensor, tensor } from "../../../reference/index.ts";
import { type CompositeRows, composites, differentiateDensely } from "../../../spec/composites/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph, Seed } from "../../../spec/graph/index.ts";
import { type NodeId, nodeId, present, sizeOf } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { type Bounded, given, hasBound, radius, withoutBound } from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import { lazily } from "../lazily.ts";
import { liftEnvironment } from "../nodes/bounds.ts";
import { honestGraph } from "../nodes/honest_graph.ts";
import type { Standard } from "../standard/index.ts";

/**
 * Returns the question with a zero at every id that has no seed: the dense form of backpropagation starts so,
 * and sends zeros through every node [SEMANTICS §4]. Zeros that meet an infinite slope or none make NaN.
 */
export function denselySeeded(question: PrimitiveCase): PrimitiveCase {
  const seeded = new Set(question.seeds.map(({ id }) => id));
  const zeros = shapesOf(question.graph).flatMap((shape, id): Seed[] => {
    const cotangent = { shape, data: new Float64Array(sizeOf(shape)) };
    return seeded.has(nodeId(id)) ? [] : [{ id: nodeId(id), cotangent }];
  });
  return { ...question, seeds: [...question.seeds, ...zeros] };
}

/** A derivative that is a node is written in the dense form by these rows. */
export const denselyDerived: CompositeRows = { ...composites, differentiate: differentiateDensely };

/** Tells which tangents have no bound where all zeros are stored. Cost: a run of the reference, if asked. */
export function tangentsOfStoredZeros<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
): (id: NodeId) => readonly boolean[] {
  const lift = ({ shape, data }: FlatTensor): Tensor<Bounded<C>> =>
    tensor(shape, (position) => given(centre, standard, present(data[position], "a number")));
  const tangents = lazily(() => {
    const honest = honestGraph(question, standard, centre);
    const graph = withStoredTangents(honest, question.graph, centre, standard);
    const x = question.point.inputs.map(lift);
    return jvpCtx(graph, x, question.tangents.map(lift), liftEnvironment(question, lift));
  });
  return (id) => present(tangents()[id], "a tangent").data.map((tangent) => !hasBound(tangent));
}

/**
 * Removes the bounds of tangents of powers of negative numbers whose exponent's tangent is a stored zero: the
 * formula has xʸ ln x times it, and ln x is NaN. What depends on no input has no tangent to store, and xⁿ is
 * smooth in x, so a literal exponent has none either.
 */
function withStoredTangents<C>(
  graph: Graph<Bounded<C>>,
  written: PrimitiveGraph,
  centre: Centre<C>,
  standard: Standard,
): Graph<Bounded<C>> {
  const isStored = storingIds(written);
  const isNegative = (x: Bounded<C>): boolean =>
    centre.approximate(x.centre) < 0 && Number.isFinite(radius(centre, standard, x));
  const nodes = graph.nodes.map((node, index): Node<Bounded<C>> => {
    const { op, parents } = present(written.nodes[index], "a node");
    const [base, exponent] = parents;
    if (op !== "pow" || base === undefined || exponent === undefined || !isStored(exponent)) return node;
    return {
      ...node,
      jvp: (context, tangents, environment) => {
        const along = node.jvp(context, tangents, environment);
        const x = present(context[base], "a base").data;
        return map(along, (tangent, position) =>
          isNegative(present(x[position], "an element")) ? withoutBound(tangent) : tangent,
        );
      },
    };
  });
  return { ...graph, nodes };
}

/** Tells whether an id has a tangent: it depends on an input, other than through `stop_gradient`. */
function storingIds({ inputs, nodes }: PrimitiveGraph): (id: NodeId) => boolean {
  const storing = inputs.map(() => true);
  for (const { op, parents } of nodes) {
    storing.push(op !== "stop_gradient" && parents.some((id) => storing[id] === true));
  }
  return (id) => storing[id] === true;
}
