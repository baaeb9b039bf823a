import type {
  AssignmentJson,
  CoeffectJson,
  CoeffectsJson,
  DimensionsJson,
  ExplanationJson,
  GradientTreeJson,
  MeasuredJson,
  ObstructionJson,
  RepresentationsJson,
  RepresentedRunJson,
  SheafJson,
} from "../../../../spec/explained/index.ts";
import type { Graph } from "../../../../spec/graph/index.ts";
import { sheafLines } from "../../explanation.ts";
import { gradientLines, signatureLines } from "../../gradient_trees.ts";
import { layersLine, showEscapeSheaf, showFigure } from "../../memory.ts";
import { short } from "../../representations.ts";
import type { DrawnLine } from "./browser/data.ts";
import { graphPicture } from "./browser/pictures.ts";
import { drawingOf } from "./drawing.ts";
import { framed, part, scrolling } from "./frame.ts";
import { type Content, element, type Markup, together } from "./markup.ts";
import { wordTable } from "./tables.ts";

/** These are drawn on the page of an explanation: the graph, and the SVG of its formats. */
export interface ExplanationPictures {
  readonly graph?: Graph;
  readonly plot?: string;
}

/**
 * Writes an explanation of a graph as one HTML file without network or script. Law: whatever the graph's file
 * holds becomes text.
 */
export async function explanationPage(
  explanation: ExplanationJson,
  { graph, plot }: ExplanationPictures = {},
): Promise<string> {
  const title = titleOf(explanation.dimensions);
  const drawn = graph === undefined ? undefined : await drawnGraph(graph, explanation.dimensions);
  const parts = explanationParts(explanation, plot).map(({ id, heading, content }) =>
    part(id, heading, content),
  );
  const body = [...(drawn === undefined ? [] : [part("graph", "Graph", drawn)]), ...parts];
  return framed({
    title: `adjudge: ${title}`,
    body: [element("header", {}, element("h1", {}, `adjudge: ${title}`)), element("main", {}, ...body)],
  });
}

/** Draws a graph with the dimensions of its inputs, and the id where they do not fit. */
async function drawnGraph(graph: Graph, dimensions: DimensionsJson): Promise<Markup | undefined> {
  // Who wants no drawing does not wait for Graphviz.
  const { layOutGraphs } = await import("./layout.ts");
  const inputs = dimensions.kind === "assigned" ? dimensions.inputs : [];
  const notes = inputs.map(({ blocks }, id): [number, DrawnLine[]] => [
    id,
    blocks.map(({ dimension }) => ({ text: dimension, sort: "given" })),
  ]);
  const blamed = (dimensions.kind === "obstructed" ? dimensions.obstruction : dimensions.scales)?.id;
  const marks = { notes: new Map(notes), ...(blamed === undefined ? {} : { blamed }) };
  const drawing = drawingOf(graph, marks, await layOutGraphs());
  if (drawing === undefined) return undefined;
  const left =
    drawing.left === 0
      ? []
      : [element("p", { class: "note" }, `${drawing.left} more nodes, further away, are not drawn.`)];
  return together(scrolling("The graph, drawn", graphPicture(drawing, element, "graph-title")), ...left);
}

/** A part of an explanation, with its heading. */
interface ExplanationPart {
  readonly id: string;
  readonly heading: string;
  readonly content: Markup;
}

/** Returns an explanation in parts. */
export function explanationParts(
  { dimensions, sheaf, memory, representations, gradients, signatures }: ExplanationJson,
  plot?: string,
): ExplanationPart[] {
  return [
    { id: "dimensions", heading: "Dimensions", content: dimensionTables(dimensions) },
    ...(signatures === undefined
      ? []
      : [{ id: "signature", heading: "Signature", content: preformatted(signatureLines(signatures)) }]),
    ...(gradients === undefined
      ? []
      : [{ id: "gradients", heading: "Gradients", content: together(...gradients.map(gradientTree)) }]),
    ...(sheaf === undefined ? [] : [{ id: "sheaf", heading: "As a sheaf", content: sheafText(sheaf) }]),
    ...(memory === undefined ? [] : [{ id: "memory", heading: "Memory", content: memoryTables(memory) }]),
    ...(representations === undefined
      ? []
      : [{ id: "formats", heading: "Formats", content: formatTables(representations, plot) }]),
  ];
}

/** Says in a few words what came of the dimensions. */
export function titleOf(dimensions: DimensionsJson): string {
  if (dimensions.kind === "obstructed") return "no dimensions fit";
  return dimensions.scales === undefined ? "the dimensions agree" : "the scales do not agree";
}

function dimensionTables(dimensions: DimensionsJson): Markup {
  if (dimensions.kind === "obstructed") return obstruction("No dimensions fit.", dimensions.obstruction);
  const { inputs, environment, results, gradients, free, scales } = dimensions;
  const heads = ["value", "elements", "dimension", "scale"];
  const given = (title: string, values: readonly MeasuredJson[]): Markup[] =>
    values.length === 0 ? [] : [wordTable(title, heads, values.flatMap(measuredRows))];
  return together(
    ...(scales === undefined ? [] : [obstruction("The scales do not agree.", scales)]),
    ...given("Inputs", inputs),
    ...given("Environment", environment),
    ...given("Results", results),
    ...gradients.flatMap(({ of, cotangents }) => given(`Gradient of ${of}`, cotangents)),
    ...(free.length === 0
      ? []
      : [element("p", { class: "note" }, `Free, and named ⟨so⟩: ${free.join(", ")}.`)]),
  );
}

function measuredRows({ name, blocks }: MeasuredJson): Content[][] {
  return blocks.map(({ ranges, dimension, scale }) => [
    name,
    blocks.length === 1 ? "all" : `[${ranges.map(([start, end]) => `${start}:${end}`).join(", ")}]`,
    dimension,
    scale === undefined ? "" : `×${scale}`,
  ]);
}

function obstruction(title: string, { says, grounds }: ObstructionJson): Markup {
  const told = grounds.map(({ says: ground, pointer, times }) =>
    element("li", {}, `${ground}${pointer === undefined ? "" : `  (${pointer})`}, times ${times}`),
  );
  const words =
    grounds.length === 1
      ? "This alone cannot be:"
      : `These ${grounds.length} cannot all be, and without any one of them the others could:`;
  return together(
    element("p", { class: "sentence" }, element("strong", { class: "bad" }, `✗ ${title}`), ` ${says}`),
    element("p", {}, words),
    element("ol", { class: "grounds" }, ...told),
  );
}

function sheafText(sheaf: SheafJson): Markup {
  return preformatted(sheafLines(sheaf));
}

function gradientTree(tree: GradientTreeJson): Markup {
  return preformatted(gradientLines(tree));
}

function preformatted(lines: readonly string[]): Markup {
  return element("pre", { tabindex: 0 }, ...lines.flatMap((line) => [line, { html: "\n" }]));
}

function memoryTables({ layers, axis, modes }: CoeffectsJson): Markup {
  const growing = [
    ...(layers === undefined ? [] : [layersLine(layers)]),
    ...(axis?.isFollowed === true ? [`B = ${axis.length}, axis ${axis.axis} of ${axis.of}`] : []),
  ].join("; ");
  const heads = ["mode", "at once, at most", "for the way back", "computed again", "stack", "arena", "heap"];
  return together(
    element("p", { class: "note" }, `In elements beside what is given. ${growing}`),
    wordTable(
      "Modes",
      heads,
      modes.map((mode) => modeRow(mode, axis?.length)),
    ),
    ...modes.flatMap(({ mode, sheaf }) =>
      sheaf === undefined ? [] : [element("p", { class: "note" }, `${mode}: ${showEscapeSheaf(sheaf)}`)],
    ),
    ...modes.flatMap(promotions),
  );
}

function modeRow(
  { mode, peak, kept, computedAgain, classes }: CoeffectJson,
  length: number | undefined,
): Content[] {
  const stored = (name: string): number => classes.find((one) => one.class === name)?.elements ?? 0;
  const figures = [peak, kept, computedAgain].map((figure) => showFigure(figure, length));
  return [mode, ...figures, stored("stack"), stored("arena"), stored("heap")];
}

function promotions({ mode, promotions: all }: CoeffectJson): Markup[] {
  if (all.length === 0) return [];
  const rows = all.map(({ value, class: name, elements, from, to, because }) => [
    value,
    name,
    elements,
    `${from}–${to}`,
    because,
  ]);
  return [
    wordTable(
      `What cannot stay on the stack, ${mode}`,
      ["value", "class", "elements", "steps", "because"],
      rows,
    ),
  ];
}

function formatTables({ digits, runs }: RepresentationsJson, plot: string | undefined): Markup {
  const alt = "digits that formats keep of numbers, by their size, with the graph's values on them";
  const source = `data:image/svg+xml;base64,${Buffer.from(plot ?? "").toString("base64")}`;
  return together(
    element("p", { class: "note" }, `So that results keep ${digits} digits of their greatest size.`),
    ...runs.flatMap(runTables),
    ...(plot === undefined ? [] : [element("img", { class: "plot", src: source, alt })]),
  );
}

function runTables({ run, values, assignments }: RepresentedRunJson): Markup[] {
  const rows = values.map(({ name, elements, range }, place) => [
    name,
    elements,
    range === undefined ? "not bounded" : `[${range.map(short).join(", ")}]`,
    ...assignments.map(({ formats }) => formats[place] ?? ""),
  ]);
  const heads = ["value", "elements", "range", ...assignments.map(({ target }) => target)];
  return [
    wordTable(`What values of ${run} are kept in`, heads, rows),
    wordTable(
      `What that costs the results of ${run}`,
      ["target", "bits", "result", "error", "digits"],
      [...assignments.flatMap(resultRows)],
    ),
  ];
}

function resultRows({ target, isMet, bits, results, quire }: AssignmentJson): Content[][] {
  return results.map(({ name, error, digits }, place) => [
    `${isMet ? "✓" : "✗"} ${target}`,
    place === 0
      ? `${bits}${quire.kind === "none" ? "" : `, ${quire.multiplyAdds} products for a quire`}`
      : "",
    name,
    error === undefined ? "not certified" : short(error),
    digits === undefined ? "" : short(digits),
  ]);
}
