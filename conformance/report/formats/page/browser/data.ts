/** A finding as the list shows it. */
export interface PageRow {
  /** The name that a link uses: `finding-…`, the same in all reports of the fault. */
  readonly id: string;
  readonly title: string;
  /** It is `new`, `known` or `crashed`. */
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

/** A node as it is drawn: a box around its middle, in pixels. */
export interface DrawnNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly lines: readonly string[];
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
  readonly where: string;
  readonly answer: string;
  readonly expected: string;
  readonly bound: string;
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
  readonly sentence: string;
  readonly drawing?: Drawing;
  /** The graph in lines. */
  readonly lines: readonly string[];
  readonly numbers?: PageNumbers;
  readonly policies: readonly string[];
  /** Commands that judge the cases again; the first is for the case shown. */
  readonly replays: readonly string[];
  /** So many cases have no command here. */
  readonly more: number;
  /** The shrunk case as a file for `adjudge judge`, and the command. */
  readonly reproduction?: { readonly file: string; readonly command: string; readonly case: object };
}
