import { EmbeddedActionsParser, EOF, type IToken, type ParserMethod } from "chevrotain";
import type { Shape } from "../shapes/index.ts";
import { parseJson } from "../wire/index.ts";
import { expectations } from "./expected.ts";
import {
  Along,
  Ampersand,
  Arrow,
  At,
  Bar,
  Becomes,
  By,
  Call,
  Colon,
  Comma,
  CurlyClose,
  CurlyOpen,
  Dot,
  Equals,
  Given,
  In,
  Index,
  Infix,
  Minus,
  Most,
  Name,
  Numeral,
  Of,
  Plus,
  Question,
  Quoted,
  RoundClose,
  RoundOpen,
  Semicolon,
  Slash,
  Span,
  SquareClose,
  SquareOpen,
  tokens,
  UnitSign,
  Update,
  Writes,
} from "./tokens.ts";
import type {
  Assignment,
  Datum,
  Declaration,
  Expression,
  Let,
  Line,
  LineOf,
  Measure,
  MixedAxis,
  Place,
  Returned,
  Slice,
  Word,
} from "./tree.ts";
import { binding } from "./words.ts";

/** Lines that begin so open a block of statements. */
export const blockHeads: ReadonlySet<string> = new Set([
  "if",
  "else",
  "for",
  "while",
  "no_grad",
  "checkpoint",
]);

/** Lines that begin so declare something that other lines are in. */
export const headerHeads: ReadonlySet<string> = new Set(["graph", "program", "tapes", "procedure"]);

/** Lines that begin so say something about a graph, a program or tapes, word by word. */
export const clauseHeads: ReadonlySet<string> = new Set([
  "at",
  "tangent",
  "seed",
  "expect",
  "note",
  "clause",
  "defects",
  "links",
  "flags",
  "faults",
  "precision",
  "policy",
  "choice",
  "join",
  "reported",
  "finding",
  "generator",
  "receives",
  "again",
  "refuse",
  "why",
  "wrong",
  "unit",
  "base",
  "retain",
  "release",
  "record",
  "sweep",
]);

type Rule<R> = ParserMethod<[], R>;

/**
 * Reads the tokens of one line, without the lines below it. Lines are parsed one by one, so that a mistake in
 * one hides no other. Rules build the tree as they go.
 */
export class LineParser extends EmbeddedActionsParser {
  constructor() {
    super([...tokens], { maxLookahead: 3, errorMessageProvider: expectations });
    this.performSelfAnalysis();
  }

  readonly word: Rule<Word> = this.RULE("word", (): Word => {
    const token = this.OR([{ ALT: () => this.CONSUME(Name) }, { ALT: () => this.CONSUME(Quoted) }]);
    return this.ACTION(() => wordOf(token));
  });

  /** A number that begins with a digit or a sign: `-1/3`, `+2.5`, `-inf`. */
  readonly number: Rule<Word> = this.RULE("number", (): Word => {
    let sign: IToken | undefined;
    const first = this.OR([
      { ALT: () => this.CONSUME(Numeral) },
      {
        ALT: () => {
          sign = this.OR1([{ ALT: () => this.CONSUME(Minus) }, { ALT: () => this.CONSUME(Plus) }]);
          return this.OR2([{ ALT: () => this.CONSUME1(Numeral) }, { ALT: () => this.CONSUME(Name) }]);
        },
      },
    ]);
    const divisor = this.OPTION1(() => {
      this.CONSUME(Slash);
      return this.CONSUME2(Numeral);
    });
    return this.ACTION(() => {
      const whole = divisor === undefined ? first.image : `${first.image}/${divisor.image}`;
      const text = sign?.image === "-" ? `-${whole}` : whole;
      return { text, place: { start: (sign ?? first).startOffset, end: endOf(divisor ?? first) } };
    });
  });

  readonly datum: Rule<Datum> = this.RULE("datum", (): Datum => {
    const first = this.SUBRULE(this.simple);
    const others: Datum[] = [];
    this.MANY(() => {
      this.CONSUME(Bar);
      others.push(this.SUBRULE1(this.simple));
    });
    return this.ACTION((): Datum => {
      if (others.length === 0) return first;
      return { kind: "one_of", members: [first, ...others], place: around(first, others.at(-1)) };
    });
  });

  readonly simple: Rule<Datum> = this.RULE(
    "simple",
    (): Datum =>
      this.OR([
        { ALT: () => this.SUBRULE(this.list) },
        { ALT: () => this.SUBRULE(this.numeric) },
        { ALT: () => this.SUBRULE(this.spoken) },
        { ALT: (): Datum => ({ kind: "quoted", ...wordOf(this.CONSUME(Quoted)) }) },
        { ALT: (): Datum => ({ kind: "word", text: "undecided", place: placeOf(this.CONSUME(Question)) }) },
      ]),
  );

  readonly list: Rule<Datum> = this.RULE("list", (): Datum => {
    const open = this.CONSUME(SquareOpen);
    const entries: Datum[] = [];
    this.MANY_SEP({ SEP: Comma, DEF: () => entries.push(this.SUBRULE(this.datum)) });
    const close = this.CONSUME(SquareClose);
    return { kind: "list", entries, place: { start: open.startOffset, end: endOf(close) } };
  });

  /** A number, or the numbers from one to another. */
  readonly numeric: Rule<Datum> = this.RULE("numeric", (): Datum => {
    const low = this.SUBRULE(this.number);
    const high = this.OPTION(() => {
      this.CONSUME(Span);
      return this.SUBRULE1(this.number);
    });
    return this.ACTION((): Datum => {
      if (high === undefined) return { kind: "number", ...low };
      return { kind: "span", low: low.text, high: high.text, place: around(low, high) };
    });
  });

  /** A word, such as `true` and `inf`; `hull(0, 1)` is everything between its members. */
  readonly spoken: Rule<Datum> = this.RULE("spoken", (): Datum => {
    const token = this.CONSUME(Name);
    const members: Datum[] = [];
    const close = this.OPTION({
      GATE: () => isForm(token.image),
      DEF: () => {
        this.CONSUME(RoundOpen);
        this.MANY_SEP({ SEP: Comma, DEF: () => members.push(this.SUBRULE(this.datum)) });
        return this.CONSUME(RoundClose);
      },
    });
    return this.ACTION((): Datum => {
      const { text, place } = wordOf(token);
      if (close === undefined)
        return { kind: text === "inf" || text === "nan" ? "number" : "word", text, place };
      const kind = isForm(text) ? text : "one_of";
      return { kind, members, place: { start: place.start, end: endOf(close) } };
    });
  });

  readonly assignment: Rule<Assignment> = this.RULE("assignment", (): Assignment => {
    const name = this.SUBRULE(this.word);
    this.CONSUME(Equals);
    return { name, value: this.SUBRULE(this.datum) };
  });

  /** An assignment of a clause: `seed 0 = 1`, `receives "in": [2] = 3`. */
  readonly stated: Rule<Assignment> = this.RULE("stated", (): Assignment => {
    const name = this.SUBRULE(this.place);
    const shape = this.OPTION(() => {
      this.CONSUME(Colon);
      return this.SUBRULE(this.shape);
    });
    this.CONSUME(Equals);
    return { name, ...(shape === undefined ? {} : { shape }), value: this.SUBRULE(this.datum) };
  });

  /** A name, or a place counted from 0. */
  readonly place: Rule<Word> = this.RULE(
    "place",
    (): Word =>
      this.OR([{ ALT: () => this.SUBRULE(this.word) }, { ALT: () => wordOf(this.CONSUME(Numeral)) }]),
  );

  readonly shape: Rule<Shape> = this.RULE("shape", (): Shape => {
    const extents: number[] = [];
    this.CONSUME(SquareOpen);
    this.MANY_SEP({ SEP: Comma, DEF: () => extents.push(Number(this.CONSUME(Numeral).image)) });
    this.CONSUME(SquareClose);
    return extents;
  });

  /** Names and signs of a unit, up to a comma, a bracket that it did not open, or the end. */
  readonly unit: Rule<Word> = this.RULE("unit", (): Word => {
    const factors: (readonly IToken[])[] = [];
    this.AT_LEAST_ONE({
      GATE: () => this.LA(1).tokenType !== Along,
      DEF: () => factors.push(this.SUBRULE(this.factor)),
    });
    return this.ACTION(() => {
      const parts = factors.flat();
      const [first] = parts;
      if (first !== undefined && parts.length === 1) return wordOf(first);
      return { text: spaced(parts), place: { start: first?.startOffset ?? 0, end: endOf(parts.at(-1)) } };
    });
  });

  readonly factor: Rule<readonly IToken[]> = this.RULE("factor", (): readonly IToken[] =>
    this.OR([
      { ALT: () => [this.CONSUME(Name)] },
      { ALT: () => [this.CONSUME(Quoted)] },
      { ALT: () => [this.CONSUME(Numeral)] },
      { ALT: () => [this.CONSUME(Infix)] },
      { ALT: () => [this.CONSUME(UnitSign)] },
      {
        ALT: () => {
          const inner: (readonly IToken[])[] = [];
          const open = this.CONSUME(RoundOpen);
          this.AT_LEAST_ONE(() => inner.push(this.SUBRULE(this.factor)));
          const close = this.CONSUME(RoundClose);
          return this.ACTION(() => [open, ...inner.flat(), close]);
        },
      },
    ]),
  );

  /** A unit, or a unit for each place along some axes: `kg along 0 [m, m/s] along 1 [s, 1]`. */
  readonly measure: Rule<Measure> = this.RULE("measure", (): Measure => {
    const along: MixedAxis[] = [];
    const unit = this.OR([
      {
        GATE: () => this.LA(1).tokenType !== Along,
        ALT: () => {
          const whole = this.SUBRULE(this.unit);
          this.MANY(() => along.push(this.SUBRULE(this.mixed)));
          return whole;
        },
      },
      {
        ALT: () => {
          this.AT_LEAST_ONE(() => along.push(this.SUBRULE1(this.mixed)));
          return undefined;
        },
      },
    ]);
    return { ...(unit === undefined ? {} : { unit }), ...(along.length === 0 ? {} : { along }) };
  });

  readonly mixed: Rule<MixedAxis> = this.RULE("mixed", (): MixedAxis => {
    const units: Word[] = [];
    const first = this.CONSUME(Along);
    const axis = this.CONSUME(Numeral).image;
    this.CONSUME(SquareOpen);
    this.MANY_SEP({ SEP: Comma, DEF: () => units.push(this.SUBRULE(this.unit)) });
    const close = this.CONSUME(SquareClose);
    return { axis, units, place: { start: first.startOffset, end: endOf(close) } };
  });

  readonly declaration: Rule<Declaration> = this.RULE("declaration", (): Declaration => {
    const reference = this.OPTION(() => this.CONSUME(Ampersand));
    const name = this.SUBRULE(this.word);
    const typed = this.OPTION1(() => {
      this.CONSUME(Colon);
      const index = this.OPTION2(() => this.CONSUME(Index));
      return { index, shape: this.OPTION3(() => this.SUBRULE(this.shape)) };
    });
    let range: readonly [Datum, Datum] | undefined;
    const measure = this.OPTION4(() => {
      this.CONSUME(In);
      return this.OR([
        {
          GATE: () => this.#isRange(),
          ALT: () => {
            const span = this.SUBRULE(this.numeric);
            range = this.ACTION(() => endsOf(span));
            return this.OPTION5(() => this.SUBRULE(this.measure));
          },
        },
        { ALT: () => this.SUBRULE1(this.measure) },
      ]);
    });
    const { shape, index } = typed ?? {};
    return {
      name,
      ...(shape === undefined ? {} : { shape }),
      isIndex: index !== undefined,
      isReference: reference !== undefined,
      ...(range === undefined ? {} : { range }),
      ...measure,
      place: name.place,
    };
  });

  /** Tells whether a number and `..` come next. */
  #isRange(): boolean {
    return [2, 3, 4, 5].some((far) => this.LA(far).tokenType === Span);
  }

  readonly declarations: Rule<readonly Declaration[]> = this.RULE(
    "declarations",
    (): readonly Declaration[] => {
      const all: Declaration[] = [];
      this.CONSUME(RoundOpen);
      this.MANY_SEP({ SEP: Comma, DEF: () => all.push(this.SUBRULE(this.declaration)) });
      this.CONSUME(RoundClose);
      return all;
    },
  );

  readonly expression: Rule<Expression> = this.RULE("expression", (): Expression => {
    const first = this.SUBRULE(this.signed);
    const rest: (readonly [sign: Word, operand: Expression])[] = [];
    this.MANY(() => {
      const sign = wordOf(this.CONSUME(Infix));
      rest.push([sign, this.SUBRULE1(this.signed)]);
    });
    return this.ACTION(() => grouped(first, rest));
  });

  readonly signed: Rule<Expression> = this.RULE("signed", (): Expression => {
    const minus = this.OPTION(() => this.CONSUME(Minus));
    const operand = this.SUBRULE(this.seen);
    return this.ACTION((): Expression => {
      if (minus === undefined) return operand;
      const place = { start: minus.startOffset, end: operand.place.end };
      return { kind: "negative", operand, place };
    });
  });

  /** A value, or a location seen in some way: `a[0, i:i + 2]`, `a.permute(1, 0)`. */
  readonly seen: Rule<Expression> = this.RULE("seen", (): Expression => {
    let all: Expression = this.SUBRULE(this.operand);
    this.MANY(() =>
      this.OR([
        {
          ALT: () => {
            const axes: Slice[] = [];
            this.CONSUME(SquareOpen);
            this.MANY_SEP({ SEP: Comma, DEF: () => axes.push(this.SUBRULE(this.slice)) });
            const close = this.CONSUME(SquareClose);
            const of = all;
            all = this.ACTION(() => ({
              kind: "slice",
              of,
              axes,
              place: { start: of.place.start, end: endOf(close) },
            }));
          },
        },
        {
          ALT: () => {
            this.CONSUME(Dot);
            const name = this.SUBRULE(this.word);
            const given: Datum[] = [];
            this.CONSUME(RoundOpen);
            this.MANY_SEP1({ SEP: Comma, DEF: () => given.push(this.SUBRULE(this.datum)) });
            const close = this.CONSUME(RoundClose);
            const of = all;
            all = this.ACTION(() => ({
              kind: "method",
              of,
              name,
              given,
              place: { start: of.place.start, end: endOf(close) },
            }));
          },
        },
      ]),
    );
    return all;
  });

  readonly slice: Rule<Slice> = this.RULE(
    "slice",
    (): Slice =>
      this.OR([
        {
          ALT: () => {
            const start = this.SUBRULE(this.expression);
            const span = this.OPTION(() => this.SUBRULE(this.span));
            return { start, isSpan: span !== undefined, ...span };
          },
        },
        { ALT: () => ({ isSpan: true, ...this.SUBRULE1(this.span) }) },
      ]),
  );

  /** The end and the step of a slice, behind its start. */
  readonly span: Rule<Pick<Slice, "end" | "step">> = this.RULE("span", () => {
    this.CONSUME(Colon);
    const end = this.OPTION(() => this.SUBRULE(this.expression));
    const step = this.OPTION1(() => {
      this.CONSUME1(Colon);
      return this.SUBRULE1(this.expression);
    });
    return { ...(end === undefined ? {} : { end }), ...(step === undefined ? {} : { step }) };
  });

  readonly operand: Rule<Expression> = this.RULE(
    "operand",
    (): Expression =>
      this.OR([
        {
          ALT: () => {
            const token = this.CONSUME(Numeral);
            return { kind: "number", text: token.image, place: placeOf(token) } as const;
          },
        },
        {
          GATE: () => isMode(this.LA(1)) && this.#isDerivative(),
          ALT: () => this.SUBRULE(this.derivative),
        },
        {
          GATE: () =>
            isMode(this.LA(1)) && this.LA(2).tokenType === Call && this.LA(4).tokenType === RoundOpen,
          ALT: () => this.SUBRULE(this.derivedCall),
        },
        { ALT: () => this.SUBRULE(this.applied) },
        {
          ALT: () => {
            this.CONSUME(RoundOpen);
            const inner = this.SUBRULE(this.expression);
            this.CONSUME(RoundClose);
            return this.ACTION((): Expression => ({ ...inner, isGrouped: true }));
          },
        },
      ]),
  );

  /** Tells whether an arrow comes before the line's end, which no call has. */
  #isDerivative(): boolean {
    let depth = 0;
    for (let far = 2; ; far++) {
      const { tokenType } = this.LA(far);
      if (tokenType === Arrow && depth === 0) return true;
      if (tokenType === RoundOpen) depth += 1;
      else if (tokenType === RoundClose) depth -= 1;
      else if (depth === 0 && tokenType !== Given) return false;
      if (depth < 0 || tokenType === EOF) return false;
    }
  }

  /** A name, or an operator or a procedure with its operands: `sum(x, axes=[0])`, `call f(x)`. */
  readonly applied: Rule<Expression> = this.RULE("applied", (): Expression => {
    const called = this.OPTION({
      GATE: () => this.LA(2).tokenType !== RoundOpen,
      DEF: () => this.CONSUME(Call),
    });
    const op = this.SUBRULE(this.word);
    const operands: Expression[] = [];
    const attributes: Assignment[] = [];
    const close = this.OPTION1(() => {
      this.CONSUME(RoundOpen);
      this.MANY_SEP({
        SEP: Comma,
        DEF: () =>
          this.OR([
            {
              GATE: () => this.LA(2).tokenType === Equals,
              ALT: () => attributes.push(this.SUBRULE(this.assignment)),
            },
            { ALT: () => operands.push(this.SUBRULE(this.expression)) },
          ]),
      });
      return this.CONSUME(RoundClose);
    });
    return this.ACTION((): Expression => {
      if (close === undefined) return { kind: "name", name: op, place: op.place };
      const place = { start: called?.startOffset ?? op.place.start, end: endOf(close) };
      return { kind: "call", isProcedure: called !== undefined, op, operands, attributes, place };
    });
  });

  /** `vjp call f(x, y) of 0 by y along c`. */
  readonly derivedCall: Rule<Expression> = this.RULE("derivedCall", (): Expression => {
    const mode = wordOf(this.CONSUME(Name));
    this.CONSUME(Call);
    const procedure = this.SUBRULE(this.word);
    const operands: Expression[] = [];
    this.CONSUME(RoundOpen);
    this.MANY_SEP({ SEP: Comma, DEF: () => operands.push(this.SUBRULE(this.expression)) });
    this.CONSUME(RoundClose);
    const of = this.OPTION(() => {
      this.CONSUME(Of);
      return this.SUBRULE(this.place);
    });
    const by = this.OPTION1(() => {
      this.CONSUME(By);
      return this.SUBRULE1(this.place);
    });
    const along = this.OPTION2(() => {
      this.CONSUME(Along);
      return this.SUBRULE1(this.expression);
    });
    return this.ACTION((): Expression => {
      const place = { start: mode.place.start, end: endOf(this.LA(0)) };
      const asked = { ...(of === undefined ? {} : { of }), ...(by === undefined ? {} : { by }) };
      const direction = along === undefined ? {} : { along };
      return { kind: "derived_call", mode, procedure, operands, ...asked, ...direction, place };
    });
  });

  /** `vjp (x: [3]) => { y = x * x; z = exp(y) } of z by x at a along c`. */
  readonly derivative: Rule<Expression> = this.RULE("derivative", (): Expression => {
    const mode = wordOf(this.CONSUME(Name));
    const inputs = this.SUBRULE(this.declarations);
    const given = this.SUBRULE(this.given);
    this.CONSUME(Arrow);
    const inner = this.OR([
      { ALT: () => this.SUBRULE(this.several) },
      {
        ALT: () => {
          const value = this.SUBRULE(this.expression);
          return this.ACTION(() => [{ kind: "let", names: [], value, place: value.place } as const]);
        },
      },
    ]);
    let of: Word | undefined;
    let by: Word | undefined;
    let along: Expression | undefined;
    const at: Expression[] = [];
    this.AT_LEAST_ONE(() =>
      this.OR1([
        {
          ALT: () => {
            this.CONSUME(Of);
            of = this.SUBRULE(this.word);
          },
        },
        {
          ALT: () => {
            this.CONSUME(By);
            by = this.SUBRULE1(this.word);
          },
        },
        {
          ALT: () => {
            this.CONSUME(At);
            this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => at.push(this.SUBRULE1(this.expression)) });
          },
        },
        {
          ALT: () => {
            this.CONSUME(Along);
            along = this.SUBRULE2(this.expression);
          },
        },
      ]),
    );
    return this.ACTION((): Expression => {
      const place = { start: mode.place.start, end: endOf(this.LA(0)) };
      const asked = { ...(of === undefined ? {} : { of }), ...(by === undefined ? {} : { by }) };
      const direction = along === undefined ? {} : { along };
      return { kind: "derivative", mode, inputs, given, inner, ...asked, at, ...direction, place };
    });
  });

  readonly several: Rule<readonly Let[]> = this.RULE("several", (): readonly Let[] => {
    const all: Let[] = [];
    this.CONSUME(CurlyOpen);
    this.MANY_SEP({ SEP: Semicolon, DEF: () => all.push(this.SUBRULE(this.bound)) });
    this.CONSUME(CurlyClose);
    return all;
  });

  readonly given: Rule<readonly Declaration[]> = this.RULE("beside", (): readonly Declaration[] => {
    const all = this.OPTION(() => {
      this.CONSUME(Given);
      return this.SUBRULE(this.declarations);
    });
    return all ?? [];
  });

  /** A value with its names: `y = x * x`, `y: [3] = f(x)`, `a, b = call f(x)`; or without. */
  readonly bound: Rule<Let> = this.RULE("bound", (): Let => {
    const names: Word[] = [];
    const shape = this.OPTION({
      GATE: () => this.#isNamed(),
      DEF: () => {
        this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => names.push(this.SUBRULE(this.word)) });
        const own = this.OPTION1(() => {
          this.CONSUME(Colon);
          return this.SUBRULE(this.shape);
        });
        this.CONSUME(Equals);
        return own;
      },
    });
    const value = this.SUBRULE(this.expression);
    const measure = this.OPTION2(() => {
      this.CONSUME(In);
      return this.SUBRULE(this.measure);
    });
    return this.ACTION((): Let => {
      const place = { start: (names[0] ?? value).place.start, end: endOf(this.LA(0)) };
      const own = { ...(shape === undefined ? {} : { shape }), ...measure };
      return { kind: "let", names, ...own, value, place };
    });
  });

  /** Tells whether a name that is bound comes next. */
  #isNamed(): boolean {
    const { tokenType } = this.LA(2);
    return tokenType === Equals || tokenType === Comma || tokenType === Colon;
  }

  readonly statement: Rule<Line> = this.RULE(
    "statement",
    (): Line =>
      this.OR([
        { GATE: () => this.#isUpdate(), ALT: () => this.SUBRULE(this.updated) },
        { ALT: () => this.SUBRULE(this.bound) },
      ]),
  );

  #isUpdate(): boolean {
    for (let far = 1; ; far++) {
      const { tokenType } = this.LA(far);
      if (tokenType === Update || tokenType === Writes || tokenType === Becomes) return true;
      if (tokenType === EOF || tokenType === Equals) return false;
    }
  }

  readonly updated: Rule<Line> = this.RULE("updated", (): Line => {
    const target = this.SUBRULE(this.seen);
    const token = this.OR([
      { ALT: () => this.CONSUME(Update) },
      { ALT: () => this.CONSUME(Writes) },
      { ALT: () => this.CONSUME(Becomes) },
    ]);
    const value = this.SUBRULE(this.expression);
    return this.ACTION(() => ({
      kind: "update",
      sign: wordOf(token),
      target,
      value,
      place: around(target, value),
    }));
  });

  /** The first line of a block: `if c:`, `for i in 3:`, `while c, at most 5:`, `checkpoint:`. */
  readonly block: Rule<LineOf<"block">> = this.RULE("block", (): LineOf<"block"> => {
    const head = wordOf(this.CONSUME(Name));
    const about = this.OPTION({
      GATE: () => this.LA(1).tokenType !== Colon,
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
                const counter = this.SUBRULE(this.word);
                this.CONSUME(In);
                return { counter, turns: this.CONSUME(Numeral).image };
              },
            },
            {
              ALT: () => {
                const condition = this.SUBRULE(this.expression);
                const turns = this.OPTION1(() => {
                  this.CONSUME(Comma);
                  this.CONSUME(At);
                  this.CONSUME(Most);
                  return this.CONSUME1(Numeral).image;
                });
                return { condition, ...(turns === undefined ? {} : { turns }) };
              },
            },
          ],
        }),
    });
    this.CONSUME(Colon);
    return { kind: "block", head, ...about, body: [], place: head.place };
  });

  readonly header: Rule<LineOf<"header">> = this.RULE("header", (): LineOf<"header"> => {
    const head = wordOf(this.CONSUME(Name));
    const name = this.OPTION({
      GATE: () => this.LA(1).tokenType !== Given && this.LA(1).tokenType !== RoundOpen,
      DEF: () => this.SUBRULE(this.word),
    });
    const inputs = this.OPTION1(() => this.SUBRULE(this.declarations));
    const given = this.SUBRULE(this.given);
    this.OPTION2(() => this.CONSUME(Colon));
    const named = name === undefined ? {} : { name };
    return { kind: "header", head, ...named, inputs: inputs ?? [], given, body: [], place: head.place };
  });

  readonly state: Rule<LineOf<"state">> = this.RULE("state", (): LineOf<"state"> => {
    const head = wordOf(this.CONSUME(Name));
    const locations: Declaration[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => locations.push(this.SUBRULE(this.declaration)) });
    return { kind: "state", locations, place: head.place };
  });

  /** `return y: [3], 2 * x`. */
  readonly returned: Rule<LineOf<"return">> = this.RULE("returned", (): LineOf<"return"> => {
    const head = wordOf(this.CONSUME(Name));
    const results: Returned[] = [];
    this.MANY_SEP({
      SEP: Comma,
      DEF: () => {
        const value = this.SUBRULE(this.expression);
        const shape = this.OPTION(() => {
          this.CONSUME(Colon);
          return this.SUBRULE(this.shape);
        });
        results.push({ value, ...(shape === undefined ? {} : { shape }) });
      },
    });
    return { kind: "return", results, place: head.place };
  });

  /** A unit of one's own: `knot = 0.514 m/s`. */
  readonly definition: Rule<Assignment> = this.RULE("definition", (): Assignment => {
    const name = this.SUBRULE(this.word);
    this.CONSUME(Equals);
    const { text, isQuoted, place } = this.SUBRULE(this.unit);
    return { name, value: { kind: isQuoted === true ? "quoted" : "word", text, place } };
  });

  readonly clause: Rule<LineOf<"clause">> = this.RULE("clause", (): LineOf<"clause"> => {
    const head = wordOf(this.CONSUME(Name));
    const words: Word[] = [];
    const assignments: Assignment[] = [];
    this.MANY(() => {
      this.OR([
        {
          GATE: () => head.text === "unit" && this.LA(2).tokenType === Equals,
          ALT: () => assignments.push(this.SUBRULE(this.definition)),
        },
        {
          GATE: () => this.LA(2).tokenType === Equals || this.LA(2).tokenType === Colon,
          ALT: () => assignments.push(this.SUBRULE(this.stated)),
        },
        { ALT: () => words.push(this.SUBRULE(this.word)) },
        { ALT: () => words.push(this.SUBRULE(this.number)) },
      ]);
      this.OPTION(() => this.CONSUME(Comma));
    });
    const place = { start: head.place.start, end: endOf(this.LA(0)) };
    return { kind: "clause", head, words, assignments, body: [], place };
  });
}

/** Tells whether a word begins a datum of several, in brackets behind it. */
function isForm(word: string): word is "hull" | "one_of" | "full" {
  return word === "hull" || word === "one_of" || word === "full";
}

/** Writes tokens with one blank where some stood between them. */
function spaced(all: readonly IToken[]): string {
  return all.reduce(
    (text, token, i) => text + (i > 0 && endOf(all[i - 1]) < token.startOffset ? " " : "") + token.image,
    "",
  );
}

function isMode({ image }: IToken): boolean {
  return image === "vjp" || image === "jvp" || image === "derivative";
}

/** Groups operands by how tightly the signs between them bind: precedence climbing. */
function grouped(
  first: Expression,
  rest: readonly (readonly [sign: Word, operand: Expression])[],
): Expression {
  let next = 0;
  const climb = (left: Expression, least: number): Expression => {
    let all = left;
    for (;;) {
      const [sign, operand] = rest[next] ?? [];
      const bound = binding[sign?.text ?? ""] ?? 0;
      if (sign === undefined || operand === undefined || bound < least) return all;
      next += 1;
      // A power binds to the right, so that x ** y ** z is x ** (y ** z); all others bind to the left.
      all = joined(all, sign, climb(operand, sign.text === "**" ? bound : bound + 1));
    }
  };
  return climb(first, 1);
}

/** Joins two operands; a sign before a power's base is the whole power's: −x² is −(x²). */
function joined(left: Expression, sign: Word, right: Expression): Expression {
  if (sign.text === "**" && left.kind === "negative" && left.isGrouped !== true) {
    const operand = joined(left.operand, sign, right);
    return { kind: "negative", operand, place: around(left, right) };
  }
  return { kind: "infix", sign, left, right, place: around(left, right) };
}

function endsOf(span: Datum): readonly [Datum, Datum] | undefined {
  if (span.kind !== "span") return undefined;
  const end = (text: string): Datum => ({ kind: "number", text, place: span.place });
  return [end(span.low), end(span.high)];
}

function placeOf(token: IToken): Place {
  return { start: token.startOffset, end: endOf(token) };
}

function endOf(token: IToken | undefined): number {
  return token === undefined ? 0 : token.startOffset + token.image.length;
}

/** Returns the word of a token, without the quotes of a text. */
function wordOf(token: IToken): Word {
  const { image } = token;
  const place = placeOf(token);
  return image.startsWith('"') ? { text: unquoted(image), isQuoted: true, place } : { text: image, place };
}

/** Returns what a quoted text says; a text whose escapes JSON does not know says itself. */
function unquoted(image: string): string {
  const json = parseJson(image);
  return json.ok && typeof json.value === "string" ? json.value : image.slice(1, -1);
}

/** Returns the place from the start of one part to the end of another. */
function around(first: { readonly place: Place }, last: { readonly place: Place } | undefined): Place {
  return { start: first.place.start, end: (last ?? first).place.end };
}
