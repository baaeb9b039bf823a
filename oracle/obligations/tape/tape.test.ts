import { afterAll, describe, expect, test } from "vitest";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { askedOf, prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { tapeObligations } from "./index.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

describe("what is said of the tape for all inputs is proved, and every fault shows in the code that runs", () => {
  test.each(sampled("tape", tapeObligations(), 4))("$id", async (obligation) => {
    const record = await prove(obligation, solver);
    expect(record.faults).toEqual([]);
    // A budget is about ten times what was spent.
    for (const { reply } of askedOf(record)) expect((reply.spent ?? 0) * 3).toBeLessThan(obligation.rlimit);
  });
});
