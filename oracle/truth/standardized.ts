import { type CompositeName, type NodeId, nodeId, present, shapesOf, sizeOf } from "../../spec/index.ts";
import type { PrimitiveCase } from "../expansion.ts";
import { between, either, mayBe, type Possible, possible, those } from "./possible.ts";

/** Composites that divide deviations from a mean by the root of their mean square. */
const normalizing: ReadonlySet<CompositeName> = new Set(["layer_norm", "batch_norm_train", "group_norm"]);

/** The nodes of a case that are deviations by their own root mean square, and what is made of those in the same composite. */
export interface Standardized {
  isDivision(id: NodeId): boolean;
  isAfterDivision(id: NodeId): boolean;
}

/** The last division of each normalisation is the one by the root. */
export function standardizedOf({ graph, insides }: PrimitiveCase): Standardized {
  const idOf = (index: number): NodeId => nodeId(graph.inputs.length + index);
  const isNormalizing = (index: number): boolean => {
    const composite = insides[index]?.composite;
    return composite !== undefined && normalizing.has(composite);
  };
  const divisions = graph.nodes.flatMap(({ op }, index) =>
    op === "divide" && isNormalizing(index) ? [index] : [],
  );
  const isWithSame = (index: number, other: number): boolean =>
    insides[index]?.isWithin(idOf(other)) ?? false;
  const last = divisions.filter(
    (index) => !divisions.some((other) => other > index && isWithSame(index, other)),
  );
  return {
    isDivision: (id) => last.some((index) => idOf(index) === id),
    isAfterDivision: (id) =>
      last.some((index) => idOf(index) < id && isWithSame(index, id - graph.inputs.length)),
  };
}

/**
 * A deviation by the root mean square of all of them, which is no larger than √n, twice that for what squares and means lose to
 * rounding; NaN or infinite where the root is 0.
 */
export function standardizedSet(
  question: PrimitiveCase,
  id: NodeId,
  deviation: Possible,
): Possible | undefined {
  if (mayBe(deviation, "nan", "inf", "-inf", "far", "-far")) return undefined;
  const size = 2 * Math.sqrt(sizeOf(present(shapesOf(question.graph)[id], "a shape")));
  return either(possible(between(-size, size)), those("nan", "inf", "-inf"));
}
