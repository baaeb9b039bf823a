import type { SeenSubject } from "./exact.ts";
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

/** What an accepted file says, read off Lean's environment and not off its text. */
export interface SeenFile {
  /** The type of its last theorem, with every argument. */
  readonly statement: string;
  /** What `program` and `run` are, or `system`. */
  readonly about: SeenSubject;
}

/**
 * What Lean's kernel says of an exported file. Accepted means: its claims are those of its trace, all of them; each is a theorem of the
 * environment that the file gives, whose type is, as an expression, what the exporter would claim, resting on no axiom but Lean's
 * three (the proofs of Init itself are trusted). It is never concluded from silence.
 */
export type LeanVerdict =
  | {
      readonly kind: "accepted";
      readonly claims: readonly Claim[];
      readonly seen: SeenFile;
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
