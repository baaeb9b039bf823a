import type { LoopProgram } from "../program.ts";
import { fused } from "./fusion.ts";
import type { Rewritten } from "./rewritten.ts";

/** Computes maps inside the folds that read them. Exact: any. `fired` counts reads that are gone. */
export function foldFusion(program: LoopProgram, isFrugal = false): Rewritten {
  return fused(program, ({ kind }) => kind === "fold", isFrugal);
}
