import type { Algorithm } from "./algorithm.ts";
import { attentions, wrongAttentions } from "./attention.ts";
import { choleskys, wrongCholeskys } from "./cholesky.ts";
import { determinants, inverses, wrongDeterminants, wrongInverses } from "./general.ts";
import { norms, wrongNorms } from "./norm.ts";
import { normalizations, wrongNormalizations } from "./normalization.ts";
import { cumulativeProducts, wrongCumulativeProducts } from "./products.ts";
import { sigmoids, wrongSigmoids } from "./sigmoid.ts";
import { logsumexps, softmaxes, wrongSoftmaxes } from "./softmax.ts";
import { triangularSystems, wrongTriangularSystems } from "./triangular.ts";
import { means, variances, wrongMeans, wrongVariances } from "./variance.ts";

/** None of these published algorithms may ever be accused. */
export const algorithms: readonly Algorithm[] = [
  ...softmaxes,
  ...logsumexps,
  ...attentions,
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

/** Each of these is wrong or unstable, and must be caught. */
export const wrongAlgorithms: readonly Algorithm[] = [
  ...wrongSoftmaxes,
  ...wrongAttentions,
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
