import type { NoAttributes } from "../../spec/operators/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { tensor } from "../tensor.ts";
import { cofactorsOf } from "./cofactors.ts";
import { operand, type Rule } from "./rule.ts";

/** det X, a polynomial; X̄ is c times the cofactors, which are there where X has no inverse too. */
export const det: Rule<"ring", NoAttributes> = {
  forward: (application) => {
    const matrices = cofactorsOf(application.algebra, operand(application, 0));
    return tensor(application.shape, (index) => present(matrices[index], "a matrix").determinant);
  },
  vjp: (application, cotangent) => {
    const { algebra: a } = application;
    const x = operand(application, 0);
    const size = present(x.shape.at(-1), "columns") ** 2;
    const matrices = cofactorsOf(a, x);
    return [
      tensor(x.shape, (position) => {
        const index = Math.floor(position / size);
        const slope = present(matrices[index]?.cofactors[position % size], "a cofactor");
        return a.multiply(present(cotangent.data[index], "a cotangent"), slope);
      }),
    ];
  },
};
