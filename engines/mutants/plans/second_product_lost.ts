import { matmul } from "../../plan/lower/sums.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const secondProductLost: PlanMutant = plantPlan(
  {
    name: "second_product_lost",
    fault:
      "The tangent of a product of matrices lacks the product with the right tangent, if the left matrix moves.",
    rewrite: "split_tangents",
  },
  {
    lowerings: {
      matmul: {
        ...matmul,
        tangent(draft, application, value, { count, values: [xDot, yDot] }) {
          const values = xDot === undefined ? [xDot, yDot] : [xDot, undefined];
          return matmul.tangent(draft, application, value, { count, values });
        },
      },
    },
  },
);
