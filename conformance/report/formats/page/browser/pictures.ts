import type { Drawing, DrawnNode, PageNumbers } from "./data.ts";

/** Makes an SVG element of any kind: of the document, or as text of a page without a script. */
export type Draw<T> = (
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (T | string)[]
) => T;

/** Draws a graph as SVG, with a title for readers who do not see it. */
export function graphPicture<T>(drawing: Drawing, draw: Draw<T>, id: string): T {
  const { width, height, title, nodes, edges } = drawing;
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return draw(
    "svg",
    { ...size, role: "img", "aria-labelledby": id, class: "graph" },
    draw("title", { id }, title),
    ...edges.flatMap((points) => edgePicture(points, draw)),
    ...nodes.map((node) => nodePicture(node, draw)),
  );
}

/** Draws a curve with its arrowhead. */
export function edgePicture<T>(points: readonly number[], draw: Draw<T>): T[] {
  const [x = 0, y = 0, ...rest] = points;
  const [fromX = x, fromY = y, toX = x, toY = y] = points.slice(-4);
  const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
  const place = `translate(${toX} ${toY}) rotate(${angle.toFixed(1)})`;
  return [
    draw("path", { d: `M${x} ${y}C${rest.join(" ")}`, class: "edge" }),
    draw("path", { d: "M0 0L-8 -3.5L-8 3.5Z", transform: place, class: "head" }),
  ];
}

/** Draws a box with its lines. */
export function nodePicture<T>({ x, y, width, height, lines, mark }: DrawnNode, draw: Draw<T>): T {
  const box = { x: x - width / 2, y: y - height / 2, width, height, rx: mark === "input" ? 14 : 6 };
  const words = lines.map(({ text, sort }, row) =>
    draw("text", { x, y: y - height / 2 + 17 + row * 15, class: `line-${sort}` }, text),
  );
  return draw("g", { class: `box ${mark}` }, draw("rect", box), ...words);
}

/** Draws the answer and the certified interval on a line, which is broken beyond three half-widths. */
export function linePicture<T>({ distance, sentence }: PageNumbers, draw: Draw<T>, id: string): T[] {
  if (distance === undefined) return [];
  const isFar = Math.abs(distance) > 3;
  const at = 320 + (isFar ? Math.sign(distance) * 270 : distance * 80);
  const gap = 320 + Math.sign(distance) * 225;
  const broken = isFar
    ? [draw("path", { d: `M${gap - 6} 52l4 -16M${gap + 2} 52l4 -16`, class: "edge" })]
    : [];
  return [
    draw(
      "svg",
      { viewBox: "0 0 640 84", role: "img", "aria-labelledby": id, class: "number-line" },
      draw("title", { id }, sentence),
      draw("path", { d: "M10 44H630", class: "edge" }),
      draw("rect", { x: 240, y: 34, width: 160, height: 20, rx: 3, class: "certified" }),
      draw("path", { d: "M320 30V58", class: "expected" }),
      draw("text", { x: 320, y: 76 }, "want, within the bound"),
      ...broken,
      draw("circle", { cx: at, cy: 44, r: 6, class: "answer" }),
      draw("text", { x: at, y: 22, class: "answer-name" }, "got"),
    ),
  ];
}
