import { Arena } from "../../reference/algebras/mpfr.ts";
import type { ElementRanges } from "../../reference/numerics/storage/index.ts";
import { expand, shapesOf } from "../../spec/composites/index.ts";
import { derive } from "../../spec/derivatives/index.ts";
import { type Graph, nodeAt, type PrimitiveGraph } from "../../spec/graph/index.ts";
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
  visible,
} from "../../spec/shapes/index.ts";
import type {
  AssignmentJson,
  KeptResultJson,
  RangedJson,
  RepresentationsJson,
  RepresentedRunJson,
} from "../../spec/wire/index.ts";
import { storageOf } from "../diagnosis/coeffects/index.ts";
import { type Accumulation, accumulationsOf, accumulatorOf } from "./accumulators.ts";
import type { Box } from "./box.ts";
import { type Assignment, type Boxed, errorsOf, type Ranges, rangesOver } from "./losses.ts";
import { bitsOf, cheaper, reachOf, select, unitsAt } from "./selection.ts";
import { greatestSize } from "./storage_formats.ts";
import type { Target } from "./target.ts";

/** What is asked about the formats of a graph's values. */
export interface FormatsAsked {
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
  readonly box: Box;
  /** How many decimal digits of its greatest size each result is to keep. */
  readonly digits: number;
  readonly targets: readonly Target[];
}

/** The most elements, of all values of a run, that are bounded. */
const MOST_ELEMENTS = 200_000;

/** The most nodes that a derivative may have. */
const MOST_NODES = 20_000;

/** Bits of what bounds are computed in. */
const PRECISION = 64;

/** The most that narrowing may cost: elements times values times formats. */
const MOST_NARROWING = 4_000_000;

/** Choices that are tried for a target: first order promises too much or, of many results, too little. */
const MOST_TRIES = 8;

/** A graph of primitives with its results, and what its values are called. */
interface Run {
  readonly name: string;
  readonly boxed: Boxed;
  readonly results: readonly NodeId[];
  readonly names: (id: NodeId) => string;
}

/**
 * In what values may be kept on each target so that results keep so many digits, forward and in the gradient, with certified errors. Ties go to fewer bits.
 * The gradient's run is what {@link derive} writes, and its cotangents are ones. Fails: as `derive` does, and `formats/size`.
 * Cost: for each target a handful of runs of the reference in MPFR, forward and back.
 */
export function representationsOf(graph: Graph, asked: FormatsAsked): Result<RepresentationsJson, Issue[]> {
  const forward = forwardRun(graph, asked);
  const gradient = asked.wrt.length === 0 ? undefined : gradientRun(graph, asked);
  if (gradient?.ok === false) return gradient;
  const runs = gradient === undefined ? [forward] : [forward, gradient.value];
  const elements = runs.map(({ boxed }) =>
    shapesOf(boxed.graph).reduce((sum, shape) => sum + sizeOf(shape), 0),
  );
  if (elements.some((count) => count > MOST_ELEMENTS)) return fail([tooLarge(Math.max(...elements))]);
  return ok({ digits: asked.digits, runs: runs.map((run) => represented(run, asked)) });
}

function tooLarge(elements: number): Issue {
  return {
    code: "formats/size",
    pointer: "",
    message: `its values have ${elements} elements, and at most ${MOST_ELEMENTS} are bounded.`,
    hint: "ask of fewer results, or of a smaller batch: ranges are the same",
  };
}

function forwardRun(original: Graph, { of, box }: FormatsAsked): Run {
  const { graph, origins, ids } = expand(original);
  return {
    name: "the graph",
    boxed: { graph, box },
    results: of.map((id) => at(ids, id)),
    names: (id) => {
      const origin = at(origins, id);
      const name = nameIn(original, origin);
      return ids[origin] === id ? name : `a step of ${name}`;
    },
  };
}

function gradientRun(original: Graph, { of, wrt, box }: FormatsAsked): Result<Run, Issue[]> {
  const derived = derive(original, { mode: "vjp", of, wrt }, MOST_NODES);
  if (!derived.ok) return derived;
  const { graph, results, seeds } = derived.value;
  const ones = seeds.map((id) => {
    const one = Array.from({ length: sizeOf(at(graph.inputs, id).shape) }, () => 1);
    return { low: one, high: one };
  });
  return ok({
    name: "its gradient",
    boxed: { graph, box: { ...box, inputs: [...box.inputs, ...ones] } },
    results,
    names: (id) => nameIn(graph, id),
  });
}

function nameIn(graph: Graph, id: NodeId): string {
  const input = graph.inputs[id];
  return input === undefined ? `node ${id} (${nodeAt(graph, id)?.op})` : `input ${visible(input.name, 40)}`;
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
      };
    }),
    assignments: targets.map((target) => assigned(run, target, ranges, accumulations, digits)),
  };
}

/** From the least to the greatest element, where both are known. */
function rangeOf({ low, high }: ElementRanges): Pick<RangedJson, "range"> {
  const least = low.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const greatest = high.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return Number.isFinite(least) && Number.isFinite(greatest) ? { range: [least, greatest] } : {};
}

/** What a target's values are kept in, chosen to first order and certified by running error analysis. */
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
      accumulator: accumulatorOf(accumulation, formatAt),
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
  /** Of the result that keeps fewest. */
  readonly digits: number;
}

/**
 * The fewest bits that are certified to keep the digits, among choices with more and less room; or where none is, the choice that keeps most.
 */
function certified(run: Run, { formats }: Target, ranges: Ranges, digits: number): Certified {
  const { graph } = run.boxed;
  let best: Certified | undefined;
  for (let [tries, budget] = [0, 0.9]; tries < MOST_TRIES; tries++) {
    const chosen = certify(run, select(graph, steadied(ranges, digits), formats, budget), ranges);
    best = best === undefined || isBetter(graph, chosen, best, digits) ? chosen : best;
    // The room that the digits missing, or left over, would make; without any bound much less.
    const surplus = Math.max(chosen.digits - digits, -3);
    budget *= 0.8 * 10 ** surplus;
  }
  return present(best, "a choice");
}

/**
 * What has no influence to first order may yet decide: a mask of a branch. It is asked to keep as many digits as the results, as long as nobody has seen that fewer do.
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
 * The choice with values one after the other, from those that take most, in a format of fewer bits where the digits are still certified: none of the result's values
 * can be narrower alone. Nothing where the digits are not met, or where it would be too much to compute.
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

/** A result's error, and what digits it leaves of the greatest size; without error it has as many as a float64. */
function keptResult(name: string, error: number, reach: number): KeptResultJson {
  if (!Number.isFinite(error)) return { name };
  if (error === 0) return { name, error, digits: 17 };
  if (reach === 0 || !Number.isFinite(reach)) return { name, error };
  return { name, error, digits: Math.floor(100 * -Math.log10(error / reach)) / 100 };
}
