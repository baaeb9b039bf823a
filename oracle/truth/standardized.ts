import { type CompositeName, type NodeId, nodeId, present, shapesOf, sizeOf } from "../../spec/index.ts";
import type { PrimitiveCase } from "../expansion.ts";
import { between, either, mayBe, type Possible, possible, those } from "./possible.ts";
import type { Standard } from "./standard.ts";

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

/** The ε of the normalisation that an id belongs to. */
function epsilonOf({ graph, insides }: PrimitiveCase, id: NodeId): number {
  const applications = insides[id - graph.inputs.length]?.applications ?? [];
  for (const { node } of applications) {
    if (node.op === "layer_norm" || node.op === "batch_norm_train" || node.op === "group_norm") {
      return node.attributes.epsilon;
    }
  }
  return 0;
}

/** A deviation from a mean, and the numbers that it is taken of. */
export interface Standardization {
  readonly deviation: Possible;
  readonly operands: readonly Possible[];
}

/**
 * A deviation by the root mean square of all of them, which is no larger than √n, twice that for what squares and means
 * lose to rounding; NaN or infinite where the root is 0. An engine that multiplies x and its mean by 1/σ, each for
 * itself, is off by some u|x|/σ more: σ is at least √ε, or, where ε is 0, the mean square of multiples of an ulp.
 */
export function standardizedSet(
  question: PrimitiveCase,
  { unitRoundoff }: Standard,
  id: NodeId,
  { deviation, operands }: Standardization,
): Possible | undefined {
  if (mayBe(deviation, "nan", "inf", "-inf", "far", "-far")) return undefined;
  const largest = Math.max(0, ...operands.map(({ up, down }) => Math.max(up, down)));
  const epsilon = epsilonOf(question, id);
  const apart = epsilon > 0 ? (8 * unitRoundoff * largest) / Math.sqrt(epsilon) : 0;
  const size = 10 * Math.sqrt(sizeOf(present(shapesOf(question.graph)[id], "a shape"))) + apart;
  if (!Number.isFinite(size)) return undefined;
  return either(possible(between(-size, size)), those("nan", "inf", "-inf"));
}
