import type { Case } from "../../oracle/case/index.ts";
import { approximateRational } from "../../oracle/truth/centre/index.ts";
import { type Rational, rational } from "../../reference/index.ts";
import { checkCase } from "../../spec/documents/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import { caseText, graphText } from "../../spec/text/writer.ts";
import { type CaseJson, type FlatTensor, parseFloat64 } from "../../spec/wire/index.ts";

/** Tensors of more numbers than these are told in a comment. */
const MOST_NUMBERS = 256;

/** Shows a case in the lines of its text, with all that a reader would fill in, and without a note. */
export function showCase({ graph, point, tangents, seeds, calls }: Case): string[] {
  const question = { graph, point, tangents, seeds, ...(calls === undefined ? {} : { calls }) };
  return linesOf(caseText(question, undefined, "lines", undefined, { isWhole: true, most: MOST_NUMBERS }));
}

/** Shows the case of a report as {@link showCase} does; its graph alone where the rest is none. */
export function showCaseOf(question: CaseJson): string[] {
  const checked = checkCase(question);
  return checked.ok ? showCase(checked.value) : showGraph(question.graph);
}

/** Shows a graph in the lines of its text, with the shapes of its values. */
export function showGraph(graph: Graph, name?: string): string[] {
  return linesOf(graphText(graph, name, { hasShapes: true }));
}

function linesOf(text: string): string[] {
  return text.trimEnd().split("\n");
}

/** At most so many elements of a tensor are written out. */
const SHOWN_ELEMENTS = 12;

/** Writes elements as the shortest decimals that denote them. */
export function showTensor(tensor: FlatTensor | undefined): string {
  if (tensor === undefined) return "?";
  const shown = [...tensor.data.slice(0, SHOWN_ELEMENTS)].map(showNumber);
  const rest = tensor.data.length - shown.length;
  if (tensor.shape.length === 0) return shown.join("");
  return `[${[...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join(", ")}]`;
}

/** Writes the shortest decimal that denotes `x`; −0 keeps its sign. */
export function showNumber(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}

/** Longer exact texts are not written out. */
const SHOWN_CHARACTERS = 40;

/** Reads a number of a witness exactly; `undefined` where it is infinite, NaN or no number. */
export function finiteNumber(text: string): Rational | undefined {
  const number = rational.parse(text);
  return number === undefined || number.denominator === 0n ? undefined : number;
}

/** Shows an exact number, with a decimal where that helps; a very long fraction as a decimal alone. */
export function showExact(text: string): string {
  if (text.length > SHOWN_CHARACTERS) {
    const q = rational.parse(text);
    return q === undefined ? text : `about ${showNumber(approximateRational(q))}`;
  }
  const x = parseFloat64(text);
  if (x === undefined || !text.includes("x")) return text;
  return `${showNumber(x)} (${text})`;
}

/** Names an id: by the input's name, or the node's operator. */
export function showId({ graph }: Case, id: NodeId): string {
  const input = graph.inputs[id];
  if (input !== undefined) return `${id} (input ${input.name})`;
  return `${id} (${graph.nodes[id - graph.inputs.length]?.op ?? "no id of the graph"})`;
}
