import type { Engine } from "../../spec/contract/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type Memory, memoryBy } from "../driver/index.ts";
import type { ProgramTask } from "./ask.ts";
import { floatPrograms, type ProgramProfile, taskAt } from "./draw.ts";
import { judgeProgram, type ProgramVerdict } from "./judge.ts";

/** Which random programs are asked. */
export interface ProgramCampaign {
  readonly seed: number;
  readonly programs: number;
  readonly dtype: DataType;
  /** The index of the first; 0 unless told. */
  readonly first?: number;
  readonly profile?: ProgramProfile;
}

/** A program judged, and its place in the campaign. */
export interface JudgedProgram {
  readonly index: number;
  readonly task: ProgramTask;
  readonly verdict: ProgramVerdict;
}

/** How many programs came to each verdict; a refusal is needed, or it is not. */
export type ProgramCounts = Readonly<
  Record<Exclude<ProgramVerdict["kind"], "refused"> | "refused with need" | "refused without need", number>
>;

/** No program yet. */
export const noPrograms: ProgramCounts = {
  agrees: 0,
  disagrees: 0,
  "refused with need": 0,
  "refused without need": 0,
  undecided: 0,
  unsupported: 0,
  crashed: 0,
};

/** The counts with one verdict more. */
export function countedProgram(counts: ProgramCounts, verdict: ProgramVerdict): ProgramCounts {
  const kind =
    verdict.kind === "refused"
      ? (`refused ${verdict.isNeeded ? "with" : "without"} need` as const)
      : verdict.kind;
  return { ...counts, [kind]: counts[kind] + 1 };
}

/** At most this many disagreements of a kind are made smaller; the others stay as they were drawn. */
const SHRUNK_PER_KIND = 4;

/** Judges random programs in turn. A program depends on profile, seed and index alone, so each replays. */
export async function* programsOn(
  engine: Engine,
  { seed, programs, dtype, first = 0, profile = floatPrograms }: ProgramCampaign,
): AsyncGenerator<JudgedProgram> {
  const memory = programMemory();
  for (let index = first; index < first + programs; index++) {
    const task = taskAt(profile, seed, index);
    yield { index, task, verdict: await judgeProgram(engine, task, { dtype, memory }) };
  }
}

/** The memory of a campaign: disagreements are counted as they come, whatever is found behind them. */
export function programMemory(): Memory<ProgramVerdict> {
  const { isKnown, note } = memoryBy<ProgramVerdict>((verdict) => {
    if (verdict.kind !== "disagrees") return {};
    const { mode, part, isLater } = verdict.witness;
    return { [`${mode} ${part} ${isLater}`]: SHRUNK_PER_KIND };
  });
  const isKnownByNow = (verdict: ProgramVerdict): boolean => {
    const was = isKnown(verdict);
    note(verdict);
    return was;
  };
  return { isKnown: isKnownByNow, note: () => {} };
}
