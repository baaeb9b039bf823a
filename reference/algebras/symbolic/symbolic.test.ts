import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { InvariantError, type OrderedReal, present } from "../../../spec/index.ts";
import { float64 } from "../float.ts";
import { formatRational, rational, rationalFromNumber } from "../rational.ts";
import { type SymbolicAlgebra, symbolic } from "./algebra.ts";
import { evaluateTerms } from "./evaluate.ts";
import type { TermLaw } from "./laws.ts";
import { declarationsOf, definitionsOf, letTerm, writeTerms } from "./smtlib.ts";
import { operandsKey, type ScalarTerm, type Term, termStore } from "./terms.ts";
import { overReals, realNumeral, uninterpreted } from "./vocabulary.ts";
import { countNodes } from "./walk.ts";

const floats = present(float64.levels.orderedReal, "ordered reals");

/** An operation and which of the values so far it takes. */
type Instruction = readonly [code: number, left: number, right: number];

/** Runs instructions on x, y, 0 and 1: a program over any ordered reals. */
function run<S, B>(a: OrderedReal<S, B>, [x, y]: readonly [S, S], program: readonly Instruction[]): S[] {
  const values = [x, y, a.zero, a.one];
  for (const [code, left, right] of program) {
    const value = step(a, code, values[left % values.length] ?? x, values[right % values.length] ?? y);
    values.push(value);
  }
  return values;
}

function step<S, B>(a: OrderedReal<S, B>, code: number, x: S, y: S): S {
  const steps: readonly (() => S)[] = [
    () => a.add(x, y),
    () => a.multiply(x, y),
    () => a.negative(x),
    () => a.divide(x, y),
    () => a.select(a.less(x, y), x, y),
    () => a.select(a.equal(x, y), a.zero, a.one),
    () => a.floor(x),
    () => a.hypot(x, a.literal(-0.75)),
    () => a.sin(x),
  ];
  return present(steps[code], "a step")();
}

/**
 * Returns a program and numbers on which its term has another value than the program; `null` if there are
 * none.
 */
function misreading(make: () => SymbolicAlgebra): unknown {
  const programs = fc.array(fc.tuple(fc.nat(8), fc.nat(5), fc.nat(5)), { maxLength: 8 });
  const number = fc.oneof(fc.double(), fc.constantFrom(-0, 0, 1, Number.POSITIVE_INFINITY));
  const faithful = fc.property(programs, number, number, (program, x, y) => {
    const a = make();
    const [p, q] = [a.variable("x"), a.variable("y")];
    const terms = [...run(a.operations, [p, q], program), ...run(a.operations, [q, p], program)];
    const values = evaluateTerms(float64, terms, { scalar: (name) => (name === "x" ? x : y) });
    const wanted = [...run(floats, [x, y], program), ...run(floats, [y, x], program)];
    return values.every((value, index) => Object.is(value, wanted[index]));
  });
  return fc.check(faithful, { seed: 5, numRuns: 1000 }).counterexample;
}

describe("terms are the program that made them", () => {
  it("evaluates to the bits that the program itself has", () => {
    expect(misreading(() => symbolic())).toBeNull();
  });

  it("does so with the laws that floats obey applied", () => {
    expect(misreading(() => symbolic(["involution", "one", "commutativity"]))).toBeNull();
  });

  test("consing that ignores the order of operands is found out", () => {
    const sorted = (operator: string, operands: readonly Term[]): string =>
      operandsKey(
        operator,
        [...operands].sort((a, b) => a.id - b.id),
      );
    expect(misreading(() => symbolic([], termStore(sorted)))).not.toBeNull();
  });

  test("consing that ignores the operator is found out", () => {
    const anonymous = (_operator: string, operands: readonly Term[]): string => operandsKey("", operands);
    expect(misreading(() => symbolic([], termStore(anonymous)))).not.toBeNull();
  });

  test.each<TermLaw>(["zero", "annihilation"])("the law of %s, which floats break, is found out", (law) => {
    expect(misreading(() => symbolic([law]))).not.toBeNull();
  });
});

describe("a term exists once", () => {
  it("is the same object for the same expression, and another one for operands the other way round", () => {
    const a = symbolic();
    const [x, y] = [a.variable("x"), a.variable("y")];
    const { add, select, less } = a.operations;
    expect(a.isSame(add(x, y), add(a.variable("x"), a.variable("y")))).toBe(true);
    expect(a.isSame(add(x, y), add(y, x))).toBe(false);
    expect(select(less(x, y), x, y)).toBe(select(less(x, y), x, y));
    expect(select(less(x, y), x, y)).not.toBe(select(less(y, x), x, y));
  });

  it("keeps the zeros of floats apart, and takes 1 and the unit for one", () => {
    const { operations } = symbolic();
    expect(operations.literal(-0)).not.toBe(operations.literal(0));
    expect(operations.literal(1)).toBe(operations.one);
  });

  it("simplifies nothing unasked, and by each law what the law says", () => {
    const left = symbolic();
    const x = left.variable("x");
    expect(left.operations.add(x, left.operations.zero)).not.toBe(x);
    const right = symbolic(["zero", "one", "annihilation", "involution", "commutativity"]);
    const { add, multiply, negative, zero, one } = right.operations;
    const [y, z] = [right.variable("y"), right.variable("z")];
    expect([add(zero, y), multiply(y, one), negative(negative(y)), multiply(zero, y)]).toEqual([
      y,
      y,
      y,
      zero,
    ]);
    expect(add(z, y)).toBe(add(y, z));
    expect(right.operations.divide(z, y)).not.toBe(right.operations.divide(y, z));
  });

  it("costs one node a step where the text without sharing doubles at each", () => {
    const a = symbolic();
    let x: ScalarTerm = a.variable("x");
    for (let count = 0; count < 5000; count++) x = a.operations.add(x, x);
    expect(countNodes([x])).toBe(5001);
    expect(letTerm(x).length).toBeLessThan(5001 * 40);
    const one = { numerator: 1n, denominator: 1n };
    expect(evaluateTerms(rational, [x], { scalar: () => one })[0]?.numerator).toBe(2n ** 5000n);
  });
});

describe("what SMT-LIB reads", () => {
  const a = symbolic();
  const [x, y] = [a.variable("x"), a.variable("y")];
  const { add, multiply, select, less, floor, exp, literal } = a.operations;

  it("binds what is shared, and nothing else", () => {
    const square = multiply(x, x);
    expect(a.format(add(square, y))).toBe("(+ (* x x) y)");
    expect(a.format(add(square, square))).toBe("(let (($1 (* x x))) (+ $1 $1))");
  });

  it("writes comparison, floor and literals in the theory of reals, and declares what that lacks", () => {
    const term = select(less(x, y), floor(x), exp(literal(-0.375)));
    expect(letTerm(term)).toBe("(ite (< x y) (to_real (to_int x)) (exp (- (/ 3.0 8.0))))");
    expect(declarationsOf([term])).toBe(
      "(declare-const x Real)\n(declare-const y Real)\n(declare-fun exp (Real) Real)",
    );
  });

  it("writes names and nothing more where nothing is known of operators", () => {
    const term = add(multiply(x, x), multiply(x, x));
    const written = writeTerms([term, a.operations.zero], uninterpreted, "k");
    expect(definitionsOf(written)).toBe("(define-fun k1 () Val (multiply x x))");
    expect(written.texts).toEqual(["(add k1 k1)", "zero"]);
    expect(declarationsOf([term, a.operations.zero], uninterpreted).split("\n")).toEqual([
      "(declare-sort Val 0)",
      "(declare-const zero Val)",
      "(declare-const x Val)",
      "(declare-fun multiply (Val Val) Val)",
      "(declare-fun add (Val Val) Val)",
    ]);
  });

  it("gives a literal the exact value of its float", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const plain = realNumeral(value)
          .replace(/\(- (.*)\)$/, "-$1")
          .replace(/\(\/ (\S+) (\S+)\)/, "$1/$2");
        expect(plain.replaceAll(".0", "")).toBe(formatRational(rationalFromNumber(value)));
      }),
      { seed: 3 },
    );
    expect(overReals.literal(Number.NaN)).toEqual({ text: "|literal NaN|", isDeclared: true });
  });

  it("reads back the numbers and names it writes, what people write, and no operation", () => {
    const small = literal(2 ** -1074);
    for (const one of [x, literal(-0.375), literal(1e300), small]) expect(a.parse(a.format(one))).toBe(one);
    expect(a.parse("2.5e1")).toBe(literal(25));
    for (const text of ["(+ x y)", "(/ 1.0 3.0)", "let", "", "(- 1.0"]) expect(a.parse(text)).toBeUndefined();
  });

  it("refuses names that SMT-LIB or the algebra has taken, or that stand for a truth value already", () => {
    for (const name of ["let", "exp", "zero", "$1", "", "a b"]) {
      expect(() => a.variable(name)).toThrow(InvariantError);
    }
    a.truth("p");
    expect(() => a.variable("p")).toThrow(InvariantError);
    expect(() => a.truth("x")).toThrow(InvariantError);
  });
});
