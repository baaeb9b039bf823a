import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Action, binomialCost, binomialSchedule } from "../reference/package.ts";

/** Lean's kernel has computed these: chains, slots, actions and extra steps. */
const examples = readFileSync(
  new URL("../lean-export/lean/Adjudge/Tapes/Examples.lean", import.meta.url),
  "utf8",
);

const written = [
  ...examples.matchAll(/binomialSchedule (\d+) (\d+) = \[([^\]]*)\]\s*∧ binomialCost (\d+) (\d+) = (\d+)/g),
].map(([, length, free, actions = "", again, slots, cost]) => ({
  length: Number(length),
  free: Number(free),
  actions: actions.trim().split(/,\s*/),
  again: Number(again),
  slots: Number(slots),
  cost: Number(cost),
}));

/** Returns an action as Lean writes it. */
function lean(action: Action): string {
  switch (action.kind) {
    case "advance":
      return `.advance ${action.from} ${action.to}`;
    case "reverse":
      return `.reverse ${action.step}`;
    case "free":
      return `.free ${action.slot}`;
    default:
      return `.${action.kind} ${action.slot} ${action.at}`;
  }
}

describe("the binomial schedules that Lean has written out", () => {
  test("are three", () => {
    expect(written.map(({ length, slots }) => [length, slots])).toEqual([
      [10, 3],
      [6, 1],
      [1, 2],
    ]);
  });

  test.each(written)("are the reference's, action by action: $length steps with $slots slots", (example) => {
    const { length, slots, actions, cost } = example;
    expect(example).toMatchObject({ free: slots - 1, again: length });
    expect([...binomialSchedule(length, slots)].map(lean)).toEqual(actions);
    expect(binomialCost(length, slots)).toBe(cost);
    // A longer chain has another one.
    expect([...binomialSchedule(length + 1, slots)].map(lean)).not.toEqual(actions);
  });
});
