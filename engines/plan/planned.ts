import type { Layout, Precision } from "./executable.ts";
import { type LaidOut, type LayoutOptions, layOut } from "./memory/layout.ts";
import type { LoopProgram } from "./program.ts";
import { allows, type Profile, type RewriteName } from "./rewrite.ts";
import { commonSubexpressions } from "./rewrites/common_subexpressions.ts";
import { deadCode } from "./rewrites/dead_code.ts";
import { foldFusion } from "./rewrites/fold_fusion.ts";
import { mapFusion } from "./rewrites/map_fusion.ts";
import type { Pass } from "./rewrites/rewritten.ts";
import { viewComposition } from "./rewrites/view_composition.ts";

/** The passes over programs, in the order in which a round applies them. */
const passNames = [
  "dead_code",
  "view_composition",
  "common_subexpressions",
  "map_fusion",
  "fold_fusion",
] as const satisfies readonly RewriteName[];

/** The name of a pass. */
export type PassName = (typeof passNames)[number];

/** All that the planner does, each by its name. A mutant is the planner with one of them exchanged. */
export interface Passes extends Readonly<Record<PassName, Pass>> {
  readonly layOut: (program: LoopProgram, options: LayoutOptions) => LaidOut;
}

/** The passes that keep their laws. */
export const soundPasses: Passes = {
  dead_code: deadCode,
  view_composition: viewComposition,
  common_subexpressions: commonSubexpressions,
  map_fusion: mapFusion,
  fold_fusion: foldFusion,
  layOut,
};

/** What is asked of the planner. */
export interface PlanOptions {
  readonly profile: Profile;
  readonly precision: Precision;
  /** Rewrites that are not to be used although the profile allows them. */
  readonly without?: ReadonlySet<RewriteName>;
  readonly passes?: Passes;
}

/** What the planner did. */
export interface PlanReport {
  /** How often each rewrite was applied; those that were not applied are absent. */
  readonly fired: Readonly<Partial<Record<RewriteName, number>>>;
  readonly instructions: { readonly before: number; readonly after: number };
  /** What the arena takes. */
  readonly arenaBytes: number;
}

/** A program ready for a backend. */
export interface Planned {
  readonly program: LoopProgram;
  readonly layout: Layout;
  readonly report: PlanReport;
}

/** Rounds of passes; a program that has not come to rest by then is used as it is. */
const mostRounds = 8;

/**
 * `program` rewritten by the passes that the profile allows, until none fires, and laid out in memory.
 * Law: its results are those of `program` in the profile's algebra. Cost: linear in the parts of bodies, for each of a few rounds.
 */
export function plan(program: LoopProgram, options: PlanOptions): Planned {
  const { profile, precision, without = new Set(), passes = soundPasses } = options;
  const isOn = (name: RewriteName): boolean => allows(profile, name) && !without.has(name);
  const fired: Partial<Record<RewriteName, number>> = {};
  const count = (name: RewriteName, times: number): void => {
    if (times > 0) fired[name] = (fired[name] ?? 0) + times;
  };
  let current = program;
  for (let round = 0; round < mostRounds; round++) {
    let changes = 0;
    for (const name of passNames.filter(isOn)) {
      const step = passes[name](current);
      count(name, step.fired);
      changes += step.fired;
      current = step.program;
    }
    if (changes === 0) break;
  }
  const laidOut = passes.layOut(current, {
    reusesBuffers: isOn("buffer_reuse"),
    isInPlace: isOn("in_place"),
    alignment: 16 / widths[precision],
  });
  count("buffer_reuse", laidOut.fired.buffer_reuse);
  count("in_place", laidOut.fired.in_place);
  const report: PlanReport = {
    fired,
    instructions: { before: program.instructions.length, after: current.instructions.length },
    arenaBytes: laidOut.layout.length * widths[precision],
  };
  return { program: current, layout: laidOut.layout, report };
}

const widths: Readonly<Record<Precision, number>> = { float64: 8, float32: 4 };
