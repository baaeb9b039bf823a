import { at, fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import { reversalOf, type Split } from "./binomial.ts";
import type { Action } from "./schedule.ts";

/** The longest chain that is searched: the table grows with its square, and the time with its cube. */
export const MOST_STEPS = 256;

/** The best schedule of a chain whose steps do not cost the same. */
export interface OptimalSchedule {
  /** Its advances cost this together, those of the first run forward included. */
  readonly cost: number;
  /** Begun anew each time it is asked for. */
  actions(): Generator<Action>;
}

/**
 * Returns the least that a sweep over a chain of these step costs pays with `slots` slots, the first of which
 * holds the beginning. Dynamic programming over parts: the way to a snapshot, the right part with a slot
 * less, and the left part. Law: no schedule is cheaper, as an exhaustive search confirms for short chains;
 * with equal costs it is {@link binomialCost}. Fails: `schedule/too-long` above {@link MOST_STEPS}. Cost:
 * cubic in the steps, linear in the slots.
 */
export function optimalSchedule(costs: readonly number[], slots: number): Result<OptimalSchedule, Issue> {
  if (costs.length > MOST_STEPS) return fail(tooLong(costs.length));
  const table = tableOf(costs, slots);
  const split: Split = (from, to, free) => at(at(at(table, free), from), to).split - from;
  return ok({
    cost: at(at(at(table, slots), 0), costs.length).cost,
    *actions() {
      yield { kind: "store", slot: 0, at: 0 };
      yield* reversalOf({ from: 0, to: costs.length, slot: 0, isThere: true }, slots, split);
    },
  });
}

interface Best {
  readonly cost: number;
  /** The next snapshot is taken at this position. */
  readonly split: number;
}

/** The least cost by slots, beginning and end of a part. With one slot there is no choice. */
function tableOf(costs: readonly number[], slots: number): readonly (readonly (readonly Best[])[])[] {
  const until = [0];
  for (const cost of costs) until.push(at(until, until.length - 1) + cost);
  const way = (from: number, to: number): number => at(until, to) - at(until, from);
  const alone = (from: number, to: number): Best => {
    let cost = 0;
    for (let step = from + 1; step < to; step++) cost += way(from, step);
    return { cost, split: to - 1 };
  };
  const positions = until.map((_, position) => position);
  const table: Best[][][] = [[], positions.map((from) => positions.map((to) => alone(from, to)))];
  for (let free = 2; free <= slots; free++) {
    const fewer = at(table, free - 1);
    const best = positions.map(() => new Array<Best>(positions.length).fill({ cost: 0, split: 0 }));
    for (let from = costs.length; from >= 0; from--) {
      for (let to = from + 2; to <= costs.length; to++) {
        let found: Best = { cost: Number.POSITIVE_INFINITY, split: from };
        for (let split = from + 1; split < to; split++) {
          const cost = way(from, split) + at(at(fewer, split), to).cost + at(at(best, from), split).cost;
          if (cost < found.cost) found = { cost, split };
        }
        at(best, from)[to] = found;
      }
    }
    table.push(best);
  }
  return table;
}

function tooLong(length: number): Issue {
  return {
    code: "schedule/too-long",
    pointer: "",
    message: `a chain of ${length} steps is not searched for its best schedule; ${MOST_STEPS} is the most.`,
    hint: "take the binomial schedule, which is best where steps cost the same",
  };
}
