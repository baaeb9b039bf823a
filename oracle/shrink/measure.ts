import { shapesOf } from "../../spec/expansion/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { idealCotangent, idealElement, oddness } from "./ideal.ts";
import { innerSize } from "./inner.ts";
import { isPlain } from "./plain.ts";

/**
 * The measure of a case lists, the most important first: calls; those that change something; computed nodes;
 * inputs and entries of Δ; extents; seeds; inner graphs; operands, and different ones; ids of seeds; nodes
 * that are not plain; odd numbers. Its lexicographic order is well-founded, so shrinking ends whatever the
 * predicate says.
 */
export type Measure = readonly number[];

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, x) => total + x, 0);
}

/** Charges for each axis and each step of its extent; an extent of 0 is special and costs most. */
function shapeCost(shape: Shape): number {
  return sumOf(shape.map((extent) => (extent === 0 ? 1000 : 1 + extent)));
}

function oddnessOf(tensors: readonly FlatTensor[], ideal: (i: number) => number): number {
  const elements = tensors.flatMap(({ data }) => [...data]);
  return sumOf(elements.map((x, i) => oddness(x, ideal(i))));
}

/** Lists the tensors of a case's point that hold real numbers: inputs, then real entries of Δ. */
export function realTensors({ graph, point }: Case): readonly FlatTensor[] {
  const entries = graph.environment.filter(({ kind }) => kind === "real");
  return [...point.inputs, ...entries.flatMap(({ name }) => point.environment.get(name) ?? [])];
}

/** Lists the indices in all entries of a case. */
function indicesOf({ graph, point }: Case): readonly number[] {
  const entries = graph.environment.filter(({ kind }) => kind === "index");
  return entries.flatMap(({ name }) => [...(point.environment.get(name)?.data ?? [])]);
}

/** Measures a well-formed case. */
export function measure(question: Case): Measure {
  const { graph, seeds, tangents, calls = [] } = question;
  const shapes = [...shapesOf(graph), ...graph.environment.map(({ shape }) => shape)];
  return [
    calls.length,
    calls.filter(({ change }) => change !== undefined).length,
    graph.nodes.length,
    graph.inputs.length + graph.environment.length,
    sumOf(shapes.map(shapeCost)),
    seeds.length,
    innerSize(graph.nodes),
    sumOf(graph.nodes.map(({ parents }) => parents.length + new Set(parents).size)),
    sumOf(seeds.map(({ id }) => id)),
    graph.nodes.filter(({ op }) => !isPlain(op)).length,
    oddnessOf(realTensors(question), idealElement) +
      oddnessOf(tangents, idealCotangent) +
      oddnessOf(
        seeds.map(({ cotangent }) => cotangent),
        idealCotangent,
      ) +
      sumOf(indicesOf(question)),
  ];
}

/** Tells whether `a` comes before `b` in lexicographic order. */
export function isSmaller(a: Measure, b: Measure): boolean {
  const place = a.findIndex((x, i) => x !== b[i]);
  return place >= 0 && (a[place] ?? 0) < (b[place] ?? 0);
}
