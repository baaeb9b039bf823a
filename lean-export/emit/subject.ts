/** An exported file is about one of these. */
export type Subject =
  /**
   * A run over this carrier (in Lean: `Int`, `Rat`, `Residue`), with an engine's numbers or not, and with a
   * table of elementary functions or not.
   */
  | {
      readonly kind: "run";
      readonly carrier: string;
      readonly hasEngine: boolean;
      readonly hasTable?: boolean;
    }
  /** Equations between dimensions, which cannot all hold. */
  | { readonly kind: "system" }
  /** Answers of an engine, and intervals of what they should be. */
  | { readonly kind: "verdict" };

/** Lists what a file about the subject imports. */
export function librariesOf(subject: Subject): readonly string[] {
  if (subject.kind === "system") return ["Adjudge.Dimensions"];
  if (subject.kind === "verdict") return ["Adjudge.Intervals.Elementary"];
  if (subject.hasTable === true) return ["Adjudge.Functions.Enclosure", "Adjudge.Replay.Functions"];
  return subject.hasEngine ? ["Adjudge.Replay", "Adjudge.Rounding"] : ["Adjudge.Replay"];
}
