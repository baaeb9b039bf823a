import type { Statement } from "../../spec/programs/index.ts";

/** Thrown where a call cannot go on, or the sweep behind it. Nobody outside this folder sees it. */
export class ProgramFault extends Error {
  override readonly name = "ProgramFault";
  /** `refused`: a value that the sweep needs was overwritten. */
  readonly kind: "error" | "refused";
  /** The innermost statement that was under way. */
  statement: Statement | undefined;

  constructor(message: string, kind: "error" | "refused" = "error") {
    super(message);
    this.kind = kind;
  }
}
