import {
  type Context,
  type Environment,
  type EnvironmentValue,
  entry,
  evaluate,
  interpret,
  type Tensor,
} from "../reference/package.ts";
import {
  type Algebra,
  at,
  type Derived,
  expand,
  type FlatTensor,
  formatFloat64,
  InvariantError,
  type Issue,
  idCount,
  type NodeId,
  nodeId,
  type PrimitiveGraph,
  present,
  type Result,
} from "../spec/index.ts";
import type { Case } from "./case/case.ts";

/** Returns the value of what cannot fail here. */
export function succeeded<T>(result: Result<T, Issue[]>): T {
  if (!result.ok) throw new InvariantError(JSON.stringify(result.error));
  return result.value;
}

/** Algebras that read integers alone get the numbers times this; which numbers they are does not matter. */
const SCALE = 1024;

/** A posed case is a graph of primitives with its numbers in an algebra. */
export interface Posed<S> {
  readonly graph: PrimitiveGraph;
  readonly x: Context<S>;
  readonly tangents: Context<S>;
  readonly environment: Environment<S>;
  readonly seeds: ReadonlyMap<NodeId, Tensor<S>>;
}

/** Poses a case over an algebra. */
export function posed<S, B>(
  algebra: Algebra<S, B>,
  question: Case,
  { graph: written, ids } = expand(question.graph),
): Posed<S> {
  const scalar = (x: number): S =>
    present(algebra.parse(formatFloat64(x)) ?? algebra.parse(String(Math.round(SCALE * x))), "a number");
  const tensor = ({ shape, data }: FlatTensor): Tensor<S> => ({ shape, data: [...data].map(scalar) });
  const environment = new Map<string, EnvironmentValue<S>>();
  for (const { name, kind, shape } of question.graph.environment) {
    const value = present(question.point.environment.get(name), "an entry of Δ");
    environment.set(
      name,
      kind === "real" ? { kind, tensor: tensor(value) } : { kind, shape, indices: [...value.data] },
    );
  }
  return {
    graph: written,
    x: question.point.inputs.map(tensor),
    tangents: question.tangents.map(tensor),
    environment,
    seeds: new Map(question.seeds.map(({ id, cotangent }) => [at(ids, id), tensor(cotangent)])),
  };
}

/** Evaluates a derived graph at a point and at its seeds. */
export function resultsOf<S, B>(
  algebra: Algebra<S, B>,
  { graph: derived, results }: Derived,
  point: Context<S>,
  environment: Environment<S>,
): Tensor<S>[] {
  const values = evaluate(succeeded(interpret(derived, algebra)), point, environment);
  return results.map((id) => entry(values, id));
}

export function allIds(graph: PrimitiveGraph): NodeId[] {
  return Array.from({ length: idCount(graph) }, (_, id) => nodeId(id));
}

export function inputIds(graph: PrimitiveGraph): NodeId[] {
  return graph.inputs.map((_, id) => nodeId(id));
}

/** Counts the elements in which two lists of tensors of the same shapes differ. */
export function mismatches<S, B>(
  algebra: Algebra<S, B>,
  a: readonly Tensor<S>[],
  b: readonly Tensor<S>[],
): number {
  return a.flatMap((x, place) =>
    x.data.filter((element, i) => !algebra.isSame(element, present(b[place]?.data[i], "an element"))),
  ).length;
}
