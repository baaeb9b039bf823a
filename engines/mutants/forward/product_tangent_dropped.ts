import { type Mutant, plant, withKernel } from "../mutant.ts";

export const productTangentDropped: Mutant = plant(
  {
    name: "product_tangent_dropped",
    fault: "In forward mode a product ignores the tangent of its second operand.",
    source: "F03",
  },
  withKernel("multiply", {
    jvp({ values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) tangents[out + i] = (tangents[x + i] ?? 0) * (values[y + i] ?? 0);
    },
  }),
);
