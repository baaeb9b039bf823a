import type { Description, Engine, LoadedGraph, Reply } from "../../engines/index.ts";
import {
  backpropSparse,
  type Context,
  type Environment,
  evaluate,
  type Graph,
  jvpCtx,
  map,
  type Tensor,
} from "../../reference/index.ts";
import { dense } from "../../reference/package.ts";
import {
  type Additive,
  type DataType,
  type FlatTensor,
  type NodeId,
  type Point,
  present,
  type Seed,
  shapesOf,
} from "../../spec/index.ts";
import { expandProgram, type PrimitiveProgram } from "../case/expansion.ts";
import { flatten, unflatten } from "../case/reference_run.ts";
import { liftEnvironment } from "../truth/nodes/bounds.ts";

/** An engine computes with these elements, by these rules. */
export interface Meaning<S> {
  readonly additive: Additive<S>;
  readonly graph: Graph<S>;
  /** Reads a number that the engine is given. */
  lift(x: number): S;
  /** Returns the number that the engine answers. */
  lower(element: S): number;
  /** Pulls seeds back through the graph; the sparse form unless told. */
  pull?(x: Context<S>, environment: Environment<S>, seeds: ReadonlyMap<NodeId, Tensor<S>>): Context<S>;
}

/** Makes an engine that expands composites to primitives and interprets these over an algebra. */
export function algebraEngine<S>(
  description: Description,
  meaningOf: (program: PrimitiveProgram, dtype: DataType) => Meaning<S>,
): Engine {
  return {
    describe: () => description,
    async load(written, dtype): Promise<Reply<LoadedGraph>> {
      const { program, ids } = expandProgram(written);
      const { additive, graph, lift, lower, pull } = meaningOf(program, dtype);
      const read = (flat: FlatTensor): Tensor<S> => map(unflatten(flat), lift);
      const at = (point: Point): readonly [Context<S>, Environment<S>] => [
        point.inputs.map(read),
        liftEnvironment({ graph: program.graph, point, tangents: [], seeds: [] }, read),
      ];
      const answered = (context: Context<S>, from: number, end?: number): Reply<readonly FlatTensor[]> => ({
        kind: "result",
        value: ids.slice(from, end).map((id) => flatten(map(present(context[id], "an answer"), lower))),
      });
      const sweep: NonNullable<typeof pull> =
        pull ??
        ((x, environment, seeds) =>
          dense(additive, shapesOf(program.graph), backpropSparse(additive, graph, x, environment, seeds)));
      const pulled = (point: Point, seeds: readonly Seed[]): Context<S> =>
        sweep(
          ...at(point),
          new Map(seeds.map(({ id, cotangent }) => [present(ids[id], "an id"), read(cotangent)])),
        );
      const count = written.inputs.length;
      const value: LoadedGraph = {
        evaluate: async (point) => answered(evaluate(graph, ...at(point)), count),
        async jvp(point, tangents) {
          const [x, environment] = at(point);
          return answered(jvpCtx(graph, x, tangents.map(read), environment), count);
        },
        vjp: async (point, seeds) => answered(pulled(point, seeds), 0, count),
        backwardDense: async (point, seeds) => answered(pulled(point, seeds), 0),
        unload: async () => {},
      };
      return { kind: "result", value };
    },
    async [Symbol.asyncDispose]() {},
  };
}
