import { isOfNoNode, type Witness } from "../../oracle/hearing/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { nodeAt } from "../../spec/graph/index.ts";
import { type NodeId, type Shape, visible } from "../../spec/shapes/index.ts";
import { parseFloat64 } from "../../spec/wire/index.ts";
import { COLUMNS, folded } from "./fold.ts";
import { type Rule, ruleOf } from "./rules.ts";
import { showCase, showExact, showGraph, showNumber } from "./show.ts";
import { showTapeCase } from "./show_tape.ts";
import type { Palette } from "./terminal.ts";

/** A style says how a witness is written. */
export interface Style {
  readonly palette: Palette;
  /** Lines have at most so many columns, but for words that are longer. */
  readonly width?: number;
  /** Numbers are written in hexadecimal too, which is exact. */
  readonly isHex?: boolean;
  /** The whole case is written as text, to be copied, and not its graph alone. */
  readonly isWhole?: boolean;
}

/** At most so many lines are shown of a graph, and of what it is asked at. */
const [MOST_GRAPH, MOST_GIVEN] = [32, 8];

/**
 * Writes a disagreement: what was given, the answer and the right number, the graph with the node to blame
 * underlined, who is to blame, and by which rule. The graph, or the whole case, is text that can be read
 * back, unless lines of it are left out. Cost: linear in the case.
 */
export function witnessLines(witness: Witness, style: Style): string[] {
  const { width = COLUMNS } = style;
  return [
    ...(style.isWhole === true ? [] : givenLines(witness, width)),
    ...numberLines(witness, style),
    ...graphLines(witness, style).map((line) => `    ${line}`),
    ...sentLines(witness),
    ...folded(visible(witness.blame.sentence, 4000), "  blame: ", width),
    ...folded(whyOf(ruleOf(witness)), "  why: ", width),
  ];
}

function whyOf({ why, link }: Rule): string {
  return `${why} (${link})`;
}

/** Says what the graph was asked at, folded to so many lines. */
function givenLines(witness: Witness, width: number): string[] {
  const told = givenOf(witness);
  if (told.length === 0) return [];
  const lines = folded(told.join("; "), "  given: ", width);
  return lines.length <= MOST_GIVEN ? lines : [...lines.slice(0, MOST_GIVEN), "         …"];
}

/** Says what the graph was asked at: the clauses of its case that the answer depends on. */
export function givenOf({ case: question, question: asked, script }: Witness): string[] {
  if (script !== undefined) return [];
  const isForward = asked === "jvp" || asked === "adjointness" || asked === "forward = reverse";
  const needed = (line: string): boolean =>
    (line.startsWith("tangent ") && !isForward) || (line.startsWith("seed ") && asked === "evaluate");
  const clauses: string[] = [];
  for (const line of showCase(question).filter((one) => !one.startsWith("graph "))) {
    const isFurther = line.startsWith(" ");
    if (!isFurther) clauses.push(line);
    else if (clauses.length > 0) clauses.push(`${clauses.pop()} ${line.trim()}`);
  }
  return clauses.filter((line) => !needed(line)).map((line) => line.replace(/^at /, ""));
}

/** The number that is wrong, in words. */
export interface WrongNumber {
  /** Where it stands, as one would write it: `y[0, 2]`, `dL/dx`. */
  readonly place: string;
  readonly got: string;
  /** The right number, with the error that is allowed: `exactly 0`, `0.5 ± 1e-16`. */
  readonly want: string;
  /** The relative errors, of it and allowed, where both are numbers. */
  readonly off?: string;
}

/** Says which number is wrong, what was answered, and what is right. */
export function wrongNumber(witness: Witness, isHex: boolean): WrongNumber {
  const { answer, expected, bound } = witness;
  const shown = (text: string): string => (isHex ? showExact(text) : readable(text));
  const within = parseFloat64(bound);
  const isExact = within === 0;
  const isBounded = within !== undefined && Number.isFinite(within) && within > 0;
  const isNumber = parseFloat64(expected) !== undefined || /^-?[0-9]+(\/[0-9]+)?$/.test(expected);
  const margin = isBounded ? ` ± ${isHex ? showExact(bound) : shortened(within)}` : "";
  const want = `${isExact && isNumber ? "exactly " : ""}${shown(expected)}${margin}`;
  const off = isBounded ? offBy(witness, within) : undefined;
  return { place: placeOf(witness), got: shown(answer), want, ...(off === undefined ? {} : { off }) };
}

function numberLines(witness: Witness, { palette, isHex = false, width = COLUMNS }: Style): string[] {
  const { place, got, want, off } = wrongNumber(witness, isHex);
  const lines =
    `  ${place}: got ${got}, want ${want}`.length <= width
      ? [`  ${place}: got ${palette.red(got)}, want ${palette.green(want)}`]
      : [`  ${place}:`, `    got  ${palette.red(got)}`, `    want ${palette.green(want)}`];
  return [...lines, ...(off === undefined ? [] : [`    ${off}`])];
}

/** Says how far off an answer is, and how far it may be. */
function offBy({ answer, expected }: Witness, bound: number): string | undefined {
  const [given, right] = [parseFloat64(answer), parseFloat64(expected)];
  if (given === undefined || right === undefined || !Number.isFinite(given) || !Number.isFinite(right))
    return undefined;
  const off = Math.abs(given - right);
  if (right === 0 || off === 0) return undefined;
  const [error, allowed] = [off, bound].map((size) => shortened(size / Math.abs(right)));
  return `relative error ${error} where ${allowed} is allowed`;
}

/** Names the number that is wrong as one would write it: `y[0, 2]`, `dL/dx`, `tangent of %3`. */
function placeOf(witness: Witness): string {
  const { question, id, element, case: asked, script } = witness;
  if (script !== undefined)
    return `step ${script.step}, ${question} at ${nameOf(asked, id)}, element ${element}`;
  if (isOfNoNode(witness)) return question;
  const name = `${nameOf(asked, id)}${indexOf(shapesOf(asked.graph)[id], element)}`;
  switch (question) {
    case "evaluate":
      return name;
    case "jvp":
      return `tangent of ${name}`;
    case "vjp":
    case "backward_dense":
      return `dL/d${name}`;
    default:
      return `${question} at ${name}`;
  }
}

/** Names an id as the text of its graph does. */
function nameOf({ graph }: Witness["case"], id: NodeId): string {
  return visible(graph.inputs[id]?.name ?? `%${id}`, 48);
}

/** Writes where an element stands in its tensor; nothing for a scalar. */
export function indexOf(shape: Shape | undefined, element: number): string {
  if (shape === undefined) return `[${element}]`;
  let rest = element;
  const places = shape.toReversed().map((extent) => {
    const place = rest % extent;
    rest = (rest - place) / extent;
    return place;
  });
  return places.length === 0 ? "" : `[${places.toReversed().join(", ")}]`;
}

/** Shows the graph, or the whole case, with the node to blame underlined. */
function graphLines(witness: Witness, { palette, isWhole = false }: Style): string[] {
  const { script, case: question, blame } = witness;
  if (script !== undefined) return showTapeCase(script.case, script.step);
  const lines = isWhole ? showCase(question) : showGraph(question.graph);
  const node = nodeAt(question.graph, blame.id);
  const row =
    node === undefined ? -1 : lines.findIndex((line) => new RegExp(`^ +%${blame.id}(:| =)`).test(line));
  const line = lines[row];
  if (line === undefined || isOfNoNode(witness) || blame.op === undefined) return excerpt(lines, 0, isWhole);
  const from = line.indexOf("= ") + 2;
  const isCall = line.startsWith(`${node?.op}(`, from);
  const length = isCall ? (node?.op.length ?? 0) : line.length - from;
  const said = `${" ".repeat(from)}${"^".repeat(length)} wrong ${blame.part}`;
  // A mark that begins with # is a comment of the text.
  const mark = `  #${said.slice(3)}`;
  return excerpt(lines.toSpliced(row + 1, 0, palette.red(mark)), row, isWhole);
}

/** Leaves out lines that are far from the one that matters. */
function excerpt(lines: readonly string[], around: number, isWhole: boolean): string[] {
  if (isWhole || lines.length <= MOST_GRAPH) return [...lines];
  const first = Math.max(1, Math.min(around - MOST_GRAPH / 2, lines.length - MOST_GRAPH + 1));
  const last = first + MOST_GRAPH - 1;
  const left = (count: number): string[] => (count > 0 ? [`  … ${count} lines left out`] : []);
  return [
    ...lines.slice(0, 1),
    ...left(first - 1),
    ...lines.slice(first, last),
    ...left(lines.length - last),
  ];
}

/** Shows the graph that the engine was sent, where that is not the case's. */
function sentLines({ sent }: Witness): string[] {
  if (sent === undefined) return [];
  return ["  sent to the engine as", ...excerpt(showGraph(sent), 0, false).map((line) => `    ${line}`)];
}

/** Writes a number in exact text form as a decimal, and other words as they are. */
function readable(text: string): string {
  const x = parseFloat64(text);
  if (x === undefined || /^-?[0-9]+$/.test(text)) return showExact(text);
  return Number.isNaN(x) ? "NaN" : showNumber(x).replace("Infinity", "∞");
}

/** Writes a size with two digits. */
function shortened(size: number): string {
  const short = Number(size.toPrecision(2));
  return short > 0 && short < 1e-3 ? short.toExponential() : `${short}`;
}
