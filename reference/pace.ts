/** It is thrown out of an evaluation that has used up its time or its memory. Whoever began it catches it. */
export class Exhausted extends Error {
  override readonly name = "Exhausted";
  readonly what: "time" | "memory";

  constructor(what: "time" | "memory") {
    super(`the ${what} was used up`);
    this.what = what;
  }
}

/** A clock says whether the time of the work that it was set for is over. */
type Clock = () => boolean;

/** Knows which clock the current work has. */
interface Clocks {
  run<T>(clock: Clock, work: () => T): T;
  getStore(): Clock | undefined;
}

const clocks = nodeClocks() ?? onePageClocks();

/** Node keeps a clock for each asynchronous task. It is asked without an import that a browser has not. */
function nodeClocks(): Clocks | undefined {
  const hooks = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:async_hooks");
  return hooks && new hooks.AsyncLocalStorage<Clock>();
}

/** A browser knows no tasks: there a clock holds until the work returns, and not in what it awaits. */
function onePageClocks(): Clocks {
  const current: { clock?: Clock | undefined } = {};
  return {
    run: (clock, work) => {
      const before = current.clock;
      current.clock = clock;
      try {
        return work();
      } finally {
        current.clock = before;
      }
    },
    getStore: () => current.clock,
  };
}

/** Steps between two looks at the clock: a few milliseconds of exact arithmetic. */
const STRIDE = 512;

const steps = { left: STRIDE };

/**
 * Runs `work`; as soon as `isOver` says so, the evaluation that is under way in it, or in what it awaits,
 * throws {@link Exhausted}. Evaluations outside `work` are as they were.
 */
export function whileInTime<T>(isOver: () => boolean, work: () => T): T {
  return clocks.run(isOver, work);
}

/**
 * Counts `count` steps of an evaluation: elements of a node's value, or operations that are slow. Every
 * {@link STRIDE} of them the clock is looked at. Throws {@link Exhausted}.
 */
export function step(count = 1): void {
  steps.left -= count;
  if (steps.left > 0) return;
  steps.left = STRIDE;
  if (clocks.getStore()?.() === true) throw new Exhausted("time");
}
