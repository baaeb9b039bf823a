import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, type Issue, ok, present, type Result } from "../../../spec/index.ts";
import { modular, residue } from "../../algebras/modular.ts";
import { noEnvironment, product, scalar } from "../../hand.test.kit.ts";
import { subjectOfData } from "../subject.ts";
import { binomial, binomialCost, binomialSchedule, binomialSplit, reversalOf } from "./binomial.ts";
import { binomialTape, onlineTape } from "./checkpointed.ts";
import { Online, reversalFrom } from "./online.ts";
import { MOST_STEPS, optimalSchedule } from "./optimum.ts";
import { type Action, type Actions, costOf, type ScheduleCost } from "./schedule.ts";
import { segmentSchedule } from "./segments.ts";

const LONGEST = 200;
const MOST_SLOTS = 20;

const failure = <T>(result: Result<T, Issue>): unknown => (result.ok ? result.value : result.error.code);

function cost(schedule: Actions, length: number): ScheduleCost {
  const found = costOf(schedule, length);
  return found.ok ? found.value : expect.unreachable(JSON.stringify(found.error));
}

/** Every length and number of slots up to these. */
function* sizes(longest: number, most: number): Generator<readonly [length: number, slots: number]> {
  for (let length = 1; length <= longest; length++)
    for (let slots = 1; slots <= most; slots++) yield [length, slots];
}

/** Returns {@link binomialCost} by recurrence: a snapshot, the right part with a slot less, the left part. */
function tabulated(longest: number, most: number): readonly (readonly number[])[] {
  const table: number[][] = [[], Array.from({ length: longest + 1 }, (_, l) => (l * (l - 1)) / 2)];
  for (let slots = 2; slots <= most; slots++) {
    const best = [0, 0];
    for (let l = 2; l <= longest; l++) {
      let least = Number.POSITIVE_INFINITY;
      for (let m = 1; m < l; m++) least = Math.min(least, m + at(at(table, slots - 1), l - m) + at(best, m));
      best.push(least);
    }
    table.push(best);
  }
  return table;
}

/**
 * Returns the least cost of any schedule, by Dijkstra from where the run stands, with these snapshots and
 * steps left. One may store, restore, advance by one, or reverse, and give up a snapshot for its slot.
 */
function exhaustive(costs: readonly number[], slots: number): number {
  const length = costs.length;
  const key = (held: number, position: number, left: number): number => (held * 16 + position) * 16 + left;
  const distance = new Map<number, number>([[key(1, 0, length), 0]]);
  const buckets: (readonly [number, number, number])[][] = [[[1, 0, length]]];
  for (let d = 0; d < buckets.length; d++) {
    const bucket = buckets[d] ?? [];
    for (let next = bucket.pop(); next !== undefined; next = bucket.pop()) {
      const [held, position, left] = next;
      if (left === 0) return d;
      if ((distance.get(key(held, position, left)) ?? 0) < d) continue;
      const reach = (h: number, p: number, l: number, more: number): void => {
        const [place, total] = [key(h, p, l), d + more];
        if (total >= (distance.get(place) ?? Number.POSITIVE_INFINITY)) return;
        distance.set(place, total);
        const others = buckets[total] ?? [];
        others.push([h, p, l]);
        buckets[total] = others;
      };
      if (position < left - 1) reach(held, position + 1, left, at(costs, position));
      if (position === left - 1) reach(held, position, left - 1, 0);
      for (let p = 0; p < left; p++) if ((held >> p) % 2 === 1) reach(held, p, left, 0);
      if ((held >> position) % 2 === 1 || position >= left) continue;
      const stored = held | (1 << position);
      if (bitsOf(held) < slots) reach(stored, position, left, 0);
      else
        for (let p = 1; p < length; p++)
          if ((held >> p) % 2 === 1) reach(stored & ~(1 << p), position, left, 0);
    }
  }
  return expect.unreachable("every chain can be reversed");
}

function bitsOf(held: number): number {
  let count = 0;
  for (let rest = held; rest > 0; rest >>= 1) count += rest % 2;
  return count;
}

describe("the binomial schedule", () => {
  test("reaches r·l − C(s + r, r − 1) extra steps for every length to 200 and 1 to 20 slots, in these slots", () => {
    let asked = 0;
    for (const [length, slots] of sizes(LONGEST, MOST_SLOTS)) {
      const found = cost(binomialSchedule(length, slots), length);
      expect([length, slots, found.advances]).toEqual([length, slots, binomialCost(length, slots)]);
      expect(found.slots).toBeLessThanOrEqual(slots);
      asked += 1;
    }
    expect(asked).toBe(4000);
  });

  test("costs what the recurrence over all places of the next snapshot says, for every length to 200 and 1 to 20 slots", () => {
    const table = tabulated(LONGEST, MOST_SLOTS);
    for (const [length, slots] of sizes(LONGEST, MOST_SLOTS))
      expect([length, slots, binomialCost(length, slots)]).toEqual([
        length,
        slots,
        at(at(table, slots), length),
      ]);
  });

  test("says so of no schedule with another split", () => {
    const told = (shift: number): number => {
      let differing = 0;
      for (const [length, slots] of sizes(60, 5)) {
        const moved = [
          { kind: "store", slot: 0, at: 0 } as const,
          ...reversalOf({ from: 0, to: length, slot: 0, isThere: true }, slots, (from, to, free) =>
            Math.min(to - from - 1, Math.max(1, binomialSplit(to - from, free) + shift)),
          ),
        ];
        if (cost(moved, length).advances !== binomialCost(length, slots)) differing += 1;
      }
      return differing;
    };
    expect([told(0), told(1) > 0, told(-2) > 0]).toEqual([0, true, true]);
  });

  test("is one of a million steps with 20 slots too, made of 6,815,960 extra steps, in 20 slots, without recursion", () => {
    const found = cost(binomialSchedule(1_000_000, 20), 1_000_000);
    expect([found.advances, binomialCost(1_000_000, 20), found.slots <= 20]).toEqual([
      6_815_960,
      6_815_960,
      true,
    ]);
  });

  test("counts binomials exactly", () => {
    expect([binomial(28, 7), binomial(28, 20), binomial(5, 6), binomial(5, -1), binomial(0, 0)]).toEqual([
      1184040, 3108105, 0, 0, 1,
    ]);
  });
});

describe("the optimal schedule", () => {
  test("costs what it says, and with equal steps what the binomial one does", () => {
    for (const [length, slots] of sizes(40, 6)) {
      const found = optimalSchedule(new Array<number>(length).fill(1), slots);
      const { cost: least, actions } = found.ok ? found.value : expect.unreachable("a short chain");
      expect([least, cost(actions(), length).advances]).toEqual([
        binomialCost(length, slots),
        binomialCost(length, slots),
      ]);
    }
  });

  test("is no dearer than any schedule whatever, for chains of unequal steps to length 10", () => {
    const chains = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 10 });
    const property = fc.property(chains, fc.integer({ min: 1, max: 4 }), (costs, slots) => {
      const found = optimalSchedule(costs, slots);
      return found.ok && found.value.cost === exhaustive(costs, slots);
    });
    fc.assert(property, { seed: 19, numRuns: 60 });
    for (let slots = 1; slots <= 4; slots++)
      expect(exhaustive([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], slots)).toBe(binomialCost(10, slots));
  });

  test("costs, action by action, what it says of chains of unequal steps", () => {
    const chains = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 });
    const property = fc.property(chains, fc.integer({ min: 1, max: 6 }), (costs, slots) => {
      const found = optimalSchedule(costs, slots);
      if (!found.ok) return false;
      let spent = 0;
      for (const action of found.value.actions())
        if (action.kind === "advance")
          spent += costs.slice(action.from, action.to).reduce((total, step) => total + step, 0);
      return spent === found.value.cost && cost(found.value.actions(), costs.length).slots <= slots;
    });
    fc.assert(property, { seed: 20, numRuns: 100 });
  });

  test("is not looked for in a chain that is too long", () => {
    expect(failure(optimalSchedule(new Array<number>(MOST_STEPS + 1).fill(1), 3))).toBe("schedule/too-long");
  });
});

describe("snapshots taken without knowing the length", () => {
  test("cost at most 2.4 times the least, for every length to 200 and 1 to 20 slots, in these slots", () => {
    let [worst, most] = [0, 0];
    for (const [length, slots] of sizes(LONGEST, MOST_SLOTS)) {
      const online = new Online(slots);
      const forward: Action[] = [];
      for (let position = 0; position < length; position++) {
        if (online.arrive(position)) forward.push({ kind: "store", slot: 100 + position, at: position });
        most = Math.max(most, online.positions.length - slots);
        forward.push({ kind: "advance", from: position, to: position + 1 });
      }
      const back = [...reversalFrom(online.positions, length, slots)];
      const kept = [...online.positions.entries()].map(([slot, position]): Action[] => [
        { kind: "restore", slot: 100 + position, at: position },
        { kind: "store", slot, at: position },
      ]);
      const { advances } = cost([...forward, ...kept.flat(), ...back], length);
      worst = Math.max(worst, (advances - 1) / Math.max(1, binomialCost(length, slots)));
    }
    expect(most).toBe(0);
    expect(worst).toBeGreaterThan(2);
    expect(worst).toBeLessThan(2.4);
  });
});

describe("a schedule of segments", () => {
  test("makes each step at most twice", () => {
    for (let length = 1; length <= 120; length++)
      for (let segments = 1; segments <= length; segments += 2)
        expect(cost(segmentSchedule(length, segments), length).advances).toBeLessThan(2 * length);
  });
});

describe("a schedule", () => {
  const store: Action = { kind: "store", slot: 0, at: 0 };
  test.each<readonly [string, number, readonly Action[], string]>([
    ["restores from an empty slot", 1, [store, { kind: "restore", slot: 1, at: 0 }], "schedule/slot"],
    [
      "restores another position than the slot holds",
      1,
      [store, { kind: "restore", slot: 0, at: 1 }],
      "schedule/slot",
    ],
    [
      "advances from where the run does not stand",
      2,
      [store, { kind: "advance", from: 1, to: 2 }],
      "schedule/position",
    ],
    ["stores where the run does not stand", 2, [{ kind: "store", slot: 0, at: 1 }], "schedule/position"],
    ["reverses a step before a later one", 2, [store, { kind: "reverse", step: 0 }], "schedule/order"],
    ["reverses where the run does not stand", 2, [store, { kind: "reverse", step: 1 }], "schedule/position"],
    ["leaves steps", 1, [store], "schedule/order"],
    [
      "restores what it gave up",
      1,
      [store, { kind: "free", slot: 0 }, { kind: "restore", slot: 0, at: 0 }],
      "schedule/slot",
    ],
  ])("is refused that %s", (_what, length, actions, code) => {
    expect(failure(costOf(actions, length))).toBe(code);
  });
});

describe("a checkpointed tape of a chain", () => {
  /** x, x², x⁴ …: each node is the square of the last. */
  const LENGTH = 500;
  const data = {
    inputs: [[]],
    nodes: Array.from({ length: LENGTH }, (_, id) =>
      product(present(modular.levels.semiring, "a semiring"), id, id),
    ),
  };
  const point = { x: [scalar(residue(3n))], environment: noEnvironment };
  const subject = subjectOfData(modular.additive, data);

  test("computes again the extra steps of the formula, but for those of the recording", () => {
    for (const slots of [1, 2, 3, 5, 8, 500]) {
      const tape = binomialTape(slots).record(subject, point);
      const recorded = tape.ok ? tape.value : expect.unreachable("it records");
      recorded.backward(new Map());
      const { recomputedOperations, livePeak } = recorded.measure();
      expect(recomputedOperations).toBe(binomialCost(LENGTH, slots) - (LENGTH - 1));
      // The slots, but for the first, which are the input and one more where a slot's state is worked on.
      expect(livePeak / 8).toBeLessThanOrEqual(slots + 2);
    }
  });

  test("holds no more than its slots where it does not know the length either", () => {
    for (const slots of [1, 2, 3, 8]) {
      const tape = onlineTape(slots).record(subject, point);
      const recorded = tape.ok ? tape.value : expect.unreachable("it records");
      expect(recorded.backward(new Map()).ok).toEqual(ok(0).ok);
      expect(recorded.measure().livePeak / 8).toBeLessThanOrEqual(slots + 2);
    }
  });
});
