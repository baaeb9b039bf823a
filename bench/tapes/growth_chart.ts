import {
  logarithmic,
  logarithmicFromZero,
  type Panel,
  plotOf,
  type Series,
} from "../../conformance/index.ts";
import { type FamilyGrowth, leastAgain, type RunFigures, TRADED, type Trade } from "./collected.ts";

/** A number has this many bytes. */
const WIDE = 8;

/** Beside snapshots, a step holds what it reads and what it makes. */
const IN_WORK = 2;

/** These systems have points of their own beside those that place snapshots. */
const alone = ["dynamic", "compressed-float16", "derived", "fused", "recomputing"] as const;

/** Draws memory against recomputed nodes, on the chain that memory is traded on. */
function tradePanel(trades: readonly Trade[], { figures }: RunFigures): Panel {
  const slots = Array.from({ length: TRADED }, (_, n) => n + 1);
  const line: Series = {
    label: "binomial optimum, by slots",
    style: 0,
    isLine: true,
    points: slots.map((s) => [leastAgain(s) / TRADED, WIDE * (s + IN_WORK)]),
  };
  const placing = ["checkpointed", "checkpointed-online", "checkpointed-segments"].map(
    (name, n): Series => ({
      label: name,
      style: n + 1,
      isLine: false,
      points: trades.filter(({ system }) => system === name).map(({ again, peak }) => [again / TRADED, peak]),
    }),
  );
  const others = alone.map((name, n): Series => {
    const found = figures.filter(({ system }) => system === name);
    return {
      label: name,
      style: n + 4,
      isLine: false,
      points: found.map(({ measure }) => [measure.recomputedOperations / TRADED, measure.livePeak]),
    };
  });
  return {
    title: `Memory against computing again: a chain of ${TRADED} sines, one sweep`,
    x: logarithmicFromZero("nodes computed again, for each node", [0, 1, 2, 5, 10, 20, 50, 130]),
    y: logarithmic("peak, bytes", 1, 4),
    series: [line, ...placing, ...others],
  };
}

/** These are followed along the chain: they keep all, then less and less. */
const followed = [
  "dynamic",
  "compressed-float16",
  "checkpointed-segments",
  "fused",
  "checkpointed, 20 slots",
  "checkpointed",
  "recomputing",
] as const;

/** Draws a figure against the length, on logarithmic axes, for each of {@link followed}. */
function growthPanel({ growths }: FamilyGrowth, figure: "peak" | "again"): Panel {
  const series = followed.map((name, n): Series => {
    const reached = growths.find(({ system }) => system === name)?.reached ?? [];
    const points = reached.map(({ size, nodes, measure }): readonly [number, number] => [
      size,
      figure === "peak" ? measure.livePeak : measure.recomputedOperations / nodes,
    ]);
    return { label: name, style: n + 1, isLine: true, points };
  });
  const length = logarithmic("length of the chain", 1, 6);
  return figure === "peak"
    ? { title: "Peak as the chain grows", x: length, y: logarithmic("peak, bytes", 1, 7), series }
    : {
        title: "Nodes computed again, for each node, as the chain grows",
        x: length,
        y: logarithmicFromZero("nodes computed again, for each node", [0, 1, 2, 5, 10, 20, 50, 100, 500]),
        series: series.filter(({ points }) => points.some(([, again]) => again > 0)),
      };
}

/** Draws docs/tapes.svg. */
export function growthChart(trades: readonly Trade[], traded: RunFigures, chain: FamilyGrowth): string {
  return plotOf("Memory and computing again of tape systems", [
    tradePanel(trades, traded),
    growthPanel(chain, "peak"),
    growthPanel(chain, "again"),
  ]);
}
