import type { Statement } from "../../spec/programs/index.ts";

/** Is thrown where a call, or its sweep, cannot go on; it never leaves this folder. */
export class ProgramFault extends Error {
  override readonly name = "ProgramFault";
  /** `refused` means that a value which the sweep needs was overwritten. */
  readonly kind: "error" | "refused";
  /** The innermost statement that was being executed. */
  statement: Statement | undefined;

  constructor(message: string, kind: "error" | "refused" = "error") {
    super(message);
    this.kind = kind;
  }
}
