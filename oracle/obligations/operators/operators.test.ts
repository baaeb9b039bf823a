import { afterAll, describe, expect, test } from "vitest";
import { rational, rationalFromNumber, rules, symbolic } from "../../../reference/package.ts";
import { type PrimitiveName, primitiveNames, primitives } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { faultsOfForm } from "../form.ts";
import type { Obligation } from "../obligation.ts";
import { isProved, prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { operatorObligations } from "./index.ts";
import { readRational } from "./model.ts";
import { isIdentity, polynomialOf } from "./normal_form.ts";
import { purify } from "./purify.ts";
import { inputsOf, type RuleOf, rightForward, sidesOf, useOf } from "./sides.ts";
import { solutionPairs } from "./solutions.ts";
import { usages } from "./usages.ts";

const all = operatorObligations();
const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

const of = (op: PrimitiveName, family: string): readonly Obligation[] =>
  all.filter(({ id }) => `${id}/`.startsWith(`operators/${op}/${family}/`));

/** These have no operand to be differentiated by, so no derivative obligation. */
const withoutDerivative = (op: PrimitiveName): boolean => primitives[op].arity === 0;

/** Computes both sides of adjointness over symbols, purified. */
function sidesAt<K extends PrimitiveName>(op: K, index: number): ReturnType<typeof purify> {
  const algebra = symbolic();
  const usage = usages[op][index];
  if (usage === undefined) throw new Error("no such usage");
  const rule: RuleOf<K> = rules[op];
  const use = useOf(op, usage);
  const { left, right } = sidesOf(rule, rightForward, use, algebra, inputsOf(use, algebra.variable));
  return purify(algebra, [left, right]);
}

describe("the obligations of the primitives", () => {
  test("are at least 200, of different ids and of good form", () => {
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.flatMap(faultsOfForm)).toEqual([]);
  });

  test("leave no primitive out", () => {
    expect(primitiveNames.filter((op) => of(op, "adjoint").length === 0)).toEqual([]);
    expect(primitiveNames.filter((op) => of(op, "derivative").length === 0)).toEqual(
      primitiveNames.filter(withoutDerivative),
    );
  });

  test("never divide by anything but a numeral", () => {
    const texts = all.flatMap(({ goal, declarations, hypotheses }) => [
      goal,
      declarations,
      ...hypotheses.map(({ formula }) => formula),
    ]);
    expect(texts.filter((text) => /\(\/ (?![0-9.]+ [0-9.]+\))/.test(text))).toEqual([]);
  });

  test.each(primitiveNames)("of %s: both sides have one normal form, at every use", (op) => {
    usages[op].forEach((_, index) => {
      const { terms, symbols } = sidesAt(op, index);
      const [left, right] = terms;
      expect(left !== undefined && right !== undefined && isIdentity(left, right, symbols)).toBe(true);
    });
  });

  test("of solve: both sides are linear in the tangents together and in the cotangents, so directions are enough", () => {
    usages.solve.forEach((_, index) => {
      for (const term of sidesAt("solve", index).terms) {
        for (const { monomial } of polynomialOf(term).values()) {
          const degreeOf = (prefix: RegExp): number =>
            [...monomial].reduce((sum, [name, exponent]) => sum + (prefix.test(name) ? exponent : 0), 0);
          expect([degreeOf(/^dx/), degreeOf(/^c\./)]).toEqual([1, 1]);
        }
      }
    });
  });

  test("of solve: the equation of its tangent is linear in the tangents, so directions are enough", () => {
    for (const usage of usages.solve) {
      const algebra = symbolic();
      const use = useOf("solve", usage);
      const pairs = solutionPairs(use, algebra, inputsOf(use, algebra.variable));
      for (const pair of pairs.slice(pairs.length / 2)) {
        for (const term of purify(algebra, pair).terms) {
          for (const { monomial } of polynomialOf(term).values()) {
            const tangents = [...monomial].filter(([name]) => name.startsWith("dx"));
            expect(tangents.map(([, exponent]) => exponent)).toEqual([1]);
          }
        }
      }
    }
  });

  test("of elements, of floor, of stop_gradient and of solutions are proved, and their mutants run", async () => {
    const chosen = [
      ...of("pow", "derivative/elements"),
      ...of("divide", "derivative/elements"),
      ...of("floor", "derivative/between-integers"),
      ...of("stop_gradient", "derivative/definition"),
      ...of("solve", "derivative/2x2_2x1"),
    ];
    expect(chosen.length).toBe(5);
    for (const obligation of chosen) expect((await prove(obligation, solver)).faults).toEqual([]);
  });

  const firsts = primitiveNames.flatMap((op) =>
    [of(op, "adjoint")[0], of(op, "derivative")[0]].filter((one) => one !== undefined),
  );

  test.each(
    sampled("operators", firsts, 15),
  )("$id is proved by Z3, and its mutants are refuted and run", async (obligation) => {
    const record = await prove(obligation, solver);
    expect(record.faults).toEqual([]);
    expect(isProved(record)).toBe(true);
    expect(record.mutants.every(({ execution }) => execution?.showsFault)).toBe(true);
  });
});

describe("the normal form", () => {
  const { operations: a, variable } = symbolic();
  const [x, y] = [variable("x"), variable("y")];

  test("is the same of equal polynomials, and not of others", () => {
    const square = a.multiply(a.add(x, y), a.add(x, y));
    const expanded = a.add(
      a.multiply(x, x),
      a.add(a.multiply(a.literal(2), a.multiply(x, y)), a.multiply(y, y)),
    );
    expect(isIdentity(square, expanded, [])).toBe(true);
    expect(isIdentity(square, a.add(a.multiply(x, x), a.multiply(y, y)), [])).toBe(false);
  });

  test("tells cases apart: the larger and the smaller are the sum, but the larger twice is not", () => {
    const larger = a.select(a.less(x, y), y, x);
    const smaller = a.select(a.less(x, y), x, y);
    expect(isIdentity(a.add(larger, smaller), a.add(x, y), [])).toBe(true);
    expect(isIdentity(a.add(larger, larger), a.add(x, y), [])).toBe(false);
  });
});

test("numbers of models are read exactly, and algebraic ones are not rounded", () => {
  expect(rational.format(readRational("(- (/ 1.0 4.0))") ?? rationalFromNumber(0))).toBe("-1/4");
  expect(readRational("(root-obj (+ (^ x 2) (- 2)) 1)")).toBeUndefined();
});
