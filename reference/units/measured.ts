import { type CompositeRows, composites } from "../../spec/composites/index.ts";
import { type Expansion, expand } from "../../spec/expansion/index.ts";
import type { Graph, PrimitiveGraph } from "../../spec/graph/index.ts";

/**
 * These composites have expansions whose steps have other dimensions than the value: x · x is a zero where
 * |x| has none, and a number stands for "below all elements". Here each is written as what it means; the two
 * differ at most in zeros, NaN and slopes, which have no dimension of their own.
 */
const rows: CompositeRows = {
  ...composites,
  abs: { ...composites.abs, expand: (_scope, _attributes, x) => x.maximum(x.negative()) },
  sign: { ...composites.sign, expand: (scope, _attributes, x) => scope.less(0, x).subtract(x.less(0)) },
  copysign: {
    ...composites.copysign,
    expand: (_scope, _attributes, x, y) => y.less(0).where(x.abs().negative(), x.abs()),
  },
  max_pool: {
    ...composites.max_pool,
    expand(scope, attributes, x) {
      const { padding } = attributes;
      if (padding.every(([low, high]) => low === 0 && high === 0))
        return composites.max_pool.expand(scope, attributes, x);
      const sides = {
        low: [0, 0, ...padding.map(([low]) => low)],
        high: [0, 0, ...padding.map(([, high]) => high)],
      };
      const wide = x.pad({ ...sides, interior: x.shape.map(() => 0) });
      return wide.max_pool({ ...attributes, padding: padding.map(() => [0, 0] as const) });
    },
  },
};

/** Writes out the composites of a graph for the equations between its dimensions. Cost: as `expand`. */
export function measuredExpansion(graph: Graph): Expansion<PrimitiveGraph> {
  return expand(graph, rows);
}
