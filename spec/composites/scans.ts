import { arrayApi, axisSchema } from "../operators/index.ts";
import type { Composite } from "./composite.ts";
import { refuseAxis } from "./refusals.ts";
import { extentOf, sliceAlong } from "./slices.ts";

/** The axis along which products run. */
export interface CumulativeProdAttributes {
  readonly axis: number;
}

/**
 * The product is computed in rounds: each element times the one 1, 2, 4, … places before. Nothing is divided,
 * so that zeros pull back what they should, and each product is of as many factors as it has. Source: Hillis
 * and Steele, "Data parallel algorithms", 1986.
 */
export const cumulativeProd: Composite<CumulativeProdAttributes> = {
  arity: 1,
  attributes: { axis: axisSchema },
  smoothness: "smooth",
  summary: "at index i along the axis the product of the elements up to and with i",
  domain: "everywhere, at zeros too",
  convention: "none needed",
  source: arrayApi("cumulative_prod"),
  refuse: ({ axis }, [x = []]) => refuseAxis(axis, x),
  example: { attributes: { axis: 1 }, operands: [[2, 3]] },
  expand: (_scope, { axis }, x) => {
    const extent = extentOf(x, axis);
    let products = x;
    for (let reach = 1; reach < extent; reach *= 2) {
      const later = sliceAlong(products, axis, reach, extent);
      const earlier = sliceAlong(products, axis, 0, extent - reach);
      products = sliceAlong(products, axis, 0, reach).concat(earlier.multiply(later), { axis });
    }
    return products;
  },
};
