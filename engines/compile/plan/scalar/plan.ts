import { byteAt, floatAt, integerAt } from "../../../../spec/shapes/index.ts";
import { allows, type Regime } from "../rewrite.ts";
import { levelsOf } from "./levels.ts";
import { merged } from "./merging.ts";
import { allNeedsOf, type Needs, needsOf } from "./needs.ts";
import { scalarCodes } from "./operators.ts";
import { type Sorted, sortedById, sortedByLevel } from "./order.ts";
import { reverseRunsOf } from "./runs.ts";
import { type Operands, type Staging, stagingOf, unstaged } from "./staging.ts";
import type { ScalarTable } from "./table.ts";
import { type Variant, type Variants, variantsOf } from "./variants.ts";

/** A schedule gives the order in which the nodes of a plan are computed, and how. */
type Schedule =
  /** Nodes are computed one by one, by slot; backwards in the reverse sweep. */
  | { readonly kind: "steps" }
  /** Rows of three: a variant, and the slots from … to that it computes, in any order; in sweep order. */
  | {
      readonly kind: "runs";
      readonly forward: Int32Array;
      /** A variant of `SUMS` adds the rows from … to of the staging's sums. */
      readonly reverse: Int32Array;
    };

/**
 * A graph of scalars, ready for an executor. A *slot* is a position in its arrays of values, cotangents and
 * tangents. The inputs have the first slots, in order, and operands have smaller slots than their node.
 */
export interface ScalarPlan {
  readonly inputs: number;
  /** The number of slots with a value. */
  readonly slots: number;
  /** The slot of the value asked for. */
  readonly output: number;
  /** The slot of each id of the graph; −1 if it has none. */
  readonly slotOf: Int32Array;
  readonly variants: readonly Variant[];
  /** The variant of each slot. */
  readonly variantOf: Uint8Array;
  /** The operands' slots. */
  readonly operands: Operands;
  /** Contributions are added to the operands, unless their order of addition is owed. */
  readonly staging: Staging;
  readonly schedule: Schedule;
  /** The slots of literals, and their values. */
  readonly literals: { readonly slots: Int32Array; readonly values: Float64Array };
  /** The slots of constants, and the numbers of their entries of Δ. */
  readonly constants: { readonly slots: Int32Array; readonly entries: Int32Array };
  /** The inputs that no cotangent reaches. */
  readonly unreached: Int32Array;
}

/** The parts of a planner; a mutant exchanges one. */
export interface ScalarPasses {
  readonly merged: typeof merged;
  readonly needsOf: typeof needsOf;
  readonly levelsOf: typeof levelsOf;
  readonly variantsOf: typeof variantsOf;
  readonly sortedByLevel: typeof sortedByLevel;
  readonly stagingOf: typeof stagingOf;
}

/** The passes of the planner itself. */
export const scalarPasses: ScalarPasses = {
  merged,
  needsOf,
  levelsOf,
  variantsOf,
  sortedByLevel,
  stagingOf,
};

/** A planner takes this order. */
export interface ScalarOrder {
  readonly regime: Regime;
  /** The id whose value and gradient are wanted, or `all`: every id's, with any seeds. */
  readonly output: number | "all";
  /** If runs have fewer nodes on average, single steps are taken. */
  readonly shortestRun: number;
}

/**
 * Plans a table. A plan for one output goes level by level if its runs are long enough, else step by step. A
 * plan for all ids has a slot for each, and goes step by step.
 * Cost: linear; at most 0.25 µs a node together with {@link tableOf}.
 */
export function scalarPlanOf(
  table: ScalarTable,
  order: ScalarOrder,
  passes: ScalarPasses = scalarPasses,
): ScalarPlan {
  const { regime, output, shortestRun } = order;
  if (output === "all") {
    const needs = allNeedsOf(table);
    const sorted = sortedById(needs.isLive, table.inputs);
    const target = table.codes.length - 1;
    return arranged({ table, needs, variants: passes.variantsOf(table, needs), sorted, target });
  }
  const { table: lean, first } = allows(regime, "merged_nodes")
    ? passes.merged(table)
    : { table, first: undefined };
  const target = first === undefined ? output : integerAt(first, output);
  const needs = passes.needsOf(lean, target);
  const variants = passes.variantsOf(lean, needs);
  const draft = { table: lean, needs, variants, target, first };
  const inSteps = (): ScalarPlan => arranged({ ...draft, sorted: sortedById(needs.isLive, lean.inputs) });
  const levels = passes.levelsOf(lean);
  // Sorting is vain for a chain, whose runs have one node, and for many variants in narrow levels.
  const isNarrow = levels.count * variants.list.length > 8 * levels.of.length + FEW_BUCKETS;
  if (isNarrow || target < shortestRun * integerAt(levels.of, target)) return inSteps();
  const sorted = passes.sortedByLevel(levels, variants, needs.isLive, lean.inputs);
  if (sorted.slots - lean.inputs < (shortestRun * sorted.runs.length) / 3) return inSteps();
  const plan = arranged({ ...draft, sorted });
  const staging = allows(regime, "level_order")
    ? plan.staging
    : passes.stagingOf(plan.operands, plan.variantOf, variants, plan.slotOf);
  const reverse = reverseRunsOf(sorted.runs, staging, variants);
  return { ...plan, staging, schedule: { kind: "runs", forward: sorted.runs, reverse } };
}

/** Sorting may always use so many buckets, however few the nodes are. */
const FEW_BUCKETS = 2 ** 20;

/** These are known of a plan when its slots are numbered. */
interface Draft {
  readonly table: ScalarTable;
  readonly needs: Needs;
  readonly variants: Variants;
  /** The slot of each id that has one of its own. */
  readonly sorted: Sorted;
  readonly target: number;
  /** The id that each is merged with. */
  readonly first?: Int32Array | undefined;
}

/** Makes the plan whose slots are the positions of `sorted`, computed step by step. */
function arranged({ table, needs, variants, sorted, target, first }: Draft): ScalarPlan {
  const { inputs, codes, x, y, z } = table;
  const { slots, slotOf } = sorted;
  const hasThird = z.length > 0;
  const operands: Operands = {
    x: new Int32Array(slots),
    y: new Int32Array(slots),
    z: new Int32Array(hasThird ? slots : 0),
  };
  const variantOf = new Uint8Array(slots);
  const literals: number[] = [];
  const constants: number[] = [];
  // Going by id reads neighbouring elements, and writes along a few runs.
  for (let id = inputs; id < codes.length; id++) {
    const slot = integerAt(slotOf, id);
    if (slot < 0) continue;
    const code = byteAt(codes, id);
    variantOf[slot] = byteAt(variants.of, id);
    if (code === scalarCodes.literal) literals.push(id);
    else if (code === scalarCodes.constant) constants.push(id);
    else {
      operands.x[slot] = integerAt(slotOf, integerAt(x, id));
      operands.y[slot] = integerAt(slotOf, integerAt(y, id));
      if (hasThird) operands.z[slot] = integerAt(slotOf, integerAt(z, id));
    }
  }
  const slotsOf = (ids: readonly number[]): Int32Array => Int32Array.from(ids, (id) => integerAt(slotOf, id));
  return {
    inputs,
    slots,
    output: integerAt(slotOf, target),
    slotOf: first === undefined ? slotOf : followed(slotOf, first),
    variants: variants.list,
    variantOf,
    operands,
    staging: unstaged(operands),
    schedule: { kind: "steps" },
    literals: {
      slots: slotsOf(literals),
      values: Float64Array.from(literals, (id) => floatAt(table.literals, integerAt(x, id))),
    },
    constants: { slots: slotsOf(constants), entries: Int32Array.from(constants, (id) => integerAt(x, id)) },
    unreached: unreachedOf(needs, inputs),
  };
}

/** Gives merged ids the slots of those they are merged with. */
function followed(slotOf: Int32Array, first: Int32Array): Int32Array {
  const slots = new Int32Array(slotOf.length);
  for (let id = 0; id < slots.length; id++) slots[id] = integerAt(slotOf, integerAt(first, id));
  return slots;
}

function unreachedOf({ isReached }: Needs, inputs: number): Int32Array {
  const ids: number[] = [];
  for (let id = 0; id < inputs; id++) if (isReached[id] === 0) ids.push(id);
  return Int32Array.from(ids);
}
