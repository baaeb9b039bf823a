import { erf, float64 } from "../../reference/index.ts";
import type { Engine, LoadedGraph, Reply } from "../../spec/contract/index.ts";
import { at, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type Case, runReference } from "../case/index.ts";
import { inFlight } from "../driver/index.ts";
import { asked, componentsOf, GIVEN, signsOf } from "./along.ts";
import { hasLaw, LARGEST, misfitsOf, type Revealed, revealed } from "./directions.ts";
import { estimateLaw, type MeanFound, meanOf } from "./means.ts";
import {
  type EstimateFault,
  type EstimateOptions,
  type EstimateVerdict,
  verdictOf,
  without,
} from "./verdict.ts";

/**
 * Tells whether a component of a gradient is 0, or its fourth power, of which the law of an estimate's square
 * is made, a normal double: no bound is made of what overflows or underflows.
 */
function hasFourthPower(component: number): boolean {
  const size = Math.abs(component);
  return size === 0 || (size > 2 ** -250 && size < 2 ** 250);
}

/** A right estimator is accused with at most these probabilities: by each mean, and by the law. */
export interface Alarms {
  readonly mean: number;
  readonly law: number;
}

/**
 * Judges estimates along directions that the engine draws by a law: the mean of each number and of its
 * square, what a seed gives that is asked again, and the directions themselves, which the estimates tell.
 */
export async function judgeDrawn(
  engine: Engine,
  program: LoadedGraph,
  question: Case,
  law: "rademacher" | "gaussian",
  options: EstimateOptions,
  alarms: Alarms,
): Promise<EstimateVerdict> {
  const { samples, seed } = options;
  const run = runReference(question, float64);
  const zeros = (shape: Shape): readonly number[] => Array.from({ length: sizeOf(shape) }, () => 0);
  const gradient = question.graph.inputs.flatMap(({ shape }, id) => [
    ...(run.cotangents.get(nodeId(id))?.data ?? zeros(shape)),
  ]);
  if (!gradient.every(hasFourthPower)) return verdictOf(law, 2 * gradient.length, 2 * gradient.length, []);
  const { rounding, isExcused } = looked(engine, question, options);
  if (!Number.isFinite(rounding)) return verdictOf(law, 2 * gradient.length, 2 * gradient.length, []);
  const drawn: number[][] = gradient.map(() => []);
  const seeds = Array.from({ length: samples }, (_, n) => (seed + n) >>> 0);
  for await (const [, reply] of inFlight(engine, seeds, (seed) => asked(program, question, { law, seed }))) {
    if (reply.kind !== "result") return without(law, reply);
    const numbers = reply.value.flatMap(({ data }) => [...data]);
    for (const [place, of] of drawn.entries()) of.push(numbers[place] ?? Number.NaN);
  }
  const again = await askedAgain(engine, (seed) => asked(program, question, { law, seed }), seeds, drawn);
  if (again.kind !== "result") return without(law, again);
  const size = Math.max(...gradient.map(Math.abs), 0) + Math.hypot(...gradient);
  const places = question.graph.inputs.flatMap(({ shape }, input) =>
    Array.from({ length: sizeOf(shape) }, (_, element) => ({ input: nodeId(input), element })),
  );
  const others = again.value.flatMap(({ place, seed, before, found }): EstimateFault[] => {
    const within = REPEATED * rounding;
    const isSame = Number.isNaN(before) || Number.isNaN(found) || Math.abs(before - found) <= within;
    if (isSame) return [];
    const of = `the estimate of seed ${seed}, asked again,`;
    return [{ ...at(places, place), of, found, expected: String(before), within }];
  });
  const faults = [
    ...others,
    ...places.flatMap(({ input, element }, place): EstimateFault[] => {
      const { estimate, square } = estimateLaw(law, gradient, place);
      const numbers = at(drawn, place);
      const told = (of: string, mean: MeanFound, expected: number, allowance: number): EstimateFault[] => {
        const within = mean.threshold + allowance;
        if (Math.abs(mean.found - expected) <= within) return [];
        if (Number.isNaN(mean.found) && isExcused(place)) return [];
        return [{ input, element, of, found: mean.found, expected: String(expected), within }];
      };
      return [
        ...told("the mean of estimates", meanOf(numbers, estimate, alarms.mean), estimate.mean, rounding),
        ...told(
          "the mean of their squares",
          meanOf(
            numbers.map((x) => x ** 2),
            square,
            alarms.mean,
          ),
          square.mean,
          2 * rounding * (size + rounding) * gradient.length,
        ),
      ];
    }),
  ];
  const silent = drawn.filter((numbers, place) => numbers.some(Number.isNaN) && isExcused(place));
  const told = directionsTold(law, gradient, drawn, rounding, options.dtype);
  const misfits = misfitsOf(law, told, options.dtype, erf, alarms.law).map(
    ({ place, expected, ...misfit }): EstimateFault => ({
      ...(place === undefined ? {} : at(places, place)),
      ...misfit,
      expected: String(expected),
    }),
  );
  const directions = told.reduce((sum, { signs }) => sum + signs.filter((sign) => sign !== 0).length, 0);
  return { ...verdictOf(law, 2 * gradient.length, 2 * silent.length, [...faults, ...misfits]), directions };
}

/** Directions are told by at most so many of their numbers. */
const MOST_TOLD = 64;

/**
 * An allowance is for numbers of size 2, and rounding grows with the square of a direction's numbers, of
 * which a normal one of 8 never comes.
 */
const LARGER = (LARGEST / 2) ** 2;

/** Returns what each seed's estimate tells of its direction; nothing in few digits, or of what is NaN. */
function directionsTold(
  law: "rademacher" | "gaussian",
  gradient: readonly number[],
  drawn: readonly (readonly number[])[],
  rounding: number,
  dtype: DataType,
): readonly Revealed[] {
  if (!hasLaw(dtype)) return [];
  const within = law === "rademacher" ? rounding : LARGER * rounding;
  const seeds = drawn[0]?.length ?? 0;
  return Array.from({ length: seeds }, (_, n) => drawn.map((numbers) => at(numbers, n)))
    .filter((estimate) => estimate.every(Number.isFinite))
    .map((estimate) => revealed(estimate, gradient, within, MOST_TOLD));
}

/** So many seeds are asked again: the same seed must draw the same direction (docs/protocol.md). */
const AGAIN = 8;

/** Two estimates of one direction lie within so many of the allowances of a mean. */
const REPEATED = 2 * LARGER;

/** A number of an estimate came `before`, and was `found` when the same seed was asked again. */
interface Repeated {
  readonly place: number;
  readonly seed: number;
  readonly before: number;
  readonly found: number;
}

/** Asks the first seeds again, behind all others, so that what an engine keeps between them shows. */
async function askedAgain(
  engine: Engine,
  ask: (seed: number) => Promise<Reply<readonly FlatTensor[]>>,
  seeds: readonly number[],
  drawn: readonly (readonly number[])[],
): Promise<Reply<readonly Repeated[]>> {
  const repeated: Repeated[] = [];
  let turn = 0;
  for await (const [seed, reply] of inFlight(engine, seeds.slice(0, AGAIN), ask)) {
    if (reply.kind !== "result") return reply;
    const numbers = reply.value.flatMap(({ data }) => [...data]);
    for (const [place, of] of drawn.entries())
      repeated.push({ place, seed, before: at(of, turn), found: numbers[place] ?? Number.NaN });
    turn += 1;
  }
  return { kind: "result", value: repeated };
}

/**
 * Looks along some directions of signs. Rounding adds at most four times the greatest bound, since a drawn
 * number may exceed 1; `isExcused` tells where a NaN accuses nobody.
 */
function looked(
  engine: Engine,
  question: Case,
  { dtype, seed }: EstimateOptions,
): { readonly rounding: number; readonly isExcused: (place: number) => boolean } {
  const shapes = question.graph.inputs.map(({ shape }) => shape);
  const seen = Array.from({ length: GIVEN }, (_, n) =>
    componentsOf(engine, question, signsOf(seed + n, shapes), dtype).flat(),
  );
  const bounds = seen.flat().map(({ bound }) => (Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound));
  const [first = []] = seen;
  return {
    rounding: 4 * Math.max(0, ...bounds),
    isExcused: (place) => first[place]?.judge(Number.NaN) !== "outside",
  };
}
