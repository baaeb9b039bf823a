import { findings } from "./findings.ts";
import { accuracies } from "./points.ts";
import { structures } from "./structures.ts";
import type { VectorText } from "./vector_text.ts";

/** Every vector as it is written, by the folder its file goes to. */
export const suites: Readonly<Record<string, readonly VectorText[]>> = {
  structures,
  accuracy: accuracies,
  findings,
};
