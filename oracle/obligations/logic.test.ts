import { describe, expect, test } from "vitest";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { allObligations } from "./index.ts";
import { faultsOfLogic, featuresOf, leastLogic } from "./logic.ts";
import { largerIsAbove, stepStays } from "./obligations.test.kit.ts";

describe("the logic of a script", () => {
  test("is a standard one that covers what the script uses, for all obligations", async () => {
    expect(sampled("logics", await allObligations(), 150).flatMap(faultsOfLogic)).toEqual([]);
  });

  test.each([
    ["(declare-const x Int) (assert (< (* 2 x) 3))", "QF_LIA"],
    ["(declare-const x Int) (assert (< (* x x) 3))", "QF_NIA"],
    ["(define-fun half () Real (/ 1 2)) (declare-const x Real) (assert (< (* half x) 3.0))", "QF_LRA"],
    ["(define-fun times ((a Real) (b Real)) Real (* a b))", "QF_NRA"],
    ["(declare-fun f (Real) Real) (assert (= (f 1.0) (* (f 2.0) (f 3.0))))", "QF_UFNRA"],
    ["(declare-sort S 0) (declare-const x S) (assert (= x x))", "QF_UF"],
    ["(declare-sort S 0) (assert (forall ((x S)) (= x x)))", "UF"],
    ["(declare-const w (_ BitVec 8)) (assert (= w w))", "QF_BV"],
    ["(declare-const x Float16) (assert (fp.lt x x))", "QF_FP"],
    ["(declare-const x Float16) (declare-const r Real) (assert (< (fp.to_real x) r))", "QF_FPLRA"],
    ["(declare-const a (Array Int Int)) (declare-fun f (Int) Int)", "QF_AUFLIA"],
    ["(declare-const x Int) (declare-const r Real) (assert (< (to_real x) r))", "QF_LIRA"],
    // No standard logic has both floats and products of integers.
    ["(declare-const x Float16) (declare-const i Int) (assert (< (* i i) 3))", "ALL"],
  ])("of %s is %s", (text, logic) => {
    expect(leastLogic(featuresOf(text))).toBe(logic);
  });

  test.each([
    ["ALL", "names the logic ALL, where QF_LIA is enough"],
    ["QF_LRA", "uses integers, which QF_LRA lacks: QF_LIA has it"],
    ["QF_LAI", "names the logic QF_LAI, which is no standard one"],
  ])("is refused if it is %s for linear integers", (logic, fault) => {
    expect(faultsOfLogic({ ...largerIsAbove, logic })).toContain(`${largerIsAbove.id} ${fault}`);
  });

  test("is refused if it lacks functions", () => {
    expect(faultsOfLogic({ ...stepStays, logic: "QF_LIA" })).toHaveLength(3);
    expect(faultsOfLogic(stepStays)).toEqual([]);
  });

  test("of a mutant may be its own", () => {
    const [mutant] = largerIsAbove.mutants;
    if (mutant === undefined) throw new Error("the mutant is missing");
    const floats = "(declare-const x Float16)\n(declare-const y Float16)";
    const own = { ...mutant, logic: "QF_FP", declarations: floats, goal: "(fp.lt x y)" };
    expect(faultsOfLogic({ ...largerIsAbove, mutants: [own] })).toEqual([]);
    const { logic: _, ...lacking } = own;
    expect(faultsOfLogic({ ...largerIsAbove, mutants: [lacking] })).toHaveLength(1);
  });
});
