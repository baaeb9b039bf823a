import type { Algorithm } from "./algorithm.ts";
import { choleskys, wrongCholeskys } from "./cholesky.ts";
import { determinants, inverses, wrongDeterminants, wrongInverses } from "./general.ts";
import { norms, wrongNorms } from "./norm.ts";
import { normalizations, wrongNormalizations } from "./normalization.ts";
import { cumulativeProducts, wrongCumulativeProducts } from "./products.ts";
import { sigmoids, wrongSigmoids } from "./sigmoid.ts";
import { logsumexps, softmaxes, wrongSoftmaxes } from "./softmax.ts";
import { triangularSystems, wrongTriangularSystems } from "./triangular.ts";
import { means, variances, wrongMeans, wrongVariances } from "./variance.ts";

/** Published algorithms, of which none may ever be accused. */
export const algorithms: readonly Algorithm[] = [
  ...softmaxes,
  ...logsumexps,
  ...sigmoids,
  ...means,
  ...variances,
  ...normalizations,
  ...cumulativeProducts,
  ...norms,
  ...triangularSystems,
  ...choleskys,
  ...inverses,
  ...determinants,
];

/** Algorithms that are wrong, or not stable, of which each must be caught. */
export const wrongAlgorithms: readonly Algorithm[] = [
  ...wrongSoftmaxes,
  ...wrongSigmoids,
  ...wrongMeans,
  ...wrongVariances,
  ...wrongNormalizations,
  ...wrongCumulativeProducts,
  ...wrongNorms,
  ...wrongTriangularSystems,
  ...wrongCholeskys,
  ...wrongInverses,
  ...wrongDeterminants,
];
