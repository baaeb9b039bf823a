import { formatTime, type Section } from "./report.ts";

/** Lengths are in pixels. */
const LEFT = 190;
const WIDTH = 820;
const RIGHT = 90;
const BAR = 13;
const STEP = 18;
const HEAD = 34;

/** These colours can be read on white and on black, ours apart from others'. */
const style = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .head { font-weight: 600; font-size: 13px; }
  .faint { fill: #59636e; }
  .ours { fill: #0969da; } .yardstick { fill: #8c959f; } .peer { fill: #bf8700; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .faint { fill: #9198a1; }
    .ours { fill: #4493f8; } .yardstick { fill: #656c76; } .peer { fill: #d29922; }
  }
`;

/**
 * Draws the least times of gradients as bars, a group for each workload. The axis is logarithmic, from a
 * group's fastest to its slowest, since they differ by thousands. The drawing has no background and follows
 * the reader's colour scheme.
 */
export function chartOf(sections: readonly Section[], isOurs: (contestant: string) => boolean): string {
  const parts: string[] = [];
  let y = 24;
  for (const { workload, mode, outcomes } of sections) {
    const timed = outcomes.flatMap((outcome) => (outcome.kind === "timed" ? [outcome] : []));
    if (mode !== "gradient" || timed.length === 0) continue;
    const sorted = timed.toSorted((x, y) => x.least - y.least);
    const least = sorted[0]?.least ?? 1;
    const decades = Math.max(1, Math.log10((sorted.at(-1)?.least ?? 1) / least));
    parts.push(text(0, y, workload, "head"));
    y += HEAD - STEP;
    for (const { contestant, least: time, precision } of sorted) {
      const share = 0.06 + (0.94 * Math.log10(time / least)) / decades;
      const width = share * (WIDTH - LEFT - RIGHT);
      const kind = isOurs(contestant) ? "ours" : contestant.startsWith("C ") ? "yardstick" : "peer";
      const name = precision === "float32" ? `${contestant} (f32)` : contestant;
      parts.push(text(LEFT - 8, y + BAR - 3, name, "", "end"));
      parts.push(
        `<rect class="${kind}" x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>`,
      );
      parts.push(text(LEFT + width + 6, y + BAR - 3, formatTime(time), "faint"));
      y += STEP;
    }
    y += HEAD - STEP + 12;
  }
  const title = "Time of one gradient, least of a run, logarithmic within each group";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-label="${title}">`,
    `<style>${style}</style>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

function text(x: number, y: number, words: string, kind: string, anchor = "start"): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const faces = kind === "" ? "" : ` class="${kind}"`;
  return `<text x="${x.toFixed(1)}" y="${y}"${faces} text-anchor="${anchor}">${escaped}</text>`;
}
