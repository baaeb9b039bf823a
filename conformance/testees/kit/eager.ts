import { isOperatorName, type OperatorName } from "../../../spec/composites/index.ts";
import type { Description, Engine, LoadedGraph, Reply } from "../../../spec/contract/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import { type Graph, operatorsWithin, type Point, type Seed } from "../../../spec/graph/index.ts";
import type { NodeId } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor, Mode, TapeLife } from "../../../spec/wire/index.ts";
import { answerOf, filled, readAll } from "./answer.ts";
import type { Differentiable, EagerLibrary } from "./library.ts";
import { nullaryPrimitives } from "./nullary.ts";
import { eagerPrograms } from "./programs.ts";
import { runGraph } from "./run.ts";
import { recorded, tapesOf } from "./tapes.ts";

/**
 * Makes the engine of an eager library. A graph becomes a function that runs its nodes in order; the answers
 * are those of the library's own `vjp` and `jvp` on it. `backward_dense` reaches inner nodes by *taps*: each
 * node's value `v` is replaced by `v + tap` with `tap = −0`, which changes no bit, and the tap's cotangent is
 * the node's, seed included.
 */
export function eagerEngine<T>(library: EagerLibrary<T>): Engine {
  const description = describe(library);
  return {
    describe: () => description,
    async load(graph: Graph, dtype: DataType): Promise<Reply<LoadedGraph>> {
      if (!description.dtypes.includes(dtype)) return { kind: "unsupported", reason: `no ${dtype}` };
      const missing = operatorsWithin(graph).find((op) => !description.operators.includes(op));
      if (missing !== undefined) return { kind: "unsupported", reason: `no operator ${missing}` };
      return { kind: "result", value: eagerGraph(library, description.modes, graph, dtype) };
    },
    ...(library.tapes === undefined ? {} : { tapes: tapesOf(library.tapes) }),
    ...(library.programs === true ? { programs: eagerPrograms(library, description) } : {}),
    async [Symbol.asyncDispose]() {},
  };
}

/** Derives operators and modes from what the library has, so that no promise is a mistake. */
function describe<T>(library: EagerLibrary<T>): Description {
  const named = Object.keys(library.operators).filter(isOperatorName);
  const nested: readonly OperatorName[] = library.nests === true ? ["differentiate"] : [];
  const operators: OperatorName[] = [...new Set([...nullaryPrimitives, ...named, ...nested])];
  const modes: Mode[] = ["evaluate"];
  if (library.jvp !== undefined) modes.push("jvp");
  if (library.vjp !== undefined) modes.push("vjp");
  if (library.vjp !== undefined && library.exactTaps !== false && library.operators.add !== undefined) {
    modes.push("backward_dense");
  }
  return { ...library.description, operators, modes };
}

function eagerGraph<T>(
  library: EagerLibrary<T>,
  modes: readonly Mode[],
  graph: Graph,
  dtype: DataType,
): LoadedGraph {
  const shapes = shapesOf(graph);
  const nodeShapes = shapes.slice(graph.inputs.length);
  const everyNode = nodeShapes.map((_, position) => graph.inputs.length + position);
  const noTaps = (): FlatTensor[] => nodeShapes.map((shape) => filled(shape, -0));
  const tensors = (flats: readonly FlatTensor[]): T[] => flats.map((flat) => library.tensor(flat, dtype));
  const functionOf =
    ({ environment }: Point, ids: readonly number[]): Differentiable<T> =>
    (inputsAndTaps) =>
      runGraph(library, { graph, dtype, environment, inputsAndTaps, ids });
  const answer = (mode: Mode, body: () => Promise<FlatTensor[]>): Promise<Reply<FlatTensor[]>> =>
    modes.includes(mode)
      ? answerOf(library, body)
      : Promise.resolve({ kind: "unsupported", reason: `no ${mode}` });

  async function pullBack(point: Point, seeds: readonly Seed[], taps: FlatTensor[]): Promise<FlatTensor[]> {
    const primals = [...point.inputs, ...taps];
    // Without seeds or inputs the answer is zero by definition, and the library is not asked.
    if (library.vjp === undefined || seeds.length === 0 || primals.length === 0) {
      return primals.map(({ shape }) => filled(shape, 0));
    }
    const seeded = seeds.map(({ id }) => id);
    const cotangents = tensors(seeds.map(({ cotangent }) => cotangent));
    const pulled = await library.vjp(functionOf(point, seeded), tensors(primals), cotangents);
    return readAll(primals, async (primal, i) => {
      const cotangent = pulled[i] ?? undefined;
      return cotangent === undefined ? filled(primal.shape, 0) : library.read(cotangent);
    });
  }

  const { tapes } = library;
  return {
    evaluate: (point) =>
      answer("evaluate", async () =>
        readAll(functionOf(point, everyNode)(tensors(point.inputs)), (value) => library.read(value)),
      ),
    jvp: (point, tangents) =>
      answer("jvp", async () => {
        if (library.jvp === undefined || everyNode.length === 0) return [];
        const f = functionOf(point, everyNode);
        const pushed = await library.jvp(f, tensors(point.inputs), tensors(tangents));
        return readAll(pushed, (tangent) => library.read(tangent));
      }),
    vjp: (point, seeds) => answer("vjp", () => pullBack(point, seeds, [])),
    backwardDense: (point, seeds) => answer("backward_dense", () => pullBack(point, seeds, noTaps())),
    ...(tapes === undefined
      ? {}
      : {
          record: (point: Point, life: TapeLife, of: readonly NodeId[]) =>
            recorded(library, tapes, { graph, dtype, point, life, of }),
        }),
    async unload() {},
  };
}
