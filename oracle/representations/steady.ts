import { type CompositeRows, composites } from "../../spec/composites/index.ts";
import { type Expansion, expand } from "../../spec/expansion/index.ts";
import type { Graph, PrimitiveGraph } from "../../spec/graph/index.ts";

/**
 * These composites choose by a sign between two formulas that meet where the sign changes, which bounds of
 * errors do not see: they count the whole distance between the two. Here each is one formula, or a maximum,
 * with the same exact value.
 */
const rows: CompositeRows = {
  ...composites,
  // No interval tells that x and −x have one size; the last step cuts its range at 0.
  abs: { ...composites.abs, expand: (_scope, _attributes, x) => x.maximum(x.negative()).relu() },
  // 1/(1 + e⁻ˣ) = (1 + tanh(x/2))/2.
  sigmoid: {
    ...composites.sigmoid,
    expand: (_scope, _attributes, x) => x.divide(2).tanh().add(1).divide(2),
  },
  softplus: {
    ...composites.softplus,
    expand: (_scope, _attributes, x) => x.maximum(0).add(x.abs().negative().exp().log1p()),
  },
  logaddexp: {
    ...composites.logaddexp,
    expand: (_scope, _attributes, x, y) => x.maximum(y).add(x.subtract(y).abs().negative().exp().log1p()),
  },
  leaky_relu: {
    ...composites.leaky_relu,
    expand: (_scope, { slope }, x) => x.maximum(0).add(x.minimum(0).multiply(slope)),
  },
  elu: {
    ...composites.elu,
    expand: (_scope, { alpha }, x) => x.maximum(0).add(x.minimum(0).expm1().multiply(alpha)),
  },
};

/** Writes out the composites of a graph so that bounds of its errors are small. Cost: as `expand`. */
export function steadyExpansion(graph: Graph): Expansion<PrimitiveGraph> {
  return expand(graph, rows);
}
