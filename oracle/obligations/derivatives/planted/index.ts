import { plantedArrays } from "./arrays.ts";
import { plantedElementwise } from "./elementwise.ts";
import type { PlantedDerivatives } from "./rule.ts";

/**
 * A wrong rule of derivation, or several, for each primitive that has operands. An obligation takes the first that is a mistake at its use for a mutant, so names
 * and order are those of its scripts.
 */
export const plantedDerivatives: PlantedDerivatives = { ...plantedElementwise, ...plantedArrays };

export { frozenValues, generalMistakes, type PlantedDerivative, withRule } from "./rule.ts";
