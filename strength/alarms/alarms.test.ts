import { describe, expect, test } from "vitest";
import { interpreterEngine, mutants } from "../../engines/index.ts";
import { mix } from "../../oracle/index.ts";
import { present } from "../../spec/index.ts";
import { alarmTables } from "./report.ts";
import { type AlarmOrders, searchAlarms } from "./run.ts";
import { openIn, sumOf } from "./tally.ts";

const orders: AlarmOrders = {
  dtype: "float64",
  profile: mix,
  seed: 5,
  first: 0,
  components: 24_000,
  cases: 500,
  lawsEvery: 7,
};

describe("the search for false alarms", () => {
  test("finds none in the interpreter, and ends when so many numbers were judged", async () => {
    const run = await searchAlarms(interpreterEngine(), orders);
    expect(run.alarms).toEqual([]);
    expect(run.judged).toBeGreaterThanOrEqual(24_000);
    expect(run.judged).toBe(sumOf(Object.values(run.tally.parts)).within);
  });

  test("raises an alarm on mutants whose faults exceed the bounds", async () => {
    for (const name of ["cos_sign_lost", "single_inside_double", "fan_out_overwritten"]) {
      const { engine } = present(
        mutants.find((mutant) => mutant.name === name),
        name,
      );
      const { alarms } = await searchAlarms(engine(), orders);
      expect(alarms.length, name).toBeGreaterThan(0);
    }
  });

  test("counts the same for the same orders, and in two parts what it counts in one", async () => {
    const whole = await searchAlarms(interpreterEngine(), { ...orders, cases: 24 });
    const first = await searchAlarms(interpreterEngine(), { ...orders, cases: 10 });
    const rest = await searchAlarms(interpreterEngine(), { ...orders, first: first.next, cases: 14 });
    expect(alarmTables(await searchAlarms(interpreterEngine(), { ...orders, cases: 24 }))).toBe(
      alarmTables(whole),
    );
    expect(rest.next).toBe(whole.next);
    expect(first.judged + rest.judged).toBe(whole.judged);
  });

  test("does not count as judged what has no bound", async () => {
    const { tally, judged } = await searchAlarms(interpreterEngine(), {
      ...orders,
      components: 30_000,
      cases: 200,
    });
    const all = sumOf(Object.values(tally.parts));
    expect(openIn(all)).toBeGreaterThan(0);
    expect(judged).toBe(all.within + all.outside);
  });
});
