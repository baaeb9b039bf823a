import { ok } from "../../../spec/shapes/index.ts";
import { keepOperands } from "../dynamic.ts";
import { rulesOnOperands } from "../reverse.ts";
import { pullsOf, saving } from "../saving.ts";
import { denseSlots, type Slots } from "../slots.ts";
import { sweepBack } from "../sweeping.ts";
import {
  type Kept,
  type RunTape,
  type Sweep,
  type SystemParts,
  type Taking,
  type TapeSystem,
  tapeSystem,
} from "../system.ts";
import { planted, type TapeMutant } from "./mutant.ts";

function persistentWith(parts: Partial<SystemParts>): TapeSystem {
  return tapeSystem({ name: "persistent", summary: "", keep: keepOperands, ...parts });
}

/** Returns a tape, some of whose methods are others. */
function around(change: <S>(tape: RunTape<S>) => Partial<RunTape<S>>): Pick<SystemParts, "tapeOf"> {
  return {
    tapeOf: (tape) => ({
      system: tape.system,
      get entries() {
        return tape.entries;
      },
      backward: (seed) => tape.backward(seed),
      begin: (seed) => tape.begin(seed),
      release: () => tape.release(),
      measure: () => tape.measure(),
      ...change(tape),
    }),
  };
}

/** Sweeps begin with what the last one has left in the slots: any sweep, or one that is not finished. */
function stale<S>(taking: Taking<S>, isFreed: boolean): Kept<S> {
  const { additive, shapes, data } = taking.subject;
  const rules = rulesOnOperands(taking.subject);
  const { entries } = saving(taking, rules);
  let left: Slots<S> | undefined;
  return {
    entries,
    *sweep(seed): Sweep<S> {
      const slots = left ?? denseSlots(additive, shapes, data.inputs.length, seed);
      left = slots;
      for (const { id, pull } of pullsOf(taking, entries, rules)) {
        const cotangent = slots.settled(id);
        yield { id, cotangent };
        slots.add(pull(cotangent));
      }
      for (let id = data.inputs.length - 1; id >= 0; id--) slots.settled(id);
      if (isFreed) left = undefined;
      return [...slots.all()];
    },
  };
}

/** The tape that grows by what its own sweep does. */
const appending: TapeSystem = tapeSystem({
  name: "persistent",
  summary: "",
  keep: (taking) => {
    const rules = rulesOnOperands(taking.subject);
    const { entries: recorded, ...rest } = saving(taking, rules);
    const entries = [...recorded];
    return ok({
      ...rest,
      entries,
      *sweep(seed) {
        const cotangents = yield* sweepBack(taking, seed, pullsOf(taking, entries, rules));
        entries.push(...entries.slice(-1));
        return cotangents;
      },
    });
  },
});

function answeredOnce<S>(tape: RunTape<S>): Partial<RunTape<S>> {
  let first: ReturnType<RunTape<S>["backward"]> | undefined;
  return {
    backward: (seed) => {
      first ??= tape.backward(seed);
      return first;
    },
  };
}

/** Faults that show when a tape is used more than once, or after its time. */
export const mannerMutants: readonly TapeMutant[] = [
  planted(
    persistentWith({ keep: (taking) => ok(stale(taking, false)) }),
    "second-sweep-stale",
    "begins the second sweep with the first's cotangents",
  ),
  planted(
    persistentWith({ keep: (taking) => ok(stale(taking, true)) }),
    "sweeps-share-slots",
    "has one set of slots for sweeps that are under way together",
  ),
  planted(appending, "appends-in-sweep", "appends a line in the sweep"),
  planted(
    persistentWith(around(answeredOnce)),
    "answers-from-memory",
    "gives the first answer for every seed",
  ),
  planted(
    persistentWith(around(() => ({ release: () => undefined }))),
    "not-released",
    "answers after it was released",
  ),
  planted(
    persistentWith(
      around((tape) => ({
        begin: (seed) => {
          const begun = tape.begin(seed);
          tape.release();
          return begun;
        },
      })),
    ),
    "spent-by-abandoned-sweep",
    "is gone when a sweep was begun",
  ),
  planted(persistentWith({ life: "once" }), "spent", "answers once"),
  planted(tapeSystem({ name: "ephemeral", summary: "", keep: keepOperands }), "kept", "answers twice"),
];
