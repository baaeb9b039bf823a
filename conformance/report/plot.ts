/** An axis: `place` maps a number to 0 … 1 along it, and `ticks` are the numbers written beside it. */
export interface Scale {
  readonly title: string;
  place(x: number): number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

/** Points of one kind, joined by a line if `isLine`. */
export interface Series {
  readonly label: string;
  /** Index of its colour and mark, from 0; those of a panel differ. */
  readonly style: number;
  readonly isLine: boolean;
  /** Is true if points of a line are marked as well; by default they are, unless the style is 0. */
  readonly isMarked?: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** One drawing of a figure. */
export interface Panel {
  readonly title: string;
  readonly x: Scale;
  readonly y: Scale;
  readonly series: readonly Series[];
}

const [LEFT, TOP, WIDTH, HEIGHT, LEGEND, GAP] = [76, 34, 420, 300, 250, 84] as const;

/** Pairs for a light and a dark background, told apart by people with red-green colour blindness too. */
const colours = [
  ["#1f2328", "#f0f6fc"],
  ["#0969da", "#58a6ff"],
  ["#bc4c00", "#f0883e"],
  ["#1a7f37", "#3fb950"],
  ["#8250df", "#bc8cff"],
  ["#bf3989", "#ff7eb6"],
  ["#9a6700", "#d9a514"],
  ["#0e7c86", "#39c5cf"],
  ["#6e7781", "#9198a1"],
] as const;

/** Makes a logarithmic axis from 10ᵃ to 10ᵇ. */
export function logarithmic(title: string, from: number, to: number, step = 1): Scale {
  const ticks = [];
  for (let exponent = from; exponent <= to; exponent += step)
    ticks.push({ at: 10 ** exponent, label: powerOfTen(exponent) });
  return { title, place: (x) => (Math.log10(x) - from) / (to - from), ticks };
}

/** Makes an axis from 0 to the last of `ticks`, on which x is where 1 + x is on a logarithmic one. */
export function logarithmicFromZero(title: string, ticks: readonly number[]): Scale {
  const most = Math.log1p(ticks.at(-1) ?? 1);
  return {
    title,
    place: (x) => Math.log1p(x) / most,
    ticks: ticks.map((tick) => ({ at: tick, label: String(tick) })),
  };
}

function powerOfTen(exponent: number): string {
  if (exponent >= 0 && exponent <= 3) return String(10 ** exponent);
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const sign = exponent < 0 ? "⁻" : "";
  return `10${sign}${[...String(Math.abs(exponent))].map((digit) => digits[Number(digit)]).join("")}`;
}

/** Draws panels below each other with their legends; the SVG follows the reader's colour scheme. */
export function plotOf(title: string, panels: readonly Panel[]): string {
  const step = TOP + HEIGHT + GAP - 20;
  const [width, height] = [LEFT + WIDTH + LEGEND, panels.length * step];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${styleSheet()}</style>`,
    ...panels.flatMap((panel, n) => [
      `<g transform="translate(${LEFT} ${n * step + TOP})">`,
      ...drawn(panel),
      "</g>",
    ]),
    "</svg>",
    "",
  ].join("\n");
}

function styleSheet(): string {
  const rules = (shade: 0 | 1): string =>
    colours
      .map(
        (colour, n) =>
          `.s${n} { stroke: ${colour[shade]}; } .m${n} { fill: ${colour[shade]}; stroke: ${colour[shade]}; }`,
      )
      .join(" ");
  return `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .head { font-weight: 600; font-size: 13px; }
  .faint { fill: #59636e; } .grid { stroke: #d1d9e0; } .line { fill: none; stroke-width: 1.6; }
  ${rules(0)}
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .faint { fill: #9198a1; } .grid { stroke: #3d444d; }
    ${rules(1)}
  }
`;
}

function drawn({ title, x, y, series }: Panel): string[] {
  const across = (value: number): number => x.place(value) * WIDTH;
  const down = (value: number): number => (1 - y.place(value)) * HEIGHT;
  const parts = [text(0, -14, title, "head")];
  for (const { at, label } of x.ticks) {
    parts.push(
      `<path class="grid" d="M${short(across(at))} 0V${HEIGHT}"/>`,
      text(across(at), HEIGHT + 17, label, "faint", "middle"),
    );
  }
  for (const { at, label } of y.ticks) {
    parts.push(
      `<path class="grid" d="M0 ${short(down(at))}H${WIDTH}"/>`,
      text(-8, down(at) + 4, label, "faint", "end"),
    );
  }
  parts.push(text(WIDTH / 2, HEIGHT + 38, x.title, "", "middle"));
  parts.push(
    `<g transform="translate(-56 ${HEIGHT / 2}) rotate(-90)">${text(0, 0, y.title, "", "middle")}</g>`,
  );
  for (const [n, { label, style, isLine, isMarked = !isLine || style !== 0, points }] of series.entries()) {
    const places = points.map(([px, py]) => [across(px), down(py)] as const);
    if (isLine)
      parts.push(
        `<path class="line s${style}" d="M${places.map(([px, py]) => `${short(px)} ${short(py)}`).join("L")}"/>`,
      );
    for (const [px, py] of isMarked ? places : []) parts.push(mark(style, px, py));
    const row = 8 + 19 * n;
    parts.push(
      isLine ? `<path class="line s${style}" d="M${WIDTH + 14} ${row}h22"/>` : "",
      isMarked ? mark(style, WIDTH + 25, row) : "",
      text(WIDTH + 44, row + 4, label, ""),
    );
  }
  return parts.filter((part) => part !== "");
}

/** Draws a point's mark; three forms take turns, so that colour is not needed. */
function mark(style: number, x: number, y: number): string {
  const [cx, cy] = [short(x), short(y)];
  switch (style % 3) {
    case 0:
      return `<circle class="m${style}" cx="${cx}" cy="${cy}" r="3.4"/>`;
    case 1:
      return `<path class="m${style}" d="M${cx} ${short(y - 4.6)}l4.4 7.8h-8.8z"/>`;
    default:
      return `<rect class="m${style}" x="${short(x - 3.2)}" y="${short(y - 3.2)}" width="6.4" height="6.4"/>`;
  }
}

function text(x: number, y: number, words: string, kind: string, anchor = "start"): string {
  const faces = kind === "" ? "" : ` class="${kind}"`;
  return `<text x="${short(x)}" y="${short(y)}"${faces} text-anchor="${anchor}">${escaped(words)}</text>`;
}

function short(x: number): string {
  return String(Math.round(10 * x) / 10);
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
