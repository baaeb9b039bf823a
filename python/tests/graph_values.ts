import { enclosuresOf, type Interval, referenceStandard, runReference } from "../../oracle/index.ts";
import { float64 } from "../../reference/index.ts";
import { checkGraph, decodePoint } from "../../spec/documents/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import type { Graph, Point } from "../../spec/graph/index.ts";
import { at, nodeId, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor, TensorJson } from "../../spec/wire/index.ts";

/** A function as the tests of Python hand it over: a graph, the ids of its outputs, its data, and points. */
export interface Written {
  readonly graph: unknown;
  readonly outputs: readonly number[];
  readonly environment: Readonly<Record<string, TensorJson>>;
  /** Each point has a tensor for each input. */
  readonly points?: readonly (readonly TensorJson[])[];
}

/**
 * A number of an output: where it lies, and what the float64 reference says. It is not known where it lies if
 * a comparison on the way is so close that honest code may take either side.
 */
export interface Known {
  readonly interval: Interval | undefined;
  readonly float: number;
}

/** Reads a graph that was written in Python; throws where it is not well-formed. */
export function graphOf({ graph }: Written): Graph {
  const checked = checkGraph(graph);
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value;
}

/** Reads a point; throws where it does not fit the graph. */
export function pointOf(graph: Graph, { environment }: Written, inputs: readonly TensorJson[]): Point {
  const point = decodePoint(graph, { inputs, environment }, "");
  if (!point.ok) throw new Error(JSON.stringify(point.error));
  return point.value;
}

/** Returns the numbers of the outputs at a point, in a row, as the float64 reference computes them. */
export function floatsAt(graph: Graph, outputs: readonly number[], point: Point): number[] {
  const { values } = runReference({ graph, point, tangents: zerosOf(graph), seeds: [] }, float64);
  return outputs.flatMap((id) => [...at(values, id).data]);
}

function zerosOf({ inputs }: Graph): FlatTensor[] {
  return inputs.map(({ shape }) => ({ shape, data: new Float64Array(sizeOf(shape)) }));
}

/** Returns the numbers of the outputs at a point, one after the other, enclosed by MPFR. */
export function valuesAt(graph: Graph, outputs: readonly number[], point: Point): Known[] {
  const enclosed = enclosuresOf(
    { graph, point, tangents: zerosOf(graph), seeds: [] },
    referenceStandard("float64"),
  ).value;
  const floats = floatsAt(graph, outputs, point);
  return outputs
    .flatMap((id) => enclosed(nodeId(id)))
    .map((interval, place) => {
      const float = at(floats, place);
      return { interval: isOpen(interval, float) ? undefined : interval, float };
    });
}

/** Tells whether honest code may answer something else altogether, or nothing is known. */
function isOpen({ bound }: Interval, float: number): boolean {
  return !(bound <= WIDEST * (1 + Math.abs(float)));
}

/** A bound beyond this, relative to the number, does not come from rounding. */
const WIDEST = 2 ** -16;

/** Counts the primitives that a graph stands for. */
export function primitivesOf(graph: Graph): number {
  return expand(graph).graph.nodes.length;
}
