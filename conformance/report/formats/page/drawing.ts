import { shapesOf } from "../../../../spec/expansion/index.ts";
import type { Graph } from "../../../../spec/graph/index.ts";
import { formatShape, visible } from "../../../../spec/shapes/index.ts";
import { counted } from "../../fold.ts";
import { cut } from "../../folded.ts";
import type { Drawing, DrawnLine } from "./browser/data.ts";
import type { LayOut } from "./layout.ts";

/** Larger graphs are drawn in part, as they take long to lay out and nobody reads them. */
const MOST_DRAWN = 60;

/** A line in a box has at most so many characters. */
const LONGEST_LINE = 26;

/** The width of a character and of a box's padding, in pixels. */
const CHARACTER = 7.3;
const BESIDE = 20;

/** The height of a line and of a box's padding, in pixels. */
const LINE = 15;
const ABOVE = 10;

/** What is drawn of a graph beside the graph itself. */
export interface Marks {
  /** The id to blame. */
  readonly blamed?: number;
  /** Lines that an id's box has below its name and shape. */
  readonly notes?: ReadonlyMap<number, readonly DrawnLine[]>;
}

/**
 * Lays a graph out with the id to blame marked; of a large graph only the ids nearest to it. Fails:
 * `undefined` without a layout. Law: each operand has an arrow, where both its ends are drawn.
 */
export function drawingOf(graph: Graph, { blamed, notes }: Marks, layOut: LayOut): Drawing | undefined {
  const count = graph.inputs.length + graph.nodes.length;
  const ids = nearest(graph, blamed ?? count - 1);
  const places = new Map(ids.map((id, place) => [id, place]));
  const lines = linesOf(graph);
  const boxes = ids.map((id) => {
    const about = (lines[id] ?? []).filter(({ text }) => text !== "");
    const more = (notes?.get(id) ?? []).map(({ text, sort }) => ({ text: shortened(text), sort }));
    const own = [...about, ...more].map((line, row) =>
      id === blamed && row === 0 ? { ...line, text: `${line.text} ✗ to blame` } : line,
    );
    // Widths come in steps, so that more graphs share a layout.
    const characters = 4 * Math.ceil(Math.max(...own.map(({ text }) => [...text].length)) / 4);
    const width = Math.round(characters * CHARACTER + BESIDE);
    return { id, lines: own, width, height: own.length * LINE + ABOVE };
  });
  const arrows = ids.flatMap((id) =>
    parentsOf(graph, id).flatMap((parent): (readonly [number, number])[] => {
      const [tail, head] = [places.get(parent), places.get(id)];
      return tail === undefined || head === undefined ? [] : [[tail, head]];
    }),
  );
  const layout = layOut(
    boxes.map(({ width, height }) => [width, height]),
    arrows,
  );
  if (layout === undefined) return undefined;
  const nodes = boxes.map(({ id, ...box }, place) => {
    const mark = id === blamed ? "blamed" : id < graph.inputs.length ? "input" : "node";
    return { ...(layout.boxes[place] ?? { x: 0, y: 0 }), ...box, mark } as const;
  });
  const named = blamed === undefined ? "" : `; to blame: ${lines[blamed]?.[0]?.text ?? ""}`;
  const title = `A graph of ${counted(graph.inputs.length, "input")} and ${counted(graph.nodes.length, "node")}${named}`;
  const { width, height, curves } = layout;
  return { width, height, title, nodes, edges: curves, left: count - ids.length };
}

/** Writes each box's lines: the id and its name, the shape and the attributes. */
function linesOf(graph: Graph): DrawnLine[][] {
  const shapes = shapesOf(graph);
  const inputs = graph.inputs.map(({ name, shape }, id) => [`${id} = ${name}`, formatShape(shape)]);
  const nodes = graph.nodes.map(({ op, attributes }, index) => {
    const id = graph.inputs.length + index;
    const told = Object.entries(attributes).map(([name, value]) => `${name}=${plain(value)}`);
    return [`${id} = ${op}`, [formatShape(shapes[id] ?? []), ...told].join(" ")];
  });
  return [...inputs, ...nodes].map(([name = "", about = ""]) => [
    { text: shortened(name), sort: "name" },
    { text: shortened(about), sort: "about" },
  ]);
}

function shortened(text: string): string {
  return cut(visible(text), LONGEST_LINE);
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Returns the ids drawn, in order: those nearest to `middle`, along arrows in either direction. */
function nearest(graph: Graph, middle: number): number[] {
  const count = graph.inputs.length + graph.nodes.length;
  const all = Array.from({ length: count }, (_, id) => id);
  if (count <= MOST_DRAWN) return all;
  const readers = new Map<number, number[]>();
  for (const id of all) {
    for (const parent of parentsOf(graph, id)) readers.set(parent, [...(readers.get(parent) ?? []), id]);
  }
  const found = new Set([middle]);
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
