import { shapesOf } from "../../../../spec/expansion/index.ts";
import type { Graph } from "../../../../spec/graph/index.ts";
import { formatShape, visible } from "../../../../spec/shapes/index.ts";
import { counted } from "../../fold.ts";
import { cut } from "../../folded.ts";
import type { Drawing } from "./browser/data.ts";
import type { LayOut } from "./layout.ts";

/** Larger graphs are drawn in part, as they take long to lay out and nobody reads them. */
const MOST_DRAWN = 60;

/** A line in a box has at most so many characters. */
const LONGEST_LINE = 26;

/** The width of a character and of a box's padding, in pixels. */
const CHARACTER = 7.3;
const BESIDE = 20;

/**
 * Lays a graph out with the id to blame marked; of a large graph only the ids nearest to it. Fails:
 * `undefined` without a layout. Law: each operand has an arrow, where both its ends are drawn.
 */
export function drawingOf(graph: Graph, blamed: number, layOut: LayOut): Drawing | undefined {
  const count = graph.inputs.length + graph.nodes.length;
  const ids = nearest(graph, blamed);
  const places = new Map(ids.map((id, place) => [id, place]));
  const lines = linesOf(graph);
  const boxes = ids.map((id) => {
    const told = (lines[id] ?? []).filter((line) => line !== "");
    const own = id === blamed ? told.map((line, row) => (row === 0 ? `${line} ✗ to blame` : line)) : told;
    // Widths come in steps, so that more graphs share a layout.
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
  const named = lines[blamed]?.[0] ?? "";
  const title = `A graph of ${counted(graph.inputs.length, "input")} and ${counted(graph.nodes.length, "node")}; to blame: ${named}`;
  const { width, height, curves } = layout;
  return { width, height, title, nodes, edges: curves, left: count - ids.length };
}

/** Writes each box's lines: the id and its name, the shape and the attributes. */
function linesOf(graph: Graph): string[][] {
  const shapes = shapesOf(graph);
  const inputs = graph.inputs.map(({ name, shape }, id) => [`${id} = ${name}`, formatShape(shape)]);
  const nodes = graph.nodes.map(({ op, attributes }, index) => {
    const id = graph.inputs.length + index;
    const told = Object.entries(attributes).map(([name, value]) => `${name}=${plain(value)}`);
    return [`${id} = ${op}`, [formatShape(shapes[id] ?? []), ...told].join(" ")];
  });
  return [...inputs, ...nodes].map((lines) => lines.map((line) => cut(visible(line), LONGEST_LINE)));
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Returns the ids drawn, in order: those nearest to the one to blame, along arrows in either direction. */
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
