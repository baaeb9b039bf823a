import { isOfNoNode, type Witness } from "../../oracle/hearing/index.ts";
import type { ReportJson } from "../../spec/wire/index.ts";
import { folded } from "./fold.ts";
import { showCase, showExact, showGraph, showId } from "./show.ts";
import { showTapeCase } from "./show_tape.ts";

/** Colours text; each function is the identity where colours are off. */
export interface Palette {
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

/** Aligns a table's columns: the first to the left, the others to the right. */
export function alignedRows(rows: readonly (readonly Cell[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.text.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map(({ text, paint }, column) => {
        const width = widths[column] ?? 0;
        const padded = column === 0 ? text.padEnd(width) : text.padStart(width);
        return paint === undefined ? padded : paint(padded);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** A cell, and how to colour it once it has been padded. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Says which of the cases were asked; nothing where all were. */
export function selectionLines(selection: ReportJson["selection"]): string[] {
  if (selection === undefined) return [];
  const { operators, excluded } = selection;
  const parts = [
    ...(operators.length > 0 ? [`with ${operators.join(" or ")}`] : []),
    ...(excluded.length > 0 ? [`without ${excluded.join(" and ")}`] : []),
  ];
  return folded(`of all cases those ${parts.join(", ")}`);
}

/** Says which profiles the random cases were drawn from; nothing where there were none. */
export function sharesLines(shares: ReportJson["shares"]): string[] {
  const parts = shares.map(({ profile, share }) => `${profile} ${Number((100 * share).toFixed(1))} %`);
  return parts.length === 0 ? [] : folded(`drawn from ${parts.join(", ")}`);
}

/** Shows the graph that the engine was sent, where that is not the case's. */
function sentLines({ sent }: Witness): string[] {
  return sent === undefined
    ? []
    : ["  sent to the engine as", ...showGraph(sent).map((line) => `    ${line}`)];
}

/** Shows a disagreement: the graph, what was answered, what is true, and what is to blame. */
export function showWitness(witness: Witness, palette: Palette): string[] {
  const { script } = witness;
  if (script !== undefined) return showScript(witness, script, palette);
  const shown = showCase(witness.case).map((line) => `    ${line}`);
  if (isOfNoNode(witness)) {
    const counts = `${palette.red(witness.answer)} for ${palette.green(witness.expected)}`;
    return [...shown, `  ${witness.question}: answered ${counts}`, `  ${witness.blame.sentence}`];
  }
  return [
    ...shown,
    ...sentLines(witness),
    `  ${witness.question} at ${showId(witness.case, witness.id)}, element ${witness.element}:`,
    `    answered  ${palette.red(showExact(witness.answer))}`,
    `    expected  ${palette.green(showExact(witness.expected))}  within ${showExact(witness.bound)}`,
    `  ${witness.blame.sentence}`,
  ];
}

/** Matches what a sweep owes that is no number. */
const owedWords: readonly RegExp[] = [
  /^(a refusal|an answer)$/,
  /^(no call|one call)$/,
  /^after the hook of \d+$/,
];

/** Shows what was done with tapes, and the step that went wrong. */
function showScript(
  { case: asked, question, id, element, answer, expected, bound, blame }: Witness,
  { case: steps, step }: NonNullable<Witness["script"]>,
  { red, green }: Palette,
): string[] {
  const lines = showTapeCase(steps, step).map((line) => `    ${line}`);
  // A refusal, due or given, has no number.
  const isNumber = !owedWords.some((words) => words.test(expected));
  const what = `the ${question === "hook" ? "hook" : "cotangent"} of ${showId(asked, id)}`;
  const inWords = question === "hook" ? `${what}:` : "the sweep:";
  const where = isNumber ? `${what}, element ${element}:` : inWords;
  const within = isNumber ? `  within ${showExact(bound)}` : "";
  return [
    ...lines,
    `  step ${step}, ${where}`,
    `    answered  ${red(isNumber ? showExact(answer) : answer)}`,
    `    expected  ${green(isNumber ? showExact(expected) : expected)}${within}`,
    `  ${blame.sentence}`,
  ];
}
