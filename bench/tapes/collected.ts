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

/** This is a family with what every system takes of its runs. */
export interface FamilyGrowth {
  readonly family: string;
  readonly counts: string;
  readonly growths: readonly Growth[];
}

/** Is told of what is done. */
export type Progress = (message: string) => void;

/** Measures every system along a family, up to the size `largest`. */
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

/** Every system takes so much of one run, unless it refuses it. */
export interface RunFigures {
  readonly name: string;
  readonly nodes: number;
  readonly figures: readonly { readonly system: string; readonly measure: Measure }[];
}

/** Measures every system on a run. */
export function figuresOf(name: string, run: Prepared): RunFigures {
  const figures = measuredSystems.flatMap((system) => {
    const outcome = measured(system, run);
    return outcome.kind === "measured" ? [{ system: system.name, measure: outcome.measure }] : [];
  });
  return { name, nodes: run.subject.data.nodes.length, figures };
}

/** Measures every system on GradBench's functions. */
export function gradBenchFigures(progress: Progress): readonly RunFigures[] {
  return gradBench.map(([name, problem]) => {
    progress(`GradBench ${name}`);
    return figuresOf(name, prepared(problem()));
  });
}

/** This is a tape of a chain with this many slots, or segments. */
export interface Trade {
  readonly system: string;
  readonly slots: number;
  readonly again: number;
  readonly peak: number;
}

/** Memory is traded for steps on the longest chain for which the best schedule of any costs is searched. */
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

/** Measures what slots are worth on a chain of {@link TRADED} steps. */
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

/** Returns the fewest steps that this many slots recompute on {@link TRADED}; recording is not counted. */
export function leastAgain(slots: number): number {
  return binomialCost(TRADED, slots) - (TRADED - 1);
}

/** A chain takes so long to be recorded and swept, beside the tape that keeps all. */
export interface LongRun {
  readonly steps: number;
  readonly slots: number;
  readonly again: number;
  readonly peak: number;
  /** These are seconds, the least of the rounds. */
  readonly seconds: { readonly dynamic: number; readonly checkpointed: number };
}

/** Times a chain of this many steps on the dynamic tape, and with slots, in turn. */
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
