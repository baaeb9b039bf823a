/** A finding as the list shows it. */
export interface PageRow {
  /** The name that a link uses: `finding-…`, the same in all reports of the fault. */
  readonly id: string;
  /** The list shows it below this heading: its operator, or what became of it. */
  readonly group: string;
  readonly title: string;
  /** What the title says beyond the heading. */
  readonly short: string;
  /** The sort of fault, such as `wrong-value`. */
  readonly code: string;
  /** It is `new`, `known` or `crashed`; of two reports `new`, `mended`, `unasked` or `same`. */
  readonly kind: string;
  readonly engine: string;
  /** The engine in each of its precisions that show it, by place in the report. */
  readonly sections: readonly number[];
  /** The operator to blame, `input`, or empty. */
  readonly operator: string;
  /** Modes and laws answered wrongly. */
  readonly questions: readonly string[];
  readonly cases: number;
}

/** The page reads this when it loads; all else waits in blocks until the reader asks for it. */
export interface PageIndex {
  readonly rows: readonly PageRow[];
  /** A block contains so many findings. */
  readonly perBlock: number;
}

/** A line in a node's box: its name, what it is, numbers given to it, the answer or the right number. */
export interface DrawnLine {
  readonly text: string;
  readonly sort: "name" | "about" | "given" | "got" | "want";
}

/** A node as it is drawn: a box around its middle, in pixels. */
export interface DrawnNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly DrawnLine[];
  readonly mark: "blamed" | "input" | "node";
}

/** A graph with its layout, ready to be written as SVG. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** A sentence for readers who do not see it. */
  readonly title: string;
  readonly nodes: readonly DrawnNode[];
  /** Points of cubic curves, x and y in turn: the first, then three for each curve. */
  readonly edges: readonly (readonly number[])[];
  /** So many nodes are not drawn. */
  readonly left: number;
}

/** An answer against the certified interval. */
export interface PageNumbers {
  /** The number's place, such as `dL/dx[0]`. */
  readonly place: string;
  readonly got: string;
  readonly want: string;
  /** How far off the answer is, where both are numbers. */
  readonly off?: string;
  /** The same with hexadecimals, which are exact. */
  readonly exact: Pick<PageNumbers, "got" | "want">;
  /** It says where the answer lies. */
  readonly sentence: string;
  /** The answer's distance from the interval's middle in half-widths; left out if it is no number. */
  readonly distance?: number;
}

/** It counts, for one operator and mode or law, the numbers by their right digits. */
export interface PageDigits {
  /** Numbers that agree have so many digits certainly right, and so many that their bounds ask for. */
  readonly right: Readonly<Record<string, number>>;
  readonly asked: Readonly<Record<string, number>>;
  /** Numbers of cases that disagree have so many digits right, in quarters. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** An operator's digits by mode or law. */
export interface PageDigitRow {
  readonly operator: string;
  readonly questions: Readonly<Record<string, PageDigits>>;
}

/** All that a finding has to show. */
export interface PageDetail {
  /** What the graph was asked at, a clause each. */
  readonly given: readonly string[];
  readonly numbers?: PageNumbers;
  readonly drawing?: Drawing;
  /** Who is to blame, or what a crash said. */
  readonly sentence: string;
  /** The rule by which it is wrong, and where that is told. */
  readonly rule?: { readonly why: string; readonly link: string };
  readonly policies: readonly string[];
  /** The failures by precision and attributes, where there are several kinds. */
  readonly kinds: string;
  /** Commands that judge the cases again; the first is for the case shown. */
  readonly replays: readonly string[];
  /** So many cases have no command here. */
  readonly more: number;
  /** The shrunk case as files for `adjudge judge`, and the command. */
  readonly reproduction?: PageReproduction;
}

/** A case as files: a text, and JSON. */
export interface PageReproduction {
  /** The files' name without its ending. */
  readonly name: string;
  readonly command: string;
  readonly text: string;
  readonly case: object;
}
