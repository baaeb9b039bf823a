import { expect, test } from "vitest";
import type { Rule } from "./data_parser.ts";
import { ExpressionParser } from "./expression_parser.ts";
import { LineParser } from "./line_parser.ts";
import type { Word } from "./tree.ts";

class Recursive extends ExpressionParser {
  readonly circle: Rule<Word> = this.RULE("circle", () => this.SUBRULE(this.circle));
  constructor() {
    super(true);
    this.performSelfAnalysis();
  }
}

test("the grammar is not left-recursive or ambiguous, and one that is does not pass", () => {
  expect(() => new LineParser(true)).not.toThrow();
  expect(() => new Recursive()).toThrow(/left recursion/i);
});
