import { forUnary } from "../../spec/operators/index.ts";
import {
  type Algebra,
  everyLevel,
  type Issue,
  type OrderedReal,
  ok,
  present,
  type Result,
} from "../../spec/shapes/index.ts";
import { notReal, type Posit, positValue, positWidth, roundToPosit } from "../algebras/posit_format.ts";
import { type Rational, rational, rationalFromNumber } from "../algebras/rational.ts";
import { positBinary, positUnary } from "./posit_functions.ts";
import { formatPosit, parsePosit, positNotation } from "./posit_text.ts";
import { quireSums } from "./quire.ts";

/** A sum rounds at each addition, or once at the end in a quire. */
export type Accumulation = "rounded" | "quire";

/**
 * The posits of a width [Posit Standard (2022)]. Elements are codes, and every operation is the exact result
 * rounded once. NaR is what has no value; it spreads, equals itself, and is less than all others. There is
 * one zero. With a quire, cotangents are accumulated and `sum`, `matmul` and their composites are computed
 * exactly and rounded once. Elements are written as codes, `0x` and all digits of the width; numbers are read
 * rounded. Fails: `posit/width`.
 */
export function posit(
  width: number,
  accumulation: Accumulation = "rounded",
): Result<Algebra<Posit, boolean>, Issue> {
  const known = positWidth(width);
  return known.ok ? ok(algebraOf(width, accumulation)) : known;
}

function algebraOf(width: number, accumulation: Accumulation): Algebra<Posit, boolean> {
  const operations = { ...operationsOf(width), ...(accumulation === "quire" ? quireSums(width) : {}) };
  return {
    name: accumulation === "quire" ? `posit${width}(quire)` : `posit${width}`,
    additive: operations,
    levels: everyLevel(operations),
    isSame: (x, y) => x === y,
    notation: positNotation(width),
    format: (x) => formatPosit(width, x),
    parse: (text) => parsePosit(width, text),
  };
}

function operationsOf(width: number): OrderedReal<Posit, boolean> {
  const nothing = notReal(width);
  const value = (x: Posit): Rational => positValue(width, x);
  const rounded = (x: Rational): Posit => roundToPosit(width, x);
  const exactly = present(rational.levels.orderedField, "the rational numbers");
  return {
    zero: 0n,
    one: rounded(exactly.one),
    detach: (x) => x,
    add: (x, y) => rounded(exactly.add(value(x), value(y))),
    multiply: (x, y) => rounded(exactly.multiply(value(x), value(y))),
    divide: (x, y) => rounded(exactly.divide(value(x), value(y))),
    literal: (x) => rounded(rationalFromNumber(x)),
    negative: (x) => (x === nothing ? x : -x),
    less: (x, y) => x < y,
    equal: (x, y) => x === y,
    select: (condition, x, y) => (condition ? x : y),
    floor: (x) => rounded(exactly.floor(value(x))),
    ...forUnary((name) => (x: Posit) => positUnary(width, name, x)),
    pow: (x, y) => positBinary(width, "pow", x, y),
    atan2: (y, x) => positBinary(width, "atan2", y, x),
    hypot: (x, y) => positBinary(width, "hypot", x, y),
  };
}
