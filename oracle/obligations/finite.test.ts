import { describe, expect, test } from "vitest";
import { evaluateTerms, symbolic } from "../../reference/package.ts";
import { finiteAlgebra, nameParts, tableOf, tableOfAsked } from "./finite.ts";

const { operations: a, variable } = symbolic();
const [x, y] = [variable("x"), variable("y")];
const sum = a.add(x, y);
const product = a.multiply(sum, a.zero);

/** A solver may give this model of the product's parts. */
const model = new Map([
  ["x", "e1"],
  ["y", "e2"],
  ["zero", "e0"],
  ["t1", "e3"],
  ["t2", "e1"],
]);

describe("the algebra that a model is", () => {
  test("has every part of the terms by name, each once, operands first", () => {
    const { names, definitions } = nameParts([product, sum], "t");
    expect(names.toSorted()).toEqual([...model.keys()].toSorted());
    expect(definitions).toBe("(define-fun t1 () Val (add x y))\n(define-fun t2 () Val (multiply t1 zero))");
  });

  test("gives terms the values that the model gives them", () => {
    const named = nameParts([product], "t");
    const table = tableOf(model, [named]);
    const scalar = (name: string): string => table.element(name) ?? expect.fail(name);
    expect(evaluateTerms(finiteAlgebra(table), [sum, product], { scalar })).toEqual(["e3", "e1"]);
    // The model does not say what the operands give in the other order.
    expect(() => evaluateTerms(finiteAlgebra(table), [a.add(y, x)], { scalar })).toThrow("add e2 e1");
    const completion = { literal: () => "other", result: () => "other" };
    expect(evaluateTerms(finiteAlgebra(table, completion), [a.add(y, x), a.one], { scalar })).toEqual([
      "other",
      "other",
    ]);
  });

  test("is read from terms that were asked for as they are written", () => {
    const asked = ["x", "(pull x)", "(add x (pull x))"];
    const table = tableOfAsked(new Map(asked.map((text, n) => [text, `e${n}`])), asked);
    expect(table.result("pull", ["e0"])).toBe("e1");
    expect(table.result("add", ["e0", "e1"])).toBe("e2");
    expect(table.result("add", ["e1", "e0"])).toBeUndefined();
    expect(() => tableOfAsked(new Map([["(pull x)", "e0"]]), ["(pull x)"])).toThrow("of x");
  });

  test("is none where a function has two results at one place", () => {
    const two = new Map([
      ["x", "e0"],
      ["y", "e0"],
      ["(pull x)", "e1"],
      ["(pull y)", "e2"],
    ]);
    expect(() => tableOfAsked(two, [...two.keys()])).toThrow("pull e0 two values");
  });
});
