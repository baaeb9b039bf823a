import { apply, type Expression, literal, read } from "../../../engines/plan/expression.ts";
import type { Instruction, LoopProgram } from "../../../engines/plan/program.ts";
import { commonSubexpressions } from "../../../engines/plan/rewrites/common_subexpressions.ts";
import { readsIn } from "../../../engines/plan/rewrites/expressions.ts";
import { units } from "../../../engines/plan/rewrites/units.ts";
import type { Obligation } from "../obligation.ts";
import { type Identity, identityObligation, PARAMETER, type WrongPair } from "./identity.ts";
import type { FormatName } from "./numbers.ts";
import { programOf, scalarProgram, whole } from "./programs.ts";

const [x, y, z, w] = [read(0), read(1), read(2), read(3)];
const c = literal(PARAMETER);
const [zero, minusZero, one, minusOne] = [literal(0), literal(-0), literal(1), literal(-1)];
const negative = (a: Expression): Expression => apply("negative", a);
const add = (a: Expression, b: Expression): Expression => apply("add", a, b);
const subtract = (a: Expression, b: Expression): Expression => apply("subtract", a, b);
const multiply = (a: Expression, b: Expression): Expression => apply("multiply", a, b);
const divide = (a: Expression, b: Expression): Expression => apply("divide", a, b);
const less = (a: Expression, b: Expression): Expression => apply("less", a, b);
const equal = (a: Expression, b: Expression): Expression => apply("equal", a, b);
const select = (a: Expression, b: Expression, d: Expression): Expression => apply("select", a, b, d);

/** Name, what is claimed, how many numbers, the expression, and the fault: its name, what it does, the expression it gives, and of what. */
type Row = readonly [
  name: string,
  statement: string,
  count: number,
  before: Expression,
  fault: string,
  told: string,
  after: Expression,
  of?: Expression,
];

/** Every single rule of the pass on expressions; the faults are what a pass that looks less closely would do. */
const rows: readonly Row[] = [
  ["times_one", "x · 1 is x", 1, multiply(x, one), "times_zero", "x · 0 is 0", zero, multiply(x, zero)],
  ["one_times", "1 · x is x", 1, multiply(one, x), "zero_times", "0 · x is 0", zero, multiply(zero, x)],
  [
    "times_minus_one",
    "x · (−1) is −x",
    1,
    multiply(x, minusOne),
    "zero_minus",
    "x · (−1) is 0 − x",
    subtract(zero, x),
  ],
  ["minus_one_times", "(−1) · x is −x", 1, multiply(minusOne, x), "sign_lost", "(−1) · x is x", x],
  [
    "signs_of_product",
    "(−x) · (−y) is x · y",
    2,
    multiply(negative(x), negative(y)),
    "one_sign",
    "(−x) · (−y) is −(x · y)",
    negative(multiply(x, y)),
  ],
  [
    "sign_into_second_factor",
    "(−x) · c is x · (−c)",
    1,
    multiply(negative(x), c),
    "sign_lost",
    "(−x) · c is x · c",
    multiply(x, c),
  ],
  [
    "sign_into_first_factor",
    "c · (−x) is (−c) · x",
    1,
    multiply(c, negative(x)),
    "sign_lost",
    "c · (−x) is c · x",
    multiply(c, x),
  ],
  ["over_one", "x ÷ 1 is x", 1, divide(x, one), "over_itself", "x ÷ x is 1", one, divide(x, x)],
  [
    "over_minus_one",
    "x ÷ (−1) is −x",
    1,
    divide(x, minusOne),
    "zero_minus",
    "x ÷ (−1) is 0 − x",
    subtract(zero, x),
  ],
  [
    "signs_of_quotient",
    "(−x) ÷ (−y) is x ÷ y",
    2,
    divide(negative(x), negative(y)),
    "turned",
    "(−x) ÷ (−y) is y ÷ x",
    divide(y, x),
  ],
  [
    "sign_into_divisor",
    "(−x) ÷ c is x ÷ (−c)",
    1,
    divide(negative(x), c),
    "sign_lost",
    "(−x) ÷ c is x ÷ c",
    divide(x, c),
  ],
  [
    "sign_into_dividend",
    "c ÷ (−x) is (−c) ÷ x",
    1,
    divide(c, negative(x)),
    "sign_lost",
    "c ÷ (−x) is c ÷ x",
    divide(c, x),
  ],
  ["plus_minus_zero", "x + (−0) is x", 1, add(x, minusZero), "plus_zero", "x + 0 is x", x, add(x, zero)],
  ["minus_zero_plus", "(−0) + x is x", 1, add(minusZero, x), "zero_plus", "0 + x is x", x, add(zero, x)],
  [
    "negative_plus",
    "(−x) + y is y − x",
    2,
    add(negative(x), y),
    "turned",
    "(−x) + y is x − y",
    subtract(x, y),
  ],
  ["plus_negative", "x + (−y) is x − y", 2, add(x, negative(y)), "sign_lost", "x + (−y) is x + y", add(x, y)],
  ["minus_zero", "x − 0 is x", 1, subtract(x, zero), "minus_itself", "x − x is 0", zero, subtract(x, x)],
  [
    "minus_zero_minus",
    "(−0) − x is −x",
    1,
    subtract(minusZero, x),
    "zero_minus",
    "0 − x is −x",
    negative(x),
    subtract(zero, x),
  ],
  [
    "minus_negative",
    "x − (−y) is x + y",
    2,
    subtract(x, negative(y)),
    "sign_lost",
    "x − (−y) is x − y",
    subtract(x, y),
  ],
  ["twice_negative", "−(−x) is x", 1, negative(negative(x)), "sign_kept", "−(−x) is −x", negative(x)],
  [
    "negative_product_first",
    "−(c · x) is (−c) · x",
    1,
    negative(multiply(c, x)),
    "both_signs",
    "−(c · x) is (−c) · (−x)",
    multiply(negative(c), negative(x)),
  ],
  [
    "negative_product_second",
    "−(x · c) is x · (−c)",
    1,
    negative(multiply(x, c)),
    "sign_lost",
    "−(x · c) is x · c",
    multiply(x, c),
  ],
  [
    "negatives_below",
    "−x < −y is y < x",
    2,
    less(negative(x), negative(y)),
    "unturned",
    "−x < −y is x < y",
    less(x, y),
  ],
  [
    "negative_below_number",
    "−x < c is −c < x",
    1,
    less(negative(x), c),
    "unturned",
    "−x < c is x < −c",
    less(x, negative(c)),
  ],
  [
    "number_below_negative",
    "c < −x is x < −c",
    1,
    less(c, negative(x)),
    "unturned",
    "c < −x is −c < x",
    less(negative(c), x),
  ],
  [
    "negatives_equal",
    "−x = −y is x = y",
    2,
    equal(negative(x), negative(y)),
    "always",
    "−x = −x is 1",
    one,
    equal(negative(x), negative(x)),
  ],
  [
    "choice_of_equals",
    "a choice between x and x is x",
    2,
    select(y, x, x),
    "first",
    "a choice between x and z is x",
    x,
    select(y, x, z),
  ],
  [
    "choice_decided_so",
    "a choice by 1 is the first",
    2,
    select(one, x, y),
    "turned",
    "a choice by 1 is the second",
    y,
  ],
  [
    "choice_decided_not",
    "a choice by 0 is the second",
    2,
    select(zero, x, y),
    "turned",
    "a choice by 0 is the first",
    x,
  ],
  [
    "choice_decided_not_negative",
    "a choice by −0 is the second",
    2,
    select(minusZero, x, y),
    "turned",
    "a choice by −0 is the first",
    x,
  ],
  [
    "choice_by_choice",
    "a choice by (z ? 1 : 0) is one by z",
    3,
    select(select(z, one, zero), x, y),
    "turned",
    "a choice by (z ? 1 : 0) is the opposite one by z",
    select(z, y, x),
  ],
  [
    "choice_by_opposite",
    "a choice by (z ? 0 : 1) is the opposite one by z",
    3,
    select(select(z, zero, one), x, y),
    "unturned",
    "a choice by (z ? 0 : 1) is one by z",
    select(z, x, y),
  ],
  [
    "choice_in_first",
    "z ? (z ? x : y) : w is z ? x : w",
    4,
    select(z, select(z, x, y), w),
    "other_branch",
    "z ? (z ? x : y) : w is z ? y : w",
    select(z, y, w),
  ],
  [
    "choice_in_second",
    "z ? x : (z ? y : w) is z ? x : w",
    4,
    select(z, x, select(z, y, w)),
    "other_branch",
    "z ? x : (z ? y : w) is z ? x : y",
    select(z, x, y),
  ],
  [
    "opposite_comparisons",
    "z < w ? x : (w < z ? y : x) is w < z ? y : x",
    4,
    select(less(z, w), x, select(less(w, z), y, x)),
    "as_if_total",
    "z < w ? x : (w < z ? y : x) is z < w ? x : y",
    select(less(z, w), x, y),
  ],
  ["sum_of_numbers", "1 + 1 is 2", 1, add(x, add(one, one)), "off_by_one", "1 + 1 is 3", add(x, literal(3))],
  [
    "comparison_of_numbers",
    "0 < 1 is 1, and 1 = 1 too",
    1,
    multiply(x, multiply(less(zero, one), equal(one, one))),
    "as_false",
    "0 < 1 is 0",
    multiply(x, zero),
  ],
];

/** Rules on whole instructions: what one loop makes is one number everywhere, or a fold of nothing or of one. */
function programs(): readonly Identity[] {
  const scalar = whole(0, []);
  const of = (value: number, expression: Expression): Instruction => {
    return { kind: "map", shape: [], reads: [scalar, whole(value, [])], expression };
  };
  const plus = (value: number): Instruction => of(value, add(x, y));
  const minus = (value: number): Instruction => of(value, subtract(x, y));
  const copy = programOf([[]], [{ kind: "map", shape: [], reads: [scalar], expression: x }]);
  const numbers = (value: number): Instruction => ({
    kind: "map",
    shape: [],
    reads: [],
    expression: literal(value),
  });
  const nothing: Instruction = { kind: "assemble", shape: [], isCovered: false, pieces: [] };
  const place = { offset: 0, strides: [0], indirections: [] };
  const nowhere: Instruction = {
    kind: "scatter",
    shape: [],
    base: undefined,
    over: [0],
    place,
    reads: [],
    expression: literal(1),
  };
  const fold = (operation: "add" | "maximum", extent: number): Instruction => ({
    kind: "fold",
    operation,
    shape: [],
    over: [extent],
    reads: [{ value: 0, offset: 0, strides: [1], indirections: [] }],
    expression: x,
  });
  const over = (extent: number, ...instructions: Instruction[]): LoopProgram =>
    programOf([[extent]], instructions);
  return [
    {
      name: "number_read_through",
      statement: "what is read of a value that is −0 everywhere is −0, so that adding it changes nothing",
      program: programOf([[]], [numbers(-0), plus(1)]),
      wrong: {
        name: "positive",
        fault: "a value of +0 is treated as one of −0",
        before: programOf([[]], [numbers(0), plus(1)]),
        after: copy,
      },
    },
    {
      name: "assembly_of_nothing",
      statement: "an assembly of nothing is +0, so that subtracting it changes nothing",
      program: programOf([[]], [nothing, minus(1)]),
      wrong: {
        name: "added",
        fault: "adding an assembly of nothing changes nothing",
        before: programOf([[]], [nothing, plus(1)]),
        after: copy,
      },
    },
    {
      name: "scatter_of_nothing",
      statement: "a scatter of nothing is +0, so that subtracting it changes nothing",
      program: programOf([[]], [nowhere, minus(1)]),
      wrong: {
        name: "added",
        fault: "adding a scatter of nothing changes nothing",
        before: programOf([[]], [nowhere, plus(1)]),
        after: copy,
      },
    },
    {
      name: "sum_of_nothing",
      statement: "the sum of nothing is +0",
      program: over(0, fold("add", 0)),
      wrong: { name: "negative", fault: "the sum of nothing is −0", after: over(0, numbers(-0)) },
    },
    {
      name: "maximum_of_nothing",
      statement: "the maximum of nothing is −∞",
      program: over(0, fold("maximum", 0)),
      wrong: { name: "zero", fault: "the maximum of nothing is 0", after: over(0, numbers(0)) },
    },
    {
      name: "maximum_of_one",
      statement: "the maximum of one element is the element",
      program: over(1, fold("maximum", 1)),
      wrong: {
        name: "sum_of_one",
        fault: "the sum of one element is the element",
        before: over(1, fold("add", 1)),
        after: over(1, {
          kind: "map",
          shape: [],
          reads: [{ value: 0, offset: 0, strides: [], indirections: [] }],
          expression: x,
        }),
      },
    },
  ];
}

/** The operands of a sum, a product and an equality have no order: what the merging of equal parts uses. */
function commuted(): readonly Identity[] {
  const twice = (one: Expression, other: Expression): LoopProgram => {
    const reads = [whole(0, []), whole(1, [])];
    const map = (expression: Expression): Instruction => ({ kind: "map", shape: [], reads, expression });
    return programOf([[], []], [map(one), map(other)], [2, 3]);
  };
  const [a, b] = [subtract(x, y), subtract(y, x)];
  return (
    [
      ["sums", "x + y and y + x", add],
      ["products", "x · y and y · x", multiply],
      ["equalities", "x = y and y = x", equal],
    ] as const
  ).map(([name, told, operation]) => ({
    name,
    statement: `${told} are computed once`,
    program: twice(operation(x, y), operation(y, x)),
    wrong: {
      name: "differences",
      fault: "x − y and y − x are computed once",
      before: twice(a, b),
      after: twice(a, a),
    },
  }));
}

/** The identities that the pass on units applies, each of them by the pass itself. */
export function unitIdentities(): readonly Identity[] {
  const ofRows = rows.map(
    ([name, statement, count, before, fault, told, after, of]): Identity => ({
      name,
      statement,
      program: scalarProgram(count, before),
      wrong: {
        name: fault,
        fault: `${told}.`,
        ...wrongPair(count, before, after, of),
      },
    }),
  );
  return [...ofRows, ...programs()];
}

/** Both programs read as many numbers, so that they have the same names. */
function wrongPair(
  count: number,
  before: Expression,
  after: Expression,
  of: Expression = before,
): Pick<WrongPair, "before" | "after"> {
  const read = Math.max(count, 1 + Math.max(-1, ...readsIn(of), ...readsIn(after)));
  return { before: scalarProgram(read, of), after: scalarProgram(read, after) };
}

/** Formats with the budget of one identity there: ten times the most that was measured. */
const budgets: readonly (readonly [FormatName, number])[] = [
  ["float16", 7_000_000],
  ["float32", 50_000_000],
  ["float64", 50_000_000],
];

/** Whether a program has a product or a quotient: what costs most, and at float64 too much. */
function isCostly({ program }: Identity): boolean {
  return /"(multiply|divide)"/.test(JSON.stringify(program));
}

/** What the bit-exact profile rewrites of scalars, in each format. */
export function unitObligations(): readonly Obligation[] {
  const all = [
    ...unitIdentities().map((identity) => ({ identity, rewrite: "units", pass: units }) as const),
    ...commuted().map(
      (identity) => ({ identity, rewrite: "common_subexpressions", pass: commonSubexpressions }) as const,
    ),
  ];
  return budgets.flatMap(([format, rlimit]) =>
    all
      .filter(({ identity }) => format !== "float64" || !isCostly(identity))
      .map(({ identity, rewrite, pass }) => {
        const isQuick = format === "float32" && rewrite === "units" && !isCostly(identity);
        const tier = format === "float16" || isQuick ? "everyday" : "long";
        return identityObligation(identity, { rewrite, pass, format, rlimit, tier });
      }),
  );
}
