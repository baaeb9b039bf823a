import { matmul } from "../../plan/lower/sums.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const sameProductTwice: PlanMutant = plantPlan(
  {
    name: "same_product_twice",
    fault: "Both products of the tangent of a product of matrices are the one with the left tangent.",
    rewrite: "split_tangents",
  },
  {
    lowerings: {
      matmul: {
        ...matmul,
        tangent(draft, application, value, dots) {
          const [xDot, yDot] = dots.values;
          if (xDot === undefined || yDot === undefined)
            return matmul.tangent(draft, application, value, dots);
          const product = matmul.tangent(draft, application, value, { ...dots, values: [xDot, undefined] });
          return product && draft.add(product, product);
        },
      },
    },
  },
);
