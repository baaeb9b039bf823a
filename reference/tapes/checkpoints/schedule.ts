import { fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";

/**
 * A sweep with few snapshots does one of these next. Positions count steps that have been made: at 0 nothing
 * has, and `reverse` of step `i` needs the state at position `i`.
 */
export type Action =
  /** The state at this position, where the run stands, is put into a slot. */
  | { readonly kind: "store"; readonly slot: number; readonly at: number }
  /** The slot's snapshot is dropped. */
  | { readonly kind: "free"; readonly slot: number }
  /** The run stands where the slot's snapshot was taken. */
  | { readonly kind: "restore"; readonly slot: number; readonly at: number }
  /** The steps from a position to another are made. */
  | { readonly kind: "advance"; readonly from: number; readonly to: number }
  /** The step at whose beginning the run stands is pulled back; all later ones have been. */
  | { readonly kind: "reverse"; readonly step: number };

/** Actions in order; a generator, for there may be many millions. */
export type Actions = Iterable<Action>;

/** A schedule costs this. */
export interface ScheduleCost {
  /** Steps made in `advance`, the first way forward included, if a sweep computes nothing else. */
  readonly advances: number;
  /** The most slots that hold a snapshot at once, if one that is not restored any more is given back. */
  readonly slots: number;
}

/**
 * Follows a schedule of a chain of `length` steps without computing. Fails: `schedule/slot` if a restored
 * slot holds another position; `schedule/position` if the run stands elsewhere than an action says;
 * `schedule/order` if steps are not reversed last first, each once. Cost: linear in the actions.
 */
export function costOf(schedule: Actions, length: number): Result<ScheduleCost, Issue> {
  const slots = new Map<number, number>();
  let [position, left, advances, most] = [0, length, 0, 0];
  for (const action of schedule) {
    switch (action.kind) {
      case "store":
        if (action.at !== position) return fail(misplaced(action, position));
        slots.set(action.slot, position);
        most = Math.max(most, slots.size);
        break;
      case "free":
        slots.delete(action.slot);
        break;
      case "restore": {
        const held = slots.get(action.slot);
        if (held !== action.at) return fail(emptySlot(action, held));
        position = held;
        break;
      }
      case "advance":
        if (action.from !== position || action.to < position) return fail(misplaced(action, position));
        advances += action.to - position;
        position = action.to;
        break;
      case "reverse":
        if (action.step !== left - 1) return fail(outOfOrder(action.step, left - 1));
        if (action.step !== position) return fail(misplaced(action, position));
        left -= 1;
        // What was taken behind is not needed any more.
        for (const [slot, at] of slots) if (at >= left && at > 0) slots.delete(slot);
        break;
    }
  }
  return left === 0 ? ok({ advances, slots: most }) : fail(outOfOrder(0, left - 1));
}

function misplaced({ kind }: Action, position: number): Issue {
  return {
    code: "schedule/position",
    pointer: "",
    message: `the schedule says ${kind} elsewhere than at ${position}, where the run stands.`,
    hint: "restore a snapshot first",
  };
}

function emptySlot({ slot, at }: Extract<Action, { kind: "restore" }>, held: number | undefined): Issue {
  return {
    code: "schedule/slot",
    pointer: `/${slot}`,
    message: `the slot holds ${held === undefined ? "nothing" : `position ${held}`}, and position ${at} is restored from it.`,
    hint: "store it first, and do not store another over it",
  };
}

function outOfOrder(step: number, expected: number): Issue {
  return {
    code: "schedule/order",
    pointer: `/${step}`,
    message: expected < 0 ? "every step has been reversed." : `step ${expected} has to be reversed next.`,
    hint: "reverse each step once, the last first",
  };
}
