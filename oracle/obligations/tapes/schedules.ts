import { type Action, costOf } from "../../../reference/tapes/checkpoints/index.ts";

/*
 * A chain that is reversed with few snapshots, as schedules that split do it: small enough to be read beside the obligations, and what their
 * mutants do wrong can be done here. The actions are followed by the reference, which says whether they are as they claim.
 */

/** A part of a chain that is reversed: its beginning is in `slot`, where the run stands; parts wait whose beginnings are in the slots below. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly slot: number;
  readonly slots: number;
  /** How many steps are made before the first snapshot. */
  readonly cut: number;
}

/** What somebody does who goes wrong; nothing is wrong where nothing is said. */
export interface Faults {
  /** How many steps are made before the next snapshot, of so many, each time. */
  readonly cut?: (length: number) => number;
  /** The slot that the state in between is put into, of that above the part's own. */
  readonly into?: (slot: number) => number;
  /** The slot that the left part is restored from, of its own. */
  readonly restored?: (slot: number) => number;
  /** Where the left part ends, of where the right one begins. */
  readonly leftEnd?: (between: number) => number;
  /** Where the run goes to reverse the last step where no slot is free, of where it has to be. */
  readonly last?: (position: number) => number;
  /** What a slot whose part waits, or the part's own, holds instead of that part's beginning. */
  readonly held?: ReadonlyMap<number, number>;
}

/** What came of a sweep over a whole chain. */
export interface Swept {
  /** What there is to complain of: nothing, if it is right. */
  readonly complaints: readonly string[];
  readonly actions: readonly Action[];
}

/** Far more than a chain of a model takes. */
const MOST_ACTIONS = 1_000;

/**
 * Goes forward to the part, puts the beginnings of the parts that wait into the slots below, `0, 1, …` those of positions `0, 1, …`, and reverses them all:
 * the whole chain of `length` steps. Of what comes of it the reference's {@link costOf} judges.
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

/** Whether there is nothing to complain of. */
export function isSwept({ complaints }: Swept): boolean {
  return complaints.length === 0;
}

/** What came of a sweep, for people. */
export function showSwept({ complaints, actions }: Swept): string {
  return complaints[0] ?? `right, in ${actions.length} actions`;
}

/** Writes the actions of a schedule. Owns them. */
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

  /** Reverses a part whose beginning is in `slot` and where the run stands. */
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
