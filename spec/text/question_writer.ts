import type { CaseData, VectorData } from "../documents/index.ts";
import { shapesOf } from "../expansion/index.ts";
import type { Graph } from "../graph/index.ts";
import type { Shape } from "../shapes/index.ts";
import type { ComponentsAt, Expected, FlatTensor } from "../wire/index.ts";
import { headText, idText, type Layout, nodeLines } from "./graph_writer.ts";
import type { Beside } from "./measure_reader.ts";
import { unitLines } from "./measure_writer.ts";
import { generic, USUAL_CLAUSE, usualCotangent } from "./usual.ts";
import { folded, nameText, setsText, tensorText } from "./words.ts";

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
export function caseText(question: CaseData, name?: string, style: Style = "lines", beside?: Beside): string {
  const { graph, note, seeds } = question;
  const named = seeds.map(({ id }) => Number(id));
  return [
    graphText(graph, name, layoutOf(style, named, beside)),
    ...(note === undefined ? [] : [noteLine(note)]),
    ...askedLines(question),
  ].join("");
}

/** Writes a vector. Law: it is read as the same vector, and so has the same id. */
export function vectorText(
  vector: VectorData,
  name?: string,
  style: Style = "lines",
  beside?: Beside,
): string {
  const { case: question, clause, defects, links, dtype, flags, policy, expected } = vector;
  const { graph, note } = question;
  const told = [...question.seeds, ...expected.values, ...expected.tangents, ...expected.cotangents];
  const named = told.map(({ id }) => Number(id));
  return [
    graphText(graph, name, layoutOf(style, named, beside)),
    noteLine(note),
    ...(clause === USUAL_CLAUSE ? [] : [`clause ${clause}\n`]),
    ...(defects.length === 0 ? [] : [`defects ${defects.join(" ")}\n`]),
    ...links.map((link) => `links ${JSON.stringify(link)}\n`),
    ...(dtype === "float64" ? [] : [`precision ${dtype}\n`]),
    ...(policy === undefined ? [] : [`policy ${[policy.name, ...policy.choices].map(nameText).join(" ")}\n`]),
    ...(flags.length === 0 ? [] : [`flags ${flags.join(" ")}\n`]),
    ...askedLines(question),
    ...expectLines(graph, expected),
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
  return `note ${JSON.stringify(note)}\n`;
}

/** Writes `head name = data` in lines of a width that can be read. */
export function line(head: string, name: string, data: string): string {
  return `${folded(`${head} ${name} = ${data}`)}\n`;
}

function askedLines({ graph, point, tangents, seeds }: CaseData): string[] {
  const shapes = shapesOf(graph);
  const last = shapes.length - 1;
  const [seed] = seeds;
  const isUsual =
    seeds.length === 1 && seed?.id === last && isSame(seed.cotangent, usualCotangent(shapes[last] ?? []));
  return [
    ...graph.inputs.map(({ name, shape }, i) => line("at", nameText(name), given(point.inputs[i], shape))),
    ...graph.environment.map(({ name, shape }) =>
      line("at", nameText(name), given(point.environment.get(name), shape)),
    ),
    ...(graph.inputs.length + graph.environment.length === 0 ? ["at\n"] : []),
    ...tangents.flatMap((tangent, i) =>
      isSame(tangent, generic(tangent.shape, i + 1))
        ? []
        : [line("tangent", idText(graph, i), tensorText(tangent))],
    ),
    ...(seeds.length === 0 && last >= 0 ? ["seed none\n"] : []),
    ...(isUsual
      ? []
      : seeds.map(({ id, cotangent }) => line("seed", idText(graph, id), tensorText(cotangent)))),
  ];
}

function given(tensor: FlatTensor | undefined, shape: Shape): string {
  return tensorText(tensor ?? { shape, data: new Float64Array() });
}

function isSame({ data }: FlatTensor, usual: readonly number[]): boolean {
  return data.length === usual.length && usual.every((x, i) => Object.is(x, data[i]));
}
