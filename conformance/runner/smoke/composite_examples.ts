import { type Case, runReference } from "../../../oracle/case/index.ts";
import { float64 } from "../../../reference/index.ts";
import { expandedIndexLimitsOf, shapesOf } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { nodeId, present, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";

/** An operator on small numbers must be answered, in every mode, as the reference answers its expansion. */
export interface ReferenceExample extends Case {
  readonly value: FlatTensor;
  readonly tangent: FlatTensor;
  readonly cotangents: readonly FlatTensor[];
  readonly cotangent: FlatTensor;
}

/** Returns the example of a graph of one node, with numbers that suit every composite. */
export function referenceExample(node: Graph): ReferenceExample {
  const graph = withInput(node);
  const out = nodeId(graph.inputs.length);
  const shape = present(shapesOf(graph)[out], "shape of the result");
  const cotangent = spread(shape, 3);
  const question: Case = {
    graph,
    point: {
      inputs: graph.inputs.map((input, place) => operand(input.shape, place)),
      environment: entriesOf(graph),
    },
    tangents: graph.inputs.map((input, place) => spread(input.shape, place)),
    seeds: [{ id: out, cotangent }],
  };
  const { values, tangents, cotangents } = runReference(question, float64);
  return {
    ...question,
    value: present(values[out], "value"),
    tangent: present(tangents[out], "tangent"),
    cotangents: graph.inputs.map(({ shape: own }, id) => cotangents.get(nodeId(id)) ?? zeros(own)),
    cotangent,
  };
}

/** Gives a composite without inputs one that it does not read, so that reverse mode has a result. */
function withInput(graph: Graph): Graph {
  return graph.inputs.length > 0 ? graph : { ...graph, inputs: [{ name: "unread", shape: [2] }] };
}

/** Makes numbers in (0, 1). Square matrices get a dominant diagonal, so they have inverses and factors. */
function operand(shape: Shape, place: number): FlatTensor {
  const order = shape.at(-1) ?? 0;
  const isSquare = shape.length >= 2 && shape.at(-2) === order;
  const { data } = spread(shape, place);
  return {
    shape,
    data: data.map((x, i) => (isSquare && (i % (order * order)) % (order + 1) === 0 ? x + 2 * order : x)),
  };
}

/** Makes multiples of 1/16 in (0, 1), no two neighbours equal. */
function spread(shape: Shape, start: number): FlatTensor {
  return {
    shape,
    data: new Float64Array(sizeOf(shape)).map((_, i) => (1 + ((5 * i + 3 * start) % 15)) / 16),
  };
}

function zeros(shape: Shape): FlatTensor {
  return { shape, data: new Float64Array(sizeOf(shape)) };
}

/** Returns indices that count up within their limits; keys are counts too. */
function entriesOf(graph: Graph): ReadonlyMap<string, FlatTensor> {
  const limits = expandedIndexLimitsOf(graph);
  return new Map(
    graph.environment.map(({ name, shape, kind }): [string, FlatTensor] => {
      const below = limits.get(name) ?? [2 ** 16];
      const index = (i: number): number => (i + 1) % (below[i % below.length] ?? 1);
      const { data } = spread(shape, 1);
      return [name, { shape, data: kind === "real" ? data : data.map((_, i) => index(i)) }];
    }),
  );
}
