import { algebra } from "./algebra.ts";
import { broadcasting } from "./broadcasting.ts";
import { cells } from "./cells.ts";
import { factors } from "./factors.ts";
import { findings } from "./findings.ts";
import { functions } from "./functions.ts";
import { indexing } from "./indexing.ts";
import { integralPowers } from "./integral_powers.ts";
import { layouts } from "./layouts.ts";
import { losses } from "./losses.ts";
import { matrices } from "./matrices.ts";
import { nesting } from "./nesting.ts";
import { networks } from "./networks.ts";
import { accuracies } from "./points.ts";
import { policies } from "./policies.ts";
import { posits } from "./posits.ts";
import { powers } from "./powers.ts";
import { reductions } from "./reductions.ts";
import { selections } from "./selections.ts";
import { singular } from "./singular.ts";
import { sizes } from "./sizes.ts";
import { strength } from "./strength.ts";
import { structures } from "./structures.ts";
import { sweeps } from "./sweeps.ts";
import { systems } from "./systems.ts";
import type { VectorText } from "./vector_text.ts";

/** Holds every vector as it is written, by the folder of its file. */
export const suites: Readonly<Record<string, readonly VectorText[]>> = {
  structures,
  sweeps,
  broadcasting,
  reductions,
  matrices,
  algebra,
  systems,
  factors,
  indexing,
  selections,
  layouts,
  functions,
  powers: [...powers, ...integralPowers],
  singular,
  networks,
  cells,
  losses,
  policies,
  sizes,
  nesting,
  strength,
  posits,
  accuracy: accuracies,
  findings,
};
