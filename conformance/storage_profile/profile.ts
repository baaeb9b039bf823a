import type { StorageFramework } from "./framework.ts";
import type { Drawing, Law, LawOutcome } from "./law.ts";
import { accumulationLaws } from "./points/accumulation.ts";
import { accumulatorLaws } from "./points/accumulators.ts";
import { adamwLaws } from "./points/adamw.ts";
import { blockLaws } from "./points/blocks.ts";
import { clippingLaws } from "./points/clipping.ts";
import { codeLaws } from "./points/codes.ts";
import { conversionLaws } from "./points/conversion.ts";
import { floatSumLaws } from "./points/float_sums.ts";
import { guardLaws } from "./points/guards.ts";
import { lossLaws } from "./points/loss.ts";
import { optimiserLaws } from "./points/optimiser.ts";
import { packingLaws } from "./points/packing.ts";
import { poolingLaws } from "./points/pooling.ts";
import { recomputationLaws } from "./points/recomputation.ts";
import { roundTripLaws } from "./points/round_trip.ts";
import { storageLaws } from "./points/storage.ts";
import { zeroLaws } from "./points/zero.ts";

/** A point of the profile: a title, the issues of es-ude/OnDeviceTraining that it settles, and its laws. */
export interface Point {
  readonly number: number;
  readonly title: string;
  readonly issues: readonly number[];
  readonly laws: readonly Law[];
}

/** The points in order. Source: es-ude/OnDeviceTraining, docs/conventions. */
export const storagePoints: readonly Point[] = (
  [
    ["encoding", [], codeLaws],
    ["packing", [227], packingLaws],
    ["zero", [172], zeroLaws],
    ["round trip", [], roundTripLaws],
    ["conversion", [227], conversionLaws],
    ["storage and compute", [203, 221, 261], storageLaws],
    ["integer accumulators", [], accumulatorLaws],
    ["accumulation of gradients", [218, 261], accumulationLaws],
    ["optimiser", [203, 279], optimiserLaws],
    ["loss", [], lossLaws],
    ["ties of a pool", [], poolingLaws],
    ["guards", [189], guardLaws],
    ["sums of floats", [], floatSumLaws],
    ["AdamW", [328], adamwLaws],
    ["clipping", [382], clippingLaws],
    ["sums of blocks", [], blockLaws],
    ["recomputation", [4], recomputationLaws],
  ] as const
).map(([title, issues, laws], place) => ({ number: place + 1, title, issues, laws }));

/**
 * A point holds if none of its cases breaks it and half of each law that the framework answers was decided,
 * and half of all. It was not asked if all cases were declined, or the framework has no such types.
 */
export interface PointOutcome {
  readonly number: number;
  readonly title: string;
  readonly issues: readonly number[];
  readonly kind: "holds" | "broken" | "mostly declined" | "not asked";
  readonly laws: readonly LawOutcome[];
}

/** Puts a framework through the points in turn. Cost: `cases` questions a law, more to shrink what breaks. */
export async function* judgeStorage(
  framework: StorageFramework,
  drawing: Drawing,
  points: readonly Point[] = storagePoints,
): AsyncGenerator<PointOutcome> {
  for (const { number, title, issues, laws } of points) {
    const outcomes: LawOutcome[] = [];
    for (const law of laws) outcomes.push(await law.check(framework, drawing));
    yield { number, title, issues, kind: kindOf(outcomes), laws: outcomes };
  }
}

function kindOf(outcomes: readonly LawOutcome[]): PointOutcome["kind"] {
  if (outcomes.some(({ finding }) => finding !== undefined)) return "broken";
  const answered = outcomes.filter(({ decided }) => decided > 0);
  if (answered.length === 0) return "not asked";
  const whole = {
    decided: outcomes.reduce((sum, { decided }) => sum + decided, 0),
    declined: outcomes.reduce((sum, { declined }) => sum + declined, 0),
  };
  const isDeclined = [...answered, whole].some(({ decided, declined }) => declined > decided);
  return isDeclined ? "mostly declined" : "holds";
}
