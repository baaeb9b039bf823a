import { apply, type Expression, literal, read, readsIn } from "../../../engines/compile/plan/index.ts";
import { type Identity, PARAMETER, type WrongPair } from "./identity.ts";
import { scalarProgram } from "./programs.ts";

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

/** A row has name, claim, count of numbers, expression, and a fault: its name, effect, result, source. */
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

/** Each rule of the pass on expressions has a fault that a less careful pass would make. */
const rows: readonly Row[] = [
  ["times_one", "x · 1 is x", 1, multiply(x, one), "times_zero", "x · 0 is 0", zero, multiply(x, zero)],
  ["one_times", "1 · x is x", 1, multiply(one, x), "zero_times", "0 · x is 0", zero, multiply(zero, x)],
  ["times_minus_one", "x · (−1) is −x", 1, multiply(x, minusOne), "zero_minus", "x · (−1) is 0 − x", subtract(zero, x)],
  ["minus_one_times", "(−1) · x is −x", 1, multiply(minusOne, x), "sign_lost", "(−1) · x is x", x],
  ["signs_of_product", "(−x) · (−y) is x · y", 2, multiply(negative(x), negative(y)), "one_sign", "(−x) · (−y) is −(x · y)", negative(multiply(x, y))],
  ["sign_into_second_factor", "(−x) · c is x · (−c)", 1, multiply(negative(x), c), "sign_lost", "(−x) · c is x · c", multiply(x, c)],
  ["sign_into_first_factor", "c · (−x) is (−c) · x", 1, multiply(c, negative(x)), "sign_lost", "c · (−x) is c · x", multiply(c, x)],
  ["over_one", "x ÷ 1 is x", 1, divide(x, one), "over_itself", "x ÷ x is 1", one, divide(x, x)],
  ["over_minus_one", "x ÷ (−1) is −x", 1, divide(x, minusOne), "zero_minus", "x ÷ (−1) is 0 − x", subtract(zero, x)],
  ["signs_of_quotient", "(−x) ÷ (−y) is x ÷ y", 2, divide(negative(x), negative(y)), "turned", "(−x) ÷ (−y) is y ÷ x", divide(y, x)],
  ["sign_into_divisor", "(−x) ÷ c is x ÷ (−c)", 1, divide(negative(x), c), "sign_lost", "(−x) ÷ c is x ÷ c", divide(x, c)],
  ["sign_into_dividend", "c ÷ (−x) is (−c) ÷ x", 1, divide(c, negative(x)), "sign_lost", "c ÷ (−x) is c ÷ x", divide(c, x)],
  ["plus_minus_zero", "x + (−0) is x", 1, add(x, minusZero), "plus_zero", "x + 0 is x", x, add(x, zero)],
  ["minus_zero_plus", "(−0) + x is x", 1, add(minusZero, x), "zero_plus", "0 + x is x", x, add(zero, x)],
  ["negative_plus", "(−x) + y is y − x", 2, add(negative(x), y), "turned", "(−x) + y is x − y", subtract(x, y)],
  ["plus_negative", "x + (−y) is x − y", 2, add(x, negative(y)), "sign_lost", "x + (−y) is x + y", add(x, y)],
  ["minus_zero", "x − 0 is x", 1, subtract(x, zero), "minus_itself", "x − x is 0", zero, subtract(x, x)],
  ["minus_zero_minus", "(−0) − x is −x", 1, subtract(minusZero, x), "zero_minus", "0 − x is −x", negative(x), subtract(zero, x)],
  ["minus_negative", "x − (−y) is x + y", 2, subtract(x, negative(y)), "sign_lost", "x − (−y) is x − y", subtract(x, y)],
  ["twice_negative", "−(−x) is x", 1, negative(negative(x)), "sign_kept", "−(−x) is −x", negative(x)],
  ["negative_product_first", "−(c · x) is (−c) · x", 1, negative(multiply(c, x)), "both_signs", "−(c · x) is (−c) · (−x)", multiply(negative(c), negative(x))],
  ["negative_product_second", "−(x · c) is x · (−c)", 1, negative(multiply(x, c)), "sign_lost", "−(x · c) is x · c", multiply(x, c)],
  ["negatives_below", "−x < −y is y < x", 2, less(negative(x), negative(y)), "unturned", "−x < −y is x < y", less(x, y)],
  ["negative_below_number", "−x < c is −c < x", 1, less(negative(x), c), "unturned", "−x < c is x < −c", less(x, negative(c))],
  ["number_below_negative", "c < −x is x < −c", 1, less(c, negative(x)), "unturned", "c < −x is −c < x", less(negative(c), x)],
  ["negatives_equal", "−x = −y is x = y", 2, equal(negative(x), negative(y)), "always", "−x = −x is 1", one, equal(negative(x), negative(x))],
  ["choice_of_equals", "a choice between x and x is x", 2, select(y, x, x), "first", "a choice between x and z is x", x, select(y, x, z)],
  ["choice_decided_so", "a choice by 1 is the first", 2, select(one, x, y), "turned", "a choice by 1 is the second", y],
  ["choice_decided_not", "a choice by 0 is the second", 2, select(zero, x, y), "turned", "a choice by 0 is the first", x],
  ["choice_decided_not_negative", "a choice by −0 is the second", 2, select(minusZero, x, y), "turned", "a choice by −0 is the first", x],
  ["choice_by_choice", "a choice by (z ? 1 : 0) is one by z", 3, select(select(z, one, zero), x, y), "turned", "a choice by (z ? 1 : 0) is the opposite one by z", select(z, y, x)],
  ["choice_by_opposite", "a choice by (z ? 0 : 1) is the opposite one by z", 3, select(select(z, zero, one), x, y), "unturned", "a choice by (z ? 0 : 1) is one by z", select(z, x, y)],
  ["choice_in_first", "z ? (z ? x : y) : w is z ? x : w", 4, select(z, select(z, x, y), w), "other_branch", "z ? (z ? x : y) : w is z ? y : w", select(z, y, w)],
  ["choice_in_second", "z ? x : (z ? y : w) is z ? x : w", 4, select(z, x, select(z, y, w)), "other_branch", "z ? x : (z ? y : w) is z ? x : y", select(z, x, y)],
  ["opposite_comparisons", "z < w ? x : (w < z ? y : x) is w < z ? y : x", 4, select(less(z, w), x, select(less(w, z), y, x)), "as_if_total", "z < w ? x : (w < z ? y : x) is z < w ? x : y", select(less(z, w), x, y)],
  ["sum_of_numbers", "1 + 1 is 2", 1, add(x, add(one, one)), "off_by_one", "1 + 1 is 3", add(x, literal(3))],
  ["comparison_of_numbers", "0 < 1 is 1, and 1 = 1 too", 1, multiply(x, multiply(less(zero, one), equal(one, one))), "as_false", "0 < 1 is 0", multiply(x, zero)],
]; // biome-ignore format: a table

/** Lists the rules that the pass on units has for expressions of scalars. */
export function scalarRules(): readonly Identity[] {
  return rows.map(([name, statement, count, before, fault, told, after, of]) => ({
    name,
    statement,
    program: scalarProgram(count, before),
    wrong: { name: fault, fault: `${told}.`, ...wrongPair(count, before, after, of) },
  }));
}

/** Both programs read as many numbers, so that these have the same names. */
function wrongPair(
  count: number,
  before: Expression,
  after: Expression,
  of: Expression = before,
): Pick<WrongPair, "before" | "after"> {
  const read = Math.max(count, 1 + Math.max(-1, ...readsIn(of), ...readsIn(after)));
  return { before: scalarProgram(read, of), after: scalarProgram(read, after) };
}
