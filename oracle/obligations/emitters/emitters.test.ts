import { afterAll, describe, expect, test } from "vitest";
import { primitiveNames } from "../../../spec/index.ts";
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
  const isOfC = ({ id }: (typeof all)[number]): boolean => /^emitters\/c\/(?!lanes$)/.test(id);

  test("are made, of good form, and left to the solver unless they are of C", () => {
    expect(all.filter(({ crash }) => crash !== undefined)).toEqual([]);
    expect(all.length).toBeGreaterThan(60);
    expect(all.flatMap(faultsOfForm)).toEqual([]);
    expect(all.filter((one) => (deciderOf(one) === "solver") === isOfC(one))).toEqual([]);
  });

  test("are there of every primitive in C but those that a routine or another formula computes", () => {
    const missing = primitiveNames.filter((op) => !all.some(({ id }) => id === `emitters/c/${op}`));
    expect(missing.toSorted()).toEqual("bernoulli_mask constant det erf full iota solve tanh".split(" "));
  });

  test.each(sampled("emitters", all, 4))("$id is proved, and its mutants are run", async (one) => {
    expect((await prove(one, solver)).faults).toEqual([]);
  });
});
