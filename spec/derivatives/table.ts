import type { PrimitiveName } from "../operators/index.ts";
import { arithmetic } from "./arithmetic.ts";
import { choices } from "./choices.ts";
import { elementary } from "./elementary.ts";
import { linearAlgebra } from "./linear_algebra.ts";
import { lookups } from "./lookups.ts";
import { movement } from "./movement.ts";
import type { DerivativesOf } from "./rule.ts";
import { sources } from "./sources.ts";
import { sums } from "./sums.ts";

/** The derivative of each primitive, as graphs. */
export const derivatives: DerivativesOf<PrimitiveName> = {
  ...sources,
  ...arithmetic,
  ...elementary,
  ...choices,
  ...movement,
  ...lookups,
  ...sums,
  ...linearAlgebra,
};
