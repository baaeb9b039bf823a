import type { Context } from "../../reference/index.ts";
import type { Application } from "../../spec/composites/index.ts";
import { type NodeId, nodeId, type Shape } from "../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { anything, either, isOnly, mayBe, type Possible, those } from "./possible.ts";
import { filled, isZero, type Operations, type SingularComposite } from "./singular_composite.ts";
import { byZero } from "./standardized.ts";

const nan = those("nan");

/** A `batch_norm_eval` without ε, whose variance may be 0: nothing is off in it, since the variance is given. */
export interface ZeroVariance extends SingularComposite {
  /** Whether a node is inside it. */
  holds(id: NodeId): boolean;
  /** What is handed to an operand, element by element, where the variance of the channel is 0; `undefined` elsewhere. */
  handed(context: Context<Possible>, operand: NodeId): readonly (Possible | undefined)[] | undefined;
}

/**
 * The `batch_norm_eval` of a case that have no ε and five operands. Where the variance of a channel is 0, x less the mean is divided by 0:
 * the infinity of its sign times the scale's, NaN where it is 0 itself; NaN too of those who multiply x and the mean by γ/σ, each for itself.
 * Derivatives are c γ/σ, c (x − m)/σ, −c γ (x − m)/2σ³: infinite, NaN, or 0 of masks; only the offset's is c.
 */
export function zeroVariancesOf(
  { graph, applications, insides }: PrimitiveCase,
  a: Operations,
): readonly ZeroVariance[] {
  return applications.flatMap((application) => {
    const { node, value, first } = application;
    const inside = insides[value - graph.inputs.length];
    const isWhole = inside?.composite === "batch_norm_eval" && inside.isLast;
    if (!isWhole || node.op !== "batch_norm_eval" || node.attributes.epsilon !== 0) return [];
    if (new Set(node.parents).size !== 5) return [];
    return [zeroVariance(application, node.attributes.axis, a, (id) => first <= id && id <= value)];
  });
}

function zeroVariance(
  application: Application,
  axis: number,
  a: Operations,
  holds: ZeroVariance["holds"],
): ZeroVariance {
  const [x, scale, offset, mean, variance] = application.node.parents.map(nodeId);
  const at = (context: Context<Possible>, id: NodeId | undefined, position: number): Possible =>
    context[id ?? -1]?.data[position] ?? anything;
  const root = (context: Context<Possible>) => context[application.value] ?? { shape: [], data: [] };
  const isPole = (context: Context<Possible>, channel: number): boolean =>
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

/** (x − m) γ by 0, in any order. The sign of a zero may be lost before, but +0 has none to lose. */
function signed(a: Operations, deviation: Possible, scale: Possible, variance: Possible): Possible {
  const zero = isOnly(variance, "0") ? those("0") : those("0", "-0");
  const quotient = a.divide(a.multiply(deviation, scale), zero);
  const kinds = (["inf", "-inf"] as const).filter((kind) => mayBe(quotient, kind));
  return either(nan, those(...kinds));
}

function channelOf(shape: Shape, axis: number, position: number): number {
  const stride = shape.slice(axis + 1).reduce((size, extent) => size * extent, 1);
  return Math.floor(position / stride) % (shape[axis] ?? 1);
}
