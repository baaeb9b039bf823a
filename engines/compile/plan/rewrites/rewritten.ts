import type { LoopProgram } from "../program.ts";

/** A pass turned a program into this. */
export interface Rewritten {
  /** This is the same object as before where nothing fired. */
  readonly program: LoopProgram;
  /** The pass applied its rewrite so often. */
  readonly fired: number;
}

/**
 * Applies one rewrite wherever it holds. Law: results keep shapes and numbers, in the rewrite's algebra. No
 * pass but `dead_code` drops or renumbers instructions. A frugal pass keeps no more values alive than before.
 */
export type Pass = (program: LoopProgram, isFrugal?: boolean) => Rewritten;

/** Puts instructions in place of the program's own, if `fired` is not 0. */
export function rewritten(
  program: LoopProgram,
  instructions: LoopProgram["instructions"],
  fired: number,
): Rewritten {
  return { program: fired === 0 ? program : { ...program, instructions }, fired };
}
