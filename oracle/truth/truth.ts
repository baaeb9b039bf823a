import { type Rational, rational } from "../../reference/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { idCount } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, type Shape } from "../../spec/shapes/index.ts";
import { formatFloat64, formats } from "../../spec/wire/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { type Bounded, hasBound, radius, sharpened } from "./bound/index.ts";
import {
  type Centre,
  type Enclosure,
  exactCentre,
  floatCentre,
  hasValue,
  isKeptByReference,
  isKnown,
  isOfDegree,
  rationalEnds,
  withEnclosures,
} from "./centre/index.ts";
import { lazily } from "./lazily.ts";
import { boundsAround, type Part, type Parts } from "./nodes/bounds.ts";
import type { FloatSet } from "./sets/float_set.ts";
import type { Answered } from "./singular/answered.ts";
import { answersWithoutBound } from "./singular/answers_without_bound.ts";
import type { Standard } from "./standard/index.ts";
import { longChains } from "./verdicts/chain_length.ts";
import {
  BoundedComponent,
  type Component,
  componentAfter,
  type Estimate,
  type Interval,
  type Knowledge,
} from "./verdicts/component.ts";
import { roundedOnce } from "./verdicts/rounded_once.ts";
import { withSignsOfZeros } from "./verdicts/signs_of_zeros.ts";
import { denselySeeded, tangentsOfStoredZeros } from "./verdicts/stored_zeros.ts";

/** Beyond this multiplicative degree exact numbers grow too long, and the centre is the float64 reference. */
const MAXIMUM_DEGREE = 64;

/** The MPFR enclosures have so many bits, tried in this order until one decides. */
const PRECISIONS: readonly number[] = [128, 256, 512, 1024, 2048, 4096];

/** A truth holds the true answers to a case and their bounds, as components at each id. */
export interface Truth extends Parts<Component> {
  /** It tells whether the expected values are exact. */
  readonly isExact: boolean;
  /** Every id has its shape here. */
  readonly shapes: readonly Shape[];
  /** At these elements NaN accuses nobody: it may come of a zero that an engine stores and multiplies. */
  readonly storedZeros: { readonly [P in Part]: (id: NodeId) => readonly boolean[] };
  /**
   * Returns the components for an engine that has answered so: where it had NaN or an infinity, whose choice
   * it was, the nodes behind are held to IEEE 754 on that. Cost: a run of the reference, if one is open.
   */
  after(answered: Answered): Parts<Component>;
}

/**
 * Returns the truth about a case of primitives for an engine of a standard, each number with the bound of
 * running error analysis. It is exact where the graph is rational and of moderate degree; else the float64
 * reference with its own error, and where that leaves an answer open, MPFR enclosures of rising precision.
 * `centre: "float"` always takes the float64 reference. Cost: a few evaluations of the reference, on demand.
 */
export function primitiveTruthOf(
  question: PrimitiveCase,
  standard: Standard,
  centre: "best" | "float" = "best",
): Truth {
  if (standard.conventions.zeroCotangents === "dense") return denseTruthOf(question, standard, centre);
  const isExact = centre === "best" && isOfDegree(question.graph, MAXIMUM_DEGREE);
  const { answersAfter, isBounded, ...parts } = isExact
    ? exactParts(question, standard)
    : floatParts(question, standard);
  return {
    isExact,
    shapes: shapesOf(question.graph),
    storedZeros: storedZerosOf(question, standard, isExact, parts),
    after: (answered) => {
      const answers = answersAfter(answered);
      return eachPart((part) => (id) => {
        const known = parts[part](id);
        if (isBounded(part, id)) return known;
        return known.map((component, element) =>
          componentAfter(component, () => at(answers[part](id), element)),
        );
      });
    },
    ...parts,
  };
}

/** Returns the truth for an engine that declares the dense form: its cotangents are of a zero at every id. */
function denseTruthOf(question: PrimitiveCase, standard: Standard, centre: "best" | "float"): Truth {
  const { zeroCotangents: _, ...conventions } = standard.conventions;
  const own = primitiveTruthOf(question, { ...standard, conventions }, centre);
  const sparse = { ...standard, conventions: { ...conventions, zeroCotangents: "sparse" } } as const;
  const dense = lazily(() => primitiveTruthOf(denselySeeded(question), sparse, centre));
  return {
    ...own,
    storedZeros: { ...own.storedZeros, cotangent: nowhere(own.cotangent) },
    after: (answered) => ({
      ...own.after(answered),
      cotangent: (id) => dense().after(answered).cotangent(id),
    }),
    cotangent: (id) => dense().cotangent(id),
  };
}

/** Tells where a zero that is stored may make NaN of a tangent, or of a cotangent in the dense form. */
function storedZerosOf(
  question: PrimitiveCase,
  standard: Standard,
  isExact: boolean,
  parts: Parts<Component>,
): Truth["storedZeros"] {
  const stored = isExact
    ? tangentsOfStoredZeros(question, standard, exactCentre)
    : tangentsOfStoredZeros(question, standard, floatCentre);
  const dense = lazily(() => primitiveTruthOf(denselySeeded(question), standard, isExact ? "best" : "float"));
  const isSparse = standard.conventions.zeroCotangents === "sparse";
  return {
    value: nowhere(parts.value),
    tangent: (id) => {
      const components = parts.tangent(id);
      return stored(id).map((isOpen, element) => isOpen && Number.isFinite(at(components, element).bound));
    },
    cotangent: isSparse
      ? nowhere(parts.cotangent)
      : (id) =>
          dense()
            .cotangent(id)
            .map((component) => component.judge(Number.NaN) !== "outside"),
  };
}

/** These are the components of a case, and what may be answered without a bound after other answers. */
interface Known extends Parts<Component> {
  answersAfter(answered: Answered): Parts<FloatSet>;
  /** Tells whether every element at an id has a bound. */
  isBounded(part: Part, id: NodeId): boolean;
}

/** Tells of no element that a stored zero may make NaN of it. */
function nowhere(components: Parts<Component>[Part]): (id: NodeId) => readonly boolean[] {
  return (id) => components(id).map(() => false);
}

function exactParts(question: PrimitiveCase, standard: Standard): Known {
  return partsAround(
    question,
    standard,
    exactCentre,
    () => ({
      text: rational.format,
      hasValue,
      reference: () => undefined,
      intervals: ({ centre, bound }) => [{ low: centre, high: centre, bound }],
    }),
    true,
  );
}

function floatParts(question: PrimitiveCase, standard: Standard): Known {
  return partsAround(question, standard, floatCentre, (part) => {
    const intervals = risingIntervals(question, standard, part);
    return {
      text: ({ value }) => formatFloat64(value),
      hasValue: () => true,
      reference: ({ value }) => value,
      intervals: (_estimate, id, element, isSharp) => intervals(id, element, isSharp),
    };
  });
}

/** This is what the numbers of a centre tell of the components of a part. */
interface Told<C> extends Pick<Knowledge<C>, "text" | "reference" | "intervals"> {
  hasValue(centre: C): boolean;
}

/** Returns the components of a case around a centre. */
function partsAround<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  telling: (part: Part) => Told<C>,
  hasExactValues = false,
): Known {
  const bounds = boundsAround(question, standard, centre);
  const sharpBounds = lazily(() => boundsAround(question, standard, centre, true));
  const answers = answersWithoutBound(question, standard, centre, bounds);
  const areLong = lazily(() => longChains(question));
  const isReferenceHonest = isKeptByReference(standard);
  const precision = { ...standard, smallestNormal: formats[standard.dtype].smallestNormal };
  const parts = eachPart<Component>((part) => {
    const { hasValue, ...told } = telling(part);
    const around = function* (of: Estimate<C>, id: NodeId, element: number): Generator<Interval, void> {
      for (const interval of told.intervals(of, id, element, false)) {
        // A value that is only enclosed is not known where it has no bound.
        if (hasExactValues || Number.isFinite(interval.bound)) yield interval;
      }
    };
    const knowledge: Knowledge<C> = {
      ...told,
      centre,
      precision,
      isReferenceHonest,
      isLong: (id) => areLong()(part, id),
      sharper: (id, element) => {
        const sharp = sharpened(centre, at(sharpBounds()[part](id), element));
        return { centre: sharp.centre, bound: radius(centre, standard, sharp) };
      },
      answers: (id, element) => at(answers[part](id), element),
    };
    // Two modes answer with cotangents, and laws ask once more.
    const known: (readonly Component[])[] = [];
    return (id) => {
      known[id] ??= bounds[part](id).map((x, element) => {
        const bound = hasValue(x.centre) ? radius(centre, standard, x) : Number.NaN;
        const estimate = { centre: x.centre, bound };
        const component = new BoundedComponent(knowledge, estimate, id, element);
        if (x.isRoundedOnce !== true) return component;
        return roundedOnce(component, standard, () => around(estimate, id, element));
      });
      return known[id];
    };
  });
  return {
    ...parts,
    value: withSignsOfZeros(parts.value, question, standard, answers),
    answersAfter: (answered) => answersWithoutBound(question, standard, centre, bounds, answered),
    isBounded: (part, id) => bounds[part](id).every(hasBound),
  };
}

function eachPart<T>(of: (part: Part) => Parts<T>[Part]): Parts<T> {
  return { value: of("value"), tangent: of("tangent"), cotangent: of("cotangent") };
}

/** Returns MPFR's intervals for a part of a case, each precision computed when it is first asked for. */
function risingIntervals(question: PrimitiveCase, standard: Standard, part: Part) {
  const plain: (readonly Interval[])[][] = [];
  const sharp: (readonly Interval[])[][] = [];
  return function* (id: NodeId, element: number, isSharp: boolean): Generator<Interval, void> {
    const known = isSharp ? sharp : plain;
    for (const [level, precision] of PRECISIONS.entries()) {
      known[level] ??= intervalsOf(question, standard, part, precision, isSharp);
      yield at(at(known[level], id), element);
    }
  };
}

/**
 * Returns the intervals of every id at a precision, with bounds carried forward or sharp ones; an unknown one
 * has no bound. Cost: an evaluation of the reference in MPFR, some microseconds for every operation.
 */
export function intervalsOf(
  question: PrimitiveCase,
  standard: Standard,
  part: Part,
  precision: number,
  isSharp = false,
): (readonly Interval[])[] {
  return withEnclosures(precision, (centre) => {
    const bounds = boundsAround(question, standard, centre, isSharp);
    const known = (x: Bounded<Enclosure>): Bounded<Enclosure> => (isSharp ? sharpened(centre, x) : x);
    const ids = Array.from({ length: idCount(question.graph) }, (_, id) => nodeId(id));
    return ids.map((id) =>
      bounds[part](id).map((x) => intervalOf(x.centre, radius(centre, standard, known(x)))),
    );
  });
}

function intervalOf(enclosure: Enclosure, bound: number): Interval {
  return isKnown(enclosure)
    ? { ...rationalEnds(enclosure), bound }
    : { low: zero, high: zero, bound: Number.NaN };
}

const zero: Rational = exactCentre.field.zero;
