import { logarithmic, type Panel, plotOf, type Scale } from "../../conformance/index.ts";
import { chain, perceptron } from "./families.ts";
import { measured, measuredSystems, prepared } from "./growth.ts";
import { missesOf, type Reuse, StackDistances } from "./reuse.ts";
import { alike, counted, markdownTable } from "./tables.ts";

/** This is what systems touch, and when again, on one run. */
export interface Locality {
  readonly run: string;
  readonly systems: readonly { readonly system: string; readonly reuse: Reuse }[];
}

/** These runs are followed: lone numbers, and values of some hundred bytes. */
export const followedRuns = [
  ["a chain of 1,024 sines", () => chain(1024)],
  ["an MLP of 64 layers", () => perceptron(64)],
] as const;

/** Caches have these sizes, as powers of two of bytes: from some of the values to all. */
const caches: readonly number[] = [8, 10, 12, 14, 16, 18];

/** Follows each system's reads and writes from the start of recording to the end of one sweep. */
export function localityOf([run, problem]: (typeof followedRuns)[number]): Locality {
  const systems = measuredSystems.flatMap((system) => {
    const distances = new StackDistances();
    const outcome = measured(system, prepared(problem(), distances.touch));
    return outcome.kind === "refused" ? [] : [{ system: system.name, reuse: distances.reuse() }];
  });
  return { run, systems };
}

/** Tabulates bytes touched, and what caches of several sizes miss of them. */
export function localityTable({ systems }: Locality): string[] {
  const cellsOf = ({ reuse }: Locality["systems"][number]): string[] => [
    counted(reuse.total),
    ...caches.map((n) => counted(missesOf(reuse, n))),
    counted(reuse.first),
  ];
  const told = alike(
    systems,
    (one) => cellsOf(one).join("|"),
    ({ system }) => system,
  );
  return markdownTable(
    ["system", "bytes touched", ...caches.map((n) => `missed by ${sizeName(n)}`), "for the first time"],
    told.map(([names, one]) => [names, ...cellsOf(one)]),
  );
}

/** Writes 2ⁿ bytes. */
function sizeName(n: number): string {
  if (n < 10) return `${2 ** n} B`;
  return n < 20 ? `${2 ** (n - 10)} KiB` : `${2 ** (n - 20)} MiB`;
}

const drawn = [
  "dynamic",
  "output-saving",
  "compressed-float16",
  "checkpointed-segments",
  "checkpointed, 20 slots",
  "checkpointed",
  "recomputing",
  "derived",
] as const;

/** Draws what a cache of any size misses, for each system: the sum of the histogram's far end. */
export function localityChart(localities: readonly Locality[]): string {
  const panels = localities.map(({ run, systems }): Panel => {
    const series = drawn.map((name, n) => {
      const reuse = systems.find(({ system }) => system === name)?.reuse;
      const sizes = Array.from({ length: 17 }, (_, m) => m + 3);
      const points =
        reuse === undefined ? [] : sizes.map((size) => [2 ** size, missesOf(reuse, size)] as const);
      return { label: name, style: n + 1, isLine: true, points };
    });
    return {
      title: `What a cache misses: ${run}, recorded and swept once`,
      x: binary("size of the cache that gives up what was not used for longest", 3, 19),
      y: logarithmic("bytes missed", 4, 8),
      series,
    };
  });
  return plotOf("Misses of caches by tape system", panels);
}

/** Spaces powers of two equally. */
function binary(title: string, from: number, to: number): Scale {
  const { place } = logarithmic(title, Math.log10(2) * from, Math.log10(2) * to);
  const ticks = Array.from({ length: (to - from) / 2 + 1 }, (_, n) => from + 2 * n);
  return { title, place, ticks: ticks.map((n) => ({ at: 2 ** n, label: sizeName(n) })) };
}
