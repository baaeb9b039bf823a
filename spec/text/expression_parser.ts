import { EOF, type IToken, type TokenType } from "chevrotain";
import { DataParser, placeOf, type Rule, round, square, wordOf } from "./data_parser.ts";
import { boundOf } from "./forms.ts";
import { t } from "./tokens.ts";
import type { Assignment, Derivative, Directions, Expression, Let, Slice, Word } from "./tree.ts";

/** Operands and attributes of a call. */
type Given = Pick<Extract<Expression, { readonly kind: "call" }>, "operands" | "attributes">;

/** What is derived by what, at which values and in which direction. */
interface Asked extends Pick<Derivative, "of" | "by" | "along"> {
  readonly at: Expression[];
}

/** The operands behind the first, with the signs before them. */
type Rest = readonly (readonly [sign: string, operand: Expression])[];

/** Reads expressions, and values with their names. */
export class ExpressionParser extends DataParser {
  readonly expression: Rule<Expression> = this.RULE("expression", (): Expression => {
    const first = this.#signed(0);
    const rest: [sign: string, operand: Expression][] = [];
    this.MANY(() => rest.push([this.CONSUME(t.operator).image, this.#signed(1)]));
    return rest.length === 0 ? first : this.ACTION(() => grouped(first, rest));
  });

  #signed(i: number): Expression {
    const minus = this.option(i, () => this.consume(i, t["-"]));
    const operand = this.subrule(i, this.seen);
    if (minus === undefined) return operand;
    return this.ACTION(() => ({
      kind: "negative",
      operand,
      place: { start: minus.startOffset, end: operand.place.end },
    }));
  }

  /** A value, or a location seen in some way: `a[0, i:i + 2]`, `a.permute(1, 0)`. */
  readonly seen: Rule<Expression> = this.RULE("seen", (): Expression => {
    let all = this.#operand();
    this.MANY(() => {
      const of = all;
      const how = this.OR1([
        { ALT: () => ({ kind: "slice", axes: this.SUBRULE(this.#slices).all }) as const },
        {
          ALT: () => {
            this.CONSUME(t["."]);
            const name = this.word(2);
            return { kind: "method", name, given: this.SUBRULE(this.members).all } as const;
          },
        },
      ]);
      all = this.ACTION(() => ({ ...how, of, place: this.since(of.place.start) }));
    });
    return all;
  });

  readonly #slices: Rule<{ readonly all: readonly Slice[] }> = this.listed(
    "slices",
    square,
    () => this.#slice,
  );

  readonly #slice: Rule<Slice> = this.RULE(
    "slice",
    (): Slice =>
      this.OR([
        {
          ALT: () => {
            const start = this.SUBRULE(this.expression);
            const span = this.OPTION(() => this.SUBRULE(this.#span));
            return { start, isSpan: span !== undefined, ...span };
          },
        },
        { ALT: () => ({ isSpan: true, ...this.SUBRULE1(this.#span) }) },
      ]),
  );

  /** The end and the step of a slice, behind its start. */
  readonly #span: Rule<Pick<Slice, "end" | "step">> = this.RULE("span", () => {
    this.CONSUME(t[":"]);
    const end = this.OPTION(() => this.SUBRULE(this.expression));
    return { end, step: this.behind(1, t[":"], this.expression) };
  });

  #operand(): Expression {
    return this.OR([
      {
        ALT: (): Expression => {
          const token = this.CONSUME(t.numeral);
          return { kind: "number", text: token.image, place: placeOf(token) };
        },
      },
      { ALT: () => this.#named() },
      {
        ALT: (): Expression => {
          this.CONSUME(t["("]);
          const inner = this.SUBRULE(this.expression);
          this.CONSUME(t[")"]);
          return { ...inner, isGrouped: true };
        },
      },
    ]);
  }

  /** What begins with a name, or with a word that makes more of the names behind it. */
  #named(): Expression {
    const { tokenType, image } = this.LA(1);
    // Most names are plain. The grammar is recorded at the end of the input.
    if (tokenType !== EOF && tokenType !== t.call && !modes.has(image)) return this.#applied(0);
    return this.OR2([
      { GATE: () => this.#isDerivative(), ALT: () => this.SUBRULE(this.#derivative) },
      {
        GATE: () => modes.has(this.LA(1).image) && this.isNext("call", 2) && this.isNext("(", 4),
        ALT: () => this.SUBRULE(this.#derivedCall),
      },
      {
        GATE: () => this.isNext("call") && !this.isNext("(", 2),
        ALT: () => this.#applied(1, this.CONSUME(t.call)),
      },
      { ALT: () => this.#applied(0) },
    ]);
  }

  /** Tells whether an arrow comes before the line's end, which no call has. */
  #isDerivative(): boolean {
    if (!modes.has(this.LA(1).image)) return false;
    let depth = 0;
    for (let far = 2; ; far++) {
      const { tokenType } = this.LA(far);
      if (tokenType === t["=>"] && depth === 0) return true;
      if (tokenType === t["("]) depth += 1;
      else if (tokenType === t[")"]) depth -= 1;
      else if (depth === 0 && tokenType !== t.given) return false;
      if (depth < 0 || tokenType === EOF) return false;
    }
  }

  /** A name, or what is applied to operands: `sum(x, axes=[0])`, `call f(x)`, `call f(x) by h`. */
  #applied(i: number, called?: IToken): Expression {
    const op = this.word(i);
    const given = this.option(i, () => this.subrule(i, this.#given));
    if (given === undefined) return { kind: "name", name: op, place: op.place };
    const isSaid = this.RECORDING_PHASE || called !== undefined || op.text === "hook";
    const by = isSaid ? this.behind(i + 2, t.by, this.place) : undefined;
    const derived =
      called &&
      (this.RECORDING_PHASE || by === undefined) &&
      this.option(6, {
        GATE: () => modes.has(this.LA(1).image),
        DEF: () => this.subrule(0, this.#directions),
      });
    const place = this.since(called?.startOffset ?? op.place.start);
    return {
      kind: "call",
      isProcedure: called !== undefined,
      op,
      ...given,
      ...(by && { by }),
      ...(derived && { derived }),
      place,
    };
  }

  /** `vjp of 0, b by x, b along c, d`, behind a call. */
  readonly #directions: Rule<Directions> = this.RULE("directions", (): Directions => {
    const [of, by, along]: [Word[], Word[], Expression[]] = [[], [], []];
    const mode = wordOf(this.CONSUME(t.name));
    this.CONSUME(t.of);
    this.AT_LEAST_ONE_SEP({ SEP: t[","], DEF: () => of.push(this.SUBRULE(this.place)) });
    this.CONSUME(t.by);
    this.AT_LEAST_ONE_SEP1({ SEP: t[","], DEF: () => by.push(this.SUBRULE1(this.place)) });
    this.CONSUME(t.along);
    this.AT_LEAST_ONE_SEP2({ SEP: t[","], DEF: () => along.push(this.SUBRULE(this.expression)) });
    return { mode, of: of.slice(), by: by.slice(), along: along.slice() };
  });

  readonly #given: Rule<Given> = this.RULE("operands", (): Given => {
    const operands: Expression[] = [];
    const attributes: Assignment[] = [];
    this.CONSUME(t["("]);
    this.MANY_SEP({
      SEP: t[","],
      DEF: () =>
        this.OR([
          {
            GATE: () => this.isNext("=", 2),
            ALT: () => attributes.push(this.SUBRULE(this.assignment)),
          },
          { ALT: () => operands.push(this.SUBRULE(this.expression)) },
        ]),
    });
    this.CONSUME(t[")"]);
    return { operands: operands.slice(), attributes: attributes.slice() };
  });

  readonly #operands: Rule<{ readonly all: readonly Expression[] }> = this.listed(
    "values",
    round,
    () => this.expression,
  );

  /** `vjp call f(x, y) of 0 by y along c`. */
  readonly #derivedCall: Rule<Expression> = this.RULE("derivedCall", (): Expression => {
    const mode = wordOf(this.CONSUME(t.name));
    this.CONSUME(t.call);
    const procedure = this.word(0);
    const { all: operands } = this.SUBRULE(this.#operands);
    const of = this.behind(0, t.of, this.place);
    const by = this.behind(1, t.by, this.place);
    const along = this.behind(2, t.along, this.expression);
    const place = this.since(mode.place.start);
    return { kind: "derived_call", mode, procedure, operands, of, by, along, place };
  });

  /** `vjp (x: [3]) => { y = x * x; z = exp(y) } of z by x at a along c`. */
  readonly #derivative: Rule<Expression> = this.RULE("derivative", (): Expression => {
    const mode = wordOf(this.CONSUME(t.name));
    const { all: inputs } = this.SUBRULE(this.declarations);
    const given = this.given(1);
    this.CONSUME(t["=>"]);
    const inner = this.OR([
      { ALT: () => this.SUBRULE(this.#several).all },
      {
        ALT: (): readonly Let[] => {
          const value = this.SUBRULE(this.expression);
          return [{ kind: "let", names: [], value, place: value.place }];
        },
      },
    ]);
    const asked: Asked = { at: [] };
    const behind = (kind: TokenType, read: () => void): { readonly ALT: () => void } => ({
      ALT: () => {
        this.CONSUME(kind);
        read();
      },
    });
    this.AT_LEAST_ONE(() =>
      this.OR1([
        behind(t.of, () => Object.assign(asked, { of: this.word(0) })),
        behind(t.by, () => Object.assign(asked, { by: this.word(1) })),
        behind(t.at, () =>
          this.AT_LEAST_ONE_SEP({ SEP: t[","], DEF: () => asked.at.push(this.SUBRULE1(this.expression)) }),
        ),
        behind(t.along, () => Object.assign(asked, { along: this.SUBRULE2(this.expression) })),
      ]),
    );
    const place = this.since(mode.place.start);
    return { kind: "derivative", mode, inputs, given, inner, ...asked, place };
  });

  readonly #several: Rule<{ readonly all: readonly Let[] }> = this.listed(
    "several",
    [t["{"], t["}"]],
    () => this.bound,
    t[";"],
  );

  /** A value with its names: `y = x * x`, `y: [3] = f(x)`, `a, b = call f(x)`; or without. */
  readonly bound: Rule<Let> = this.RULE("bound", (): Let => {
    const names: Word[] = [];
    const shape = this.OPTION({
      GATE: () => this.isNext("=", 2) || this.isNext(",", 2) || this.isNext(":", 2),
      DEF: () => {
        this.AT_LEAST_ONE_SEP({ SEP: t[","], DEF: () => names.push(this.word(0)) });
        const own = this.behind(1, t[":"], this.shape);
        this.CONSUME(t["="]);
        return own;
      },
    });
    const value = this.SUBRULE(this.expression);
    const measure = this.behind(2, t.in, this.measure);
    return this.ACTION(() => {
      const place = this.since((names[0] ?? value).place.start);
      return { kind: "let", names: names.slice(), shape, ...measure, value, place };
    });
  });
}

/** These words stand before what is derived. */
const modes: ReadonlySet<string> = new Set(["vjp", "jvp", "derivative"]);

/** Groups operands by how tightly the signs between them bind: precedence climbing. */
function grouped(first: Expression, rest: Rest): Expression {
  let next = 0;
  const climb = (left: Expression, least: number): Expression => {
    let all = left;
    for (;;) {
      const [sign, operand] = rest[next] ?? [];
      if (sign === undefined || operand === undefined || boundOf(sign) < least) return all;
      next += 1;
      // A power binds to the right, so that x ** y ** z is x ** (y ** z); all others bind to the left.
      all = joined(all, sign, climb(operand, boundOf(sign) + (sign === "**" ? 0 : 1)));
    }
  };
  return climb(first, 1);
}

/** Joins two operands; a sign before a power's base is the whole power's: −x² is −(x²). */
function joined(left: Expression, sign: string, right: Expression): Expression {
  const place = { start: left.place.start, end: right.place.end };
  if (sign === "**" && left.kind === "negative" && left.isGrouped !== true)
    return { kind: "negative", operand: joined(left.operand, sign, right), place };
  return { kind: "infix", sign, left, right, place };
}
