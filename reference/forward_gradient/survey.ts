import type { Graph as WrittenGraph } from "../../spec/graph/index.ts";
import {
  type Algebra,
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
import { antithetic, averaged, blockwise, controlled, type Estimator } from "./estimators.ts";
import { totalOfFrame, totalOfOne, totalOfPulled, varianceOfBlocks } from "./formulas.ts";
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
  /** `E ‖g − ∇f‖²`. */
  readonly variance: string;
  /** The variance in parts of `‖∇f‖²`; there is none where that is 0. */
  readonly relative?: string;
  /** Is true if counting showed the mean to be the gradient and the variance the formula's. */
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
  const estimates = waysOf(problem, gradient, asked).map((way): EstimateTexts => {
    const isCounted = asked.isExact && way.counted !== undefined;
    if (isCounted) count(algebra, field, gradient, way);
    const relative = isNothing ? {} : { relative: algebra.format(field.divide(way.total, norm)) };
    return {
      name: way.name,
      sweeps: way.sweeps,
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

function waysOf<S>(problem: Problem<S>, gradient: Vector<S>, { directions }: SurveyAsked): Way<S>[] {
  const { field, x, wrt } = problem;
  const sloped = slopedByInputs(problem);
  const dimension = gradient.length;
  const k = Math.min(directions, dimension);
  const one = (kurtosis: number): S => totalOfOne(field, gradient, field.literal(kurtosis));
  const rademacher = numberLaws.rademacher(field);
  const blocks = wrt.map((id) => sizeOf(entry(x, id).shape));
  const counting = (
    numbers: number,
    estimator: Estimator<S>,
    law: () => DirectionLaw<S>,
  ): Pick<Way<S>, "counted"> =>
    numbers <= MOST_COUNTED ? { counted: () => [estimator, sloped, law()] } : {};
  const mean = averaged(field);
  const half = scaled(field, field.divide(field.one, field.literal(2)), gradient);
  const plain = (name: string, kurtosis: number, law: keyof typeof numberLaws): Way<S> => ({
    name,
    sweeps: 1,
    total: one(kurtosis),
    ...counting(dimension, mean, () => independent(numberLaws[law](field), dimension)),
  });
  return [
    plain("Rademacher, ±1", 1, "rademacher"),
    plain("Gaussian", 3, "gaussian"),
    plain("sparse, 0 or ±2", 4, "sparse"),
    {
      name: "one coordinate",
      sweeps: 1,
      total: one(1),
      ...counting(dimension, mean, () =>
        coordinates(
          field,
          gradient.map(() => 1),
        ),
      ),
    },
    {
      name: `mean of ${directions} Rademacher`,
      sweeps: directions,
      total: field.divide(one(1), field.literal(directions)),
      ...counting(dimension * directions, mean, () => independent(rademacher, dimension, directions)),
    },
    {
      name: `${k} orthogonal`,
      sweeps: k,
      total: totalOfFrame(field, gradient, k),
      ...counting(dimension, mean, () => coordinateFrame(field, dimension, k)),
    },
    {
      name: "Rademacher and its opposite",
      sweeps: 2,
      total: one(1),
      ...counting(dimension, antithetic(field), () => independent(rademacher, dimension)),
    },
    {
      name: "half of ∇f known before",
      sweeps: 1,
      total: totalOfOne(field, half, field.one),
      ...counting(dimension, controlled(field, half), () => independent(rademacher, dimension)),
    },
    ...(blocks.length < 2
      ? []
      : [
          {
            name: "each input by itself",
            sweeps: blocks.length,
            total: sumOf(field, varianceOfBlocks(field, gradient, blocks, field.one)),
            ...counting(dimension, blockwise(field, blocks), () => independent(rademacher, dimension)),
          },
        ]),
    ...byReaders(problem),
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
    {
      name: `${dimension} values that read them`,
      sweeps: 1,
      total,
      ...(dimension <= MOST_COUNTED
        ? { counted: () => [averaged(field), sloped.value, law()] as const }
        : {}),
    },
  ];
}

const withoutNumbers: Issue = {
  code: "forward-gradient/empty",
  pointer: "",
  message: "the inputs that are asked for have no elements, so there is no gradient to estimate.",
  hint: "ask of an input that has elements",
};

/** Throws {@link InvariantError} where a mean is not the gradient, or a variance not the formula's. */
function count<S, B>(algebra: Algebra<S, B>, field: Field<S>, gradient: Vector<S>, way: Way<S>): void {
  const [estimator, sloped, law] = way.counted?.() ?? [];
  if (estimator === undefined || sloped === undefined || law === undefined) return;
  const { mean, total } = momentsOf(field, estimator, sloped, law);
  const isUnbiased = zipVectors(mean, gradient, algebra.isSame).every((same) => same);
  if (!isUnbiased || !algebra.isSame(total, way.total))
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
