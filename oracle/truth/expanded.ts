import { shapesOf } from "../../spec/composites/index.ts";
import { type NodeId, present } from "../../spec/shapes/index.ts";
import { type Case, expandCase } from "../case/index.ts";
import type { Part } from "./bounds.ts";
import { lazily } from "./lazily.ts";
import type { Standard } from "./standard.ts";
import { denselyDerived } from "./stored_zeros.ts";
import { primitiveTruthOf, type Truth } from "./truth.ts";

/**
 * The truth about a case for an engine of a standard: that of its expansion, at the ids of the case. Exact rational
 * values where the graph is rational and of moderate degree, else the float64 reference; each with the bound of
 * running error analysis around it. `centre: "float"` takes the float64 reference in any case.
 * Cost: a few evaluations of the reference, on demand.
 */
export function truthOf(question: Case, standard: Standard, centre: "best" | "float" = "best"): Truth {
  const expanded = expandCase(question);
  const truth = primitiveTruthOf(expanded.question, standard, centre);
  if (expanded.question.graph === question.graph) return truth;
  const at = (id: NodeId): NodeId => present(expanded.ids[id], "id of the expansion");
  const isDerived = question.graph.nodes.some(({ op }) => op === "differentiate");
  const dense = lazily(() => {
    const { question: primitive, ids } = expandCase(question, denselyDerived);
    return { ids, ...primitiveTruthOf(primitive, standard, centre) };
  });
  const storedZeros =
    (part: Part) =>
    (id: NodeId): readonly boolean[] => {
      const own = truth.storedZeros[part](at(id));
      if (!isDerived) return own;
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
    value: (id) => truth.value(at(id)),
    tangent: (id) => truth.tangent(at(id)),
    cotangent: (id) => truth.cotangent(at(id)),
  };
}
