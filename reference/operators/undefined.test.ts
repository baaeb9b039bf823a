import { describe, expect, test } from "vitest";
import { undefinedRational as none, rational, rationalOf } from "../algebras/rational.ts";
import { noEnvironment } from "../hand.test.kit.ts";
import type { Tensor } from "../tensor.ts";
import { application, jvpOf, vjpOf } from "./apply.test.kit.ts";
import { rules } from "./rules.ts";

const vector = <S>(...data: readonly S[]): Tensor<S> => ({ shape: [data.length], data });
const integer = (x: bigint): Tensor<ReturnType<typeof rationalOf>> => vector(rationalOf(x, 1n));

describe("an element without value", () => {
  test("as a condition chooses neither side, and is no exception", () => {
    const choose = { op: "where", attributes: {}, environment: noEnvironment } as const;
    const operands = [vector(none), integer(1n), integer(2n)];
    expect(rules.where.forward(application(choose, rational, operands))).toEqual(vector(none));
    expect(jvpOf(rules.where, choose, rational, operands, operands)).toEqual(vector(none));
    const bars = vjpOf(rules.where, choose, rational, operands, integer(3n));
    expect(bars).toEqual([undefined, vector(none), vector(none)]);
  });

  test("that is not chosen leaves no trace in the value or in the tangent", () => {
    const choose = { op: "where", attributes: {}, environment: noEnvironment } as const;
    const operands = [integer(5n), integer(1n), vector(none)];
    expect(rules.where.forward(application(choose, rational, operands))).toEqual(integer(1n));
    expect(jvpOf(rules.where, choose, rational, operands, operands)).toEqual(integer(1n));
    const bars = vjpOf(rules.where, choose, rational, operands, integer(3n));
    expect(bars).toEqual([undefined, integer(3n), integer(0n)]);
  });

  test("compared by relu and maximum makes the result one without value", () => {
    const relu = { op: "relu", attributes: {}, environment: noEnvironment } as const;
    expect(rules.relu.forward(application(relu, rational, [vector(none)]))).toEqual(vector(none));
    const maximum = { op: "maximum", attributes: {}, environment: noEnvironment } as const;
    const larger = rules.maximum.forward(application(maximum, rational, [integer(1n), vector(none)]));
    expect(larger).toEqual(vector(none));
  });

  test("compared by less and equal makes the result one without value, but its tangent is zero all the same", () => {
    for (const op of ["less", "equal"] as const) {
      const compare = { op, attributes: {}, environment: noEnvironment };
      const operands = [vector(none), integer(1n)];
      expect(rules[op].forward(application(compare, rational, operands))).toEqual(vector(none));
      expect(jvpOf(rules[op], compare, rational, operands, operands)).toEqual(integer(0n));
      expect(vjpOf(rules[op], compare, rational, operands, integer(3n))).toEqual([undefined, undefined]);
    }
  });
});
