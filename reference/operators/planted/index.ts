import { plantedArrays } from "./arrays.ts";
import { plantedElementwise } from "./elementwise.ts";
import type { PlantedRules } from "./rule.ts";

/**
 * Wrong pullbacks for each primitive with operands. The law must refute them all (`adjointness.test.ts`). An
 * obligation's mutants are the first that are mistakes at its use, so names and order are those of its
 * scripts.
 */
export const plantedRules: PlantedRules = { ...plantedElementwise, ...plantedArrays };

export type { PlantedRule } from "./rule.ts";
