import { at, ok } from "../../../spec/shapes/index.ts";
import {
  type Action,
  type Actions,
  binomialSchedule,
  checkpointed,
  Front,
  type Plan,
  planOf,
  type Snapshot,
  segmentSchedule,
  Walk,
} from "../checkpoints/index.ts";
import { sweepBack } from "../sweeping.ts";
import { type Kept, type Taking, type TapeSystem, tapeSystem } from "../system.ts";
import { planted, type TapeMutant } from "./mutant.ts";

const SLOTS = 3;

/** Makes the binomial tape by a schedule that was changed. */
function scheduled(change: (actions: readonly Action[], length: number) => Actions): TapeSystem {
  return checkpointed("checkpointed", "", {
    plan: ({ subject }) => {
      const { length } = subject.data.nodes;
      return ok(planOf(() => change([...binomialSchedule(length, SLOTS)], length)));
    },
  });
}

/** Replaces each action by another, or by none. */
function each(change: (action: Action) => Action | undefined): TapeSystem {
  return scheduled((actions) => actions.flatMap((action) => change(action) ?? []));
}

/** A walk whose snapshots hold the last of the values that cross the cut, and no other. */
class Dropping<S> extends Walk<S> {
  override snapshot(): Snapshot<S> {
    const { at: position, live } = super.snapshot();
    return { at: position, live: new Map([...live].slice(-1)) };
  }
}

/** A walk that takes what it stored first for every snapshot of the same shapes. */
class Reusing<S> extends Walk<S> {
  readonly #first = new Map<string, Snapshot<S>["live"]>();

  override snapshot(): Snapshot<S> {
    const { at: position, live } = super.snapshot();
    const values = [...live.values()];
    const key = values.map(({ shape }) => shape.join()).join(" ");
    const held = this.#first.get(key) ?? live;
    this.#first.set(key, held);
    const old = [...held.values()];
    return { at: position, live: new Map([...live.keys()].map((id, n) => [id, at(old, n)])) };
  }
}

/** A walk that restores all of a snapshot but its first value. */
class Staying<S> extends Walk<S> {
  override restore(snapshot: Snapshot<S>): void {
    super.restore({ at: snapshot.at, live: new Map([...snapshot.live].slice(1)) });
  }
}

function walking(walkOf: typeof Walk): TapeSystem {
  return checkpointed("checkpointed", "", {
    plan: ({ subject }) => ok(planOf(() => binomialSchedule(subject.data.nodes.length, SLOTS))),
    walkOf,
  });
}

/** Returns a tape of segments, whose second sweep goes on from where the first one ended. */
function consumed<S>(taking: Taking<S>): Kept<S> {
  const plan: Plan = planOf(() => segmentSchedule(taking.subject.data.nodes.length));
  const front = new Front(taking, plan, "first");
  return { entries: front.entries, sweep: (seed) => sweepBack(taking, seed, front.pulls()) };
}

/** Faults in snapshots, and in when they are taken. */
export const checkpointMutants: readonly TapeMutant[] = [
  planted(
    each((action) => (action.kind === "advance" ? { ...action, to: action.to - 1 } : action)),
    "one-short",
    "advances one step too few",
  ),
  planted(
    scheduled((actions) => actions.slice(0, -1)),
    "schedule-one-short",
    "leaves the last action of its schedule out",
  ),
  planted(
    scheduled((_, length) => binomialSchedule(length - 1, SLOTS)),
    "length-one-short",
    "takes the schedule of a run one step shorter",
  ),
  planted(
    each((action) =>
      action.kind === "restore" && action.slot > 0 ? { ...action, slot: action.slot - 1 } : action,
    ),
    "wrong-checkpoint",
    "computes again from the checkpoint before",
  ),
  planted(
    each((action) => (action.kind === "store" && action.slot > 1 ? { ...action, slot: 1 } : action)),
    "slot-overwritten",
    "overwrites a snapshot that is still to be restored",
  ),
  planted(
    scheduled((actions) => actions.filter((action) => action.kind !== "store" || action.at === 0)),
    "never-stored",
    "forgets all snapshots but the first",
  ),
  planted(
    scheduled((actions) =>
      actions.flatMap((action): Action[] => (action.kind === "reverse" ? [action, action] : [action])),
    ),
    "reversed-twice",
    "pulls each step back twice",
  ),
  planted(
    scheduled((actions, length) =>
      actions.filter((action) => action.kind !== "reverse" || action.step !== length >> 1 || length < 3),
    ),
    "step-lost",
    "never pulls back the step in the middle",
  ),
  planted(walking(Dropping), "crossing-lost", "keeps the last value that crosses a cut, and no other"),
  planted(walking(Reusing), "snapshot-reused", "takes an earlier snapshot of the same shapes for a new one"),
  planted(walking(Staying), "restored-in-part", "restores all values of a snapshot but the first"),
  planted(
    tapeSystem({ name: "checkpointed-segments", summary: "", keep: (taking) => ok(consumed(taking)) }),
    "slots-consumed",
    "goes on, in the second sweep, from where the first one ended",
  ),
];
