import type { CaseData, VectorData } from "../documents/index.ts";
import { shapesOf } from "../expansion/index.ts";
import type { Graph } from "../graph/index.ts";
import type { Shape } from "../shapes/index.ts";
import type { ComponentsAt, FlatTensor } from "../wire/index.ts";
import { headText, idText, nodeLines } from "./graph_writer.ts";
import { generic, oddPrimes, USUAL_CLAUSE } from "./usual.ts";
import { folded, nameText, quotedText, setsText, tensorText } from "./words.ts";

/** Writes a graph. Law: it is read as the same graph. Cost: linear. */
export function graphText(graph: Graph, name: string = "f", hasShapes = false): string {
  return `${[headText(`graph ${nameText(name)}`, graph), ...nodeLines(graph, "  ", hasShapes)].join("\n")}\n`;
}

/** Writes a case. Tangents and cotangents that a reader fills in are left out. Law: it is read as the same. */
export function caseText(question: CaseData, name?: string): string {
  const { graph, note } = question;
  return [
    graphText(graph, name),
    ...(note === undefined ? [] : [noteLine(note)]),
    ...askedLines(question),
  ].join("");
}

/** Writes a vector. Law: it is read as the same vector, and so has the same id. */
export function vectorText(vector: VectorData, name?: string): string {
  const { case: question, clause, defects, links, dtype, flags, policy, expected } = vector;
  const { graph, note } = question;
  const shapes = shapesOf(graph);
  const expects = (part: string, all: readonly ComponentsAt[]): string[] =>
    all.map(({ id, sets }) => line(`expect ${part}`, idText(graph, id), setsText(shapes[id] ?? [], sets)));
  return [
    graphText(graph, name),
    noteLine(note),
    ...(clause === USUAL_CLAUSE ? [] : [`clause ${clause}\n`]),
    ...(defects.length === 0 ? [] : [`defects ${defects.join(" ")}\n`]),
    ...links.map((link) => `links ${quotedText(link)}\n`),
    ...(dtype === "float64" ? [] : [`precision ${dtype}\n`]),
    ...(policy === undefined ? [] : [`policy ${[policy.name, ...policy.choices].map(nameText).join(" ")}\n`]),
    ...(flags.length === 0 ? [] : [`flags ${flags.join(" ")}\n`]),
    ...askedLines(question),
    ...expects("value", expected.values),
    ...expects("tangent", expected.tangents),
    ...expects("cotangent", expected.cotangents),
  ].join("");
}

function noteLine(note: string): string {
  return `note ${quotedText(note)}\n`;
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
    seeds.length === 1 && seed?.id === last && isSame(seed.cotangent, oddPrimes(shapes[last] ?? []));
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
