import type { Claim } from "./run/admissible.ts";
import type { Lean } from "./run/lean.ts";

/** An exported file: `adjudge.lean.v1`, and the name it has in messages. */
export interface LeanFile {
  readonly name: string;
  readonly text: string;
}

/** Which Lean took a file: whether it was the authority, and what is to be known of it. */
export interface LeanUsed {
  readonly name: Lean["name"];
  readonly version: string;
  readonly remarks: readonly string[];
}

/**
 * What Lean's kernel says of an exported file. Accepted means: each claim is a theorem of the environment that
 * the file gives, about the library, resting on no axiom but Lean's three (the proofs of Init itself are trusted); it is never
 * concluded from silence.
 */
export type LeanVerdict =
  | {
      readonly kind: "accepted";
      readonly claims: readonly Claim[];
      readonly lean: LeanUsed;
      readonly milliseconds: number;
    }
  | {
      readonly kind: "rejected";
      /** The claim it is about, if it is about one. */
      readonly claim?: string;
      readonly message: string;
      /** `file:line:column`. */
      readonly place: string;
    }
  | { readonly kind: "could-not-run"; readonly reason: string; readonly hint: string };
