import { Arena, rationalFromMpfr } from "../../reference/algebras/mpfr.ts";
import { type Rational, rational } from "../../reference/index.ts";
import { shapesOf } from "../../spec/composites/index.ts";
import { idCount } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, type Shape } from "../../spec/shapes/index.ts";
import { formatFloat64, formats } from "../../spec/wire/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { boundsAround, type Part, type Parts } from "./bounds.ts";
import { type Centre, enclosureCentre, exactCentre, floatCentre } from "./centre.ts";
import {
  BoundedComponent,
  type Component,
  type Estimate,
  type Interval,
  type Knowledge,
} from "./component.ts";
import { isOfDegree } from "./degree.ts";
import { type Enclosure, isKnown } from "./enclosure.ts";
import { lazily } from "./lazily.ts";
import { longOnes } from "./length.ts";
import { sharpened } from "./noted.ts";
import { possibilitiesOf } from "./possibilities.ts";
import { type Bounded, radius } from "./radius.ts";
import { roundedOnce } from "./rounded_once.ts";
import { isKeptByReference, type Standard } from "./standard.ts";
import { denselySeeded, tangentsOfStoredZeros } from "./stored_zeros.ts";
import { withSignsOfZeros } from "./zeros.ts";

/** Beyond this multiplicative degree exact numbers grow too long, and the centre is the float64 reference. */
const MAXIMUM_DEGREE = 64;

/** Significant bits of the MPFR enclosures, tried in this order until one decides. */
const PRECISIONS: readonly number[] = [128, 256, 512, 1024, 2048, 4096];

/** The true answers to a case, with their bounds: the components at each id. */
export interface Truth extends Parts<Component> {
  /** Whether the expected values are exact. */
  readonly isExact: boolean;
  /** The shape of every id. */
  readonly shapes: readonly Shape[];
  /** At which elements NaN accuses nobody, since it may come of a zero that an engine stores and multiplies where it need not. */
  readonly storedZeros: { readonly [P in Part]: (id: NodeId) => readonly boolean[] };
}

/**
 * The truth about a case for an engine of a standard, each number with the bound of running error analysis: exact
 * rational numbers where the graph is rational and of moderate degree; else the float64 reference with its own
 * error, and where that leaves an answer open, MPFR enclosures of rising precision.
 * `centre: "float"` takes the float64 reference in any case. Cost: a few evaluations of the reference, on demand.
 */
export function primitiveTruthOf(
  question: PrimitiveCase,
  standard: Standard,
  centre: "best" | "float" = "best",
): Truth {
  const isExact = centre === "best" && isOfDegree(question.graph, MAXIMUM_DEGREE);
  const parts = isExact ? exactParts(question, standard) : floatParts(question, standard);
  return {
    isExact,
    shapes: shapesOf(question.graph),
    storedZeros: storedZerosOf(question, standard, isExact, parts),
    ...parts,
  };
}

/** Where a tangent has a bound only because a zero is left out, and where the dense form of backpropagation may be NaN. */
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
  return {
    value: (id) => parts.value(id).map(() => false),
    tangent: (id) => {
      const components = parts.tangent(id);
      return stored(id).map((isOpen, element) => isOpen && Number.isFinite(at(components, element).bound));
    },
    cotangent: (id) =>
      dense()
        .cotangent(id)
        .map((component) => component.judge(Number.NaN) !== "outside"),
  };
}

function exactParts(question: PrimitiveCase, standard: Standard): Parts<Component> {
  return partsAround(
    question,
    standard,
    exactCentre,
    () => ({
      text: rational.format,
      hasValue: ({ denominator }) => denominator !== 0n,
      reference: () => undefined,
      intervals: ({ centre, bound }) => [{ low: centre, high: centre, bound }],
    }),
    true,
  );
}

function floatParts(question: PrimitiveCase, standard: Standard): Parts<Component> {
  return partsAround(question, standard, floatCentre, (part) => {
    const intervals = new RisingIntervals(question, standard, part);
    return {
      text: ({ value }) => formatFloat64(value),
      hasValue: () => true,
      reference: ({ value }) => value,
      intervals: (_estimate, id, element, isSharp) => intervals.at(id, element, isSharp),
    };
  });
}

/** What the numbers of a centre tell of the components of a part, and whether there is one. */
interface Told<C> extends Pick<Knowledge<C>, "text" | "reference" | "intervals"> {
  hasValue(centre: C): boolean;
}

/** The components of a case around a centre. */
function partsAround<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  telling: (part: Part) => Told<C>,
  hasExactValues = false,
): Parts<Component> {
  const bounds = boundsAround(question, standard, centre);
  const sharpBounds = lazily(() => boundsAround(question, standard, centre, true));
  const possible = possibilitiesOf(question, standard, centre, bounds);
  const areLong = lazily(() => longOnes(question));
  const isReferenceHonest = isKeptByReference(standard);
  const precision = { ...standard, smallestNormal: formats[standard.dtype].smallestNormal };
  const parts = eachPart<Component>((part) => {
    const { hasValue, ...told } = telling(part);
    const around = function* (of: Estimate<C>, id: NodeId, element: number): Generator<Interval, void> {
      for (const interval of told.intervals(of, id, element, false)) {
        // What is only enclosed is not known where it has no bound.
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
      possible: (id, element) => at(possible[part](id), element),
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
  return { ...parts, value: withSignsOfZeros(parts.value, question, standard, possible) };
}

function eachPart<T>(of: (part: Part) => Parts<T>[Part]): Parts<T> {
  return { value: of("value"), tangent: of("tangent"), cotangent: of("cotangent") };
}

/** MPFR's intervals for one part of a case, each precision computed when it is first asked for. */
class RisingIntervals {
  readonly #question: PrimitiveCase;
  readonly #standard: Standard;
  readonly #part: Part;
  readonly #plain: (readonly Interval[])[][] = [];
  readonly #sharp: (readonly Interval[])[][] = [];

  constructor(question: PrimitiveCase, standard: Standard, part: Part) {
    this.#question = question;
    this.#standard = standard;
    this.#part = part;
  }

  *at(id: NodeId, element: number, isSharp: boolean): Generator<Interval, void> {
    const computed = isSharp ? this.#sharp : this.#plain;
    for (const [level, precision] of PRECISIONS.entries()) {
      computed[level] ??= intervalsOf(this.#question, this.#standard, this.#part, precision, isSharp);
      yield at(at(computed[level], id), element);
    }
  }
}

/**
 * The intervals of every id at a precision, with bounds carried forward or sharp ones; an unknown one has no bound. All of MPFR's memory is freed before it
 * returns. Cost: an evaluation of the reference in MPFR, some microseconds for every operation.
 */
export function intervalsOf(
  question: PrimitiveCase,
  standard: Standard,
  part: Part,
  precision: number,
  isSharp = false,
): (readonly Interval[])[] {
  using arena = new Arena(precision);
  const centre = enclosureCentre(arena);
  const bounds = boundsAround(question, standard, centre, isSharp);
  const known = (x: Bounded<Enclosure>): Bounded<Enclosure> => (isSharp ? sharpened(centre, x) : x);
  const ids = Array.from({ length: idCount(question.graph) }, (_, id) => nodeId(id));
  return ids.map((id) =>
    bounds[part](id).map((x) => intervalOf(x.centre, radius(centre, standard, known(x)))),
  );
}

function intervalOf(enclosure: Enclosure, bound: number): Interval {
  if (!isKnown(enclosure)) return { low: zero, high: zero, bound: Number.NaN };
  return { low: rationalFromMpfr(enclosure.low), high: rationalFromMpfr(enclosure.high), bound };
}

const zero: Rational = exactCentre.field.zero;
