import type { KernelTable } from "../kernel.ts";
import { arithmetic } from "./arithmetic.ts";
import { choices } from "./choices.ts";
import { elementary } from "./elementary.ts";
import { linearAlgebra } from "./linear_algebra.ts";
import { lookups } from "./lookups.ts";
import { movement } from "./movement.ts";
import { sources } from "./sources.ts";
import { sums } from "./sums.ts";

/** The interpreter's kernel of every operator; the compiler names one that is missing. */
export const kernels: KernelTable = {
  ...sources,
  ...arithmetic,
  ...elementary,
  ...choices,
  ...movement,
  ...lookups,
  ...sums,
  ...linearAlgebra,
};
