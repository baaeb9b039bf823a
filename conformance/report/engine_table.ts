import { type Standing, standingOf } from "../../oracle/judge/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import { type Finding, titleOf } from "./findings.ts";
import { COLUMNS, counted, folded, listed } from "./fold.ts";
import { cut } from "./folded.ts";
import { askedCases, type Section } from "./json.ts";
import { coverageTold, notesOf } from "./section_notes.ts";
import type { Palette } from "./terminal.ts";

/** Counts have these heads, and columns so wide. */
const heads = { agree: 8, wrong: 6, crashed: 8, undecided: 10, declined: 9 };

/** A row's mark, and how to colour it. */
type Mark = readonly [sign: string, paint: Palette["red"]];

/** How a table is laid out. */
export interface TableStyle {
  readonly width?: number;
  /** The cases are of files, so that nobody wonders which operators they lack. */
  readonly isOfFiles?: boolean;
}

/**
 * Tabulates what came of each engine: a row of counts for each precision, of failures those that are new,
 * then what the counts do not say. Each line has at most `width` columns.
 */
export function engineTable(
  sections: readonly Section[],
  palette: Palette,
  { width = COLUMNS, isOfFiles = false }: TableStyle = {},
): string[] {
  const wide = Object.values(heads).reduce((sum, columns) => sum + columns, 2);
  const name = Math.min(60, Math.max(20, width - wide));
  const head = Object.entries(heads).map(([text, columns]) => text.padStart(columns));
  const rows = sections.flatMap((section, place) => {
    const next = sections[place + 1];
    const isLast = next?.label !== section.label;
    return [row(section, name, palette), ...notes(section, isLast && !isOfFiles, palette, width)];
  });
  return [palette.dim(`${" ".repeat(name + 2)}${head.join("")}`), ...rows];
}

function row(section: Section, name: number, palette: Palette): string {
  const { agrees, disagrees, crashed, undecided, unsupported } = section.tally.counts;
  const { excused = { disagrees: 0, crashed: 0 } } = section;
  const counts = {
    agree: `${agrees}/${askedCases(section)}`,
    wrong: disagrees - excused.disagrees,
    crashed: crashed - excused.crashed,
    undecided,
    declined: unsupported,
  } satisfies Record<keyof typeof heads, string | number>;
  const cells = Object.values(counts).map((count, place) =>
    String(count).padStart(Object.values(heads)[place] ?? 0),
  );
  const [sign, paint] = markOf(standingOf(section), palette);
  // A long name is cut, and its precision is not.
  const title = `${cut(engineOf(section), name - section.dtype.length - 1)} ${section.dtype}`;
  return paint(`${sign} ${title.padEnd(name)}${cells.join("")}`);
}

function notes(section: Section, isCovering: boolean, { yellow, dim }: Palette, width: number): string[] {
  const { disagrees, crashed } = section.excused ?? { disagrees: 0, crashed: 0 };
  const known = disagrees + crashed;
  const { warnings, imprecise } = notesOf(section);
  const coverage = isCovering ? coverageTold(section) : [];
  return [
    ...(known > 0
      ? [
          dim(
            `    ${counted(known, "case")} more ${known === 1 ? "is a" : "are"} known ${known === 1 ? "failure" : "failures"}`,
          ),
        ]
      : []),
    ...imprecise.flatMap((told) => folded(told, "    ~ ", width)).map(yellow),
    ...warnings.flatMap((told) => folded(told, "    ! ", width)).map(yellow),
    ...(coverage.length > 0 ? folded(coverage.join("; "), "    ", width).map(dim) : []),
  ];
}

function markOf({ kind }: Standing, { green, red, yellow }: Palette): Mark {
  if (kind === "agrees") return ["✓", green];
  return kind === "disagrees" || kind === "crashed" ? ["✗", red] : ["–", yellow];
}

/** Names an engine in a precision. */
export function titleOfSection({ description: { name, version }, dtype }: Section): string {
  return `${visible(name, 48)} ${visible(version, 16)} ${dtype}`;
}

/** Sums a run up in a sentence: which engines are wrong, and in how many faults. */
export function verdictLines(
  sections: readonly Section[],
  findings: readonly Finding[],
  palette: Palette,
  width: number = COLUMNS,
): string[] {
  const engines = [...new Set(sections.map(engineOf))];
  const news = findings.filter(({ isKnown }) => !isKnown);
  const known = findings.length - news.length;
  const also = known > 0 ? `; ${counted(known, "fault")} known` : "";
  const kinds = [
    ["disagrees", "fault"],
    ["crashed", "crash", "crashes"],
  ] as const;
  const told = kinds.flatMap(([kind, one, many]) => {
    const some = news.filter((finding) => finding.kind === kind);
    if (some.length === 0) return [];
    const whose = [...new Set(some.map(({ engine }) => engine))];
    const of = engines.length === 1 ? "" : ` in ${whose.length} of ${engines.length} engines`;
    const what = some.length === 1 && some[0] !== undefined ? ` (${cut(titleOf(some[0]), 40)})` : "";
    return [
      `${counted(some.length, one, many)}${of}: ${listed(
        whose.map((name) => visible(name, 48)),
        6,
      )}${what}`,
    ];
  });
  if (told.length > 0) return folded(`${told.join("; ")}${also}`, "✗ ", width).map(palette.red);
  const unsure = [...new Set(sections.filter((one) => standingOf(one).kind !== "agrees").map(engineOf))];
  if (unsure.length > 0)
    return folded(
      `no fault was found, but too little is known of ${listed(unsure, 6)}${also}`,
      "– ",
      width,
    ).map(palette.yellow);
  const who = engines.length === 1 ? `${engines[0]} agrees` : `${engines.length} engines agree`;
  return folded(`${who} with the truth${also}`, "✓ ", width).map(palette.green);
}

function engineOf({ description: { name, version } }: Section): string {
  return `${visible(name, 48)} ${visible(version, 16)}`;
}
