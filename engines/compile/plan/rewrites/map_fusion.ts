import type { LoopProgram } from "../program.ts";
import { fused } from "./fusion.ts";
import type { Rewritten } from "./rewritten.ts";

/** Computes maps inside maps, assemblies, scatters and scans that read them. Exact: any. `fired`: reads. */
export function mapFusion(program: LoopProgram, isFrugal = false): Rewritten {
  return fused(program, ({ kind }) => kind !== "fold", isFrugal);
}
