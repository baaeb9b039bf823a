import type { OptimiserCase } from "./case.test.kit.ts";
import { singleCases } from "./single.test.cases.ts";
import { togetherCases } from "./together.test.cases.ts";

/** Every run of an optimiser that is judged. */
export const optimiserCases: readonly OptimiserCase[] = [...singleCases, ...togetherCases];
