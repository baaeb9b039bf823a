import type { Graph as WrittenGraph } from "../../spec/graph/index.ts";
import {
  type Algebra,
  counted,
  type Field,
  fail,
  InvariantError,
  type Issue,
  type NodeId,
  ok,
  type Result,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { entry } from "../context.ts";
import { type ReadRun, type RunTexts, readRun } from "../trace.ts";
import { antithetic, averaged, blockwise, controlled, type Estimator, shrunk } from "./estimators.ts";
import { errorOfShrunk, totalOfFrame, totalOfOne, totalOfPulled, varianceOfBlocks } from "./formulas.ts";
import { coordinateFrame, coordinates, type DirectionLaw, independent, numberLaws } from "./laws.ts";
import { momentsOf } from "./moments.ts";
import { gradientOf, type Problem, type Sloped, slopedByInputs, slopedByReaders } from "./sloped.ts";
import { scaled, squaredNorm, sumOf, unitVector, type Vector, zipVectors } from "./vector.ts";

/** A survey asks this about estimates of a gradient. */
export interface SurveyAsked {
  /** Inputs, whose gradient is estimated. */
  readonly wrt: readonly NodeId[];
  /** So many directions are averaged. */
  readonly directions: number;
  /** Is true if equal numbers of the algebra are the same, so that counting can check the formulas. */
  readonly isExact: boolean;
}

/** A way to estimate a gradient, in texts of the algebra. */
export interface EstimateTexts {
  readonly name: string;
  /** Forward sweeps for one estimate. */
  readonly sweeps: number;
  /** `‖E g − ∇f‖²`; there is none of an estimate whose mean is the gradient. */
  readonly bias?: string;
  /** `E ‖g − E g‖²`. */
  readonly variance: string;
  /** `E ‖g − ∇f‖²`, which is both together, in parts of `‖∇f‖²`; there is none where that is 0. */
  readonly relative?: string;
  /** Is true if counting showed the mean and the variance to be the formula's. */
  readonly isCounted: boolean;
}

/** A gradient and the ways to estimate it. */
export interface SurveyTexts {
  readonly gradient: readonly { readonly id: NodeId; readonly numbers: readonly string[] }[];
  readonly dimension: number;
  readonly squaredNorm: string;
  readonly estimates: readonly EstimateTexts[];
}

/** The most numbers in directions for which moments are counted, and the most values pulled one by one. */
const [MOST_COUNTED, MOST_PULLED] = [8, 1024] as const;

/** An estimator with its law, and the variance that a formula gives it. */
interface Way<S> {
  readonly name: string;
  readonly sweeps: number;
  readonly total: S;
  /** The mean is another than the gradient, and this is how far it is off, squared. */
  readonly bias?: S;
  /** These count it, if there are few enough numbers. */
  readonly counted?: () => readonly [Estimator<S>, Sloped<S>, DirectionLaw<S>];
}

/**
 * Says what estimates of a gradient along random directions are worth, by closed formulas, checked by
 * counting where that is cheap. Fails: as `readRun` does, `forward-gradient/empty` if the gradient has no
 * numbers, and `algebra/missing` if numbers cannot be divided. Cost: one sweep back, and a pull for each
 * activation.
 */
export function surveyOf<S, B>(
  original: WrittenGraph,
  algebra: Algebra<S, B>,
  texts: RunTexts,
  asked: SurveyAsked,
): Result<SurveyTexts, Issue[]> {
  const { field } = algebra.levels;
  if (field === undefined) return fail([withoutField(algebra.name)]);
  const read = readRun(original, algebra, texts);
  if (!read.ok) return read;
  const problem = problemOf(field, read.value, asked.wrt);
  const gradient = gradientOf(problem);
  if (gradient.length === 0) return fail([withoutNumbers]);
  const norm = squaredNorm(field, gradient);
  const isNothing = algebra.isSame(norm, field.zero);
  // Of a gradient that has no value somewhere no formula holds: its estimates have none anywhere.
  const hasValue = algebra.isSame(field.add(norm, field.negative(norm)), field.zero);
  const estimates = waysOf(problem, gradient, asked).map((way): EstimateTexts => {
    const isCounted = asked.isExact && hasValue && way.counted !== undefined;
    if (isCounted) count(algebra, field, gradient, way);
    const error = way.bias === undefined ? way.total : field.add(way.bias, way.total);
    const relative = isNothing ? {} : { relative: algebra.format(field.divide(error, norm)) };
    return {
      name: way.name,
      sweeps: way.sweeps,
      ...(way.bias === undefined ? {} : { bias: algebra.format(way.bias) }),
      variance: algebra.format(way.total),
      ...relative,
      isCounted,
    };
  });
  let from = 0;
  return ok({
    gradient: asked.wrt.map((id) => {
      const numbers = gradient.slice(from, from + sizeOf(entry(problem.x, id).shape));
      from += numbers.length;
      return { id, numbers: numbers.map(algebra.format) };
    }),
    dimension: gradient.length,
    squaredNorm: algebra.format(norm),
    estimates,
  });
}

function problemOf<S>(
  field: Field<S>,
  { graph, inputs, environment, seeds }: ReadRun<S>,
  wrt: readonly NodeId[],
): Problem<S> {
  return { field, graph, x: inputs, environment, seeds, wrt };
}

/** Makes a way; its law has so many numbers, and counts it if they are few enough. */
function wayOf<S>(
  name: string,
  sweeps: number,
  total: S,
  numbers: number,
  counted: () => readonly [Estimator<S>, Sloped<S>, DirectionLaw<S>],
): Way<S> {
  return { name, sweeps, total, ...(numbers <= MOST_COUNTED ? { counted } : {}) };
}

function waysOf<S>(problem: Problem<S>, gradient: Vector<S>, { directions }: SurveyAsked): Way<S>[] {
  const { field, x, wrt } = problem;
  const sloped = slopedByInputs(problem);
  const dimension = gradient.length;
  const k = Math.min(directions, dimension);
  const one = (kurtosis: number): S => totalOfOne(field, gradient, field.literal(kurtosis));
  const signs = (count = 1): DirectionLaw<S> => independent(numberLaws.rademacher(field), dimension, count);
  const way = (
    name: string,
    sweeps: number,
    total: S,
    estimator: Estimator<S>,
    law: () => DirectionLaw<S>,
    numbers = dimension,
  ): Way<S> => wayOf(name, sweeps, total, numbers, () => [estimator, sloped, law()]);
  const mean = averaged(field);
  const plain = (name: string, kurtosis: number, law: keyof typeof numberLaws): Way<S> =>
    way(name, 1, one(kurtosis), mean, () => independent(numberLaws[law](field), dimension));
  const units = (): DirectionLaw<S> =>
    coordinates(
      field,
      gradient.map(() => 1),
    );
  const shortened = (name: string, factor: S): Way<S> => {
    const { bias, variance } = errorOfShrunk(field, gradient, factor, one(1));
    return { ...way(name, 1, variance, shrunk(field, factor), signs), bias };
  };
  const average = field.divide(one(1), field.literal(directions));
  const half = scaled(field, field.divide(field.one, field.literal(2)), gradient);
  const known = controlled(field, half);
  const blocks = wrt.map((id) => sizeOf(entry(x, id).shape));
  const apart = (): S => sumOf(field, varianceOfBlocks(field, gradient, blocks, field.one));
  return [
    plain("Rademacher, ±1", 1, "rademacher"),
    plain("Gaussian", 3, "gaussian"),
    plain("sparse, 0 or ±2", 4, "sparse"),
    way("one coordinate", 1, one(1), mean, units),
    way(
      `mean of ${directions} Rademacher`,
      directions,
      average,
      mean,
      () => signs(directions),
      dimension * directions,
    ),
    way(`${k} orthogonal`, k, totalOfFrame(field, gradient, k), mean, () =>
      coordinateFrame(field, dimension, k),
    ),
    way("Rademacher and its opposite", 2, one(1), antithetic(field), signs),
    way("half of ∇f known before", 1, totalOfOne(field, half, field.one), known, signs),
    ...(blocks.length < 2
      ? []
      : [way("each input by itself", blocks.length, apart(), blockwise(field, blocks), signs)]),
    ...byReaders(problem),
    shortened("a direction of length 1", field.divide(field.one, field.literal(dimension))),
    shortened("half of an estimate", field.divide(field.one, field.literal(2))),
  ];
}

/** Lists the ways to perturb the values that read the inputs, if these are few enough. */
function byReaders<S>(problem: Problem<S>): Way<S>[] {
  const { field } = problem;
  const sloped = slopedByReaders(problem);
  if (!sloped.ok || sloped.value.dimension > MOST_PULLED || sloped.value.dimension === 0) return [];
  const { dimension, slope, pull } = sloped.value;
  const units = Array.from({ length: dimension }, (_, place) => unitVector(field, dimension, place));
  const total = totalOfPulled(field, units.map(slope), units.map(pull), field.one);
  const law = (): DirectionLaw<S> => independent(numberLaws.rademacher(field), dimension);
  return [
    wayOf(counted(dimension, "value that reads them", "values that read them"), 1, total, dimension, () => [
      averaged(field),
      sloped.value,
      law(),
    ]),
  ];
}

const withoutNumbers: Issue = {
  code: "forward-gradient/empty",
  pointer: "",
  message: "the inputs that are asked for have no elements, so there is no gradient to estimate.",
  hint: "ask of an input that has elements",
};

/** Throws {@link InvariantError} where a mean is not as far off, or spread, as a formula says. */
function count<S, B>(algebra: Algebra<S, B>, field: Field<S>, gradient: Vector<S>, way: Way<S>): void {
  const [estimator, sloped, law] = way.counted?.() ?? [];
  if (estimator === undefined || sloped === undefined || law === undefined) return;
  const { mean, total } = momentsOf(field, estimator, sloped, law);
  const off = zipVectors(mean, gradient, (m, g) => field.add(m, field.negative(g)));
  const isCentred = algebra.isSame(squaredNorm(field, off), way.bias ?? field.zero);
  if (!isCentred || !algebra.isSame(total, way.total))
    throw new InvariantError(`the estimate by ${way.name} is not as its formula says`);
}

function withoutField(name: string): Issue {
  return {
    code: "algebra/missing",
    pointer: "",
    message: `the ${name} algebra does not divide, and means and variances are quotients.`,
    hint: "choose rational, float64 or posits",
  };
}
