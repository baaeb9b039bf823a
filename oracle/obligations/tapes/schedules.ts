/*
 * A chain that is reversed with few snapshots, as docs and Lean have it, small enough to be read beside the obligations: what their mutants
 * do wrong is done here, on slots that hold positions.
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

/** What somebody does who goes wrong; each is the identity, or not said, where nothing is. */
export interface Faults {
  /** How many steps are made before the next snapshot, of so many, each time. */
  readonly cut?: (length: number) => number;
  /** The slot that the state in between is put into, of that above the part's own. */
  readonly into?: (slot: number) => number;
  /** The slot that the left part is restored from, of its own. */
  readonly restored?: (slot: number) => number;
  /** Where the left part ends, of where the right one begins. */
  readonly leftEnd?: (between: number) => number;
  /** Where the run is when the last step is reversed and no slot is free, of where it has to be. */
  readonly last?: (position: number) => number;
  /** What a slot below the part's own holds before. */
  readonly held?: ReadonlyMap<number, number>;
}

/** What came of a sweep: the state that each step was pulled back at, in order, and what there was to complain of. */
export interface Swept {
  readonly steps: readonly string[];
  readonly complaints: readonly string[];
}

/** Far more than a chain of a model takes. */
const MOST_ACTIONS = 1_000;

/** Reverses the part, and then those that wait: slots `0, 1, …` below its own hold positions `0, 1, …`. */
export function sweep(part: Part, faults: Faults = {}): Swept {
  const chain = new Chain(part, faults);
  chain.reverse(part.from, part.to, part.slot, part.cut);
  for (let slot = part.slot - 1; slot >= 0; slot--) {
    chain.restore(slot);
    chain.reverse(slot, slot + 1 === part.slot ? part.from : slot + 1, slot);
  }
  return chain;
}

/** Whether every step was pulled back once, the last first, at its own state, and nothing was complained of. */
export function isSwept({ steps, complaints }: Swept, { from, to, slot }: Part): boolean {
  const first = slot === 0 ? from : 0;
  const wanted = Array.from({ length: to - first }, (_, back) => pulled(to - 1 - back, to - 1 - back));
  return complaints.length === 0 && steps.join() === wanted.join();
}

/** A sweep, for people. */
export function showSwept({ steps, complaints }: Swept): string {
  return [`${steps.slice(0, 12).join(" ")}`, ...complaints.slice(0, 1)].filter((text) => text !== "").join("; ");
}

function pulled(step: number, state: number | undefined): string {
  return `${step}@${state ?? "?"}`;
}

/** Owns the slots, where the run stands and what was pulled back. A state is the number of steps made. */
class Chain implements Swept {
  readonly steps: string[] = [];
  readonly complaints: string[] = [];
  readonly #held: Map<number, number>;
  readonly #part: Part;
  readonly #faults: Faults;
  #state: number | undefined;
  #left: number;
  #actions = 0;

  constructor(part: Part, faults: Faults) {
    this.#part = part;
    this.#faults = faults;
    this.#held = new Map(Array.from({ length: part.slot }, (_, slot) => [slot, slot]));
    this.#held.set(part.slot, part.from);
    for (const [slot, position] of faults.held ?? []) this.#held.set(slot, position);
    this.#state = part.from;
    this.#left = part.to;
  }

  /** Puts the run where a slot's snapshot was taken. */
  restore(slot: number): void {
    this.#state = this.#held.get(slot);
  }

  /** Reverses a part whose beginning is in `slot` and where the run stands. */
  reverse(from: number, to: number, slot: number, cut?: number): void {
    this.#actions += 1;
    if (this.#actions > MOST_ACTIONS) {
      if (this.#actions === MOST_ACTIONS + 1) this.complaints.push("it does not come to an end");
      return;
    }
    if (to <= from) return;
    if (to - from === 1 && cut === undefined) this.#pull();
    else if (slot + 1 < this.#part.slots || cut !== undefined) this.#split(from, to, slot, cut);
    else {
      this.#advance((this.#faults.last?.(to - 1) ?? to - 1) - from);
      this.#pull();
      this.restore(slot);
      this.reverse(from, to - 1, slot);
    }
  }

  #split(from: number, to: number, slot: number, first?: number): void {
    const { into, restored, leftEnd, cut: cutOf } = this.#faults;
    const cut = cutOf?.(to - from) ?? first ?? Math.ceil((to - from) / 2);
    this.#advance(cut);
    this.#store(into?.(slot + 1) ?? slot + 1);
    this.reverse(from + cut, to, slot + 1);
    this.restore(restored?.(slot) ?? slot);
    this.reverse(from, leftEnd?.(from + cut) ?? from + cut, slot);
  }

  #advance(count: number): void {
    if (this.#state !== undefined) this.#state += count;
  }

  #store(slot: number): void {
    if (slot < 0 || slot >= this.#part.slots) this.complaints.push(`there is no slot ${slot}`);
    if (this.#state === undefined) return;
    for (const position of this.#held.values())
      if (position === this.#state) this.complaints.push(`position ${position} is held twice`);
    this.#held.set(slot, this.#state);
  }

  /** Pulls back the last step that is left, at the state where the run stands; what was taken behind is not needed any more. */
  #pull(): void {
    this.#left -= 1;
    this.steps.push(pulled(this.#left, this.#state));
    for (const [slot, position] of this.#held)
      if (position > this.#left) this.#held.delete(slot);
  }
}
