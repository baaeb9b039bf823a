import { describe, expect, test } from "vitest";
import { largerIsAbove } from "../obligations.test.kit.ts";
import { goalScript, mutantScript, vacuityScript } from "../script.ts";
import { type Printed, readAnswer } from "./reading.ts";

const goal = goalScript(largerIsAbove);
const vacuity = vacuityScript(largerIsAbove);
const [mutant] = largerIsAbove.mutants.map((each) => mutantScript(largerIsAbove, each));
if (mutant === undefined) throw new Error("the kit's obligation has lost its mutant");

function printed(verdict: string, evidence = "", reason = ""): Printed {
  return { verdict, evidence, reason };
}

describe("what a solver printed", () => {
  test("is a core, the values asked for by position, or a model by name", () => {
    expect(readAnswer(goal, printed("unsat\n", "(a |b c|)\n"))).toEqual({
      kind: "proved",
      core: ["a", "b c"],
    });
    expect(readAnswer(mutant, printed("sat\n", "((x 1) ((+ y  0) (- 2)))"))).toEqual({
      kind: "refuted",
      model: new Map([
        ["x", "1"],
        ["y", "(- 2)"],
      ]),
    });
    const model =
      "((declare-fun Store!0 () Store) (define-fun negated-goal () Bool (= x 1)) (define-fun x () Int 1) (define-fun f ((a Int)) Int (+ a 1)))";
    expect(readAnswer(goal, printed("sat", model))).toEqual({
      kind: "refuted",
      model: new Map([
        ["x", "1"],
        ["f", "((a Int)) ↦ (+ a 1)"],
      ]),
    });
    expect(readAnswer(vacuity, printed("sat\n"))).toEqual({ kind: "refuted", model: new Map() });
    expect(readAnswer(goal, printed("unknown", "", '(:reason-unknown "smt tactic failed")'))).toEqual({
      kind: "unknown",
      reason: "smt tactic failed",
    });
  });

  test.each([
    printed(""),
    printed("sat unsat", "()"),
    printed("sat\nunsupported", "()"),
    printed('sat\n(error "line 1")', "((x 1) (y 2))"),
    printed('(error "line 1")\nunsat', "()"),
    printed("(unsat)", "()"),
    printed("unsat)", "()"),
    printed("proved", "()"),
    printed("unsat", ""),
    printed("unsat", '(error "no core")'),
    printed("unsat", "(a (b))"),
    printed("unsat", "(a) (b)"),
    printed("unsat", "(a"),
    printed("sat", ""),
    printed("sat", '(error "no model")'),
    printed("sat", "((x 1))"),
    printed("sat", "((x 1) (y))"),
    printed("sat", "(x y)"),
  ])("is no answer if it is %j", (text) => {
    expect(readAnswer(mutant, text).kind).toBe("crashed");
  });
});
