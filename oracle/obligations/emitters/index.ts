import { madeAll } from "../made.ts";
import type { Obligation } from "../obligation.ts";
import { cObligations } from "./c.ts";
import { type Claim, claimObligation } from "./claim.ts";
import { nestClaims } from "./nests.ts";
import { regionClaims } from "./regions.ts";
import { segmentClaims } from "./segments.ts";
import { stepClaims } from "./steps.ts";

/**
 * States of what the engines emit that it reads and writes where the plan says: element sizes, bases and
 * strides, lanes, the changes of a loop nest, and that nothing overlaps in memory; of files of C, that they
 * compute what the reference's rules do.
 */
export function emitterObligations(): readonly Obligation[] {
  return [
    ...groups.flatMap(([name, claims]) => madeAll(`emitters/${name}`, () => claims().map(claimObligation))),
    ...cObligations(),
  ];
}

const groups: readonly (readonly [name: string, claims: () => readonly Claim[]])[] = [
  ["wasm/steps", stepClaims],
  ["wasm/segments", segmentClaims],
  ["nests", nestClaims],
  ["wasm/regions", regionClaims],
];
