import { expect, test } from "vitest";
import type { Rule } from "./data_parser.ts";
import { LineParser } from "./line_parser.ts";
import type { Word } from "./tree.ts";

test("the grammar is not ambiguous or left-recursive, and one that is does not pass", () => {
  expect(() => new LineParser(true)).not.toThrow();
  class Recursive extends LineParser {
    readonly circle: Rule<Word> = this.RULE("circle", () => this.SUBRULE(this.circle));
    constructor() {
      super(true);
      this.performSelfAnalysis();
    }
  }
  expect(() => new Recursive()).toThrow(/Left Recursion/);
});
