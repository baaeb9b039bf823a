import type { PrimitiveName } from "../../../spec/operators/index.ts";
import type { DimensionRulesOf } from "../rule.ts";
import { arithmetic } from "./arithmetic.ts";
import { choices } from "./choices.ts";
import { elementary } from "./elementary.ts";
import { linearAlgebra } from "./linear_algebra.ts";
import { lookups } from "./lookups.ts";
import { movement } from "./movement.ts";
import { sources } from "./sources.ts";
import { sums } from "./sums.ts";

/** A rule for every primitive. */
export type DimensionRules = DimensionRulesOf<PrimitiveName>;

/** Each primitive has its rule here. Composites follow their expansions. */
export const dimensionRules: DimensionRules = {
  ...sources,
  ...arithmetic,
  ...elementary,
  ...choices,
  ...movement,
  ...lookups,
  ...sums,
  ...linearAlgebra,
};
