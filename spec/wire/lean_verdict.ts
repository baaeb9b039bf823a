/** `adjudge.lean-verdict.v1`: what Lean's kernel says of a trace or an exported file, by its name. */
export type LeanVerdictJson = { readonly format: "adjudge.lean-verdict.v1"; readonly file: string } & (
  | {
      readonly kind: "accepted";
      readonly claims: readonly { readonly name: string; readonly statement: string }[];
      /** These lines tell what was proved, as Lean has it. */
      readonly seen: readonly string[];
      readonly lean: {
        readonly name: string;
        readonly version: string;
        readonly remarks: readonly string[];
      };
    }
  | {
      readonly kind: "rejected";
      /** The claim that it is about, if it is about one. */
      readonly claim?: string;
      readonly message: string;
      readonly place: string;
    }
  | { readonly kind: "could-not-run"; readonly reason: string; readonly hint: string }
);
