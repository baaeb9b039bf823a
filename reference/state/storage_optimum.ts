import { at } from "../../spec/shapes/index.ts";
import { type Block, greatestNeed, planBySize, planInTime, type StoragePlan } from "./storage_plan.ts";

/** The best plan there is, or the best that was found before the search ended. */
export interface Optimum {
  readonly plan: StoragePlan;
  /** Is true if it is known that no plan has a smaller peak. */
  readonly isProved: boolean;
}

/** The most blocks that are searched for: for more the search takes too long to be worth its begin. */
export const MOST_SEARCHED: number = 24;

/**
 * Returns a plan of the smallest peak (dynamic storage allocation, NP-hard), by branch and bound. Some best
 * plan has every block on top of those it meets below, so blocks are placed from the bottom up, each on its
 * ground, by offset and then as listed. A branch ends where
 *
 * - at some step the ground and all that must still stand on it reach the best peak so far;
 * - a block would begin where another, put on the ground now, already ends: the other can go first.
 *
 * The search begins with the better best fit and ends at the {@link greatestNeed}. Source: Moffitt,
 * MiniMalloc (2023, https://doi.org/10.1145/3623278.3624752), for order and dominance. Cost: exponential, at
 * most `mostVisits` branches; nothing is searched beyond {@link MOST_SEARCHED} blocks.
 */
export function optimalPlan(blocks: readonly Block[], mostVisits: number = 2 ** 20): Optimum {
  const plans = [planInTime(blocks), planBySize(blocks)] as const;
  const plan = plans[1].peak < plans[0].peak ? plans[1] : plans[0];
  const { elements: bound } = greatestNeed(blocks);
  if (plan.peak === bound) return { plan, isProved: true };
  if (blocks.filter(({ elements }) => elements > 0).length > MOST_SEARCHED) return { plan, isProved: false };
  const search = new Search(blocks, plan, bound, mostVisits);
  search.descend(0, -1);
  return { plan: search.best, isProved: !search.isCut };
}

/** A block with the sections of time in which it is there, `[from, to)`. */
interface Standing {
  readonly n: number;
  readonly elements: number;
  readonly from: number;
  readonly to: number;
}

/** One search: the grounds as they are, and the best plan so far. */
class Search {
  best: StoragePlan;
  isCut = false;
  readonly #bound: number;
  readonly #blocks: readonly Standing[];
  /** In each section placed blocks reach up to `ground`, and `left` elements have still to be placed. */
  readonly #ground: number[];
  readonly #left: number[];
  readonly #offsets: number[];
  readonly #isPlaced: boolean[];
  #visits: number;

  constructor(blocks: readonly Block[], best: StoragePlan, bound: number, visits: number) {
    this.best = best;
    this.#bound = bound;
    this.#visits = visits;
    const times = [...new Set(blocks.map(({ born }) => born))].sort((a, b) => a - b);
    this.#blocks = blocks.flatMap(({ born, last, elements }, n) => {
      const to = times.findIndex((time) => time > last);
      return elements === 0
        ? []
        : [{ n, elements, from: times.indexOf(born), to: to < 0 ? times.length : to }];
    });
    this.#ground = times.map(() => 0);
    this.#left = times.map((_, section) =>
      this.#blocks.reduce((sum, b) => (b.from <= section && section < b.to ? sum + b.elements : sum), 0),
    );
    this.#offsets = blocks.map(() => 0);
    this.#isPlaced = this.#blocks.map(() => false);
  }

  /** Searches all that can follow once a block was placed at `low`, the `previous` of the list. */
  descend(low: number, previous: number): void {
    if (this.#visits-- <= 0) this.isCut = true;
    if (this.isCut || this.#isHopeless(low)) return;
    const open = this.#blocks.flatMap((block, place) =>
      this.#isPlaced[place] === true ? [] : [{ block, place, offset: this.#groundOf(block) }],
    );
    if (open.length === 0) {
      this.best = { offsets: [...this.#offsets], peak: Math.max(0, ...this.#ground) };
      return;
    }
    const firstEnd = Math.min(...open.map(({ block, offset }) => offset + block.elements));
    const next = open
      .filter(
        ({ place, offset }) => offset < firstEnd && (offset > low || (offset === low && place > previous)),
      )
      .toSorted((a, b) => a.offset - b.offset || b.block.elements - a.block.elements);
    for (const { block, place, offset } of next) {
      if (this.isCut || this.best.peak === this.#bound) return;
      const grounds = this.#ground.slice(block.from, block.to);
      this.#put(block, place, offset);
      this.descend(offset, place);
      this.#take(block, place, grounds);
    }
  }

  #groundOf({ from, to }: Standing): number {
    return Math.max(...this.#ground.slice(from, to));
  }

  /** Says whether the unplaced blocks, placed at `low` or above, must reach the best known peak. */
  #isHopeless(low: number): boolean {
    return this.#ground.some((ground, section) => {
      const left = at(this.#left, section);
      return (left > 0 ? Math.max(ground, low) : ground) + left >= this.best.peak;
    });
  }

  #put({ n, elements, from, to }: Standing, place: number, offset: number): void {
    this.#isPlaced[place] = true;
    this.#offsets[n] = offset;
    for (let section = from; section < to; section++) {
      this.#ground[section] = offset + elements;
      this.#left[section] = at(this.#left, section) - elements;
    }
  }

  #take({ elements, from, to }: Standing, place: number, grounds: readonly number[]): void {
    this.#isPlaced[place] = false;
    for (let section = from; section < to; section++) {
      this.#ground[section] = at(grounds, section - from);
      this.#left[section] = at(this.#left, section) + elements;
    }
  }
}
