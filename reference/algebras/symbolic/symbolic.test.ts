import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { InvariantError, type OrderedReal } from "../../../spec/index.ts";
import { float64 } from "../float.ts";
import { rational, rationalFromNumber } from "../rational.ts";
import { type SymbolicAlgebra, symbolic } from "./algebra.ts";
import { evaluateTerms } from "./evaluate.ts";
import type { TermLaw } from "./laws.ts";
import { declarationsOf, definitionsOf, letTerm, writeTerms } from "./smtlib.ts";
import { operandsKey, type ScalarTerm, type TruthTerm, termStore } from "./terms.ts";
import { overReals, realNumeral, uninterpreted } from "./vocabulary.ts";
import { countNodes } from "./walk.ts";

/** Operations in the order of a list of numbers, on a stack of scalars: a program over any ordered reals. */
function run<S, B>(a: OrderedReal<S, B>, inputs: readonly [S, S], codes: readonly number[]): S {
  let [x, y] = inputs;
  for (const code of codes) [x, y] = [step(a, code % 9, x, y), x];
  return x;
}

function step<S, B>(a: OrderedReal<S, B>, code: number, x: S, y: S): S {
  const steps = [
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
  return steps[code]?.() ?? x;
}

const programs = fc.array(fc.nat(8), { maxLength: 12 });

/** Programs that the algebra gives one term although some numbers tell them apart. */
function confusions(make: () => SymbolicAlgebra): number {
  let confused = 0;
  fc.assert(
    fc.property(programs, programs, (left, right) => {
      const a = make();
      const term = (codes: readonly number[]): ScalarTerm =>
        run(a.operations, [a.variable("x"), a.variable("y")], codes);
      const values = (codes: readonly number[]): readonly number[] =>
        numbers.map(([x, y]) => run<number, boolean>(floats, [x, y], codes));
      const isApart = values(left).some((value, index) => !Object.is(value, values(right)[index]));
      if (term(left) === term(right) && isApart) confused += 1;
    }),
    { seed: 5, numRuns: 400, examples: [[[3], [3, 1, 3]], [[2, 3], [2, 1]]] },
  );
  return confused;
}

const numbers: readonly (readonly [number, number])[] = [
  [0.5, -3],
  [-0, 0],
  [7.25, 7.25],
];
const floats: OrderedReal<number, boolean> = float64.levels.orderedReal ?? expect.fail("floats offer all");
