import { type Action, costOf } from "../../../reference/tapes/checkpoints/index.ts";
import type { Execution } from "../obligation.ts";

/*
 * Schedules that split reverse a chain with few snapshots. This one is small enough to be read beside the
 * obligations, and can make their mutants' mistakes. The reference follows the actions and says whether they
 * are right.
 */

/** The run stands at the start of this part, kept in `slot`; slots below keep waiting parts' starts. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly slot: number;
  readonly slots: number;
  /** This many steps are made before the first snapshot. */
  readonly cut: number;
}

/** A schedule may make these mistakes; without them it is right. */
export interface Faults {
  /** Returns how many of `length` steps are made before the next snapshot. */
  readonly cut?: (length: number) => number;
  /** Returns the slot for the state in between, given the one above the part's own. */
  readonly into?: (slot: number) => number;
  /** Returns the slot that the left part is restored from, given its own. */
  readonly restored?: (slot: number) => number;
  /** Returns where the left part ends, given where the right one begins. */
  readonly leftEnd?: (between: number) => number;
  /** Returns where to go to reverse the last step where no slot is free, given where one must. */
  readonly last?: (position: number) => number;
  /** These slots, of waiting parts or the part's own, hold another position than the part's start. */
  readonly held?: ReadonlyMap<number, number>;
}

/** A sweep over a whole chain gave this. */
interface Swept {
  /** These are complaints; there are none if it is right. */
  readonly complaints: readonly string[];
  readonly actions: readonly Action[];
}

/** A model's chain takes far fewer actions. */
const MOST_ACTIONS = 1_000;

/**
 * Goes forward to the part, puts the starts of the waiting parts into the slots below (those of positions `0,
 * 1, …` into `0, 1, …`), and reverses all `length` steps. The reference's {@link costOf} judges the
 * actions.
 */
export function sweep(part: Part, faults: Faults = {}, length: number = part.to): Swept {
  const schedule = new Splitting(part, faults);
  schedule.begin();
  schedule.reverse(part.from, part.to, part.slot, part.cut);
  for (let slot = part.slot - 1; slot >= 0; slot--) {
    const to = slot + 1 === part.slot ? part.from : slot + 1;
    schedule.restore(slot, slot);
    schedule.reverse(slot, to, slot);
  }
  return { actions: schedule.actions, complaints: complaintsOf(schedule.actions, length, part.slots) };
}

function complaintsOf(actions: readonly Action[], length: number, slots: number): readonly string[] {
  if (actions.length >= MOST_ACTIONS) return ["it does not come to an end"];
  const stores = actions.flatMap((action) => (action.kind === "store" ? [action] : []));
  const nowhere = stores.filter(({ slot }) => slot < 0 || slot >= slots);
  const again = stores.filter(({ at }, index) => stores[index - 1]?.at === at);
  const cost = costOf(actions, length);
  return [
    ...(cost.ok ? [] : [`${cost.error.code}: ${cost.error.message}`]),
    ...nowhere.map(({ slot }) => `there is no slot ${slot}`),
    ...again.map(({ at }) => `position ${at} is kept twice`),
  ];
}

/** Tells whether there are no complaints. */
export function isSwept({ complaints }: Swept): boolean {
  return complaints.length === 0;
}

/** The fault shows if the right sweep is right and the other is not. */
export function compared(right: Swept, wrong: Swept, where = ""): Execution {
  return {
    showsFault: isSwept(right) && !isSwept(wrong),
    told: `${where}${showSwept(right)}; wrongly ${showSwept(wrong)}`,
  };
}

function showSwept({ complaints, actions }: Swept): string {
  return complaints[0] ?? `right, in ${actions.length} actions`;
}

/** This writes the actions of a schedule, and owns them. */
class Splitting {
  readonly actions: Action[] = [];
  readonly #part: Part;
  readonly #faults: Faults;

  constructor(part: Part, faults: Faults) {
    this.#part = part;
    this.#faults = faults;
  }

  begin(): void {
    const { slot: own, from } = this.#part;
    const { held } = this.#faults;
    const wanted = Array.from({ length: own + 1 }, (_, slot) => {
      const position = slot === own ? from : slot;
      return { slot, at: held?.get(slot) ?? position };
    });
    let stands = 0;
    for (const { slot, at } of wanted.toSorted((one, other) => one.at - other.at)) {
      this.actions.push({ kind: "advance", from: stands, to: at }, { kind: "store", slot, at });
      stands = at;
    }
    if (stands !== from) this.actions.push({ kind: "restore", slot: own, at: from });
  }

  restore(slot: number, position: number): void {
    this.actions.push({ kind: "restore", slot, at: position });
  }

  /** Reverses a part whose start is in `slot`, where the run is. */
  reverse(from: number, to: number, slot: number, cut?: number): void {
    if (to <= from || this.actions.length >= MOST_ACTIONS) return;
    if (to - from === 1 && cut === undefined) this.actions.push({ kind: "reverse", step: from });
    else if (slot + 1 < this.#part.slots || cut !== undefined) this.#split(from, to, slot, cut);
    else {
      const last = this.#faults.last?.(to - 1) ?? to - 1;
      this.actions.push({ kind: "advance", from, to: last }, { kind: "reverse", step: to - 1 });
      this.restore(slot, from);
      this.reverse(from, to - 1, slot);
    }
  }

  #split(from: number, to: number, slot: number, first?: number): void {
    const { into, restored, leftEnd, cut: cutOf } = this.#faults;
    const between = from + (cutOf?.(to - from) ?? first ?? Math.ceil((to - from) / 2));
    this.actions.push({ kind: "advance", from, to: between });
    this.actions.push({ kind: "store", slot: into?.(slot + 1) ?? slot + 1, at: between });
    this.reverse(between, to, slot + 1);
    this.restore(restored?.(slot) ?? slot, from);
    this.reverse(from, leftEnd?.(between) ?? between, slot);
  }
}
