import { describe, expect, test } from "vitest";
import { balls as own } from "../../truth/centre/index.ts";
import { Source } from "../source.ts";
import { Code, called, got } from "./code.ts";
import { exactHost } from "./exact.ts";
import { rewritten } from "./rewriter.ts";

describe("rewritten code", () => {
  test.each([
    ["x + y * z;", "$.add(x, $.multiply(y, z));"],
    ["x - y - z;", "$.subtract($.subtract(x, y), z);"],
    ["x ** 2 * -y;", "$.multiply($.power(x, 2), $.negative(y));"],
    ["x <= y && z !== 0;", "$.atMost(x, y) && $.differs(z, 0);"],
    ["total += x / y;", "total = $.add(total, $.divide(x, y));"],
    ["({ a, b: { c = x + 1 } }) => c;", "({ a, b: { c = $.add(x, 1) } }) => c;"],
    ["(x ? y : z) + (y + .5);", "$.add(x ? y : z, $.add(y, .5));"],
    ["for (let i = 0; i < n; ) f(x * i);", "for (let i = 0; $.less(i, n); ) f($.multiply(x, i));"],
    ["(f(x), y) - z;", "$.subtract((f(x), y), z);"],
    ["using mpfr = new Arena(2);", "const mpfr = new Arena(2);"],
    ["x > 0 ? x : f(...xs)[0]?.y ?? z;", "$.greater(x, 0) ? x : f(...xs)[0]?.y ?? z;"],
  ])("has calls for the operators of %s", (text, calls) => {
    expect(rewritten(new Source(text)).body).toBe(calls);
  });

  test("computes what the code itself does, of JavaScript's numbers", () => {
    const code = new Code(exactHost(false), []);
    const { balls } = code.module("centre/ball");
    const [x, y] = [
      { value: 3, slack: 2 ** -40 },
      { value: -7 / 3, slack: 2 ** -51 },
    ];
    for (const name of ["add", "multiply", "divide"])
      expect(called(got(balls, name), x, y)).toEqual(called(got(own, name), x, y));
  });
});
