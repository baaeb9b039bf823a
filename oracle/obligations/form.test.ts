import { describe, expect, test } from "vitest";
import { faultsOfForm } from "./form.ts";
import type { Obligation } from "./obligation.ts";
import { either, largerIsAbove, stepStays } from "./obligations.test.kit.ts";

const [mutant] = stepStays.mutants;
if (mutant === undefined) throw new Error("the kit's obligation has lost its mutant");

describe("the form of an obligation", () => {
  test.each([largerIsAbove, stepStays, either])("is right in $id", (obligation) => {
    expect(faultsOfForm(obligation)).toEqual([]);
  });

  test.each<[string, Partial<Obligation>]>([
    ["is no id", { id: "../step" }],
    ["is no id", { id: "a//b" }],
    [
      "two hypotheses are called induction",
      { hypotheses: [...stepStays.hypotheses, ...stepStays.hypotheses] },
    ],
    ["cannot name a hypothesis", { hypotheses: [...stepStays.hypotheses, { name: "a b", formula: "true" }] }],
    [
      "is the name of the goal",
      { hypotheses: [...stepStays.hypotheses, { name: "negated-goal", formula: "true" }] },
    ],
    ["names other, which is no hypothesis", { requiredCore: ["other"] }],
    ["it has no mutant", { mutants: [] }],
    ["no mutant leaves out or changes definition", { requiredCore: ["definition"] }],
    ["two mutants are called any-term", { mutants: [mutant, mutant] }],
    ["cannot name a mutant", { mutants: [{ ...mutant, name: "a/b" }] }],
    ["leaves out nothing, which is no hypothesis", { mutants: [{ ...mutant, without: ["nothing"] }] }],
    ["its rlimit is 0", { rlimit: 0 }],
    ["do more than declare: assert", { declarations: `${stepStays.declarations} (assert false)` }],
    ["do more than declare: set-option", { mutants: [{ ...mutant, declarations: "(set-option :a b)" }] }],
    ["are not SMT-LIB", { declarations: "(declare-const x Int" }],
    ["not one term: true) (and true", { goal: "true) (and true" }],
    ["not one term: true true", { goal: "true true" }],
    ["not one term: true ; so", { goal: "true ; so" }],
    ["not one term: ", { mutants: [{ ...mutant, ask: [""] }] }],
  ])("is wrong where it %s", (what, change) => {
    expect(faultsOfForm({ ...stepStays, ...change })).toContainEqual(expect.stringContaining(what));
  });
});
