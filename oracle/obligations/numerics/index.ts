import type { Obligation } from "../obligation.ts";
import { codeLaws } from "./codes.ts";
import { enginePositLaws } from "./engine_posits.ts";
import { formatLaws } from "./formats.ts";
import { gridLaws } from "./grids.ts";
import { type Law, obligationsOfLaws } from "./law.ts";
import { packingLaws } from "./packing.ts";
import { positLaws } from "./posits.ts";
import { quireLaws } from "./quires.ts";
import { threefryLaws } from "./threefry.ts";
import { wordQuireLaws } from "./word_quires.ts";

/** Lists what is proved of posits, quires, codes of stored tensors, formats of numbers and random words. */
export function laws(): readonly Law[] {
  return [
    ...positLaws(),
    ...quireLaws(),
    ...enginePositLaws(),
    ...wordQuireLaws(),
    ...codeLaws(),
    ...gridLaws(),
    ...packingLaws(),
    ...formatLaws(),
    ...threefryLaws(),
  ];
}

/**
 * States what the code of numbers does for all words of a width, from that code run on unknown words; with a
 * tier, the laws of that tier alone.
 */
export function numberObligations(tier?: Obligation["tier"]): readonly Obligation[] {
  return obligationsOfLaws(laws().filter((law) => tier === undefined || law.tier === tier));
}
