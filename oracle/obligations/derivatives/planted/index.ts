import { plantedArrays } from "./arrays.ts";
import { plantedElementwise } from "./elementwise.ts";
import type { PlantedDerivatives } from "./rule.ts";

/**
 * Each primitive with operands has wrong rules of derivation. An obligation plants the first that is a
 * mistake at its use, so names and order are those of its scripts.
 */
export const plantedDerivatives: PlantedDerivatives = { ...plantedElementwise, ...plantedArrays };

export { frozenValues, generalMistakes, loneOperands, type PlantedDerivative, withRule } from "./rule.ts";
