import {
  backpropSparse,
  type Context,
  type Environment,
  type EnvironmentValue,
  evaluate,
  type Graph,
  interpret,
  jvpCtx,
  type Tensor,
} from "../../reference/index.ts";
import {
  type Algebra,
  floatAt,
  InvariantError,
  type NodeId,
  nodeId,
  present,
} from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "./case.ts";
import { expandCase, type PrimitiveCase } from "./expansion.ts";

/** The reference's values, tangents and cotangents of a case, of every id, inputs first. */
export interface ReferenceRun {
  readonly values: readonly FlatTensor[];
  readonly tangents: readonly FlatTensor[];
  /** In the sparse form: only ids that received a cotangent. */
  readonly cotangents: ReadonlyMap<NodeId, FlatTensor>;
}

/** Runs a case over an algebra of floats; `change` makes its graph another. Cost: three evaluations of the reference. */
export function runReference<B>(
  question: Case,
  algebra: Algebra<number, B>,
  change: (expanded: PrimitiveCase, meaning: Graph<number>) => Graph<number> = (_, meaning) => meaning,
): ReferenceRun {
  const { question: expanded, ids } = expandCase(question);
  const meaning = interpret(expanded.graph, algebra);
  if (!meaning.ok) throw new InvariantError(`${algebra.name} does not offer what the graph needs`);
  const graph = change(expanded, meaning.value);
  const x = question.point.inputs.map(unflatten);
  const environment = floatEnvironment(question);
  const cotangents = backpropSparse(algebra.additive, graph, x, environment, seedsOf(expanded));
  return {
    values: picked(evaluate(graph, x, environment), ids),
    tangents: picked(jvpCtx(graph, x, question.tangents.map(unflatten), environment), ids),
    cotangents: new Map(
      ids.flatMap((inner, id) => {
        const tensor = cotangents.get(inner);
        return tensor === undefined ? [] : [[nodeId(id), flatten(tensor)]];
      }),
    ),
  };
}

function seedsOf({ seeds }: Case): Map<NodeId, Tensor<number>> {
  return new Map(seeds.map(({ id, cotangent }) => [id, unflatten(cotangent)]));
}

/** The tensors at the ids that the original has. */
function picked(context: Context<number>, ids: readonly NodeId[]): FlatTensor[] {
  return ids.map((id) => flatten(present(context[id], "tensor of an id")));
}

/** Δ of a case over floats. */
export function floatEnvironment({ graph, point }: Case): Environment<number> {
  return new Map(
    graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<number>] => {
      const flat = present(point.environment.get(name), "environment entry");
      return [
        name,
        kind === "real" ? { kind, tensor: unflatten(flat) } : { kind, shape, indices: listOf(flat.data) },
      ];
    }),
  );
}

/** A flat tensor as the reference's. */
export function unflatten({ shape, data }: FlatTensor): Tensor<number> {
  return { shape, data: listOf(data) };
}

/** The numbers as a list. Of few numbers `[...numbers]` takes five times as long. */
export function listOf(numbers: Float64Array): number[] {
  const list: number[] = [];
  for (let i = 0; i < numbers.length; i++) list.push(floatAt(numbers, i));
  return list;
}

/** The reference's tensor as a flat one. */
export function flatten({ shape, data }: Tensor<number>): FlatTensor {
  return { shape, data: new Float64Array(data) };
}
