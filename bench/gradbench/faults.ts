import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import type { FlatTensor } from "../../spec/index.ts";

/** An engine with such a fault has right values and tangents, and wrong gradients. */
export interface GradientFault {
  readonly name: string;
  engine(): Engine;
}

/** This makes every cotangent zero. */
export const zeroGradient: GradientFault = {
  name: "all-zero gradient",
  engine: () => withGradients(() => 0),
};

/** This multiplies every cotangent by 1.00015. */
export const scaledGradient: GradientFault = {
  name: "1.00015-fold gradient",
  engine: () => withGradients((x) => 1.00015 * x),
};

/** Applies `change` to every cotangent that the interpreter answers. */
export function withGradients(change: (cotangent: number) => number): Engine {
  const engine = interpreterEngine("gradient fault");
  const changed = async (
    reply: Promise<Reply<readonly FlatTensor[]>>,
  ): Promise<Reply<readonly FlatTensor[]>> => {
    const got = await reply;
    if (got.kind !== "result") return got;
    return { kind: "result", value: got.value.map(({ shape, data }) => ({ shape, data: data.map(change) })) };
  };
  const faulty = (program: LoadedGraph): LoadedGraph => ({
    evaluate: (point) => program.evaluate(point),
    jvp: (point, tangents) => program.jvp(point, tangents),
    vjp: (point, seeds) => changed(program.vjp(point, seeds)),
    backwardDense: (point, seeds) => changed(program.backwardDense(point, seeds)),
    unload: () => program.unload(),
  });
  return {
    describe: () => engine.describe(),
    load: async (graph, dtype) => {
      const loaded = await engine.load(graph, dtype);
      return loaded.kind === "result" ? { kind: "result", value: faulty(loaded.value) } : loaded;
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
