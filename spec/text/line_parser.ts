import { EOF } from "chevrotain";
import { endOf, type Rule, wordOf } from "./data_parser.ts";
import { ExpressionParser } from "./expression_parser.ts";
import { t } from "./tokens.ts";
import type { Assignment, Declaration, Line, LineOf, Returned, Word } from "./tree.ts";

/** Lines that begin so open a block of statements. */
export const blockHeads: ReadonlySet<string> = new Set("if else for while no_grad checkpoint".split(" "));

/** Lines that begin so declare something that other lines are in. */
export const headerHeads: ReadonlySet<string> = new Set("graph program tapes procedure".split(" "));

/** Lines that begin so say something about a graph, a program or tapes, word by word. */
export const clauseHeads: ReadonlySet<string> = new Set(
  [
    "at tangent seed ask expect note clause defects links flags faults precision policy choice join reported",
    "finding generator receives again refuse why wrong unit base break retain release record sweep",
  ].flatMap((words) => words.split(" ")),
);

/** Words that a line may begin with. */
export const heads: ReadonlySet<string> = new Set([
  ...headerHeads,
  ...clauseHeads,
  ...blockHeads,
  ...["state", "return"],
]);

/**
 * Reads the tokens of one line, without the lines below it. Lines are parsed one by one, so that a mistake in
 * one hides no other.
 */
export class LineParser extends ExpressionParser {
  /** Tests make a parser that is checked, which throws if the grammar is wrong. */
  constructor(isChecked: boolean = false) {
    super(isChecked);
    this.performSelfAnalysis();
  }

  readonly statement: Rule<Line> = this.RULE(
    "statement",
    (): Line =>
      this.OR([
        { GATE: () => this.#isUpdate(), ALT: () => this.SUBRULE(this.#updated) },
        { ALT: () => this.SUBRULE(this.bound) },
      ]),
  );

  #isUpdate(): boolean {
    for (let far = 1; ; far++) {
      if (this.isNext("update", far) || this.isNext("<-", far) || this.isNext(":=", far)) return true;
      if (this.isNext("=", far) || this.LA(far).tokenType === EOF) return false;
    }
  }

  readonly #updated: Rule<Line> = this.RULE("updated", (): Line => {
    const target = this.SUBRULE(this.seen);
    const sign = this.OR([
      { ALT: () => this.CONSUME(t.update).image },
      { ALT: () => this.CONSUME(t["<-"]).image },
      { ALT: () => this.CONSUME(t[":="]).image },
    ]);
    const value = this.SUBRULE(this.expression);
    return this.ACTION(() => {
      const place = { start: target.place.start, end: value.place.end };
      return { kind: "update", sign, target, value, place };
    });
  });

  /** The first line of a block: `if c:`, `for i in 3:`, `while c, at most 5:`, `checkpoint:`. */
  readonly block: Rule<LineOf<"block">> = this.RULE("block", (): LineOf<"block"> => {
    const head = wordOf(this.CONSUME(t.name));
    const about = this.OPTION({
      GATE: () => !this.isNext(":"),
      // The head tells which it is, not what follows.
      MAX_LOOKAHEAD: 1,
      DEF: () =>
        this.OR({
          MAX_LOOKAHEAD: 1,
          IGNORE_AMBIGUITIES: true,
          DEF: [
            {
              GATE: () => head.text === "for",
              ALT: () => {
                const counter = this.word(0);
                this.CONSUME(t.in);
                return { counter, turns: this.CONSUME(t.numeral).image };
              },
            },
            {
              ALT: () => {
                const condition = this.SUBRULE(this.expression);
                const turns = this.OPTION1(() => {
                  this.CONSUME(t[","]);
                  this.CONSUME(t.at);
                  this.CONSUME(t.most);
                  return this.CONSUME1(t.numeral).image;
                });
                return { condition, turns };
              },
            },
          ],
        }),
    });
    this.CONSUME(t[":"]);
    return { kind: "block", head, ...about, body: [], place: head.place };
  });

  readonly header: Rule<LineOf<"header">> = this.RULE("header", (): LineOf<"header"> => {
    const head = wordOf(this.CONSUME(t.name));
    const name = this.OPTION({
      GATE: () => !this.isNext("given") && !this.isNext("("),
      DEF: () => this.word(0),
    });
    const inputs = this.OPTION1(() => this.SUBRULE(this.declarations));
    const given = this.given(2);
    this.OPTION3(() => this.CONSUME(t[":"]));
    return { kind: "header", head, name, inputs: inputs?.all ?? [], given, body: [], place: head.place };
  });

  readonly state: Rule<LineOf<"state">> = this.RULE("state", (): LineOf<"state"> => {
    const head = wordOf(this.CONSUME(t.name));
    const locations: Declaration[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: t[","], DEF: () => locations.push(this.SUBRULE(this.declaration)) });
    const of = this.OPTION(() => {
      this.CONSUME(t["="]);
      return this.SUBRULE(this.expression);
    });
    return { kind: "state", locations, ...(of && { of }), place: head.place };
  });

  /** `return y: [3], 2 * x`. */
  readonly returned: Rule<LineOf<"return">> = this.RULE("returned", (): LineOf<"return"> => {
    const head = wordOf(this.CONSUME(t.name));
    const results: Returned[] = [];
    this.MANY_SEP({
      SEP: t[","],
      DEF: () =>
        results.push({ value: this.SUBRULE(this.expression), shape: this.behind(0, t[":"], this.shape) }),
    });
    return { kind: "return", results, place: head.place };
  });

  readonly clause: Rule<LineOf<"clause">> = this.RULE("clause", (): LineOf<"clause"> => {
    const head = wordOf(this.CONSUME(t.name));
    const words: Word[] = [];
    const assignments: Assignment[] = [];
    this.MANY(() => {
      this.OR([
        {
          GATE: () => head.text === "unit" && this.isNext("=", 2),
          ALT: () => assignments.push(this.SUBRULE(this.definition)),
        },
        {
          GATE: () => this.isNext("=", 2) || this.isNext(":", 2),
          ALT: () => assignments.push(this.SUBRULE(this.stated)),
        },
        { ALT: () => words.push(this.word(0)) },
        { ALT: () => words.push(this.SUBRULE(this.number)) },
      ]);
      this.OPTION(() => this.CONSUME(t[","]));
    });
    const place = { start: head.place.start, end: endOf(this.LA(0)) };
    return { kind: "clause", head, words, assignments, body: [], place };
  });
}
