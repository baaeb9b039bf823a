import { fail, ok, present } from "../../../spec/shapes/index.ts";
import { sweepBack } from "../sweeping.ts";
import { type Kept, type Taking, type TapeSystem, tapeSystem } from "../system.ts";
import { binomialSchedule } from "./binomial.ts";
import { type Checkpointing, Front, type Plan, type WalkOf } from "./front.ts";
import { Online, reversalFrom } from "./online.ts";
import { optimalSchedule } from "./optimum.ts";
import type { Action, Actions } from "./schedule.ts";
import { segmentSchedule } from "./segments.ts";

/**
 * Makes a tape of snapshots: the values that cross a cut between two nodes. The nodes compute what lies
 * between again, from the same values. The first sweep continues the recording; others go forward from the
 * inputs.
 */
export function checkpointed(name: string, summary: string, { plan, walkOf }: Checkpointing): TapeSystem {
  return tapeSystem({
    name,
    summary,
    keep: (taking) => {
      const planned = plan(taking);
      return planned.ok ? ok(keptBy(taking, planned.value, walkOf)) : planned;
    },
  });
}

function keptBy<S>(taking: Taking<S>, plan: Plan, walkOf?: WalkOf): Kept<S> {
  const first = new Front(taking, plan, "first", walkOf);
  first.finish();
  const { entries } = first;
  let unswept: Front<S> | undefined = first;
  return {
    entries,
    sweep: (seed) => {
      const front = unswept ?? new Front(taking, plan, "again", walkOf);
      unswept = undefined;
      return sweepBack(taking, seed, front.pulls());
    },
  };
}

/** Makes a tape with snapshots by {@link binomialSchedule}: the fewest extra steps for a known length. */
export function binomialTape(slots: number): TapeSystem {
  return checkpointed("checkpointed", `${slots} snapshots, placed for the length of the run`, {
    plan: ({ subject }) => ok(planOf(() => binomialSchedule(subject.data.nodes.length, slots))),
  });
}

/** Makes a tape with snapshots of segments' beginnings; each segment is computed again once, and kept. */
export function segmentTape(segments?: number): TapeSystem {
  return checkpointed("checkpointed-segments", `the beginning of each of ${segments ?? "√n"} segments`, {
    plan: ({ subject }) => ok(planOf(() => segmentSchedule(subject.data.nodes.length, segments))),
  });
}

/** Makes a tape for unequal steps, which cost the elements they touch. Fails: `schedule/too-long`. */
export function optimalTape(slots: number): TapeSystem {
  return checkpointed("checkpointed-optimum", `${slots} snapshots, placed for what each node costs`, {
    plan: (taking) => {
      const optimum = optimalSchedule(costsOf(taking), slots);
      return optimum.ok ? ok(planOf(() => optimum.value.actions())) : fail([optimum.error]);
    },
  });
}

/** Makes a tape whose snapshots are taken while the run goes on, nobody knowing how long. */
export function onlineTape(slots: number): TapeSystem {
  return checkpointed("checkpointed-online", `${slots} snapshots, thinned out as the run grows`, {
    plan: ({ subject }) => ok({ forward: () => grown(subject.data.nodes.length, slots) }),
  });
}

/** Makes the plan of a schedule that is known: forward until it reverses. */
export function planOf(schedule: () => Actions): Plan {
  return {
    *forward() {
      const actions = schedule()[Symbol.iterator]();
      for (;;) {
        const next = actions.next();
        if (next.done === true) return actions;
        if (next.value.kind === "reverse") return resumed(next.value, actions);
        yield next.value;
      }
    },
  };
}

function* resumed(first: Action, rest: Iterator<Action>): Generator<Action> {
  yield first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

/** Goes forward a step at a time; how many there are is looked at only to see whether there is another. */
function* grown(length: number, slots: number): Generator<Action, Iterator<Action>> {
  const online = new Online(slots);
  // A snapshot that is given up leaves its slot to a later one; the sweep counts slots by place.
  const slotOf = new Map<number, number>();
  for (let position = 0; position < length; position++) {
    const isKept = online.arrive(position);
    for (const [held, slot] of slotOf) {
      if (online.positions.includes(held)) continue;
      slotOf.delete(held);
      yield { kind: "free", slot };
    }
    if (isKept) {
      const slot = firstFree(slotOf, slots);
      slotOf.set(position, slot);
      yield { kind: "store", slot, at: position };
    }
    yield { kind: "advance", from: position, to: position + 1 };
  }
  return renumbered(reversalFrom(online.positions, length, slots), slotOf, slots);
}

function firstFree(slotOf: ReadonlyMap<number, number>, slots: number): number {
  const taken = new Set(slotOf.values());
  const free = Array.from({ length: slots }, (_, slot) => slot).find((slot) => !taken.has(slot));
  return present(free, "a free slot");
}

/** A schedule that counts slots by place, with the slots in which the snapshots are. */
function* renumbered(schedule: Actions, slotOf: Map<number, number>, slots: number): Generator<Action> {
  for (const action of schedule) {
    if (action.kind === "restore") yield { ...action, slot: slotOf.get(action.at) ?? action.slot };
    else if (action.kind === "store") {
      const slot = firstFree(slotOf, slots);
      slotOf.set(action.at, slot);
      yield { ...action, slot };
    } else {
      if (action.kind === "reverse")
        for (const held of slotOf.keys()) if (held >= action.step && held > 0) slotOf.delete(held);
      yield action;
    }
  }
}

function costsOf<S>({ subject }: Taking<S>): number[] {
  const sizes = subject.shapes.map((shape) => shape.reduce((product, extent) => product * extent, 1));
  return subject.data.nodes.map(({ reads }, index) =>
    [...reads, subject.data.inputs.length + index].reduce((total, id) => total + (sizes[id] ?? 0), 0),
  );
}
