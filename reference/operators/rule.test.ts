import { expect, test } from "vitest";
import { InvariantError } from "../../spec/index.ts";
import { operand } from "./rule.ts";

test("an operand that is not there is no tensor without elements", () => {
  const x = { shape: [0], data: [] };
  expect(operand({ operands: [x] }, 0)).toBe(x);
  for (const position of [1, -1]) expect(() => operand({ operands: [x] }, position)).toThrow(InvariantError);
});
