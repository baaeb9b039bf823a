/**
 * Measures how far storage plans of random runs are from the optimum, for docs/lifetimes.md: `node
 * bench/storage_plans.ts`.
 */
import { type CaseProfile, caseAt, profiles } from "../oracle/index.ts";
import {
  greatestNeed,
  type Lifetime,
  lifetimes,
  optimalPlan,
  planBySize,
  planInTime,
} from "../reference/package.ts";
import { at, expand, nodeId, present } from "../spec/index.ts";

/** Runs have at most this many values, and at least this many: fewer have nothing to plan. */
const MOST_VALUES = 20;
const LEAST_VALUES = 8;

/** A planner is so far from the optimum. */
export interface Distance {
  readonly way: string;
  /** This is the mean peak, as a multiple of the optimum's. */
  readonly mean: number;
  readonly worst: number;
  /** The plan is optimal in this many runs. */
  readonly best: number;
}

/** These are the distances on the runs of a profile. */
export interface Distances {
  readonly profile: string;
  readonly runs: number;
  /** This many runs have a proved optimum: all of them, or the figures mean less. */
  readonly proved: number;
  /** In this many runs the optimum exceeds the greatest simultaneous need. */
  readonly aboveBound: number;
  readonly ways: readonly Distance[];
}

const ways: readonly (readonly [string, (values: readonly Lifetime[]) => number])[] = [
  ["nothing reused", (values) => values.reduce((sum, { elements }) => sum + elements, 0)],
  ["best fit in time", (values) => planInTime(values).peak],
  ["best fit by size", (values) => planBySize(values).peak],
];

/** Lists the values of a random run, for the cotangents of all inputs from the case's seeds. */
function valuesOf(profile: CaseProfile, seed: number, index: number): readonly Lifetime[] {
  const { graph: written, seeds } = caseAt(profile, seed, index);
  const { graph, ids } = expand(written);
  // This surely has more values.
  if (graph.inputs.length + graph.nodes.length > MOST_VALUES) return [];
  const wanted = { of: seeds.map(({ id }) => at(ids, id)), wrt: graph.inputs.map((_, id) => nodeId(id)) };
  const found = lifetimes(graph, wanted, { countsGiven: true });
  return found.ok ? found.value.values : [];
}

/** Measures a profile's first runs that have few enough values for an exact answer, and some to plan. */
export function distancesOf(name: string, runs: number, seed: number): Distances {
  const profile = present(profiles.get(name), name);
  const drawn: (readonly Lifetime[])[] = [];
  for (let index = 0; drawn.length < runs; index++) {
    const values = valuesOf(profile, seed, index).filter(({ elements }) => elements > 0);
    if (values.length >= LEAST_VALUES && values.length <= MOST_VALUES) drawn.push(values);
  }
  const optima = drawn.map((values) => optimalPlan(values));
  const peaks = optima.map(({ plan }) => plan.peak);
  return {
    profile: name,
    runs,
    proved: optima.filter(({ isProved }) => isProved).length,
    aboveBound: drawn.filter((values, n) => at(peaks, n) > greatestNeed(values).elements).length,
    ways: ways.map(([way, peakOf]) => {
      const ratios = drawn.map((values, n) => peakOf(values) / at(peaks, n));
      return {
        way,
        mean: ratios.reduce((sum, ratio) => sum + ratio, 0) / runs,
        worst: Math.max(...ratios),
        best: ratios.filter((ratio) => ratio === 1).length,
      };
    }),
  };
}

/** This many runs of each of these profiles are measured. */
const looked = ["tensor", "wide", "arranging", "network"] as const;
const RUNS = 200;

/** Writes the distances for docs/lifetimes.md. */
export function distanceTable(): string[] {
  const found = looked.map((name) => distancesOf(name, RUNS, 1));
  const sum = (count: (distances: Distances) => number): number =>
    found.reduce((total, distances) => total + count(distances), 0);
  return [
    "| runs of | plan | mean / optimum | worst | is an optimum |",
    "|---|---|---:|---:|---:|",
    ...found.flatMap(({ profile, runs, ways: distances }) =>
      distances.map(
        ({ way, mean, worst, best }) =>
          `| ${profile} | ${way} | ${mean.toFixed(3)} | ${worst.toFixed(3)} | ${best} of ${runs} |`,
      ),
    ),
    "",
    `Of ${sum(({ runs }) => runs)} optima ${sum(({ proved }) => proved)} are proved, and ${sum(({ aboveBound }) => aboveBound)} are above the lower bound.`,
  ];
}

if (import.meta.main) for (const line of distanceTable()) console.log(line);
