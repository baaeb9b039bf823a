import { shapesOf } from "../../spec/expansion/index.ts";
import { type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import { isCoarse } from "../../spec/wire/index.ts";
import { type Case, expandCase } from "../case/index.ts";
import { lazily } from "./lazily.ts";
import type { Part, Parts } from "./nodes/bounds.ts";
import type { Standard } from "./standard/index.ts";
import { intervalsOf, primitiveTruthOf, type Truth } from "./truth.ts";
import { addedInOrder } from "./verdicts/added_in_order.ts";
import { type Component, type Interval, judgedBy } from "./verdicts/component.ts";
import { denselyDerived } from "./verdicts/stored_zeros.ts";

/**
 * Returns the truth about a case for an engine of a standard: that of its expansion, at the ids of the case.
 * It is exact where the graph is rational and of moderate degree, else the float64 reference, each with the
 * bound of running error analysis. `centre: "float"` always takes the float64 reference. Cost: a few
 * evaluations of the reference, on demand.
 */
export function truthOf(question: Case, standard: Standard, centre: "best" | "float" = "best"): Truth {
  const truth = expandedTruthOf(question, standard, centre);
  const { saved, ...whole } = standard;
  const plain =
    saved !== undefined && isCoarse(saved)
      ? lazily(() => expandedTruthOf(question, whole, centre))
      : undefined;
  const inOrder = addedInOrder(question, standard);
  /** Holds parts, whatever was answered before, to the order and the tape that the engine declares. */
  const declared = (parts: Parts<Component>): Parts<Component> => {
    const { value, tangent, cotangent } = inOrder(parts);
    if (plain === undefined) return { value, tangent, cotangent };
    return {
      value,
      tangent,
      cotangent: (id) => coarsely(cotangent(id), () => plain().cotangent(id)),
    };
  };
  return { ...truth, ...declared(truth), after: (answered) => declared(truth.after(answered)) };
}

/** Leaves open what lies within the bounds of coarsely kept values alone, and decides the rest. */
function coarsely(kept: readonly Component[], plain: () => readonly Component[]): readonly Component[] {
  return kept.map((component, element) =>
    judgedBy(component, (answer) => {
      const judgement = component.judge(answer);
      const isRight = judgement === "within" && plain()[element]?.judge(answer) === "within";
      return judgement !== "within" || isRight ? judgement : "undecided";
    }),
  );
}

function expandedTruthOf(question: Case, standard: Standard, centre: "best" | "float"): Truth {
  const expanded = expandCase(question);
  const truth = primitiveTruthOf(expanded.question, standard, centre);
  if (expanded.question.graph === question.graph) return truth;
  const at = (id: NodeId): NodeId => present(expanded.ids[id], "id of the expansion");
  const originals = new Map(expanded.ids.map((id, place) => [id, nodeId(place)]));
  const isDerived = question.graph.nodes.some(({ op }) => op === "differentiate");
  const dense = lazily(() => {
    const { question: primitive, ids } = expandCase(question, denselyDerived);
    return { ids, ...primitiveTruthOf(primitive, standard, centre) };
  });
  const storedZeros =
    (part: Part) =>
    (id: NodeId): readonly boolean[] => {
      const own = truth.storedZeros[part](at(id));
      if (!isDerived || standard.conventions.zeroCotangents === "sparse") return own;
      const { ids, [part]: components } = dense();
      const mayBe = components(present(ids[id], "id of the dense form")).map(
        (component) => component.judge(Number.NaN) !== "outside",
      );
      return own.map((isStored, element) => isStored || mayBe[element] === true);
    };
  return {
    isExact: truth.isExact,
    shapes: shapesOf(question.graph),
    storedZeros: {
      value: storedZeros("value"),
      tangent: storedZeros("tangent"),
      cotangent: storedZeros("cotangent"),
    },
    after: (answered) => {
      const numbers = (part: Part) => (id: NodeId) => {
        const original = originals.get(id);
        return original === undefined ? undefined : answered[part]?.(original);
      };
      const after = truth.after({
        value: numbers("value"),
        tangent: numbers("tangent"),
        cotangent: numbers("cotangent"),
      });
      return {
        value: (id) => after.value(at(id)),
        tangent: (id) => after.tangent(at(id)),
        cotangent: (id) => after.cotangent(at(id)),
      };
    },
    value: (id) => truth.value(at(id)),
    tangent: (id) => truth.tangent(at(id)),
    cotangent: (id) => truth.cotangent(at(id)),
  };
}

/** With so many bits, a float64 next to an end is next to the true value too. */
const PRECISION = 128;

/**
 * Returns rational numbers between which each true value of a case lies. A value that is not known, or may
 * overflow in an honest engine, has no finite bound. Cost: an evaluation of the reference in MPFR for each
 * part.
 */
export function enclosuresOf(question: Case, standard: Standard): Parts<Interval> {
  const { question: primitive, ids } = expandCase(question);
  const of = (part: Part): ((id: NodeId) => readonly Interval[]) => {
    const intervals = intervalsOf(primitive, standard, part, PRECISION);
    return (id) => present(intervals[present(ids[id], "id of the expansion")], "intervals of an id");
  };
  return { value: of("value"), tangent: of("tangent"), cotangent: of("cotangent") };
}
