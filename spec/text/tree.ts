import type { ParameterKind } from "../programs/index.ts";
import type { Shape } from "../shapes/index.ts";

/*
 * The syntax tree of a text [SEMANTICS §8]. Every part has its place, so that whatever is found wrong later,
 * by the check of the document that the text denotes, can be shown where it is written.
 */

/** A part of the text, from one offset (in UTF-16 code units) to the next behind it. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A word names something: a value, an operator, a part; quoted or not. */
export interface Word {
  readonly text: string;
  /** It stands in quotes, and so is a name whatever it looks like. */
  readonly isQuoted?: true;
  readonly place: Place;
}

/** A datum is a number, a word, a text, a set of numbers, or a list of data. */
export type Datum =
  | { readonly kind: "list"; readonly entries: readonly Datum[]; readonly place: Place }
  /** `text` is as written, with its sign: `-0x1.8p+1`, `1/3`, `-inf`. */
  | { readonly kind: "number" | "word" | "quoted"; readonly text: string; readonly place: Place }
  | { readonly kind: "span"; readonly low: string; readonly high: string; readonly place: Place }
  | {
      /** `full([0, 3], 1)` is a tensor of a shape, filled with a number. */
      readonly kind: "one_of" | "hull" | "full";
      readonly members: readonly Datum[];
      readonly place: Place;
    };

/** `name = datum`, as attributes and clauses have it; in clauses a shape may stand before the sign. */
export interface Assignment {
  readonly name: Word;
  readonly shape?: Shape | undefined;
  readonly value: Datum;
}

/** An axis of a view: one place, or from a start to before an end, with a step; `:` is all of it. */
export interface Slice {
  readonly start?: Expression | undefined;
  /** A colon stands in it. */
  readonly isSpan: boolean;
  readonly end?: Expression | undefined;
  readonly step?: Expression | undefined;
}

/** An expression stands for a value, or for a view of a location. */
export type Expression = {
  readonly place: Place;
  /** It stands in brackets of its own. */
  readonly isGrouped?: true;
} & (
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "name"; readonly name: Word }
  | {
      readonly kind: "call";
      /** Operators are applied; procedures are called, with `call` before their name. */
      readonly isProcedure: boolean;
      readonly op: Word;
      readonly operands: readonly Expression[];
      readonly attributes: readonly Assignment[];
      /** The procedure whose derivative is meant: `call f(x) by h`. */
      readonly by?: Word | undefined;
      /** The call is differentiated too: `call f(x, b) vjp of 0, b by x, b along c, d`. */
      readonly derived?: Directions | undefined;
    }
  | { readonly kind: "infix"; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "negative"; readonly operand: Expression }
  | { readonly kind: "slice"; readonly of: Expression; readonly axes: readonly Slice[] }
  | {
      readonly kind: "method";
      readonly of: Expression;
      readonly name: Word;
      readonly given: readonly Datum[];
    }
  | Derivative
  | DerivedCall
);

/** Results of a call, and locations as it leaves them, by what it finds, in a direction for each. */
export interface Directions {
  readonly mode: Word;
  readonly of: readonly Word[];
  readonly by: readonly Word[];
  readonly along: readonly Expression[];
}

/** The derivative of a procedure's result by a parameter: `vjp call f(x, y) of 0 by y along c`. */
export interface DerivedCall {
  readonly kind: "derived_call";
  readonly mode: Word;
  readonly procedure: Word;
  readonly operands: readonly Expression[];
  readonly of?: Word | undefined;
  readonly by?: Word | undefined;
  readonly along?: Expression | undefined;
  readonly place: Place;
}

/** The derivative of a graph within a graph: `vjp (x: [3]) => x * x by x at a along c`. */
export interface Derivative {
  readonly kind: "derivative";
  readonly mode: Word;
  readonly inputs: readonly Declaration[];
  readonly given: readonly Declaration[];
  readonly inner: readonly Let[];
  readonly of?: Word | undefined;
  readonly by?: Word | undefined;
  readonly at: readonly Expression[];
  readonly along?: Expression | undefined;
  readonly place: Place;
}

/** Places along an axis have units of their own: `along 0 [m, m/s]`. */
export interface MixedAxis {
  readonly axis: string;
  readonly units: readonly Word[];
  readonly place: Place;
}

/** What a value is measured in: a unit, times one for each place along some axes. */
export interface Measure {
  readonly unit?: Word | undefined;
  readonly along?: readonly MixedAxis[] | undefined;
}

/** An input, an entry of Δ, a parameter or a location: `x: [3] in 0..1 m`. */
export interface Declaration extends Measure {
  readonly name: Word;
  /** A scalar if there is none. */
  readonly shape?: Shape | undefined;
  readonly isIndex: boolean;
  readonly kind: ParameterKind;
  readonly range?: readonly [low: Datum, high: Datum] | undefined;
  readonly place: Place;
}

/** `y: [3] = x * x`; without a name the value is known by its id. */
export interface Let extends Measure {
  readonly kind: "let";
  readonly names: readonly Word[];
  readonly shape?: Shape | undefined;
  readonly value: Expression;
  readonly place: Place;
}

/** What a procedure returns: `y: [3]`, `2 * x`. */
export interface Returned {
  readonly value: Expression;
  readonly shape?: Shape | undefined;
}

/** A line, with the lines that stand indented below it. */
export type Line = { readonly place: Place } & (
  | Let
  | {
      readonly kind: "update";
      readonly sign: string;
      readonly target: Expression;
      readonly value: Expression;
    }
  | {
      readonly kind: "block";
      readonly head: Word;
      /** The counter of `for`. */
      readonly counter?: Word | undefined;
      /** The condition of `if` and `while`. */
      readonly condition?: Expression | undefined;
      /** The turns of `for`, the most of `while`. */
      readonly turns?: string | undefined;
      readonly body: Line[];
    }
  | {
      readonly kind: "header";
      readonly head: Word;
      readonly name?: Word | undefined;
      readonly inputs: readonly Declaration[];
      readonly given: readonly Declaration[];
      readonly body: Line[];
    }
  /** With `of` the one declaration is another name, of what that sees. */
  | { readonly kind: "state"; readonly locations: readonly Declaration[]; readonly of?: Expression }
  | { readonly kind: "return"; readonly results: readonly Returned[] }
  | {
      readonly kind: "clause";
      readonly head: Word;
      readonly words: readonly Word[];
      readonly assignments: readonly Assignment[];
      readonly body: Line[];
    }
);

/** The line of one kind. */
export type LineOf<K extends Line["kind"]> = Extract<Line, { readonly kind: K }>;
