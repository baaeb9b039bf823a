import { Arena } from "../../reference/algebras/mpfr.ts";
import type { ElementRanges } from "../../reference/numerics/storage/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type {
  AssignmentJson,
  KeptResultJson,
  RangedJson,
  RepresentationsJson,
  RepresentedRunJson,
  StatisticsJson,
} from "../../spec/explained/index.ts";
import type { Graph, PrimitiveGraph } from "../../spec/graph/index.ts";
import {
  at,
  fail,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  present,
  type Result,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { storageOf } from "../diagnosis/coeffects/index.ts";
import { type Accumulation, accumulationsOf, accumulatorOf } from "./accumulators.ts";
import type { Box, SeenRange } from "./box.ts";
import { type Assignment, errorsOf, type Ranges, rangesOver } from "./losses.ts";
import { type Run, runsOf } from "./runs.ts";
import { seenOf } from "./seen.ts";
import { bitsOf, cheaper, reachOf, select, unitsAt } from "./selection.ts";
import { type StepAsked, stepsOf } from "./steps.ts";
import { greatestSize } from "./storage_formats.ts";
import type { Target } from "./target.ts";

/** A user asks this about the formats of a graph's values. */
export interface FormatsAsked {
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
  readonly box: Box;
  /** Each result is to keep this many decimal digits of its greatest size. */
  readonly digits: number;
  readonly targets: readonly Target[];
  /** A step of the inputs that are asked for, by their gradients. */
  readonly step?: StepAsked;
  /** Values lie within what was seen, as far as that is so. */
  readonly statistics?: { readonly json: StatisticsJson; readonly share: number };
}

/** A run whose values have more elements is refused. */
const MOST_ELEMENTS = 200_000;

/** Bounds are computed with this many bits. */
const PRECISION = 64;

/** Narrowing may cost at most this much: elements times values times formats. */
const MOST_NARROWING = 4_000_000;

/** A target is tried this often, since the first order may promise too many digits or too few. */
const MOST_TRIES = 8;

/**
 * Chooses formats for the values on each target, so that results keep the digits, forward, in the gradient
 * and in a forward gradient, with certified errors. Ties go to fewer bits. The gradient's graph is what
 * {@link derive} writes, with cotangents of ones; the forward gradient's is {@link forwardEstimate}, with
 * directions between −1 and 1. With statistics errors are certified of runs whose exact values lie within
 * what was seen. Fails: as `derive` does, `formats/size` and `statistics/graph`. Cost: for each target a
 * handful of runs of the reference in MPFR, forward and reverse.
 */
export function representationsOf(graph: Graph, asked: FormatsAsked): Result<RepresentationsJson, Issue[]> {
  const found = runsOf(graph, asked);
  if (!found.ok) return found;
  const seen = asked.statistics === undefined ? ok(undefined) : seenOf(asked.statistics, found.value);
  if (!seen.ok) return seen;
  const runs = found.value.map((run, place) => withSeen(run, seen.value?.[place]));
  const elements = runs.map(({ boxed }) =>
    shapesOf(boxed.graph).reduce((sum, shape) => sum + sizeOf(shape), 0),
  );
  if (elements.some((count) => count > MOST_ELEMENTS)) return fail([tooLarge(Math.max(...elements))]);
  const told = runs.map((run) => represented(run, asked));
  const [ahead, back] = told;
  const step =
    asked.step === undefined || ahead === undefined || back === undefined
      ? {}
      : { step: stepsOf(ahead, back, asked.wrt, asked.step) };
  const { statistics } = asked;
  const of =
    statistics === undefined ? {} : { seen: { calls: statistics.json.calls, share: statistics.share } };
  return ok({ digits: asked.digits, ...of, runs: told, ...step });
}

/** Has a run's values lie within what was seen. */
function withSeen(run: Run, seen: readonly SeenRange[] | undefined): Run {
  return seen === undefined ? run : { ...run, boxed: { ...run.boxed, seen } };
}

function tooLarge(elements: number): Issue {
  return {
    code: "formats/size",
    pointer: "",
    message: `the values have ${elements} elements; at most ${MOST_ELEMENTS} can be bounded.`,
    hint: "ask about fewer results, or a smaller batch, which has the same ranges",
  };
}

function represented(run: Run, { digits, targets }: FormatsAsked): RepresentedRunJson {
  const { boxed, results, names } = run;
  const { graph } = boxed;
  using arena = new Arena(PRECISION);
  const ranges = rangesOver(boxed, unitsAt(results, digits), arena);
  const accumulations = accumulationsOf(graph);
  const terms = new Map(accumulations.map(({ id, terms: count }) => [id, count]));
  return {
    run: run.name,
    values: shapesOf(graph).map((shape, place): RangedJson => {
      const id = nodeId(place);
      const count = terms.get(id);
      return {
        name: names(id),
        elements: sizeOf(shape),
        ...rangeOf(at(ranges.values, id)),
        ...(count === undefined ? {} : { terms: count }),
        ...(boxed.seen === undefined ? {} : { outside: at(boxed.seen, id).outside }),
      };
    }),
    assignments: targets.map((target) => assigned(run, target, ranges, accumulations, digits)),
  };
}

/** Returns the least and the greatest element, where both are known. */
function rangeOf({ low, high }: ElementRanges): Pick<RangedJson, "range"> {
  const least = low.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const greatest = high.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return Number.isFinite(least) && Number.isFinite(greatest) ? { range: [least, greatest] } : {};
}

/** Chooses a target's formats to first order and certifies them by running error analysis. */
function assigned(
  run: Run,
  target: Target,
  ranges: Ranges,
  accumulations: readonly Accumulation[],
  digits: number,
): AssignmentJson {
  const { boxed, names } = run;
  const chosen = certified(run, target, ranges, digits);
  const narrowest = narrowed(run, target, ranges, chosen, digits);
  const { formats, results, digits: kept } = narrowest ?? chosen;
  const storage = storageOf(boxed.graph, true);
  const formatAt = (id: NodeId) => formats[at(storage, id)];
  const multiplyAdds = accumulations.reduce((sum, { operations }) => sum + operations, 0);
  const { kind, nanoseconds, figures } = target.quire;
  return {
    target: target.name,
    isMet: kept >= digits,
    isNarrowest: narrowest !== undefined,
    bits: bitsOf(boxed.graph, formats),
    formats: storage.map((_, id) => formatAt(nodeId(id))?.name ?? ""),
    results,
    accumulators: accumulations.map((accumulation) => ({
      value: names(accumulation.id),
      terms: accumulation.terms,
      accumulator: accumulatorOf(accumulation.terms, accumulation.factors.map(formatAt)),
    })),
    quire: {
      kind,
      multiplyAdds,
      ...(nanoseconds === undefined ? {} : { nanoseconds: nanoseconds * multiplyAdds }),
      figures,
    },
  };
}

interface Certified {
  readonly formats: Assignment;
  readonly results: readonly KeptResultJson[];
  /** The result that keeps fewest digits keeps this many. */
  readonly digits: number;
}

/**
 * Finds the fewest bits certified to keep the digits, trying choices with more and less room; if none is
 * certified, it returns the choice that keeps most.
 */
function certified(run: Run, { formats }: Target, ranges: Ranges, digits: number): Certified {
  const { graph } = run.boxed;
  let best: Certified | undefined;
  for (let [tries, budget] = [0, 0.9]; tries < MOST_TRIES; tries++) {
    const chosen = certify(run, select(graph, steadied(ranges, digits), formats, budget), ranges);
    best = best === undefined || isBetter(graph, chosen, best, digits) ? chosen : best;
    // The next budget makes up for missing or spare digits, and is much smaller without a bound.
    const surplus = Math.max(chosen.digits - digits, -3);
    budget *= 0.8 * 10 ** surplus;
  }
  return present(best, "a choice");
}

/**
 * Gives values without first-order influence, such as the mask of a branch, an influence by which they keep
 * as many digits as the results, since they may yet decide.
 */
function steadied({ values, influences }: Ranges, digits: number): Ranges {
  return {
    values,
    influences: influences.map((all, id) =>
      all.some((influence) => influence > 0)
        ? all
        : all.map((_, i) => {
            const size = greatestSize(at(at(values, id).low, i), at(at(values, id).high, i));
            return size === 0 ? 0 : 10 ** digits / size;
          }),
    ),
  };
}

/**
 * Narrows values one by one, the largest first, to formats of fewer bits while the digits stay certified:
 * then no value can be narrower alone. Returns `undefined` where the digits are not met, or it costs too
 * much.
 */
function narrowed(
  run: Run,
  { formats }: Target,
  ranges: Ranges,
  chosen: Certified,
  digits: number,
): Certified | undefined {
  const { graph } = run.boxed;
  const sizes = shapesOf(graph).map(sizeOf);
  const elements = sizes.reduce((sum, size) => sum + size, 0);
  if (chosen.digits < digits || elements * sizes.length * formats.length > MOST_NARROWING) return undefined;
  const bits = (id: number): number => at(sizes, id) * (chosen.formats[id]?.bits ?? 0);
  const order = sizes.map((_, id) => id).toSorted((a, b) => bits(b) - bits(a));
  let best = chosen;
  for (const id of order)
    for (const format of cheaper(best.formats[id], at(sizes, id), formats)) {
      const tried = certify(run, best.formats.with(id, format), ranges);
      if (tried.digits < digits) continue;
      best = tried;
      break;
    }
  return best;
}

function isBetter(graph: PrimitiveGraph, one: Certified, other: Certified, digits: number): boolean {
  if (one.digits < digits || other.digits < digits) return one.digits > other.digits;
  return bitsOf(graph, one.formats) < bitsOf(graph, other.formats);
}

function certify({ boxed, results, names }: Run, formats: Assignment, ranges: Ranges): Certified {
  using arena = new Arena(PRECISION);
  const errors = errorsOf(boxed, formats, arena);
  const told = results.map((id) => {
    const error = at(errors, id).reduce((a, b) => Math.max(a, b), 0);
    return {
      ...keptResult(names(id), error, reachOf(at(ranges.values, id))),
      ...rangeOf(at(ranges.values, id)),
    };
  });
  const digits = told.map((one) => one.digits ?? Number.NEGATIVE_INFINITY);
  return { formats, results: told, digits: Math.min(...digits) };
}

/** Computes the digits an error leaves of the greatest size; without error they are a float64's 17. */
function keptResult(name: string, error: number, reach: number): KeptResultJson {
  if (!Number.isFinite(error)) return { name };
  if (error === 0) return { name, error, digits: 17 };
  if (reach === 0 || !Number.isFinite(reach)) return { name, error };
  return { name, error, digits: Math.floor(100 * -Math.log10(error / reach)) / 100 };
}
