import type { IndexLimits } from "../spec/expansion/index.ts";
import type { Graph, Point, Seed } from "../spec/graph/index.ts";
import { at, counted, formatShape, isSameShape, type Shape, sizeOf } from "../spec/shapes/index.ts";
import type { FlatTensor } from "../spec/wire/index.ts";

/** A sentence on what does not fit a graph; `undefined` if everything does. */
export type Misfit = string | undefined;

/** The limits of index entries, by name; an entry that nothing reads has none. */
export type AllLimits = ReadonlyMap<string, IndexLimits>;

/** Checks that a point has fitting tensors for inputs and entries of Δ, and indices in range. */
export function misfitOfPoint(graph: Graph, limits: AllLimits, point: Point): Misfit {
  const misfit = misfitOfInputs(graph.inputs, point.inputs, "input");
  if (misfit !== undefined) return misfit;
  for (const { name, shape, kind } of graph.environment) {
    const tensor = point.environment.get(name);
    if (tensor === undefined) return `the environment has no entry "${name}".`;
    const misfit =
      misfitOfTensor(tensor, shape, () => `the environment's "${name}"`) ??
      (kind === "index" ? misfitOfIndices(tensor, name, limits.get(name) ?? unread) : undefined);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** Checks that there is one fitting tensor for each input; `what` names them in the message. */
export function misfitOfInputs(
  inputs: readonly { readonly name: string; readonly shape: Shape }[],
  tensors: readonly FlatTensor[],
  what: string,
): Misfit {
  if (tensors.length !== inputs.length) {
    return `the graph has ${counted(inputs.length, "input")}, and ${counted(tensors.length, what)} given.`;
  }
  for (let n = 0; n < inputs.length; n++) {
    const { name, shape } = at(inputs, n);
    const misfit = misfitOfTensor(at(tensors, n), shape, () => `${what} ${n} ("${name}")`);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** Checks that every seed is at an id of its own and has its shape. */
export function misfitOfSeeds(shapes: readonly Shape[], seeds: readonly Seed[]): Misfit {
  const seeded = new Set<number>();
  for (const { id, cotangent } of seeds) {
    const shape = shapes[id];
    if (shape === undefined) return `there is no id ${id} to seed; the last one is ${shapes.length - 1}.`;
    if (seeded.has(id)) return `id ${id} is seeded twice.`;
    seeded.add(id);
    const misfit = misfitOfTensor(cotangent, shape, () => `the seed at id ${id}`);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function misfitOfTensor({ shape, data }: FlatTensor, expected: Shape, what: () => string): Misfit {
  if (!isSameShape(shape, expected)) {
    return `${what()} has shape ${formatShape(shape)}, the graph says ${formatShape(expected)}.`;
  }
  if (data.length === sizeOf(shape)) return undefined;
  return `${what()} has ${counted(data.length, "element")}, its shape ${formatShape(shape)} has ${sizeOf(shape)}.`;
}

/** Index arenas have words of 32 bits. */
const unread: IndexLimits = [2 ** 32];

function misfitOfIndices({ data }: FlatTensor, name: string, limits: IndexLimits): Misfit {
  const limitAt = (position: number): number => at(limits, position % limits.length);
  const position = data.findIndex(
    (index, place) => !(Number.isInteger(index) && index >= 0 && index < limitAt(place)),
  );
  if (position < 0) return undefined;
  const limit = limitAt(position);
  const range = limit === 0 ? "the axis is empty" : `it must be an integer from 0 to ${limit - 1}`;
  return `index ${data[position]} at position ${position} of "${name}" is out of range: ${range}.`;
}
