import { checkpointMutants } from "./checkpoints.ts";
import { formMutants } from "./forms.ts";
import { graphMutants } from "./graphs.ts";
import { lineMutants } from "./lines.ts";
import { mannerMutants } from "./manners.ts";
import type { TapeMutant } from "./mutant.ts";
import { slotMutants } from "./slots.ts";

export { type LevelMutant, levelMutants } from "./levels.ts";
export type { TapeMutant } from "./mutant.ts";

/** Tape systems with one fault each. The law of tapes tells every one of them. */
export const tapeMutants: readonly TapeMutant[] = [
  ...slotMutants,
  ...lineMutants,
  ...mannerMutants,
  ...checkpointMutants,
  ...formMutants,
  ...graphMutants,
];
