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
import { checkPositFormat, type PositFormat, positName } from "../../spec/wire/index.ts";
import { notReal, type Posit, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { type Rational, rational, rationalFromNumber } from "../algebras/rational.ts";
import { positBinary, positUnary } from "./posit_functions.ts";
import { formatPosit, parsePosit, positNotation } from "./posit_text.ts";
import { quireSums } from "./quire.ts";

/** A sum rounds at each addition, or once at the end in a quire. */
export type Accumulation = "rounded" | "quire";

/**
 * The posits of a format [Posit Standard (2022)]. Elements are codes, and every operation is the exact result
 * rounded once. NaR is what has no value; it spreads, equals itself, and is less than all others. There is
 * one zero. With a quire, cotangents are accumulated and `sum`, `matmul` and their composites are computed
 * in it and rounded once. Elements are written as codes, `0x` and all digits of the width; numbers are read
 * rounded. Fails: `posit/width`, `posit/format`.
 */
export function posit(
  format: PositFormat,
  accumulation: Accumulation = "rounded",
): Result<Algebra<Posit, boolean>, Issue> {
  const known = checkPositFormat(format);
  return known.ok ? ok(algebraOf(format, accumulation)) : known;
}

function algebraOf(format: PositFormat, accumulation: Accumulation): Algebra<Posit, boolean> {
  const operations = { ...operationsOf(format), ...(accumulation === "quire" ? quireSums(format) : {}) };
  return {
    name: `${positName(format)}${accumulation === "quire" ? "(quire)" : ""}`,
    additive: operations,
    levels: everyLevel(operations),
    isSame: (x, y) => x === y,
    notation: positNotation(format),
    format: (x) => formatPosit(format, x),
    parse: (text) => parsePosit(format, text),
  };
}

function operationsOf(format: PositFormat): OrderedReal<Posit, boolean> {
  const nothing = notReal(format);
  const value = (x: Posit): Rational => positValue(format, x);
  const rounded = (x: Rational): Posit => roundToPosit(format, x);
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
    ...forUnary((name) => (x: Posit) => positUnary(format, name, x)),
    pow: (x, y) => positBinary(format, "pow", x, y),
    atan2: (y, x) => positBinary(format, "atan2", y, x),
    hypot: (x, y) => positBinary(format, "hypot", x, y),
  };
}
