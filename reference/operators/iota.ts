import type { IotaAttributes } from "../../spec/operators/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { tensor } from "../tensor.ts";
import { coordinatesOf } from "./index_map.ts";
import type { Rule } from "./rule.ts";

/** Every element is its coordinate along the axis; there is nothing to pull back to. */
export const iota: Rule<"semiring", IotaAttributes> = {
  forward: ({ algebra, attributes: { axis }, shape }) =>
    tensor(shape, (position) =>
      algebra.literal(present(coordinatesOf(shape, position)[axis], "a coordinate")),
    ),
  vjp: () => [],
};
