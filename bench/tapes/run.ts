import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boundChart, boundedFamilies, boundGrowth, boundTable } from "./bounds.ts";
import {
  figuresOf,
  gradBenchFigures,
  growthAlong,
  longRun,
  type Progress,
  TRADED,
  trades,
} from "./collected.ts";
import { compiledFigures, compiledRuns, compiledTable, shares, turnTable } from "./compiled.ts";
import { chain, families } from "./families.ts";
import { prepared } from "./growth.ts";
import { growthChart } from "./growth_chart.ts";
import { followedRuns, localityChart, localityOf, localityTable } from "./locality.ts";
import { type Sections, withSections } from "./sections.ts";
import { growthTable, longRunText, runsTable } from "./tables.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");

/** The effort says how large the runs are, and how often they are timed. */
export interface TapeEffort {
  readonly largest: number;
  readonly longest: number;
  readonly rounds: number;
}

/** `--quick` takes the first; the page shows the other. */
export const tapeEfforts: { readonly [K in "quick" | "whole"]: TapeEffort } = {
  quick: { largest: 1000, longest: 10_000, rounds: 1 },
  whole: { largest: 1_000_000, longest: 1_000_000, rounds: 3 },
};

/** Tables that are printed, and that `npm run docs` keeps; docs/tapes.md has the others. */
export const printedOnly: ReadonlySet<string> = new Set(["MLP", "RNN", ...followedRuns.map(([run]) => run)]);

/** The measurements are written as tables, and as drawings beside docs/tapes.md. */
interface Written {
  readonly sections: Sections;
  readonly drawings: ReadonlyMap<string, string>;
}

type Part = (effort: TapeEffort, progress: Progress) => Written | Promise<Written>;

const onlySection = (name: string, lines: readonly string[]): Written => ({
  sections: new Map([[name, lines]]),
  drawings: new Map(),
});

/** These parts can be measured, by name. */
const parts: Readonly<Record<string, Part>> = {
  ...Object.fromEntries(
    families.map((family): [string, Part] => [
      family.name,
      ({ largest }, progress) => {
        const growth = growthAlong(family, largest, progress);
        const written = onlySection(family.name, growthTable(growth));
        if (family !== families[0]) return written;
        const traded = figuresOf("traded", prepared(chain(TRADED)));
        return { ...written, drawings: new Map([["tapes.svg", growthChart(trades(), traded, growth)]]) };
      },
    ]),
  ),
  GradBench: (_effort, progress) => onlySection("GradBench", runsTable(gradBenchFigures(progress))),
  locality: () => {
    const found = followedRuns.map(localityOf);
    return {
      sections: new Map(found.map((one) => [one.run, localityTable(one)])),
      drawings: new Map([["tapes-locality.svg", localityChart(found)]]),
    };
  },
  turn: () => onlySection("turn", turnTable()),
  compiled: ({ rounds }) => ({
    sections: new Map(
      compiledRuns.map(({ name, problem }) => {
        const made = problem();
        return [
          name,
          compiledTable(shares.map((share) => compiledFigures(made, share, 20 * rounds))),
        ] as const;
      }),
    ),
    drawings: new Map(),
  }),
  bounds: async (_effort, progress) => {
    const found: [string, Awaited<ReturnType<typeof boundGrowth>>][] = [];
    for (const family of boundedFamilies) {
      progress(family.name);
      found.push([family.name, await boundGrowth(family)]);
    }
    return {
      sections: new Map(found.map(([name, growths]) => [name, boundTable(growths)])),
      drawings: new Map([["tapes-bounds.svg", boundChart(found)]]),
    };
  },
  "long chain": ({ longest, rounds }, progress) =>
    onlySection("long chain", longRunText(longRun(longest, 20, rounds, progress))),
};

/** Measures tape systems, prints the tables, and writes docs/tapes.md and its drawings, if asked to. */
export async function benchTapes(
  effort: TapeEffort,
  isAsked: (part: string) => boolean,
  isWritten: boolean,
  progress: Progress,
): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    if (!isAsked(name)) continue;
    const { sections, drawings } = await part(effort, progress);
    progress("");
    for (const [section, lines] of sections) console.log(`\n${section}\n${lines.join("\n")}`);
    if (!isWritten) continue;
    const page = join(docs, "tapes.md");
    const shown = new Map([...sections].filter(([section]) => !printedOnly.has(section)));
    writeFileSync(page, withSections(readFileSync(page, "utf8"), shown));
    for (const [file, drawing] of drawings) writeFileSync(join(docs, file), drawing);
  }
}
