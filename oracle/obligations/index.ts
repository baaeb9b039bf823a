import { accumulatorObligations } from "./accumulators/index.ts";
import { derivativeObligations } from "./derivatives/index.ts";
import { graphObligations } from "./graphs/index.ts";
import { loweringObligations } from "./lowering/index.ts";
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
  return families.flatMap((family) => family());
}

const families: readonly (() => readonly Obligation[])[] = [
  tapeObligations,
  graphObligations,
  operatorObligations,
  derivativeObligations,
  loweringObligations,
  rewriteObligations,
  accumulatorObligations,
  wellformedObligations,
  programObligations,
  tapeSystemObligations,
  storageObligations,
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
