import type { Context } from "../../../reference/index.ts";
import type { Application } from "../../../spec/expansion/index.ts";
import { type NodeId, nodeId, type Shape } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { anything, type FloatSet, isOnly, mayBe, ofKinds, union } from "../sets/float_set.ts";
import { filled, isZero, type Operations, type SingularComposite } from "./composite.ts";
import { byZero } from "./computed_variances.ts";

const nan = ofKinds("nan");

/** This is a `batch_norm_eval` without ε, whose variance is an operand and may be exactly 0. */
export interface GivenVariance extends SingularComposite {
  /** Tells whether a node is inside it. */
  holds(id: NodeId): boolean;
  /** Returns what an operand gets back, element by element, where its channel's variance is 0. */
  handed(context: Context<FloatSet>, operand: NodeId): readonly (FloatSet | undefined)[] | undefined;
}

/**
 * Returns the `batch_norm_eval` of a case that have no ε and five operands. Where a channel's variance is 0,
 * x less the mean is divided by 0: an infinity of its sign times the scale's, NaN where it is 0 itself, or if
 * x and the mean are multiplied by γ/σ apart. The derivatives c γ/σ, c (x − m)/σ and −c γ (x − m)/2σ³ are
 * infinite, NaN, or 0 of masks; only the offset's is c.
 */
export function givenVariancesOf(
  { graph, applications, insides }: PrimitiveCase,
  a: Operations,
): readonly GivenVariance[] {
  return applications.flatMap((application) => {
    const { node, value, first } = application;
    const inside = insides[value - graph.inputs.length];
    const isWhole = inside?.composite === "batch_norm_eval" && inside.isLast;
    if (!isWhole || node.op !== "batch_norm_eval" || node.attributes.epsilon !== 0) return [];
    if (new Set(node.parents).size !== 5) return [];
    return [givenVariance(application, node.attributes.axis, a, (id) => first <= id && id <= value)];
  });
}

function givenVariance(
  application: Application,
  axis: number,
  a: Operations,
  holds: GivenVariance["holds"],
): GivenVariance {
  const [x, scale, offset, mean, variance] = application.node.parents.map(nodeId);
  const at = (context: Context<FloatSet>, id: NodeId | undefined, position: number): FloatSet =>
    context[id ?? -1]?.data[position] ?? anything;
  const root = (context: Context<FloatSet>) => context[application.value] ?? { shape: [], data: [] };
  const isPole = (context: Context<FloatSet>, channel: number): boolean =>
    isZero(at(context, variance, channel));
  return {
    application,
    holds,
    value(context) {
      const { shape, data } = context[x ?? -1] ?? root(context);
      const sets = data.map((element, position) => {
        const channel = channelOf(shape, axis, position);
        if (!isPole(context, channel)) return anything;
        const deviation = a.add(element, a.negative(at(context, mean, channel)));
        return signed(a, deviation, at(context, scale, channel), at(context, variance, channel));
      });
      return filled({ shape, data: [] }, sets);
    },
    tangent(context, tangents) {
      const { shape, data } = root(context);
      const sets = data.map((_, position) => {
        const channel = channelOf(shape, axis, position);
        return isPole(context, channel) ? a.add(byZero, at(tangents, offset, channel)) : anything;
      });
      return filled({ shape, data: [] }, sets);
    },
    cotangents: () => new Map(),
    handed(context, operand) {
      if (operand !== x && operand !== scale && operand !== mean && operand !== variance) return undefined;
      const { shape, data } = context[operand] ?? { shape: [], data: [] };
      return data.map((_, position) => {
        const channel = operand === x ? channelOf(shape, axis, position) : position;
        return isPole(context, channel) ? byZero : undefined;
      });
    },
  };
}

/** Returns (x − m) γ by 0, in any order. The sign of a zero may be lost before, but +0 has none to lose. */
function signed(a: Operations, deviation: FloatSet, scale: FloatSet, variance: FloatSet): FloatSet {
  const zero = isOnly(variance, "0") ? ofKinds("0") : ofKinds("0", "-0");
  const quotient = a.divide(a.multiply(deviation, scale), zero);
  const kinds = (["inf", "-inf"] as const).filter((kind) => mayBe(quotient, kind));
  return union(nan, ofKinds(...kinds));
}

function channelOf(shape: Shape, axis: number, position: number): number {
  const stride = shape.slice(axis + 1).reduce((size, extent) => size * extent, 1);
  return Math.floor(position / stride) % (shape[axis] ?? 1);
}
