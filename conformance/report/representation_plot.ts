import { storageFormats, type Target } from "../../oracle/representations/index.ts";
import type { RepresentationsJson, RepresentedRunJson } from "../../spec/explained/index.ts";
import { logarithmic, type Panel, plotOf, type Scale, type Series } from "./plot.ts";

/** The exponents of the sizes drawn, and the digits. */
const [LEAST, MOST, DIGITS] = [-12, 12, 20] as const;

const magnitudes: Scale = logarithmic("greatest size of a value", LEAST, MOST, 4);

const digits: Scale = {
  title: "decimal digits that are kept of it",
  place: (x) => x / DIGITS,
  ticks: [0, 4, 8, 12, 16, 20].map((tick) => ({ at: tick, label: String(tick) })),
};

/**
 * Plots how many digits each format of a target keeps of numbers of each size, and marks the greatest size of
 * every value of a run on its chosen format's line; one panel for each run and target.
 */
export function representationPlot({ runs }: RepresentationsJson, targets: readonly Target[]): string {
  const panels = targets.flatMap((target, place) => runs.map((run) => panelOf(run, target, place)));
  return plotOf("digits that formats keep, by the size of a number", panels);
}

function panelOf(run: RepresentedRunJson, { name, formats }: Target, place: number): Panel {
  const assigned = run.assignments[place]?.formats ?? [];
  const series = formats.flatMap((format, n): Series[] => {
    const chosen = run.values.flatMap(({ range }, id) => {
      const size = range === undefined ? 0 : Math.max(Math.abs(range[0]), Math.abs(range[1]));
      const kept = digitsAt(format.name, size);
      return assigned[id] === format.name && kept !== undefined ? [[size, kept] as const] : [];
    });
    const style = n + 1;
    const points = decades().flatMap((size) => {
      const kept = digitsAt(format.name, size);
      return kept === undefined ? [] : [[size, kept] as const];
    });
    // A point between two of its own height draws nothing.
    const line = points.filter(
      ([, kept], i) => !(isAlike(points[i - 1]?.[1], kept) && isAlike(points[i + 1]?.[1], kept)),
    );
    return [
      { label: format.name, style, isLine: true, isMarked: false, points: line },
      ...(chosen.length === 0
        ? []
        : [{ label: `${chosen.length} values kept so`, style, isLine: false, points: chosen }]),
    ];
  });
  return { title: `${run.run}, ${name}`, x: magnitudes, y: digits, series };
}

/** Tells whether two heights are the same in a drawing. */
function isAlike(one: number | undefined, other: number): boolean {
  return one !== undefined && Math.abs(one - other) < 1e-6;
}

/** Returns the sizes drawn, eight in a decade. */
function decades(): number[] {
  return Array.from({ length: 8 * (MOST - LEAST) + 1 }, (_, n) => 10 ** (LEAST + n / 8));
}

/** Returns the digits that a format keeps of a tensor within ±size; `undefined` where none can be drawn. */
function digitsAt(name: string, size: number): number | undefined {
  if (!(size >= 10 ** LEAST && size <= 10 ** MOST)) return undefined;
  const [loss = Number.POSITIVE_INFINITY] =
    storageFormats.get(name)?.losses({ low: [-size, -size], high: [size, size] }) ?? [];
  const kept = -Math.log10(loss / size);
  return kept > 0 && kept <= DIGITS ? kept : undefined;
}
