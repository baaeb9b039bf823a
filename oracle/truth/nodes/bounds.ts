import {
  backpropSparse,
  type Context,
  type Environment,
  type EnvironmentValue,
  evaluate,
  type Graph,
  jvpCtx,
  map,
  type Tensor,
  tensor,
} from "../../../reference/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import { at, InvariantError, type NodeId, present } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { type Case, listOf, type PrimitiveCase } from "../../case/index.ts";
import { type Bounded, bounded, enlarged, given, History } from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import { lazily } from "../lazily.ts";
import type { Standard } from "../standard/index.ts";
import { algebraOf, honestGraph, honestScalars } from "./honest_graph.ts";

/** An engine answers with these of an id. */
export type Part = "value" | "tangent" | "cotangent";

/** Something is known of every element at an id, for each part. */
export type Parts<T> = { readonly [P in Part]: (id: NodeId) => readonly T[] };

/** These are the bounded numbers of a case, and the graph that they are computed by. */
export interface Bounds<C> extends Parts<Bounded<C>> {
  readonly graph: Graph<Bounded<C>>;
}

/**
 * Returns the bounded values, tangents and cotangents of a case around a centre; cotangents in the sparse
 * form, zero where nothing arrives. With `isSharp`, errors are noted in a history, for {@link sharpened}.
 * Cost: an evaluation of the reference for each part, when it is first asked for; less where all are scalars.
 */
export function boundsAround<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  isSharp = false,
): Bounds<C> {
  const scalars = isSharp ? undefined : honestScalars(question, standard, centre);
  if (scalars === undefined) return boundsByGraph(question, standard, centre, isSharp);
  const byGraph = lazily(() => boundsByGraph(question, standard, centre, false));
  const { zero } = algebraOf(centre, standard).additive;
  return {
    get graph() {
      return byGraph().graph;
    },
    value: (id) => [at(scalars.values(), id)],
    tangent: (id) => [at(scalars.tangents(), id)],
    cotangent: (id) => [scalars.cotangents()[id] ?? zero],
  };
}

/** Returns the same by the honest graph, whatever the case. */
export function boundsByGraph<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  isSharp: boolean,
): Bounds<C> {
  const { graph: program, point } = question;
  const history = isSharp ? new History() : undefined;
  const graph = honestGraph(question, standard, centre, history);
  const lift = ({ shape, data }: FlatTensor): Tensor<Bounded<C>> =>
    tensor(shape, (position) => given(centre, standard, data[position] ?? 0));
  const shapes = shapesOf(program);
  const x = point.inputs.map((flat) =>
    map(lift(flat), (element) =>
      standard.ofFunction === true ? offByARounding(element, standard) : element,
    ),
  );
  const environment = liftEnvironment(question, lift);
  const { additive } = history ? bounded(centre, standard, { history }) : algebraOf(centre, standard);
  const zeros = (id: NodeId): Tensor<Bounded<C>> => tensor(shapes[id] ?? [], () => additive.zero);
  const values = lazily(() => evaluate(graph, x, environment));
  // What a history weighs depends on the order of its notes, so with one each part has notes of its own.
  const known = lazily(() => (isSharp ? graph : withValues(graph, values())));
  const tangents = lazily(() => jvpCtx(known(), x, question.tangents.map(lift), environment));
  const cotangents = lazily(() => {
    const seed = new Map(question.seeds.map(({ id, cotangent }) => [id, lift(cotangent)]));
    return backpropSparse(additive, known(), x, environment, seed);
  });
  return {
    graph,
    value: (id) => present(values()[id], "a value").data,
    tangent: (id) => present(tangents()[id], "a tangent").data,
    cotangent: (id) => (cotangents().get(id) ?? zeros(id)).data,
  };
}

/** Returns an input that may be off by as much as an operation rounds. */
function offByARounding<C>(x: Bounded<C>, { unitRoundoff }: Standard): Bounded<C> {
  return x.magnitude === 0 || x.infinity !== undefined ? x : enlarged(x, unitRoundoff * x.magnitude);
}

/** Returns the graph at the point where these are its values, which are not computed again. */
function withValues<S>({ inputs, nodes }: Graph<S>, values: Context<S>): Graph<S> {
  return {
    inputs,
    nodes: nodes.map((node, index) => ({
      ...node,
      forward: () => present(values[inputs.length + index], "a value"),
    })),
  };
}

/** Returns Δ of a case over another carrier. */
export function liftEnvironment<S>(
  { graph, point }: Case,
  lift: (flat: FlatTensor) => Tensor<S>,
): Environment<S> {
  return new Map(
    graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<S>] => {
      const flat = point.environment.get(name);
      if (flat === undefined) throw new InvariantError(`the point has no environment entry ${name}`);
      return [
        name,
        kind === "real" ? { kind, tensor: lift(flat) } : { kind, shape, indices: listOf(flat.data) },
      ];
    }),
  );
}
