import type { Memory } from "./kind.ts";

/** Makes a memory that knows a verdict once one of its features was seen as often as `featuresOf` says. */
export function memoryBy<Verdict>(
  featuresOf: (verdict: Verdict) => Readonly<Record<string, number>>,
): Memory<Verdict> {
  const seen = new Map<string, number>();
  return {
    isKnown: (verdict) =>
      Object.entries(featuresOf(verdict)).some(([feature, enough]) => (seen.get(feature) ?? 0) >= enough),
    note: (verdict) => {
      for (const feature of Object.keys(featuresOf(verdict))) seen.set(feature, (seen.get(feature) ?? 0) + 1);
    },
  };
}
