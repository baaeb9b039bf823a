import { shapesOf } from "../../../../spec/composites/index.ts";
import type { Graph } from "../../../../spec/graph/index.ts";
import { formatShape, visible } from "../../../../spec/shapes/index.ts";
import { counted } from "../../fold.ts";
import type { Drawing } from "./browser/data.ts";
import type { LayOut } from "./layout.ts";

/** More nodes than this nobody looks at, and they take long to lay out. */
const MOST_DRAWN = 60;

/** The most characters of a line in a box. */
const LONGEST_LINE = 26;

/** A character of a line, and what stands beside a line, in pixels. */
const CHARACTER = 7.3;
const BESIDE = 20;

/**
 * The graph with its layout, and the id to blame marked; of a large one what is nearest to that. Nothing where it cannot be laid out.
 * Law: there is an arrow for each operand, where both its ends are drawn.
 */
export function drawingOf(graph: Graph, blamed: number, layOut: LayOut): Drawing | undefined {
  const count = graph.inputs.length + graph.nodes.length;
  const ids = nearest(graph, blamed);
  const places = new Map(ids.map((id, place) => [id, place]));
  const lines = linesOf(graph);
  const boxes = ids.map((id) => {
    const told = (lines[id] ?? []).map(cut).filter((line) => line !== "");
    const own = id === blamed ? told.map((line, row) => (row === 0 ? `${line} ✗ to blame` : line)) : told;
    // Widths in steps, so that more graphs are alike.
    const characters = 4 * Math.ceil(Math.max(...own.map((line) => [...line].length)) / 4);
    return { id, own, width: Math.round(characters * CHARACTER + BESIDE) };
  });
  const arrows = ids.flatMap((id) =>
    parentsOf(graph, id).flatMap((parent): (readonly [number, number])[] => {
      const [tail, head] = [places.get(parent), places.get(id)];
      return tail === undefined || head === undefined ? [] : [[tail, head]];
    }),
  );
  const layout = layOut(
    boxes.map(({ width }) => width),
    arrows,
  );
  if (layout === undefined) return undefined;
  const nodes = boxes.map(({ id, own, width }, place) => {
    const { x, y } = layout.boxes[place] ?? { x: 0, y: 0 };
    const mark = id === blamed ? "blamed" : id < graph.inputs.length ? "input" : "node";
    return { x, y, width, lines: own, mark } as const;
  });
  const named = cut(lines[blamed]?.[0] ?? "");
  const title = `A graph of ${counted(graph.inputs.length, "input")} and ${counted(graph.nodes.length, "node")}; to blame: ${named}`;
  const { width, height, curves } = layout;
  return { width, height, title, nodes, edges: curves, left: count - ids.length };
}

/** What stands in each box: the id and its name, the shape and the attributes. */
function linesOf(graph: Graph): string[][] {
  const shapes = shapesOf(graph);
  const inputs = graph.inputs.map(({ name, shape }, id) => [`${id} = ${name}`, formatShape(shape)]);
  const nodes = graph.nodes.map(({ op, attributes }, index) => {
    const id = graph.inputs.length + index;
    const told = Object.entries(attributes).map(([name, value]) => `${name}=${plain(value)}`);
    return [`${id} = ${op}`, [formatShape(shapes[id] ?? []), ...told].join(" ")];
  });
  return [...inputs, ...nodes];
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function cut(text: string): string {
  const characters = [...visible(text)];
  return characters.length <= LONGEST_LINE
    ? characters.join("")
    : `${characters.slice(0, LONGEST_LINE - 1).join("")}…`;
}

/** The ids that are drawn, in order: from the one to blame outwards, along arrows in either direction, then the last ones. */
function nearest(graph: Graph, blamed: number): number[] {
  const count = graph.inputs.length + graph.nodes.length;
  const all = Array.from({ length: count }, (_, id) => id);
  if (count <= MOST_DRAWN) return all;
  const readers = new Map<number, number[]>();
  for (const id of all) {
    for (const parent of parentsOf(graph, id)) readers.set(parent, [...(readers.get(parent) ?? []), id]);
  }
  const found = new Set([blamed]);
  for (const id of found) {
    for (const next of [...parentsOf(graph, id), ...(readers.get(id) ?? [])]) {
      if (found.size < MOST_DRAWN) found.add(next);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function parentsOf(graph: Graph, id: number): readonly number[] {
  return graph.nodes[id - graph.inputs.length]?.parents ?? [];
}
