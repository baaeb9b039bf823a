import type { SeenSubject } from "./exact.ts";
import type { Claim } from "./run/admissible.ts";
import type { Lean } from "./run/lean.ts";

/** An exported file: `adjudge.lean.v1`, and the name it has in messages. */
export interface LeanFile {
  readonly name: string;
  readonly text: string;
}

/** This Lean checked the file: it was the authority or not, and readers need these remarks. */
export interface LeanUsed {
  readonly name: Lean["name"];
  readonly version: string;
  readonly remarks: readonly string[];
}

/** An accepted file says this by Lean's environment, not by its text. */
export interface SeenFile {
  /** The type of its last theorem, with every argument. */
  readonly statement: string;
  /** `program` and `run`, or `system`, are these data. */
  readonly about: SeenSubject;
}

/**
 * Lean's kernel says this of an exported file. It is accepted if its claims are all those of its trace, and
 * each is a theorem of the environment whose type is the expression that the exporter would claim and which
 * rests on no axioms but Lean's three. The proofs of Init itself are trusted. Silence is no acceptance.
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
