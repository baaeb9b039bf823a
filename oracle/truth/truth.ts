import type { Rational } from "../../reference/index.ts";
import { idCount, type NodeId, nodeId, present, type Shape, shapesOf } from "../../spec/index.ts";
import type { PrimitiveCase } from "../expansion.ts";
import { radius } from "./bounded.ts";
import { boundsAround, type Part, type Parts } from "./bounds.ts";
import { enclosureCentre, exactCentre, floatCentre } from "./centre.ts";
import {
  type Component,
  ExactComponent,
  FloatComponent,
  type Interval,
  type Intervals,
} from "./component.ts";
import { degreesOf } from "./degree.ts";
import { type Enclosure, isKnown } from "./enclosure.ts";
import { Arena, rationalFromMpfr } from "./mpfr.ts";
import { possibilitiesOf } from "./possibilities.ts";
import type { Standard } from "./standard.ts";
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
  const isExact = centre === "best" && degreesOf(question.graph).every((degree) => degree <= MAXIMUM_DEGREE);
  const parts = isExact ? exactParts(question, standard) : floatParts(question, standard);
  return { isExact, shapes: shapesOf(question.graph), ...parts };
}

function exactParts(question: PrimitiveCase, standard: Standard): Parts<Component> {
  const bounds = boundsAround(question, standard, exactCentre);
  const possible = possibilitiesOf(question, standard, exactCentre, bounds);
  const parts = eachPart<Component>(
    (part) => (id) =>
      bounds[part](id).map(
        (x, element) =>
          new ExactComponent(x.centre, radius(exactCentre, standard, x), () =>
            present(possible[part](id)[element], "what a component can be"),
          ),
      ),
  );
  return { ...parts, value: withSignsOfZeros(parts.value, question, standard, possible) };
}

function floatParts(question: PrimitiveCase, standard: Standard): Parts<Component> {
  const bounds = boundsAround(question, standard, floatCentre);
  const possible = possibilitiesOf(question, standard, floatCentre, bounds);
  const parts = eachPart<Component>((part) => {
    const intervals = new RisingIntervals(question, standard, part);
    return (id) =>
      bounds[part](id).map(
        (x, element) =>
          new FloatComponent(x.centre, radius(floatCentre, standard, x), intervals, id, element, () =>
            present(possible[part](id)[element], "what a component can be"),
          ),
      );
  });
  return { ...parts, value: withSignsOfZeros(parts.value, question, standard, possible) };
}

function eachPart<T>(of: (part: Part) => Parts<T>[Part]): Parts<T> {
  return { value: of("value"), tangent: of("tangent"), cotangent: of("cotangent") };
}

/** MPFR's intervals for one part of a case, each precision computed when it is first asked for. */
class RisingIntervals implements Intervals {
  readonly #question: PrimitiveCase;
  readonly #standard: Standard;
  readonly #part: Part;
  readonly #computed: (readonly Interval[])[][] = [];

  constructor(question: PrimitiveCase, standard: Standard, part: Part) {
    this.#question = question;
    this.#standard = standard;
    this.#part = part;
  }

  *at(id: NodeId, element: number): Generator<Interval, void> {
    for (const [level, precision] of PRECISIONS.entries()) {
      this.#computed[level] ??= intervalsOf(this.#question, this.#standard, this.#part, precision);
      yield present(this.#computed[level][id]?.[element], "the interval of a component");
    }
  }
}

/**
 * The intervals of every id at a precision; an unknown one has no bound. All of MPFR's memory is freed before it
 * returns. Cost: an evaluation of the reference in MPFR, some microseconds for every operation.
 */
export function intervalsOf(
  question: PrimitiveCase,
  standard: Standard,
  part: Part,
  precision: number,
): (readonly Interval[])[] {
  using arena = new Arena(precision);
  const centre = enclosureCentre(arena);
  const bounds = boundsAround(question, standard, centre);
  const ids = Array.from({ length: idCount(question.graph) }, (_, id) => nodeId(id));
  return ids.map((id) => bounds[part](id).map((x) => intervalOf(x.centre, radius(centre, standard, x))));
}

function intervalOf(enclosure: Enclosure, bound: number): Interval {
  if (!isKnown(enclosure)) return { low: zero, high: zero, bound: Number.NaN };
  return { low: rationalFromMpfr(enclosure.low), high: rationalFromMpfr(enclosure.high), bound };
}

const zero: Rational = exactCentre.field.zero;
