import { loadedAll } from "./made.ts";
import type { Obligation } from "./obligation.ts";
import { tiered } from "./tiers.ts";

/**
 * Builds every obligation, family by family, from the code that runs. A family is loaded when its turn comes:
 * code that throws while it is loaded fails the families that are made of it, by their ids. Where one tier is
 * named, what is of another one may be missing: running numerics on unknown words takes seconds. Where ids
 * that begin alike are named, only families are built that may have some, unless none may.
 */
export async function allObligations(
  tier?: Obligation["tier"],
  prefix: string = "",
): Promise<readonly Obligation[]> {
  const named = families.filter(([name]) => `${name}/`.startsWith(prefix) || prefix.startsWith(`${name}/`));
  const made: Obligation[] = [];
  for (const [name, load] of named.length === 0 ? families : named)
    made.push(...(await loadedAll(`${name}/made`, load, tier)));
  return tiered(made);
}

/** The members of a family that cannot be made have ids of their own; what else throws fails its family. */
const families: readonly (readonly [
  name: string,
  load: () => Promise<(tier?: Obligation["tier"]) => readonly Obligation[]>,
])[] = [
  ["tape", async () => (await import("./tape/index.ts")).tapeObligations],
  ["graphs", async () => (await import("./graphs/index.ts")).graphObligations],
  ["operators", async () => (await import("./operators/index.ts")).operatorObligations],
  ["derivatives", async () => (await import("./derivatives/index.ts")).derivativeObligations],
  ["lowering", async () => (await import("./lowering/index.ts")).loweringObligations],
  ["emitters", async () => (await import("./emitters/index.ts")).emitterObligations],
  ["rewrites", async () => (await import("./rewrites/index.ts")).rewriteObligations],
  ["accumulators", async () => (await import("./accumulators/index.ts")).accumulatorObligations],
  ["wellformed", async () => (await import("./wellformed/index.ts")).wellformedObligations],
  ["programs", async () => (await import("./programs/index.ts")).programObligations],
  ["tapes", async () => (await import("./tapes/index.ts")).tapeSystemObligations],
  ["storage", async () => (await import("./storage/index.ts")).storageObligations],
  ["numerics", async () => (await import("./numerics/index.ts")).numberObligations],
  ["truth", async () => (await import("./truth/index.ts")).truthObligations],
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
