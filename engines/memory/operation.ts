import type { CompositeRows } from "../../spec/composites/index.ts";
import { needsOf } from "../../spec/derivatives/index.ts";
import { expand, shapesOf } from "../../spec/expansion/index.ts";
import { entriesNamedBy, type Node, type PrimitiveGraph } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import { at, nodeId, type Shape } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type Answer, type Interpretation, interpret, type Parts } from "../interpretation/index.ts";
import { ProgramFault } from "./fault.ts";

/** Δ, as a call is given it. */
export type Surroundings = ReadonlyMap<string, FlatTensor>;

/** An operator on operands of certain shapes: a graph of one node, in the interpreter's memory. */
export interface Operation {
  readonly node: Node;
  readonly shape: Shape;
  /** The elements of all values of its graph. */
  readonly elements: number;
  /** This says for each operand whether a cotangent of the value reaches it. */
  readonly receives: readonly boolean[];
  value(operands: readonly FlatTensor[], surroundings: Surroundings): Float64Array;
  tangent(
    operands: readonly FlatTensor[],
    tangents: readonly FlatTensor[],
    surroundings: Surroundings,
  ): Float64Array;
  /** Returns a cotangent per operand; zeros for one that receives nothing. */
  cotangents(
    operands: readonly FlatTensor[],
    cotangent: Float64Array,
    surroundings: Surroundings,
  ): readonly Float64Array[];
  /** Says, by operand, whether a rule inside reads it for a cotangent of a moved operand. */
  needs(moved: readonly boolean[]): readonly boolean[];
}

/** The entries of Δ, by name. */
export type Declared = ReadonlyMap<string, EnvironmentEntry>;

/**
 * Makes the operation of a node on operands of these shapes. Throws {@link ProgramFault} where its graph
 * needs too much memory. Cost: expansion and layout, for small shapes many times the computation.
 */
export function operationOf(
  node: Node,
  shapes: readonly Shape[],
  declared: Declared,
  dtype: DataType,
  parts: Parts,
): Operation {
  const { graph, id } = alone(node, shapes, declared, parts.composites);
  const core = interpreted(graph, dtype, parts);
  const place = id - shapes.length;
  const shape = at(core.layout.shapes, id);
  const receives = receivers(core, id);
  const copied = (answer: Answer, which: number): Float64Array => {
    if (!answer.ok) throw new ProgramFault(answer.error);
    return new Float64Array(at(answer.value, which));
  };
  const needs = new Map<string, readonly boolean[]>();
  return {
    node,
    shape,
    elements: core.layout.extents.slots,
    receives,
    value: (inputs, environment) => copied(core.evaluate({ inputs, environment }), place),
    tangent: (inputs, tangents, environment) => copied(core.jvp({ inputs, environment }, tangents), place),
    cotangents(inputs, data, environment) {
      const seeds = [{ id: nodeId(id), cotangent: { shape, data } }];
      const answer = core.vjp({ inputs, environment }, seeds);
      return inputs.map((_, i) => copied(answer, i));
    },
    needs(moved) {
      const key = moved.join(" ");
      const known = needs.get(key) ?? neededInputs(graph, moved);
      needs.set(key, known);
      return known;
    },
  };
}

/** Makes a graph of one node with its operands as inputs, expanded, and returns its value's id. */
function alone(
  node: Node,
  shapes: readonly Shape[],
  declared: Declared,
  rows: CompositeRows,
): { readonly graph: PrimitiveGraph; readonly id: number } {
  const inputs = shapes.map((shape, place) => ({ name: `operand ${place}`, shape }));
  const environment = entriesNamedBy(node, declared);
  const parents = shapes.map((_, place) => nodeId(place));
  const nodes = [{ ...node, parents }];
  const { graph, ids } = expand({ format: "adjudge.graph.v1", inputs, environment, nodes }, rows);
  return { graph, id: at(ids, shapes.length) };
}

function interpreted(graph: PrimitiveGraph, dtype: DataType, parts: Parts): Interpretation {
  try {
    return interpret(graph, dtype, parts);
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    throw new ProgramFault(`the operator needs too much memory: ${problem.message}`);
  }
}

/** Says, by input, whether a cotangent at `id` reaches it. */
function receivers({ layout }: Interpretation, id: number): boolean[] {
  const reached = layout.shapes.map((_, other) => other === id);
  for (const step of layout.steps.toReversed()) {
    if (reached[step.id] !== true) continue;
    for (const receiver of step.receivers) reached[receiver] = true;
  }
  return reached.slice(0, layout.graph.inputs.length);
}

/** Says, by input, whether some node's rule reads it for a cotangent of a moved input. */
function neededInputs(graph: PrimitiveGraph, moved: readonly boolean[]): boolean[] {
  const shapes = shapesOf(graph);
  const declared = new Map(graph.environment.map((entry) => [entry.name, entry]));
  const needed = graph.inputs.map(() => false);
  const moving = [...moved];
  for (const [index, node] of graph.nodes.entries()) {
    const operands = node.parents.map((id) => at(shapes, id));
    const value = at(shapes, graph.inputs.length + index);
    const { needs } = needsOf(node, { operands, value }, entriesNamedBy(node, declared));
    const wanted = needs.filter((need, place) => need !== undefined && moving[at(node.parents, place)]);
    moving.push(wanted.length > 0);
    for (const place of wanted.flatMap((need) => need?.operands ?? [])) {
      const parent = at(node.parents, place);
      if (parent < needed.length) needed[parent] = true;
    }
  }
  return needed;
}
