import type { Law } from "../hearing/index.ts";
import { adjointness, forwardIsReverse } from "./adjointness.ts";
import { linearity } from "./linearity.ts";
import { orderIndependence } from "./order_independence.ts";
import { repeatability } from "./repeatability.ts";

/** These relations hold without a reference. */
export const laws: readonly Law[] = [
  repeatability,
  linearity,
  adjointness,
  orderIndependence,
  forwardIsReverse,
];

export { adjointness, forwardIsReverse, linearity, orderIndependence, repeatability };
