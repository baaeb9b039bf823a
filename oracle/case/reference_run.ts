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

/** The reference's run of a case has values, tangents and cotangents by id, inputs first. */
export interface ReferenceRun {
  readonly values: readonly FlatTensor[];
  readonly tangents: readonly FlatTensor[];
  /** Only ids that received a cotangent are here. */
  readonly cotangents: ReadonlyMap<NodeId, FlatTensor>;
}

/** Runs a case over an algebra of floats; `change` rewrites its graph. Cost: three evaluations. */
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

/** Picks the tensors at the ids of the original. */
function picked(context: Context<number>, ids: readonly NodeId[]): FlatTensor[] {
  return ids.map((id) => flatten(present(context[id], "tensor of an id")));
}

/** Converts the environment of a case to floats. */
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

/** Converts a flat tensor to the reference's. */
export function unflatten({ shape, data }: FlatTensor): Tensor<number> {
  return { shape, data: listOf(data) };
}

/** Copies numbers to a list, five times as fast as `[...numbers]` where they are few. */
export function listOf(numbers: Float64Array): number[] {
  const list: number[] = [];
  for (let i = 0; i < numbers.length; i++) list.push(floatAt(numbers, i));
  return list;
}

/** Converts a tensor of the reference's to a flat one. */
export function flatten({ shape, data }: Tensor<number>): FlatTensor {
  return { shape, data: new Float64Array(data) };
}
