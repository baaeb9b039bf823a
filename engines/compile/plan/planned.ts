import { fail, type Issue, ok, present, type Result } from "../../../spec/shapes/index.ts";
import type { Layout, Precision } from "./executable.ts";
import {
  type Checkpointed,
  type CheckpointOptions,
  type CheckpointReport,
  checkpointed,
} from "./memory/checkpointed.ts";
import { type LaidOut, type LayoutOptions, layOut } from "./memory/layout.ts";
import { bytesPerNumber } from "./memory/width.ts";
import type { LoopProgram } from "./program.ts";
import { allows, type Regime, type RewriteName } from "./rewrite.ts";
import { accumulationInPlace } from "./rewrites/accumulation_in_place.ts";
import { commonSubexpressions } from "./rewrites/common_subexpressions.ts";
import { deadCode } from "./rewrites/dead_code.ts";
import { foldFusion } from "./rewrites/fold_fusion.ts";
import { mapFusion } from "./rewrites/map_fusion.ts";
import type { Pass } from "./rewrites/rewritten.ts";
import { units } from "./rewrites/units.ts";
import { viewComposition } from "./rewrites/view_composition.ts";
import { zeros } from "./rewrites/zeros.ts";

/** The name of a pass over programs. */
type PassName =
  | "dead_code"
  | "units"
  | "zeros"
  | "view_composition"
  | "common_subexpressions"
  | "accumulation_in_place"
  | "map_fusion"
  | "fold_fusion";

/** A round applies the passes in this order: equal or dead readers must be gone before maps are fused. */
const order: readonly PassName[] = [
  "dead_code",
  "units",
  "zeros",
  "view_composition",
  "common_subexpressions",
  "dead_code",
  "accumulation_in_place",
  "map_fusion",
  "fold_fusion",
  "dead_code",
];

/** All parts of the planner by name; a mutant exchanges one. */
export interface Passes extends Readonly<Record<PassName, Pass>> {
  readonly checkpointing: (program: LoopProgram, options: CheckpointOptions) => Checkpointed;
  readonly layOut: (program: LoopProgram, options: LayoutOptions) => LaidOut;
}

/** The passes that keep their laws. */
export const soundPasses: Passes = {
  dead_code: deadCode,
  units,
  zeros,
  view_composition: viewComposition,
  common_subexpressions: commonSubexpressions,
  accumulation_in_place: accumulationInPlace,
  map_fusion: mapFusion,
  fold_fusion: foldFusion,
  checkpointing: checkpointed,
  layOut,
};

/** The planner takes these options. */
export interface PlanOptions {
  readonly regime: Regime;
  readonly precision: Precision;
  /** Bytes that values of instructions may take at a time; others are computed again. */
  readonly budgetBytes?: number;
  /** Rewrites that are not used although the regime allows them. */
  readonly without?: ReadonlySet<RewriteName>;
  readonly passes?: Passes;
}

/** The planner had this effect. */
export interface PlanReport {
  /** Each rewrite was applied so often; others are absent. */
  readonly fired: Readonly<Partial<Record<RewriteName, number>>>;
  readonly instructions: { readonly before: number; readonly after: number };
  /** Bytes of the arena. */
  readonly arenaBytes: number;
  /** Present if there was a budget. */
  readonly checkpointing?: CheckpointReport;
}

/** A program ready for a backend. */
export interface Planned {
  readonly program: LoopProgram;
  readonly layout: Layout;
  readonly report: PlanReport;
}

/** At most so many rounds are run; a program that still changes is used as it is. */
const mostRounds = 8;

/** A program after all rounds, with what they did; within a budget, if there is one. */
interface Draft {
  readonly program: LoopProgram;
  readonly fired: Readonly<Partial<Record<RewriteName, number>>>;
  readonly checkpointing?: CheckpointReport;
}

/**
 * Rewrites `program` by the passes that the regime allows until none fires, cuts it to its budget and lays it
 * out. If the budget is not met the passes run again frugally, for a fused sweep keeps more alive at once.
 * Law: its results are those of `program` in the regime's algebra. Cost: linear, for each of a few rounds.
 */
export function plan(program: LoopProgram, options: PlanOptions): Planned {
  const { regime, precision, budgetBytes, without = new Set(), passes = soundPasses } = options;
  const isOn = (name: RewriteName): boolean => allows(regime, name) && !without.has(name);
  const width = bytesPerNumber[precision];
  const layOut = (some: LoopProgram): LaidOut =>
    passes.layOut(some, {
      reusesBuffers: isOn("buffer_reuse"),
      isInPlace: isOn("in_place"),
      alignment: 16 / width,
    });
  const bytesOf = (some: LoopProgram): number => layOut(some).layout.length * width;
  const draft = (isFrugal: boolean): Draft => {
    const made = rewrittenByRounds(program, passes, order.filter(isOn), isFrugal);
    if (budgetBytes === undefined || !isOn("checkpointing")) return made;
    const { program: cut, report } = passes.checkpointing(made.program, { budgetBytes, precision, bytesOf });
    return { ...made, program: cut, checkpointing: report };
  };
  const usual = draft(false);
  const chosen = usual.checkpointing?.fits === false ? smaller(usual, draft(true)) : usual;
  const { layout, fired } = layOut(chosen.program);
  const recomputed = chosen.checkpointing && { checkpointing: chosen.checkpointing.recomputed };
  const report: PlanReport = {
    fired: applied({ ...chosen.fired, ...fired, ...recomputed }),
    instructions: { before: program.instructions.length, after: chosen.program.instructions.length },
    arenaBytes: layout.length * width,
    ...(chosen.checkpointing === undefined ? {} : { checkpointing: chosen.checkpointing }),
  };
  return { program: chosen.program, layout, report };
}

/**
 * Does what {@link plan} does within a budget that must be met. Law: the arena takes no more than that.
 * Fails: `plan/budget`, with the least budget for which a plan was found; that one does not fail.
 */
export function planWithin(
  program: LoopProgram,
  options: PlanOptions & { readonly budgetBytes: number },
): Result<Planned, Issue> {
  const { budgetBytes } = options;
  const fits = ({ report }: Planned): boolean => report.arenaBytes <= budgetBytes;
  const planned = plan(program, options);
  if (fits(planned)) return ok(planned);
  // A search without any budget finds the least that is possible.
  const least = plan(program, { ...options, budgetBytes: 0 });
  return fits(least) ? ok(least) : fail(overBudget(budgetBytes, least.report.arenaBytes));
}

function overBudget(budgetBytes: number, least: number): Issue {
  return {
    code: "plan/budget",
    pointer: "",
    message: `values take ${least} bytes at least, as far as is found; the budget is ${budgetBytes}.`,
    hint: `give ${least} bytes; results are among them, inputs are not`,
  };
}

/** Returns the second of two drafts if it needs less than the first. */
function smaller(a: Draft, b: Draft): Draft {
  const peak = ({ checkpointing }: Draft): number => present(checkpointing, "a report").peakBytes;
  return peak(b) < peak(a) ? b : a;
}

function applied(fired: Draft["fired"]): Draft["fired"] {
  return Object.fromEntries(Object.entries(fired).filter(([, times]) => times > 0));
}

/** Applies rounds of the named passes to `program` until none fires. */
function rewrittenByRounds(
  program: LoopProgram,
  passes: Passes,
  names: readonly PassName[],
  isFrugal: boolean,
): Draft {
  const fired = new Map<PassName, number>(names.map((name) => [name, 0]));
  let current = program;
  // Programs are told apart by number, so that none is kept alive to compare it.
  let version = 0;
  const atRest = new Map<PassName, number>();
  for (let round = 0; round < mostRounds; round++) {
    const before = version;
    for (const name of names) {
      if (atRest.get(name) === version) continue;
      const step = passes[name](current, isFrugal);
      fired.set(name, present(fired.get(name), name) + step.fired);
      if (step.program !== current) version += 1;
      current = step.program;
      if (step.fired === 0) atRest.set(name, version);
    }
    if (version === before) break;
  }
  return { program: current, fired: Object.fromEntries(fired) };
}
