import { EmbeddedActionsParser, type IToken, type ParserMethod, type TokenType } from "chevrotain";
import type { Shape } from "../shapes/index.ts";
import { parseJson } from "../wire/index.ts";
import { expectations, t, tokens } from "./tokens.ts";
import type { Assignment, Datum, Declaration, Measure, MixedAxis, Place, Word } from "./tree.ts";

/** Kinds of token that open and close a list. */
type Brackets = readonly [open: TokenType, close: TokenType];

/** Round brackets hold operands and declarations. */
export const round: Brackets = [t["("], t[")"]];

/** Square brackets hold lists, shapes and slices. */
export const square: Brackets = [t["["], t["]"]];

/** A rule reads a part of the grammar, without parameters. */
export type Rule<R> = ParserMethod<[], R>;

/** Things between brackets, and where the closing one ends. */
interface Listed<T> {
  readonly all: readonly T[];
  readonly start: number;
  readonly end: number;
}

/**
 * Reads names, data, units and declarations. Rules build the tree as they go. Helpers take a number that
 * tells their uses within one rule apart, as the library's own methods do.
 */
export class DataParser extends EmbeddedActionsParser {
  /** A checked parser looks for ambiguities and left recursion in the grammar, which takes a third longer. */
  constructor(isChecked: boolean) {
    super([...tokens], {
      maxLookahead: 3,
      errorMessageProvider: expectations,
      skipValidations: !isChecked,
    });
  }

  /** Makes the rule of things of one kind between commas, in brackets. */
  protected listed<T>(
    name: string,
    [open, close]: Brackets,
    item: () => Rule<T>,
    comma: TokenType = t[","],
  ): Rule<Listed<T>> {
    return this.RULE(name, (): Listed<T> => {
      const all: T[] = [];
      const { startOffset } = this.CONSUME(open);
      this.MANY_SEP({ SEP: comma, DEF: () => all.push(this.SUBRULE(item())) });
      return { all: all.slice(), start: startOffset, end: endOf(this.CONSUME(close)) };
    });
  }

  protected word(i: number): Word {
    return wordOf(this.consume(i, t.word));
  }

  /** Tells whether a kind of token comes next, or so many further. */
  protected isNext(kind: keyof typeof t, far: number = 1): boolean {
    return this.LA(far).tokenType === t[kind];
  }

  /** Reads what stands behind a kind of token, if that comes next. */
  protected behind<T>(i: number, kind: TokenType, rule: Rule<T>): T | undefined {
    return this.option(i, () => {
      this.consume(i, kind);
      return this.subrule(i, rule);
    });
  }

  /** The place from an offset to the end of what was read. */
  protected since(start: number): Place {
    return { start, end: endOf(this.LA(0)) };
  }

  /** A number that begins with a digit or a sign: `-1/3`, `+2.5`, `-inf`. */
  #number(i: number): Word {
    let sign: IToken | undefined;
    const first = this.or(i, [
      { ALT: () => this.consume(i, t.numeral) },
      {
        ALT: () => {
          sign = this.or(i + 2, [
            { ALT: () => this.consume(i, t["-"]) },
            { ALT: () => this.consume(i, t["+"]) },
          ]);
          return this.or(i + 4, [
            { ALT: () => this.consume(i + 2, t.numeral) },
            { ALT: () => this.consume(i, t.name) },
          ]);
        },
      },
    ]);
    const divisor = this.option(i, () => {
      this.consume(i, t["/"]);
      return this.consume(i + 4, t.numeral).image;
    });
    const whole = divisor === undefined ? first.image : `${first.image}/${divisor}`;
    const text = sign?.image === "-" ? `-${whole}` : whole;
    return { text, place: this.since((sign ?? first).startOffset) };
  }

  readonly number: Rule<Word> = this.RULE("number", () => this.#number(0));

  /** A number, or the numbers from one to another. */
  readonly numeric: Rule<Datum> = this.RULE("numeric", (): Datum => {
    const { text, place } = this.#number(0);
    const high = this.option(8, () => {
      this.CONSUME(t[".."]);
      return this.#number(1).text;
    });
    if (high === undefined) return { kind: "number", text, place };
    return { kind: "span", low: text, high, place: this.since(place.start) };
  });

  readonly datum: Rule<Datum> = this.RULE("datum", (): Datum => {
    const first = this.#simple(0);
    const others: Datum[] = [];
    this.MANY(() => {
      this.CONSUME(t["|"]);
      others.push(this.#simple(1));
    });
    if (others.length === 0) return first;
    return this.ACTION(() => ({
      kind: "one_of",
      members: [first, ...others],
      place: this.since(first.place.start),
    }));
  });

  #simple(i: number): Datum {
    return this.or(i, [
      { ALT: () => this.subrule(i, this.#list) },
      { ALT: () => this.subrule(i, this.numeric) },
      { ALT: () => this.subrule(i, this.#spoken) },
      { ALT: (): Datum => ({ kind: "quoted", ...wordOf(this.consume(i, t.text)) }) },
      { ALT: (): Datum => ({ kind: "word", text: "undecided", place: placeOf(this.consume(i, t["?"])) }) },
    ]);
  }

  readonly #entries: Rule<Listed<Datum>> = this.listed("entries", square, () => this.datum);
  protected readonly members: Rule<Listed<Datum>> = this.listed("members", round, () => this.datum);

  readonly #list: Rule<Datum> = this.RULE("list", (): Datum => {
    const { all, start, end } = this.SUBRULE(this.#entries);
    return { kind: "list", entries: all, place: { start, end } };
  });

  /** A word, such as `true` and `inf`; `hull(0, 1)` is everything between its members. */
  readonly #spoken: Rule<Datum> = this.RULE("spoken", (): Datum => {
    const { text, place } = wordOf(this.CONSUME(t.name));
    const form = text === "hull" || text === "one_of" || text === "full" ? text : undefined;
    const given = this.OPTION({ GATE: () => form !== undefined, DEF: () => this.SUBRULE(this.members) });
    if (given !== undefined)
      return { kind: form ?? "one_of", members: given.all, place: this.since(place.start) };
    return { kind: text === "inf" || text === "nan" ? "number" : "word", text, place };
  });

  readonly assignment: Rule<Assignment> = this.RULE("assignment", (): Assignment => {
    const name = this.word(0);
    this.CONSUME(t["="]);
    return { name, value: this.SUBRULE(this.datum) };
  });

  /** An assignment of a clause: `seed 0 = 1`, `receives "in": [2] = 3`. */
  readonly stated: Rule<Assignment> = this.RULE("stated", (): Assignment => {
    const name = this.SUBRULE(this.place);
    const shape = this.behind(0, t[":"], this.shape);
    this.CONSUME(t["="]);
    return { name, shape, value: this.SUBRULE(this.datum) };
  });

  /** A unit of one's own: `knot = 0.514 m/s`. */
  readonly definition: Rule<Assignment> = this.RULE("definition", (): Assignment => {
    const name = this.word(0);
    this.CONSUME(t["="]);
    const { text, isQuoted, place } = this.SUBRULE(this.#unit);
    return { name, value: { kind: isQuoted === true ? "quoted" : "word", text, place } };
  });

  /** A name, or a place counted from 0. */
  readonly place: Rule<Word> = this.RULE("place", () =>
    this.OR([{ ALT: () => this.word(0) }, { ALT: () => wordOf(this.CONSUME(t.numeral)) }]),
  );

  readonly shape: Rule<Shape> = this.RULE("shape", (): Shape => {
    const extents: number[] = [];
    this.CONSUME(t["["]);
    this.MANY_SEP({ SEP: t[","], DEF: () => extents.push(Number(this.CONSUME(t.numeral).image)) });
    this.CONSUME(t["]"]);
    return extents;
  });

  /** Names and signs of a unit, up to a comma, a bracket that it did not open, or the end. */
  readonly #unit: Rule<Word> = this.RULE("unit", (): Word => {
    const factors: (readonly IToken[])[] = [];
    this.AT_LEAST_ONE({
      GATE: () => !this.isNext("along"),
      DEF: () => factors.push(this.SUBRULE(this.#factor)),
    });
    return this.ACTION(() => {
      const parts = factors.flat();
      const [first] = parts;
      if (first !== undefined && parts.length === 1) return wordOf(first);
      return { text: spaced(parts), place: this.since(first?.startOffset ?? 0) };
    });
  });

  readonly #factor: Rule<readonly IToken[]> = this.RULE("factor", (): readonly IToken[] =>
    this.OR([
      { ALT: () => [this.CONSUME(t.word)] },
      { ALT: () => [this.CONSUME(t.numeral)] },
      { ALT: () => [this.CONSUME(t.operator)] },
      { ALT: () => [this.CONSUME(t.unit)] },
      {
        ALT: () => {
          const inner: (readonly IToken[])[] = [[this.CONSUME(t["("])]];
          this.AT_LEAST_ONE(() => inner.push(this.SUBRULE(this.#factor)));
          return [...inner.flat(), this.CONSUME(t[")"])];
        },
      },
    ]),
  );

  /** A unit, or a unit for each place along some axes: `kg along 0 [m, m/s] along 1 [s, 1]`. */
  readonly measure: Rule<Measure> = this.RULE("measure", (): Measure => {
    const along: MixedAxis[] = [];
    const unit = this.OR([
      { GATE: () => !this.isNext("along"), ALT: () => this.SUBRULE(this.#unit) },
      {
        ALT: () => {
          along.push(this.SUBRULE(this.#mixed));
          return undefined;
        },
      },
    ]);
    this.MANY(() => along.push(this.SUBRULE1(this.#mixed)));
    return { unit, along: along.length === 0 ? undefined : along };
  });

  readonly #units: Rule<Listed<Word>> = this.listed("units", square, () => this.#unit);

  readonly #mixed: Rule<MixedAxis> = this.RULE("mixed", (): MixedAxis => {
    const { startOffset } = this.CONSUME(t.along);
    const axis = this.CONSUME(t.numeral).image;
    const { all } = this.SUBRULE(this.#units);
    return { axis, units: all, place: this.since(startOffset) };
  });

  readonly declaration: Rule<Declaration> = this.RULE("declaration", (): Declaration => {
    const kind = this.OPTION(() => {
      this.CONSUME(t["&"]);
      return this.OPTION6(() => this.CONSUME1(t["&"])) === undefined ? "reference" : "donated";
    });
    const name = this.word(0);
    const typed = this.OPTION1(() => {
      this.CONSUME(t[":"]);
      const index = this.OPTION2(() => this.CONSUME(t.index));
      return { isIndex: index !== undefined, shape: this.OPTION3(() => this.SUBRULE(this.shape)) };
    });
    const { isIndex = false, shape } = typed ?? {};
    let range: Declaration["range"];
    const measure = this.OPTION4(() => {
      this.CONSUME(t.in);
      return this.OR([
        {
          GATE: () => [2, 3, 4, 5].some((far) => this.isNext("..", far)),
          ALT: () => {
            range = endsOf(this.SUBRULE(this.numeric));
            return this.OPTION5(() => this.SUBRULE(this.measure));
          },
        },
        { ALT: () => this.SUBRULE1(this.measure) },
      ]);
    });
    return { name, shape, isIndex, kind: kind ?? "value", range, ...measure, place: name.place };
  });

  readonly declarations: Rule<Listed<Declaration>> = this.listed(
    "declarations",
    round,
    () => this.declaration,
  );

  /** Reads entries of Δ, if there are any. */
  protected given(i: number): readonly Declaration[] {
    return this.behind(i, t.given, this.declarations)?.all ?? [];
  }
}

/** Writes tokens with one blank where some stood between them. */
function spaced(all: readonly IToken[]): string {
  return all.reduce(
    (text, token, i) => text + (i > 0 && endOf(all[i - 1]) < token.startOffset ? " " : "") + token.image,
    "",
  );
}

function endsOf(span: Datum): Declaration["range"] {
  if (span.kind !== "span") return undefined;
  const end = (text: string): Datum => ({ kind: "number", text, place: span.place });
  return [end(span.low), end(span.high)];
}

/** Returns where a token stands. */
export function placeOf(token: IToken): Place {
  return { start: token.startOffset, end: endOf(token) };
}

/** Returns where a token ends. */
export function endOf(token: IToken | undefined): number {
  return token === undefined ? 0 : token.startOffset + token.image.length;
}

/** Returns the word of a token, without the quotes of a text. */
export function wordOf(token: IToken): Word {
  const { image } = token;
  const place = placeOf(token);
  return image.startsWith('"') ? { text: unquoted(image), isQuoted: true, place } : { text: image, place };
}

/** Returns what a quoted text says; a text whose escapes JSON does not know says itself. */
function unquoted(image: string): string {
  const json = parseJson(image);
  return json.ok && typeof json.value === "string" ? json.value : image.slice(1, -1);
}
