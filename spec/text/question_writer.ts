import type { CaseData, VectorData } from "../documents/index.ts";
import { shapesOf } from "../expansion/index.ts";
import type { Graph } from "../graph/index.ts";
import type { Shape } from "../shapes/index.ts";
import { type ComponentsAt, callText, type Expected, type FlatTensor } from "../wire/index.ts";
import { headText, idText, type Layout, nodeLines } from "./graph_writer.ts";
import type { Beside } from "./measure_reader.ts";
import { unitLines } from "./measure_writer.ts";
import { generic, USUAL_CLAUSE, USUAL_NOTE, usualCotangent } from "./usual.ts";
import { folded, nameText, numberText, quotedText, setsText, shapeText, tensorText } from "./words.ts";

/** How much of a question is written. */
export interface Fullness {
  /** Writes tangents and cotangents that a reader would fill in, too. */
  readonly isWhole?: boolean;
  /** Shows the first numbers alone of a tensor that has more, in a comment, which is not read back. */
  readonly most?: number;
}

/** Writes a graph, with the lines that name its units. Law: it is read as the same graph. Cost: linear. */
export function graphText(graph: Graph, name: string = "f", layout: Layout = {}): string {
  const { beside = {} } = layout;
  const head = headText(`graph ${nameText(name)}`, graph, layout.beside);
  return `${[folded(head), ...nodeLines(graph, "  ", layout), ...unitLines(beside)].join("\n")}\n`;
}

/** A line for each node, or expressions in each other, with lines for what the clauses speak of. */
export type Style = "lines" | "nested";

function layoutOf(style: Style, named: readonly number[], beside?: Beside): Layout {
  const measured = Object.keys(beside?.units?.nodes ?? {}).map(Number);
  return {
    ...(style === "nested" ? { named: new Set([...named, ...measured]) } : {}),
    ...(beside === undefined ? {} : { beside }),
  };
}

/** Writes a graph with units and ranges of its values. Law: it is read as the same documents. */
export function measuredText(graph: Graph, beside: Beside, name?: string, style: Style = "lines"): string {
  const note = beside.units?.note ?? beside.ranges?.note;
  const last = graph.inputs.length + graph.nodes.length - 1;
  return graphText(graph, name, layoutOf(style, [last], beside)) + (note === undefined ? "" : noteLine(note));
}

/**
 * Writes a case. Tangents and cotangents that a reader fills in are left out. Law: it is read as the same.
 */
export function caseText(
  question: CaseData,
  name?: string,
  style: Style = "lines",
  beside?: Beside,
  fullness: Fullness = {},
): string {
  const { graph, note, seeds } = question;
  const named = seeds.map(({ id }) => Number(id));
  return [
    graphText(graph, name, layoutOf(style, named, beside)),
    ...(note === undefined ? [] : [noteLine(note)]),
    ...askedLines(question, fullness),
  ].join("");
}

/** Writes a vector. Law: it is read as the same vector, and so has the same id. */
export function vectorText(
  vector: VectorData,
  name?: string,
  style: Style = "lines",
  beside?: Beside,
  fullness: Fullness = {},
): string {
  const { case: question, clause, defects, links, dtype, flags, policy, expected } = vector;
  const { graph, note } = question;
  const told = [...question.seeds, ...expected.values, ...expected.tangents, ...expected.cotangents];
  const named = told.map(({ id }) => Number(id));
  const expects = expectLines(graph, expected);
  return [
    graphText(graph, name, layoutOf(style, named, beside)),
    ...(note === USUAL_NOTE ? [] : [noteLine(note)]),
    // What is expected makes it a vector, or else its clause does.
    ...(clause === USUAL_CLAUSE && expects.length > 0 ? [] : [`clause ${clause}\n`]),
    ...(defects.length === 0 ? [] : [`defects ${defects.join(" ")}\n`]),
    ...links.map((link) => `links ${quotedText(link)}\n`),
    ...(dtype === "float64" ? [] : [`precision ${dtype}\n`]),
    ...(policy === undefined ? [] : [`policy ${[policy.name, ...policy.choices].map(nameText).join(" ")}\n`]),
    ...(flags.length === 0 ? [] : [`flags ${flags.join(" ")}\n`]),
    ...askedLines(question, fullness),
    ...expects,
  ].join("");
}

/** Writes what is expected of the answers about a graph, a line for each tensor. */
export function expectLines(graph: Graph, { values, tangents, cotangents }: Expected): string[] {
  const shapes = shapesOf(graph);
  const expects = (part: string, all: readonly ComponentsAt[]): string[] =>
    all.map(({ id, sets }) => line(`expect ${part}`, idText(graph, id), setsText(shapes[id] ?? [], sets)));
  return [...expects("value", values), ...expects("tangent", tangents), ...expects("cotangent", cotangents)];
}

function noteLine(note: string): string {
  return `note ${quotedText(note)}\n`;
}

/** Writes `head name = data` in lines of a width that can be read. */
function line(head: string, name: string, data: string): string {
  return `${folded(`${head} ${name} = ${data}`)}\n`;
}

function askedLines({ graph, point, tangents, seeds, calls }: CaseData, fullness: Fullness): string[] {
  const shapes = shapesOf(graph);
  const last = shapes.length - 1;
  const [seed] = seeds;
  const { isWhole = false } = fullness;
  const isUsual =
    !isWhole &&
    seeds.length === 1 &&
    seed?.id === last &&
    isSame(seed.cotangent, usualCotangent(shapes[last] ?? []));
  const given = (head: string, name: string, tensor: FlatTensor): string =>
    tensor.data.length > (fullness.most ?? Number.POSITIVE_INFINITY)
      ? cutLine(head, name, tensor, fullness.most)
      : line(head, name, tensorText(tensor));
  const inputs = graph.inputs.map(({ name, shape }, i) => [name, point.inputs[i] ?? none(shape)] as const);
  const entries = graph.environment.map(
    ({ name, shape }) => [name, point.environment.get(name) ?? none(shape)] as const,
  );
  return [
    ...[...inputs, ...entries].map(([name, tensor]) => given("at", nameText(name), tensor)),
    ...(inputs.length + entries.length === 0 ? ["at\n"] : []),
    ...tangents.flatMap((tangent, i) =>
      !isWhole && isSame(tangent, generic(tangent.shape, i + 1))
        ? []
        : [given("tangent", idText(graph, i), tangent)],
    ),
    ...(seeds.length === 0 && last >= 0 ? ["seed none\n"] : []),
    ...(isUsual ? [] : seeds.map(({ id, cotangent }) => given("seed", idText(graph, id), cotangent))),
    ...(calls ?? []).map((call) => `ask ${callText(call)}\n`),
  ];
}

/** Shows the first numbers of a tensor, in a comment. */
function cutLine(head: string, name: string, { shape, data }: FlatTensor, most: number = 0): string {
  const first = Array.from(data.subarray(0, most), numberText).join(", ");
  return `# ${head} ${name}: ${shapeText(shape)}, the first of ${data.length} numbers are ${first}\n`;
}

function none(shape: Shape): FlatTensor {
  return { shape, data: new Float64Array() };
}

function isSame({ data }: FlatTensor, usual: readonly number[]): boolean {
  return data.length === usual.length && usual.every((x, i) => Object.is(x, data[i]));
}
