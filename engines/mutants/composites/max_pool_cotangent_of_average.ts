import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";
import { sloped } from "./sloped.ts";

const { max_pool: maxPool } = soundParts.composites;

export const maxPoolCotangentOfAverage: Mutant = plant(
  { name: "max_pool_cotangent_of_average", fault: "max_pool pulls back as avg_pool does.", source: "D29" },
  withExpansion("max_pool", (scope, attributes, x) =>
    sloped(maxPool.expand(scope, attributes, x), x.avg_pool({ ...attributes, count_include_pad: false })),
  ),
);
