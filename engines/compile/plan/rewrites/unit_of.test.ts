import { describe, expect, test } from "vitest";
import { at } from "../../../../spec/index.ts";
import type { Precision } from "../executable.ts";
import {
  type Application,
  applicationsOf,
  apply,
  type Expression,
  literal,
  read,
  type ScalarFunction,
} from "../expression.ts";
import type { LoopProgram } from "../program.ts";
import { Choice, differences } from "../programs.test.kit.ts";
import { walk } from "../walk.test.kit.ts";
import { isLiteral, simplified } from "./expressions.ts";
import { unitOf } from "./unit_of.ts";

type Rule = (application: Application) => Expression | undefined;

const special: readonly number[] = [0, -0, 1, -1, 0.1, -3, 1e-60, Number.POSITIVE_INFINITY, Number.NaN];
const literals: readonly number[] = [0, -0, 1, -1, 2, 0.1, 0.7, 1e-60, 1e60];

/** Makes a random expression of two reads, of few different parts, so that equal ones meet. */
function expressionOf(choice: Choice, depth: number): Expression {
  if (depth === 0) {
    if (choice.happens(0.55)) return read(choice.below(2));
    return literal(at(literals, choice.below(literals.length)));
  }
  const part = (): Expression => expressionOf(choice, choice.between(0, depth - 1));
  const name = choice.of<ScalarFunction>(
    "add",
    "subtract",
    "multiply",
    "divide",
    "negative",
    "less",
    "equal",
    "select",
    "select",
  );
  const [x, y, z] = [part(), part(), part()];
  if (name === "negative") return apply(name, x);
  if (name !== "select") return apply(name, x, y);
  // Maxima and the like choose by comparing what they choose from.
  const condition = choice.happens(0.6) ? apply("less", x, y) : part();
  if (choice.happens(0.3))
    return apply("select", condition, z, apply("select", apply("less", y, x), part(), z));
  return choice.happens(0.2)
    ? apply("select", condition, apply("select", condition, z, x), y)
    : apply("select", condition, y, z);
}

/** Makes the program of an expression for all pairs of special numbers. */
function programOf(expression: Expression): LoopProgram {
  const count = special.length;
  return {
    sources: [{ origin: { kind: "input", position: 0 }, shape: [count] }],
    indexSources: [],
    instructions: [
      {
        kind: "map",
        shape: [count, count],
        reads: [
          { value: 0, offset: 0, strides: [1, 0], indirections: [] },
          { value: 0, offset: 0, strides: [0, 1], indirections: [] },
        ],
        expression,
      },
    ],
    results: [1],
  };
}

/** Counts how often a rule applies to random expressions, and lists growth and changed numbers as faults. */
function trialOf(rule: Rule, trees: number): { readonly fired: number; readonly faults: readonly string[] } {
  const choice = new Choice(20);
  const faults: string[] = [];
  let fired = 0;
  for (let n = 0; n < trees; n++) {
    const before = expressionOf(choice, 4);
    const after = simplified(before, (application) => {
      const simpler = rule(application);
      if (simpler !== undefined) fired += 1;
      return simpler;
    });
    if (applicationsOf(after).length > applicationsOf(before).length)
      faults.push(JSON.stringify([before, after]));
    for (const precision of ["float64", "float32"] satisfies Precision[]) {
      const numbers = precision === "float64" ? Float64Array.from(special) : Float32Array.from(special);
      const [wrong] = differences(
        walk(programOf(before), precision, [numbers]).slice(1),
        walk(programOf(after), precision, [numbers]).slice(1),
      );
      if (wrong !== undefined) faults.push(`${precision}: ${JSON.stringify([before, after])}: ${wrong}`);
    }
  }
  return { fired, faults };
}

const besides =
  (wrong: Rule): Rule =>
  (application) =>
    unitOf(application) ?? wrong(application);

describe("the units of IEEE arithmetic", () => {
  test("change no bit in either precision, and make nothing larger", () => {
    const { fired, faults } = trialOf(unitOf, 2000);
    expect(faults).toEqual([]);
    expect(fired).toBeGreaterThan(1000);
  });

  const [x, y] = [read(0), read(1)];
  const negative = (part: Expression): Expression => apply("negative", part);
  const [less, greater] = [apply("less", x, y), apply("less", y, x)];
  const two = literal(2);
  test.each<readonly [string, Expression, Expression]>([
    ["2 + 2", apply("add", two, two), literal(4)],
    ["2 − 2", apply("subtract", two, two), literal(0)],
    ["2 · 2", apply("multiply", two, two), literal(4)],
    ["2 ÷ 2", apply("divide", two, two), literal(1)],
    ["2 < 2", apply("less", two, two), literal(0)],
    ["1 < 2", apply("less", literal(1), two), literal(1)],
    ["2 = 2", apply("equal", two, two), literal(1)],
    ["1 = 2", apply("equal", literal(1), two), literal(0)],
    ["x · 1", apply("multiply", x, literal(1)), x],
    ["1 · x", apply("multiply", literal(1), x), x],
    ["x · −1", apply("multiply", x, literal(-1)), negative(x)],
    ["−1 · x", apply("multiply", literal(-1), x), negative(x)],
    ["−x · −y", apply("multiply", negative(x), negative(y)), apply("multiply", x, y)],
    ["−x · 2", apply("multiply", negative(x), two), apply("multiply", x, literal(-2))],
    ["2 · −x", apply("multiply", two, negative(x)), apply("multiply", literal(-2), x)],
    ["x ÷ 1", apply("divide", x, literal(1)), x],
    ["x ÷ −1", apply("divide", x, literal(-1)), negative(x)],
    ["−x ÷ −y", apply("divide", negative(x), negative(y)), apply("divide", x, y)],
    ["−x ÷ 2", apply("divide", negative(x), two), apply("divide", x, literal(-2))],
    ["2 ÷ −x", apply("divide", two, negative(x)), apply("divide", literal(-2), x)],
    ["x + −0", apply("add", x, literal(-0)), x],
    ["−0 + x", apply("add", literal(-0), x), x],
    ["−x + y", apply("add", negative(x), y), apply("subtract", y, x)],
    ["x + −y", apply("add", x, negative(y)), apply("subtract", x, y)],
    ["x − 0", apply("subtract", x, literal(0)), x],
    ["−0 − x", apply("subtract", literal(-0), x), negative(x)],
    ["x − −y", apply("subtract", x, negative(y)), apply("add", x, y)],
    ["−2", negative(two), literal(-2)],
    ["−−x", negative(negative(x)), x],
    ["−(2 · x)", negative(apply("multiply", two, x)), apply("multiply", literal(-2), x)],
    ["−(x · 2)", negative(apply("multiply", x, two)), apply("multiply", x, literal(-2))],
    ["−x < −y", apply("less", negative(x), negative(y)), greater],
    ["−x < 2", apply("less", negative(x), two), apply("less", literal(-2), x)],
    ["2 < −x", apply("less", two, negative(x)), apply("less", x, literal(-2))],
    ["−x = −y", apply("equal", negative(x), negative(y)), apply("equal", x, y)],
    ["a choice between equal reads", apply("select", less, x, read(0)), x],
    ["a choice between equal numbers", apply("select", less, two, literal(2)), two],
    ["a choice between equal sums", apply("select", x, less, less), less],
    ["a choice by 1", apply("select", two, x, y), x],
    ["a choice by 0", apply("select", literal(0), x, y), y],
    [
      "a choice by a choice of 1 or 0",
      apply("select", apply("select", x, two, literal(0)), x, y),
      apply("select", x, x, y),
    ],
    [
      "a choice by a choice of 0 or 1",
      apply("select", apply("select", x, literal(0), two), x, y),
      apply("select", x, y, x),
    ],
    [
      "a choice within its first branch",
      apply("select", less, apply("select", less, x, two), y),
      apply("select", less, x, y),
    ],
    [
      "a choice within its second branch",
      apply("select", less, x, apply("select", less, two, y)),
      apply("select", less, x, y),
    ],
    [
      "a choice of neither",
      apply("select", less, x, apply("select", greater, y, x)),
      apply("select", greater, y, x),
    ],
  ])("%s is something smaller", (_, before, after) => {
    expect(before.kind === "apply" && unitOf(before)).toEqual(after);
  });

  test.each<readonly [string, Expression]>([
    ["0.1 + 0.1, which depends on the precision", apply("add", literal(0.1), literal(0.1))],
    ["2 + 0.1", apply("add", two, literal(0.1))],
    ["0.1 + 2", apply("add", literal(0.1), two)],
    ["x + 0", apply("add", x, literal(0))],
    ["0 + x", apply("add", literal(0), x)],
    ["x − −0", apply("subtract", x, literal(-0))],
    ["0 − x", apply("subtract", literal(0), x)],
    ["1 ÷ x", apply("divide", literal(1), x)],
    ["−x · y", apply("multiply", negative(x), y)],
    ["x · −y", apply("multiply", x, negative(y))],
    ["−x ÷ y", apply("divide", negative(x), y)],
    ["−(x + 2)", negative(apply("add", x, two))],
    ["−(x · y)", negative(apply("multiply", x, y))],
    ["−x < y", apply("less", negative(x), y)],
    ["x < −y", apply("less", x, negative(y))],
    ["−x = y", apply("equal", negative(x), y)],
    ["x = −y", apply("equal", x, negative(y))],
    ["a choice between 0 and −0", apply("select", x, literal(0), literal(-0))],
    ["a choice between reads", apply("select", less, x, y)],
    ["a choice by what float32 takes for 0", apply("select", literal(1e-60), x, y)],
    ["a choice by a choice of 1 or 2", apply("select", apply("select", x, literal(1), two), x, y)],
    ["a choice by a choice of 0 or −0", apply("select", apply("select", x, literal(0), literal(-0)), x, y)],
    ["a choice by a choice of 1 or y", apply("select", apply("select", x, literal(1), y), x, y)],
    ["a choice by a choice of y or 0", apply("select", apply("select", x, y, literal(0)), x, y)],
    ["a choice by a choice of 0 or y", apply("select", apply("select", x, literal(0), y), x, y)],
    ["a choice by a choice of y or 1", apply("select", apply("select", x, y, literal(1)), x, y)],
    [
      "a choice within one by another",
      apply("select", less, apply("select", x, x, two), apply("select", y, two, y)),
    ],
    ["a choice of neither that ends otherwise", apply("select", less, x, apply("select", greater, x, y))],
    [
      "a choice of neither by half the opposite",
      apply("select", less, x, apply("select", apply("less", y, y), y, x)),
    ],
    [
      "a choice of neither by the other half",
      apply("select", less, x, apply("select", apply("less", x, x), y, x)),
    ],
    [
      "a choice of neither by equality",
      apply("select", less, x, apply("select", apply("equal", y, x), y, x)),
    ],
    [
      "a choice of neither after equality",
      apply("select", apply("equal", x, y), x, apply("select", greater, y, x)),
    ],
  ])("%s is not", (_, before) => {
    expect(before.kind === "apply" && unitOf(before)).toBeUndefined();
  });

  test.each<readonly [string, Rule]>([
    [
      "x + 0 is x",
      ({ function: name, operands: [x, y] }) => (name === "add" && isLiteral(y, 0) ? x : undefined),
    ],
    [
      "0 · x is 0",
      ({ function: name, operands: [x, y] }) => (name === "multiply" && isLiteral(x, 0) ? y && x : undefined),
    ],
    [
      "−(x − y) is y − x",
      ({ function: name, operands: [x] }) => {
        const [a, b] = x?.kind === "apply" && x.function === "subtract" ? x.operands : [];
        return name === "negative" && a !== undefined && b !== undefined
          ? apply("subtract", b, a)
          : undefined;
      },
    ],
    [
      "what is not less is greater",
      ({ function: name, operands: [condition, x, y] }) => {
        const [a, b] = condition?.kind === "apply" && condition.function === "less" ? condition.operands : [];
        const isRead = a?.kind === "read" && b?.kind === "literal";
        return name === "select" && isRead && x && y && !(y.kind === "read")
          ? apply("select", apply("less", b, a), y, x)
          : undefined;
      },
    ],
    [
      "numbers add up in float64",
      ({ function: name, operands: [x, y] }) =>
        name === "add" && x?.kind === "literal" && y?.kind === "literal"
          ? literal(x.value + y.value)
          : undefined,
    ],
    [
      "what float64 does not take for 0 is true",
      ({ function: name, operands: [x, y] }) =>
        name === "select" && x?.kind === "literal" && x.value !== 0 ? y : undefined,
    ],
  ])("do not hold with the belief that %s", (_, wrong) => {
    // A wrong rule that turns a choice round would be applied forever, so each application is visited once.
    const once = new Set<Expression>();
    const rule: Rule = (application) => {
      if (once.has(application)) return undefined;
      const simpler = wrong(application);
      if (simpler !== undefined) once.add(simpler);
      return simpler;
    };
    expect(trialOf(besides(rule), 1500).faults).not.toEqual([]);
  });
});
