import { afterAll, describe, expect, test } from "vitest";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { deciderOf } from "../decider.ts";
import { faultsOfForm } from "../form.ts";
import { prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { emitterObligations } from "./index.ts";

const all = emitterObligations();
const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

describe("the obligations of emitters", () => {
  test("are made, of good form, and left to the solver", () => {
    expect(all.filter(({ crash }) => crash !== undefined)).toEqual([]);
    expect(all.length).toBeGreaterThan(60);
    expect(all.flatMap(faultsOfForm)).toEqual([]);
    expect(all.map(deciderOf).filter((decider) => decider !== "solver")).toEqual([]);
  });

  test.each(sampled("emitters", all, 4))("$id is proved, and its mutants are run", async (one) => {
    expect((await prove(one, solver)).faults).toEqual([]);
  });
});
