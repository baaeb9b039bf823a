import { plantedArrays } from "./arrays.ts";
import { plantedElementwise } from "./elementwise.ts";
import type { PlantedRules } from "./rule.ts";

/**
 * A wrong pullback, or several, for each primitive that has operands. The law must refute every one of them (`adjointness.test.ts`). An obligation takes
 * the first that are mistakes at its use for its mutants, so names and order are those of its scripts.
 */
export const plantedRules: PlantedRules = { ...plantedElementwise, ...plantedArrays };

export type { PlantedRule } from "./rule.ts";
