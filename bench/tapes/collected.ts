import {
  binomialCost,
  binomialTape,
  type Measure,
  onlineTape,
  segmentTape,
  type TapeSystem,
} from "../../reference/package.ts";
import { at } from "../../spec/index.ts";
import { chain, type Family, gradBench } from "./families.ts";
import {
  type Growth,
  measured,
  measuredSystems,
  type Prepared,
  prepared,
  type Sized,
  stopBefore,
} from "./growth.ts";

/** A family with what every system takes of its runs. */
export interface FamilyGrowth {
  readonly family: string;
  readonly counts: string;
  readonly growths: readonly Growth[];
}

/** Told of what is done. */
export type Progress = (message: string) => void;

/** Follows every system along a family, to sizes that are not above `largest`. */
export function growthAlong(family: Family, largest: number, progress: Progress): FamilyGrowth {
  const following = measuredSystems.map((system) => ({
    system,
    reached: [] as Sized[],
    stopped: [] as string[],
  }));
  for (const size of family.sizes.filter((one) => one <= largest)) {
    const run = prepared(family.at(size));
    const nodes = run.subject.data.nodes.length;
    for (const { system, reached, stopped } of following) {
      if (stopped.length > 0) continue;
      const reason = stopBefore(system, reached, nodes);
      if (reason !== undefined) {
        stopped.push(reason);
        continue;
      }
      progress(`${family.name} of ${size}: ${system.name}`);
      const outcome = measured(system, run);
      if (outcome.kind === "refused") stopped.push(outcome.code);
      else reached.push({ size, nodes, measure: outcome.measure });
    }
  }
  const growths = following.map(({ system: { name: system }, reached, stopped }) => ({
    system,
    reached,
    ...(stopped.length === 0 ? {} : { stopped: at(stopped, 0) }),
  }));
  return { family: family.name, counts: family.counts, growths };
}

/** What every system takes of one run; nothing of what it refuses. */
export interface RunFigures {
  readonly name: string;
  readonly nodes: number;
  readonly figures: readonly { readonly system: string; readonly measure: Measure }[];
}

/** Of a run. */
export function figuresOf(name: string, run: Prepared): RunFigures {
  const figures = measuredSystems.flatMap((system) => {
    const outcome = measured(system, run);
    return outcome.kind === "measured" ? [{ system: system.name, measure: outcome.measure }] : [];
  });
  return { name, nodes: run.subject.data.nodes.length, figures };
}

/** Of the functions of GradBench. */
export function gradBenchFigures(progress: Progress): readonly RunFigures[] {
  return gradBench.map(([name, problem]) => {
    progress(`GradBench ${name}`);
    return figuresOf(name, prepared(problem()));
  });
}

/** A tape of a chain with so many slots, or segments. */
export interface Trade {
  readonly system: string;
  readonly slots: number;
  readonly again: number;
  readonly peak: number;
}

/** The chain that memory is traded for steps on: the longest of which the best schedule for any costs is searched. */
export const TRADED = 256;

const slotted: readonly (readonly [
  name: string,
  of: (slots: number) => TapeSystem,
  slots: readonly number[],
])[] = [
  ["checkpointed", binomialTape, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256]],
  ["checkpointed-online", onlineTape, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256]],
  ["checkpointed-segments", segmentTape, [2, 4, 8, 16, 32, 64, 128]],
];

/** What slots are worth on a chain of {@link TRADED} steps. */
export function trades(): readonly Trade[] {
  const run = prepared(chain(TRADED));
  return slotted.flatMap(([name, of, counts]) =>
    counts.flatMap((slots) => {
      const outcome = measured({ name, system: of(slots) }, run);
      if (outcome.kind === "refused") return [];
      const { recomputedOperations: again, livePeak: peak } = outcome.measure;
      return [{ system: name, slots, again, peak }];
    }),
  );
}

/** The least that a chain of {@link TRADED} steps computes again with so many slots: what the recording computes is not again. */
export function leastAgain(slots: number): number {
  return binomialCost(TRADED, slots) - (TRADED - 1);
}

/** How long a chain takes to be recorded and swept, beside the tape that keeps all. */
export interface LongRun {
  readonly steps: number;
  readonly slots: number;
  readonly again: number;
  readonly peak: number;
  /** Seconds, the least of the rounds. */
  readonly seconds: { readonly dynamic: number; readonly checkpointed: number };
}

/** A chain of so many steps on the dynamic tape, and with slots, in turn. */
export function longRun(steps: number, slots: number, rounds: number, progress: Progress): LongRun {
  const run = prepared(chain(steps));
  const [dynamic] = measuredSystems;
  const checkpointed = { name: "checkpointed", system: binomialTape(slots) };
  const [all, few]: [number[], number[]] = [[], []];
  let measure: Measure | undefined;
  for (let round = 0; round < rounds; round++) {
    progress(`chain of ${steps}, round ${round + 1}`);
    let start = performance.now();
    if (dynamic !== undefined) measured(dynamic, run);
    all.push((performance.now() - start) / 1000);
    start = performance.now();
    const outcome = measured(checkpointed, run);
    few.push((performance.now() - start) / 1000);
    if (outcome.kind === "measured") measure = outcome.measure;
  }
  const { recomputedOperations: again = 0, livePeak: peak = 0 } = measure ?? {};
  return {
    steps,
    slots,
    again,
    peak,
    seconds: { dynamic: Math.min(...all), checkpointed: Math.min(...few) },
  };
}
