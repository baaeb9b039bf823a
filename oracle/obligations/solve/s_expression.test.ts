import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSExpressions, type SExpression, showSExpression } from "./s_expression.ts";

const atom = fc.oneof(
  fc.stringMatching(/^[a-z0-9!.#_+-]{1,8}$/),
  fc.stringMatching(/^[ ();a-z"]{0,6}$/).map((text) => `|${text}|`),
  fc.stringMatching(/^[ ();|a-z]{0,6}$/).map((text) => `"${text}"`),
);
const expressions = fc.letrec<{ expression: SExpression; list: readonly SExpression[] }>((tie) => ({
  expression: fc.oneof({ depthSize: "small" }, atom, tie("list")),
  list: fc.array(tie("expression"), { maxLength: 4 }),
}));

describe("S-expressions", () => {
  test("are read as they were shown", () => {
    fc.assert(
      fc.property(fc.array(expressions.expression, { maxLength: 4 }), (all) => {
        const text = all.map(showSExpression).join(" ; a comment (\n");
        expect(readSExpressions(text)).toEqual({ ok: true, value: all });
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test.each(["(", ")", "(a))", '"open', "|open", "(a |b)", "sat)"])("refuse %j", (text) => {
    expect(readSExpressions(text).ok).toBe(false);
  });

  test("may lie as deep in each other as they like", () => {
    const deep = "(".repeat(100_000) + ")".repeat(100_000);
    expect(readSExpressions(deep).ok).toBe(true);
  });
});
