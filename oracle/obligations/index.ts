import type { Obligation } from "./obligation.ts";
import { operatorObligations } from "./operators/index.ts";

/** Every obligation, family by family; built when asked for, from the code that runs. */
export function allObligations(): readonly Obligation[] {
  return families.flatMap((family) => family());
}

/** One line for each family. */
const families: readonly (() => readonly Obligation[])[] = [operatorObligations];

export type * from "./obligation.ts";
export * from "./prove.ts";
export * from "./script.ts";
export * from "./solve/index.ts";
