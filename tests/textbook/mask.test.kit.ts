import { valuesOf } from "../../oracle/case/valuation.ts";
import { type FlatTensor, graph, present, type Shape } from "../../spec/index.ts";

/** Returns the mask of a dropout: the primitive's, which has tests of its own. */
export function maskOf(key: FlatTensor, rate: number, shape: Shape): FlatTensor {
  const program = graph(({ input, indices, bernoulli_mask }) => {
    input("x");
    bernoulli_mask({ shape, key: indices("key", [2]), rate });
  });
  const point = { inputs: [{ shape: [], data: Float64Array.of(0) }], environment: new Map([["key", key]]) };
  return present(valuesOf({ graph: program, point, tangents: [], seeds: [] })[1], "mask");
}
