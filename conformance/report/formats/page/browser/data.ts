/** A finding as the list shows it. */
export interface PageRow {
  /** What a link to it names: `finding-…`, the same in every report of the same fault. */
  readonly id: string;
  readonly title: string;
  /** `new`, `known` or `crashed`. */
  readonly kind: string;
  readonly engine: string;
  /** Which engine and precision, by its place in the report. */
  readonly section: number;
  /** The operator to blame, `input`, or nothing. */
  readonly operator: string;
  /** The modes and laws that are answered wrongly. */
  readonly questions: readonly string[];
  readonly cases: number;
}

/** What the page reads when it is loaded; all else waits in blocks until it is asked for. */
export interface PageIndex {
  readonly rows: readonly PageRow[];
  /** How many findings a block holds. */
  readonly perBlock: number;
}

/** A node as it is drawn: a box about its middle, in pixels. */
export interface DrawnNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly lines: readonly string[];
  readonly mark: "blamed" | "input" | "node";
}

/** A graph with its layout: what is left is to write it as SVG. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** In a sentence, for who does not see it. */
  readonly title: string;
  readonly nodes: readonly DrawnNode[];
  /** Points of cubic curves, x and y in turn: the first, then three for each curve. */
  readonly edges: readonly (readonly number[])[];
  /** How many nodes the graph has beside those that are drawn. */
  readonly left: number;
}

/** The answer against what is certified. */
export interface PageNumbers {
  readonly where: string;
  readonly answer: string;
  readonly expected: string;
  readonly bound: string;
  /** Where the answer lies, in a sentence. */
  readonly sentence: string;
  /** The answer's distance from the middle of the interval, in half-widths of it; left out where there is no such number. */
  readonly distance?: number;
}

/** Of one operator and one thing that was asked: how many numbers have how many digits. */
export interface PageDigits {
  /** Of numbers that agree, the digits that are right for certain, and those that their bounds ask for. */
  readonly right: Readonly<Record<string, number>>;
  readonly asked: Readonly<Record<string, number>>;
  /** Of the numbers of cases that disagree, the digits that are right, in quarters. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** The digits of an operator, by what was asked. */
export interface PageDigitRow {
  readonly operator: string;
  readonly questions: Readonly<Record<string, PageDigits>>;
}

/** All that a finding has to show. */
export interface PageDetail {
  readonly sentence: string;
  readonly drawing?: Drawing;
  /** The graph in lines. */
  readonly lines: readonly string[];
  readonly numbers?: PageNumbers;
  readonly policies: readonly string[];
  /** Commands that ask the cases again; the first is of the case that is shown. */
  readonly replays: readonly string[];
  /** How many cases there are beside these. */
  readonly more: number;
  /** The case made small, a file that `adjudge judge` reads, and the words to ask it. */
  readonly reproduction?: { readonly file: string; readonly command: string; readonly case: object };
}
