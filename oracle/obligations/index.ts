import { accumulatorObligations } from "./accumulators/index.ts";
import { derivativeObligations } from "./derivatives/index.ts";
import { graphObligations } from "./graphs/index.ts";
import { loweringObligations } from "./lowering/index.ts";
import { madeAll } from "./made.ts";
import type { Obligation } from "./obligation.ts";
import { operatorObligations } from "./operators/index.ts";
import { programObligations } from "./programs/index.ts";
import { rewriteObligations } from "./rewrites/index.ts";
import { storageObligations } from "./storage/index.ts";
import { tapeObligations } from "./tape/index.ts";
import { tapeSystemObligations } from "./tapes/index.ts";
import { wellformedObligations } from "./wellformed/index.ts";

/** Builds every obligation, family by family, from the code that runs. */
export function allObligations(): readonly Obligation[] {
  return families.flatMap(([name, family]) => madeAll(`${name}/made`, family));
}

/** The members of a family that cannot be made have ids of their own; what else throws fails its family. */
const families: readonly (readonly [name: string, make: () => readonly Obligation[]])[] = [
  ["tape", tapeObligations],
  ["graphs", graphObligations],
  ["operators", operatorObligations],
  ["derivatives", derivativeObligations],
  ["lowering", loweringObligations],
  ["rewrites", rewriteObligations],
  ["accumulators", accumulatorObligations],
  ["wellformed", wellformedObligations],
  ["programs", programObligations],
  ["tapes", tapeSystemObligations],
  ["storage", storageObligations],
];

export { faultsOfCollection } from "./collection.ts";
export { familyPages, obligationsPage } from "./document.ts";
export type * from "./obligation.ts";
export * from "./prove.ts";
export * from "./run.ts";
export * from "./script.ts";
export * from "./show.ts";
export * from "./solve/index.ts";
export * from "./store.ts";
