import { describe, expect, test } from "vitest";
import { type Decider, deciderOf } from "./decider.ts";
import { largerIsAbove } from "./obligations.test.kit.ts";
import { countDeciders } from "./show.ts";

const declarations = `(declare-sort Scalar 0)
(declare-fun f (Scalar Scalar) Scalar)
(declare-const s Scalar)
(declare-const t Scalar)
(declare-const p Bool)
(declare-const x Real)
(declare-const y Real)
(declare-const a (_ FloatingPoint 8 24))
(declare-const b (_ FloatingPoint 8 24))
(define-fun square ((r Real)) Real (* r r))
(define-fun both () Real (+ x y))
(define-fun again () Scalar (f s t))
(define-fun claim () Bool (= (+ x 0.0) x))`;

function decided(goal: string): Decider {
  return deciderOf({ ...largerIsAbove, declarations, goal });
}

describe("a goal is decided by", () => {
  test.each([
    "true",
    "(= (f s t) (f  s\n t))",
    "(and (= x x) (= (f s t) (f s t)))",
    "(=> p (= y y))",
  ])("having the same term twice: %s", (goal) => expect(decided(goal)).toBe("same term"));

  test.each([
    "(= (f s t) again)",
    "(= (square both) (+ (* x x) (* 2.0 x y) (square y)))",
    "(= (- x (- y)) both)",
    "(= (* (- 0.5) x) (- (/ 1.0 2.0) (+ (* 0.5 x) 0.5)))",
    "(= (fp.add RNE a b) (fp.add RNE b a))",
    "(= (ite (= x y) s t) (ite (= y x) s t))",
    "(= (let ((r (+ x y))) (* r r)) (square both))",
    "(and claim (= x (+ x 0.0)))",
  ])("its normal form: %s", (goal) => expect(decided(goal)).toBe("normal form"));

  test.each([
    "(= (f s t) (f t s))",
    "(= x y)",
    "(= (square x) x)",
    "(= (- x y) (- y x))",
    "(= (fp.add RNE a (fp.add RNE b b)) (fp.add RNE (fp.add RNE a b) b))",
    "(= (fp.sub RNE a b) (fp.sub RNE b a))",
    "(= (ite p x y) (ite p y x))",
    "(and (= x x) (= x y))",
    "(=> p (= x y))",
    "(or (= x x) (= x y))",
    "(<= x x)",
    "(= (forall ((r Real)) (= r x)) (forall ((q Real)) (= q x)))",
    "(= (f s t) (f s s))",
    "(= (+ x y) (+ x y y))",
    "p",
    largerIsAbove.goal,
  ])("nothing but a solver: %s", (goal) => expect(decided(goal)).toBe("solver"));
});

test("goals are counted by what decides them", () => {
  const goals = ["(= x x)", "(= (+ x 0.0) x)", "(= x y)", "(= y x)"];
  expect(countDeciders(goals.map((goal) => ({ ...largerIsAbove, declarations, goal })))).toEqual({
    "same term": 1,
    "normal form": 1,
    solver: 2,
  });
});
