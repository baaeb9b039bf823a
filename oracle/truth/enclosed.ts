import { type NodeId, present } from "../../spec/shapes/index.ts";
import { type Case, expandCase } from "../case/index.ts";
import type { Part, Parts } from "./bounds.ts";
import type { Interval } from "./component.ts";
import type { Standard } from "./standard.ts";
import { intervalsOf } from "./truth.ts";

/** Enough that a float64 next to an end is next to the true value too. */
const PRECISION = 128;

/**
 * Between which rational numbers each true value of a case lies; without a finite bound where that is not known, or an
 * honest engine of the standard may overflow. Cost: an evaluation of the reference in MPFR for each part.
 */
export function enclosuresOf(question: Case, standard: Standard): Parts<Interval> {
  const { question: primitive, ids } = expandCase(question);
  const of = (part: Part): ((id: NodeId) => readonly Interval[]) => {
    const intervals = intervalsOf(primitive, standard, part, PRECISION);
    return (id) => present(intervals[present(ids[id], "id of the expansion")], "intervals of an id");
  };
  return { value: of("value"), tangent: of("tangent"), cotangent: of("cotangent") };
}
