import {
  apply,
  type Expression,
  literal,
  type RewriteName,
  read,
} from "../../../engines/compile/plan/index.ts";
import type { Obligation } from "../obligation.ts";
import { algebraicObligation, type Rewriting } from "./algebraic.ts";
import type { FormatName } from "./numbers.ts";
import { scalarProgram } from "./programs.ts";
import { realMutant } from "./real_mutants.ts";
import type { Given } from "./theories.ts";

const [x, y, z] = [read(0), read(1), read(2)];
const add = (a: Expression, b: Expression): Expression => apply("add", a, b);
const subtract = (a: Expression, b: Expression): Expression => apply("subtract", a, b);
const multiply = (a: Expression, b: Expression): Expression => apply("multiply", a, b);
const divide = (a: Expression, b: Expression): Expression => apply("divide", a, b);

/** A law of the reals is listed with the rewrite that would use it; the fast regime uses the first two. */
const rows: readonly (readonly [
  name: string,
  rewrite: RewriteName,
  statement: string,
  count: number,
  before: Expression,
  after: Expression,
  format: FormatName,
])[] = [
  [
    "product_and_sum",
    "contraction",
    "x · y + z may be rounded once",
    3,
    add(multiply(x, y), z),
    apply("multiply_add", x, y, z),
    "float16",
  ],
  [
    "three_terms",
    "reassociation",
    "(x + y) + z is x + (y + z)",
    3,
    add(add(x, y), z),
    add(x, add(y, z)),
    "float16",
  ],
  ["difference_of_same", "units", "x − x is 0", 1, subtract(x, x), literal(0), "float32"],
  ["product_with_zero", "zeros", "x · 0 is 0", 1, multiply(x, literal(0)), literal(0), "float32"],
  ["zero_minus", "units", "0 − x is −x", 1, subtract(literal(0), x), apply("negative", x), "float32"],
  [
    "product_of_sum",
    "reassociation",
    "(x + y) · z is x · z + y · z",
    3,
    multiply(add(x, y), z),
    add(multiply(x, z), multiply(y, z)),
    "float16",
  ],
  ["sum_minus_summand", "units", "(x + y) − y is x", 2, subtract(add(x, y), y), x, "float16"],
];

/** Rewrites x ÷ y to x · (1 ÷ y); the hypotheses say what dividing by what is not 0 means. */
function reciprocal(): Rewriting {
  const pair = {
    before: scalarProgram(2, divide(x, y)),
    after: scalarProgram(2, multiply(x, divide(literal(1), y))),
  };
  const unknowns = [
    { kind: "application", term: "(divide x y)", function: "divide", operands: ["x", "y"] },
    { kind: "application", term: "(divide one y)", function: "divide", operands: [1, "y"] },
  ] as const;
  const faults = [
    ["divided_by_zero", "y may be 0.", "not_zero", { x: 3, y: 0 }],
    ["any_quotient", "x ÷ y is any number.", "quotient", { x: 3, y: 2 }],
    ["any_inverse", "1 ÷ y is any number.", "inverse", { x: 3, y: 2 }],
  ] as const;
  return {
    name: "quotient_by_reciprocal",
    rewrite: "units",
    statement: "x ÷ y is x · (1 ÷ y), where y is not 0",
    pair,
    laws: "reals",
    hypotheses: [
      { name: "not_zero", formula: "(not (= y 0.0))" },
      { name: "quotient", formula: "(=> (not (= y 0.0)) (= (* (divide x y) y) x))" },
      { name: "inverse", formula: "(=> (not (= y 0.0)) (= (* (divide one y) y) 1.0))" },
    ],
    mutants: faults.map(([name, fault, without, given]) =>
      realMutant({ name, fault, without, pair, given, unknowns }),
    ),
    format: "float16",
    given: { x: 770, y: 3 },
    rlimit: 60_000_000,
  };
}

/** Some numbers of models are given, so that a solver need not search for all of them. */
const givens: Readonly<Record<string, Given>> = {
  product_and_sum: { x: 1 + 2 ** -10, y: 1 + 3 * 2 ** -10, z: -1 },
  three_terms: { x: 1, y: 2 ** -11, z: -1 },
  product_of_sum: { x: 1, y: 0.69091796875, z: 3 },
  sum_minus_summand: { x: -0.257080078125, y: 1 },
};

/** States identities of reals that IEEE arithmetic lacks: no regime that owes bits may use them. */
export function realObligations(): readonly Obligation[] {
  const ofRows = rows.map(([name, rewrite, statement, count, before, after, format]): Rewriting => {
    const pair = { before: scalarProgram(count, before), after: scalarProgram(count, after) };
    return {
      name,
      rewrite,
      statement,
      pair,
      laws: "reals",
      format,
      given: givens[name] ?? {},
      rlimit: 60_000_000,
    };
  });
  return [...ofRows, reciprocal()].map(algebraicObligation);
}
