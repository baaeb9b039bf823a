import { binomialTape, onlineTape, optimalTape, segmentTape } from "./checkpoints/index.ts";
import { compressed, inRuns } from "./compressed.ts";
import { derived, transposed } from "./derived.ts";
import { dynamic } from "./dynamic.ts";
import { fused } from "./fused.ts";
import { ephemeral, persistent } from "./lives.ts";
import { nested } from "./nested.ts";
import { outputSaving } from "./output_saving.ts";
import { prunedTape } from "./pruned.ts";
import { recomputing } from "./recomputing.ts";
import { type Property, propertiesOfFields } from "./simplifications.ts";
import { staticSystem } from "./static.ts";
import type { TapeSystem } from "./system.ts";

/** The snapshots of a checkpointed tape that nobody has said a number for. */
const USUAL_SLOTS = 4;

/** Every way to remember a run, in the order of docs/tapes.md, for algebras with these properties. */
export function tapeSystemsOver(properties: readonly Property[]): readonly TapeSystem[] {
  return [
    dynamic,
    outputSaving,
    recomputing,
    compressed(inRuns),
    staticSystem,
    binomialTape(USUAL_SLOTS),
    onlineTape(USUAL_SLOTS),
    segmentTape(),
    optimalTape(USUAL_SLOTS),
    fused,
    prunedTape(properties),
    ephemeral,
    persistent,
    nested,
    derived,
    transposed,
  ];
}

/** {@link tapeSystemsOver} a field. */
export const tapeSystems: readonly TapeSystem[] = tapeSystemsOver(propertiesOfFields);
