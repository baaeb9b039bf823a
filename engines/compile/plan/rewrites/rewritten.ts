import type { LoopProgram } from "../program.ts";

/** What a pass made of a program. */
export interface Rewritten {
  /** The same object as before where nothing fired. */
  readonly program: LoopProgram;
  /** How often the pass's rewrite was applied. */
  readonly fired: number;
}

/**
 * One rewrite, applied wherever it holds. Law: the results of the program keep their numbers, in the algebra that the rewrite is exact in.
 * Shapes of results stay. No pass but `dead_code` drops or renumbers instructions. A frugal pass keeps no more values alive than before.
 */
export type Pass = (program: LoopProgram, isFrugal?: boolean) => Rewritten;

/** `program` with these instructions in place of its own, if `fired` is not 0. */
export function rewritten(
  program: LoopProgram,
  instructions: LoopProgram["instructions"],
  fired: number,
): Rewritten {
  return { program: fired === 0 ? program : { ...program, instructions }, fired };
}
