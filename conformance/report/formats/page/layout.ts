import process from "node:process";
import type { Viz } from "@viz-js/viz";
import { howToInstall, isMissing } from "../../../../spec/peers.ts";

/** A graph's layout: where its boxes and curves are, in pixels. */
interface Layout {
  readonly width: number;
  readonly height: number;
  /** The middle of each box. */
  readonly boxes: readonly { readonly x: number; readonly y: number }[];
  /** Points of cubic curves, x and y in turn. */
  readonly curves: readonly (readonly number[])[];
}

/** The width and height of a box, in pixels. */
type Size = readonly [width: number, height: number];

/** Lays out boxes of these sizes, joined by arrows. */
export type LayOut = (
  sizes: readonly Size[],
  arrows: readonly (readonly [number, number])[],
) => Layout | undefined;

/** The package that has Graphviz. */
type Graphviz = typeof import("@viz-js/viz");

const loadGraphviz = (): Promise<Graphviz> => import("@viz-js/viz");

/** Graphviz measures boxes in inches of 72 points. */
const PER_INCH = 72;

/** A drawing has this margin, in pixels. */
const MARGIN = 12;

/**
 * Returns Graphviz's layered layout `dot`, `undefined` where it fails or is not installed, which is said. It
 * gets numbers alone, never a name, and graphs alike are laid out once. Cost: milliseconds for a dozen
 * boxes, ⅓ s for sixty.
 */
export async function layOutGraphs(load: () => Promise<Graphviz> = loadGraphviz): Promise<LayOut> {
  const found = await load().catch((thrown) => {
    if (!isMissing(thrown, "@viz-js/viz")) throw thrown;
  });
  if (found === undefined) {
    process.stderr.write(`The page has no drawings, which take ${howToInstall("@viz-js/viz")}\n`);
    return () => undefined;
  }
  const graphviz = await found.instance();
  const known = new Map<string, Layout | undefined>();
  return (sizes, arrows) => {
    const key = JSON.stringify([sizes, arrows]);
    if (!known.has(key)) known.set(key, laidOut(graphviz, sizes, arrows));
    return known.get(key);
  };
}

function laidOut(
  graphviz: Viz,
  sizes: readonly Size[],
  arrows: readonly (readonly [number, number])[],
): Layout | undefined {
  const { output } = graphviz.render(
    {
      directed: true,
      graphAttributes: { ranksep: 0.45, nodesep: 0.3 },
      // Curves end at the boxes, since the page draws the arrowheads.
      edgeAttributes: { arrowhead: "none" },
      nodeAttributes: { shape: "box", fixedsize: true, label: "" },
      nodes: sizes.map(([width, height], place) => ({
        name: `${place}`,
        attributes: { width: width / PER_INCH, height: height / PER_INCH },
      })),
      edges: arrows.map(([tail, head]) => ({ tail: `${tail}`, head: `${head}` })),
    },
    { format: "plain" },
  );
  return output === undefined ? undefined : readPlain(output);
}

/** Reads Graphviz's format `plain`, whose y axis goes up. Source: graphviz.org/docs/outputs/plain. */
function readPlain(text: string): Layout {
  const lines = text.split("\n").map((line) => line.split(" "));
  const [, , wide = "0", high = "0"] = lines.find(([kind]) => kind === "graph") ?? [];
  const across = (inches: string | undefined): number => round(Number(inches) * PER_INCH + MARGIN);
  const down = (inches: string | undefined): number =>
    round((Number(high) - Number(inches)) * PER_INCH + MARGIN);
  const boxes = lines
    .filter(([kind]) => kind === "node")
    .toSorted(([, a], [, b]) => Number(a) - Number(b))
    .map(([, , x, y]) => ({ x: across(x), y: down(y) }));
  const curves = lines
    .filter(([kind]) => kind === "edge")
    .map(([, , , count, ...points]) =>
      points
        .slice(0, 2 * Number(count))
        .map((inches, place) => (place % 2 === 0 ? across(inches) : down(inches))),
    );
  const size = (inches: string): number => Math.ceil(Number(inches) * PER_INCH + 2 * MARGIN);
  return { width: size(wide), height: size(high), boxes, curves };
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
