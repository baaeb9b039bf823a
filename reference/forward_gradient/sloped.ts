import {
  at,
  type Field,
  fail,
  InvariantError,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  type Result,
  type Ring,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { type Context, entry, type SparseContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { contextShapes, type GraphData } from "../graph.ts";
import { backpropSparse, evaluate } from "../sweep.ts";
import { addTensors, type Tensor, zeros } from "../tensor.ts";
import { innerProduct, type Vector } from "./vector.ts";

/** `f = Σ seed · value` over the values with a seed, at a point, with its derivative by `wrt` asked for. */
export interface Problem<S> {
  readonly field: Field<S>;
  readonly graph: GraphData<S>;
  readonly x: Context<S>;
  readonly environment: Environment<S>;
  readonly seeds: SparseContext<S>;
  /** Ids of inputs. */
  readonly wrt: readonly NodeId[];
}

/**
 * An estimator sees this of a {@link Problem}: slopes along directions, and nothing else of the derivative.
 * `T` is what it computes with; `S` what the problem's own numbers are, which are constants there.
 */
export interface Sloped<T, S = T> {
  readonly ring: Ring<T>;
  constant(x: S): T;
  /** A direction has so many numbers: those of all perturbed values, one after the other. */
  readonly dimension: number;
  /** Returns `∇f · v`: one forward sweep, which keeps no tape. Law: linear in `v`. */
  slope(v: Vector<T>): T;
  /** Pulls cotangents of the perturbed values to those of `wrt`, if they differ. Law: linear in `c`. */
  pull(c: Vector<T>): Vector<T>;
}

/** Returns the derivative by `wrt` that reverse mode gives, as one list. */
export function gradientOf<S>({ field, graph, x, environment, seeds, wrt }: Problem<S>): Vector<S> {
  const cotangents = backpropSparse(field, graph, x, environment, seeds);
  return flattened(wrt.map((id) => cotangents.get(id) ?? zeros(field, entry(x, id).shape)));
}

/** The inputs themselves are perturbed: a direction is a tangent. */
export function slopedByInputs<S>(problem: Problem<S>): Sloped<S> {
  const { dimension, slope } = perturbed(problem, problem.wrt);
  return { ring: problem.field, constant: (x) => x, dimension, slope, pull: (c) => c };
}

/**
 * Perturbs the nodes that read what is wanted, and pulls the cotangents through these nodes alone. It needs
 * the values that they read. Fails: `forward-gradient/seed` if something wanted has its own seed.
 */
export function slopedByReaders<S>(problem: Problem<S>): Result<Sloped<S>, Issue[]> {
  const { field, graph, x, environment, seeds, wrt } = problem;
  const seeded = wrt.filter((id) => seeds.has(id));
  if (seeded.length > 0) return fail(seeded.map(seededInput));
  const readers = readersOf(graph, wrt);
  const { dimension, slope, context } = perturbed(problem, readers);
  const pull = (c: Vector<S>): Vector<S> => {
    const bars = new Map(wrt.map((id) => [id, zeros(field, entry(x, id).shape)]));
    for (const [id, cotangent] of unflattened(context, readers, c)) {
      const node = at(graph.nodes, id - graph.inputs.length);
      for (const [parent, bar] of node.vjp(context, environment, cotangent)) {
        const own = bars.get(parent);
        if (own !== undefined) bars.set(parent, addTensors(field, own, bar));
      }
    }
    return flattened([...bars.values()]);
  };
  return ok({ ring: field, constant: (s) => s, dimension, slope, pull });
}

/** Returns the nodes that read one of these. */
export function readersOf<S>({ inputs, nodes }: GraphData<S>, wrt: readonly NodeId[]): readonly NodeId[] {
  return nodes.flatMap(({ reads }, n) =>
    reads.some((id) => wrt.includes(id)) ? [nodeId(inputs.length + n)] : [],
  );
}

function seededInput(id: NodeId): Issue {
  return {
    code: "forward-gradient/seed",
    pointer: `/seeds/${id}`,
    message: `input ${id} has a seed of its own, which reaches it through no node that could be perturbed.`,
    hint: "perturb the inputs, or seed nodes alone",
  };
}

/** Slopes along perturbations of the values of some ids, whatever comes there from before. */
function perturbed<S>(
  { field, graph, x, environment, seeds }: Problem<S>,
  ids: readonly NodeId[],
): Pick<Sloped<S>, "dimension" | "slope"> & { readonly context: Context<S> } {
  const context = evaluate(graph, x, environment);
  const shapes = contextShapes(graph);
  const slope = (v: Vector<S>): S => {
    const moved = unflattened(context, ids, v);
    const tangents: Tensor<S>[] = graph.inputs.map(
      (shape, id) => moved.get(nodeId(id)) ?? zeros(field, shape),
    );
    for (const node of graph.nodes) {
      const own = moved.get(nodeId(tangents.length));
      const tangent = node.jvp(context, tangents, environment);
      tangents.push(own === undefined ? tangent : addTensors(field, tangent, own));
    }
    const seeded = [...seeds];
    return innerProduct(
      field,
      flattened(seeded.map(([, c]) => c)),
      flattened(seeded.map(([id]) => entry(tangents, id))),
    );
  };
  return { dimension: ids.reduce((sum, id) => sum + sizeOf(at(shapes, id)), 0), slope, context };
}

function flattened<S>(tensors: readonly Tensor<S>[]): Vector<S> {
  return tensors.flatMap(({ data }) => data);
}

/** Returns a list as tensors of some ids' shapes. Throws {@link InvariantError} if their lengths differ. */
function unflattened<S>(
  context: Context<S>,
  ids: readonly NodeId[],
  list: Vector<S>,
): ReadonlyMap<NodeId, Tensor<S>> {
  let from = 0;
  const parts = new Map(
    ids.map((id) => {
      const { shape } = entry(context, id);
      const data = list.slice(from, from + sizeOf(shape));
      from += sizeOf(shape);
      return [id, { shape, data }] as const;
    }),
  );
  if (from !== list.length)
    throw new InvariantError(`a direction of ${list.length} numbers where there are ${from}`);
  return parts;
}
