import type { Engine } from "../../spec/contract/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type Memory, memoryBy } from "../driver/index.ts";
import { floatPrograms, type ProgramProfile, taskAt } from "./draw.ts";
import { judgeProgram, type ProgramVerdict } from "./judge.ts";
import type { ProgramTask } from "./task.ts";

/** A campaign asks these random programs. */
export interface ProgramCampaign {
  readonly seed: number;
  readonly programs: number;
  readonly dtype: DataType;
  /** This is the index of the first; 0 by default. */
  readonly first?: number;
  readonly profile?: ProgramProfile;
}

export interface JudgedProgram {
  readonly index: number;
  readonly task: ProgramTask;
  readonly verdict: ProgramVerdict;
}

/** These count the programs of each verdict; a refusal was needed, or it was not. */
export type ProgramCounts = Readonly<
  Record<Exclude<ProgramVerdict["kind"], "refused"> | "refused with need" | "refused without need", number>
>;

export const noPrograms: ProgramCounts = {
  agrees: 0,
  disagrees: 0,
  "refused with need": 0,
  "refused without need": 0,
  undecided: 0,
  unsupported: 0,
  crashed: 0,
};

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

/** Makes a campaign's memory, which counts disagreements as they come, whatever the search finds. */
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
