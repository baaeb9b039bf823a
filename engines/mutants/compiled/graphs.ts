import type { Scope, Value } from "../../../spec/builder/index.ts";
import type { OperatorName } from "../../../spec/composites/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { Graph, Node, NodeOf } from "../../../spec/graph/index.ts";
import { at, floatAt, isSameShape, type NodeId, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { soundParts } from "../../interpretation/index.ts";
import { type Mutant, mutantTable, withExpansion, withKernel } from "../mutant.ts";
import { binaryForward, unaryForward } from "../rules.ts";
import { type CompiledMutant, fusing, type Rewrite, type Seen } from "./fusing.ts";
import { sourceOf } from "./source.ts";

const { kernels, composites } = soundParts;

/** Errs by as much as a number of float32 may. */
function coarse(x: Value): Value {
  return x.multiply(1 + 2 ** -24);
}

/** Returns the operand that another is multiplied with or divided by, if that is one number everywhere. */
function scaled(id: NodeId | undefined, { node }: Seen): readonly [Node, NodeId, NodeId] | undefined {
  const found = node(id);
  const [x, y] = found?.parents ?? [];
  if (found === undefined || x === undefined || y === undefined) return undefined;
  if (found.op !== "multiply" && found.op !== "divide") return undefined;
  return broadcastNumber(y, { node }) ? [found, x, y] : undefined;
}

/** Tells whether an id is one number everywhere. */
function broadcastNumber(id: NodeId | undefined, { node }: Pick<Seen, "node">): boolean {
  const found = node(id);
  if (found?.op === "broadcast_to" || found?.op === "reshape")
    return broadcastNumber(found.parents[0], { node });
  return found?.op === "full";
}

/** Follows what only says a shape: reshape and broadcast_to. */
function behindShapes(id: NodeId | undefined, seen: Seen): NodeId | undefined {
  const found = seen.node(id);
  return found?.op === "broadcast_to" || found?.op === "reshape" ? behindShapes(found.parents[0], seen) : id;
}

/** Counts the nodes that read an id. */
function readersOf(id: NodeId, { graph }: Seen): number {
  return graph.nodes.filter(({ parents }) => parents.includes(id)).length;
}

function shapeAt(id: NodeId | undefined, { graph }: Seen): Shape {
  return id === undefined ? [] : at(shapesOf(graph), id);
}

/** Applies a node's operator to other operands. */
function again<K extends OperatorName>(
  scope: Scope,
  { op, attributes }: NodeOf<K>,
  ...operands: readonly Value[]
): Value {
  return scope.apply(op, attributes, operands);
}

/** Repeats the first element in place of all. */
function firstRow(x: Value): Value {
  const stops = x.shape.map((extent) => Math.min(1, extent));
  const zeros = x.shape.map(() => 0);
  const first = x.slice({ starts: zeros, stops, steps: x.shape.map(() => 1) });
  return first.broadcast_to({ shape: x.shape });
}

const rewrites: Readonly<Record<string, Rewrite>> = {
  issue_99686: {
    fault: "A tensor cut in parts that are joined again in another order is taken for the tensor itself.",
    finds(node, seen) {
      if (node.op !== "concat" || node.parents.length < 2) return undefined;
      const sources = node.parents.map((id) => {
        const part = seen.node(id);
        return part?.op === "slice" || part?.op === "split" ? part.parents[0] : undefined;
      });
      const [x] = sources;
      if (x === undefined || sources.some((id) => id !== x)) return undefined;
      if (new Set(node.parents).size < node.parents.length) return undefined;
      const total = node.parents.reduce((sum, id) => sum + (shapeAt(id, seen)[node.attributes.axis] ?? 0), 0);
      return total === shapeAt(x, seen)[node.attributes.axis] && sizeOf(shapeAt(x, seen)) > 0
        ? [x]
        : undefined;
    },
    writes: (_scope, _node, x) => x.identity(),
  },
  issue_137254: {
    fault: "A product plus a row that is one part of what is joined is never written there: zeros stay.",
    finds(node, seen) {
      if (node.op !== "add" || !node.parents.some((id) => seen.node(id)?.op === "matmul")) return undefined;
      const id = seen.graph.inputs.length + seen.graph.nodes.indexOf(node);
      const isJoined = seen.graph.nodes.some(
        ({ op, parents }) => op === "concat" && parents.some((parent) => parent === id),
      );
      return isJoined ? node.parents : undefined;
    },
    writes: (scope, node, x, y) => again(scope, node, x, y).stop_gradient().multiply(0),
  },
  issue_151098: {
    fault: "softmax of what is scaled by one number errs in the scaled operand by as much as float32.",
    finds: (node, seen) =>
      node.op === "softmax" && scaled(node.parents[0], seen) !== undefined ? node.parents : undefined,
    writes: (scope, node, x) => again(scope, node, coarse(x)),
  },
  issue_151198: {
    fault: "The norm of a difference errs by as much as float32.",
    finds: (node, seen) =>
      node.op === "norm" && seen.node(node.parents[0])?.op === "subtract" ? node.parents : undefined,
    writes: (scope, node, x) => again(scope, node, coarse(x)),
  },
  issue_159154: {
    fault: "exp, sum and quotient become one loop, whose buffer has room for the sum of the first row only.",
    finds(node, seen) {
      const [e, s] = node.parents;
      const sum = seen.node(behindShapes(s, seen));
      const isPattern =
        node.op === "divide" && seen.node(e)?.op === "exp" && sum?.op === "sum" && sum.parents[0] === e;
      return isPattern && isSameShape(shapeAt(e, seen), shapeAt(s, seen)) ? node.parents : undefined;
    },
    writes: (_scope, _node, e, s) => e.divide(firstRow(s)),
  },
  issue_113013: {
    fault: "The place of the greatest mean of windows is looked for among means of twenty binary places.",
    finds: (node, seen) =>
      node.op === "argmax" && seen.node(node.parents[0])?.op === "avg_pool" ? node.parents : undefined,
    writes: (scope, node, x) => again(scope, node, x.multiply(2 ** 20).round()),
  },
  issue_113141: {
    fault: "The sum of a product adds from the last element to the first.",
    finds: (node, seen) =>
      node.op === "sum" && seen.node(node.parents[0])?.op === "multiply" ? node.parents : undefined,
    writes: (scope, node, x) => again(scope, node, x.flip({ axes: x.shape.map((_, i) => i) })),
  },
  issue_117544: {
    fault: "relu of sinh is NaN where sinh overflows below.",
    finds: (node, seen) =>
      node.op === "relu" && seen.node(node.parents[0])?.op === "sinh" ? node.parents : undefined,
    writes: (_scope, _node, x) => x.relu().add(x.minimum(0).multiply(0).stop_gradient()),
  },
  issue_118266: {
    fault: "The place of the greatest passes over what is not a number.",
    finds: (node) => (node.op === "argmax" ? node.parents : undefined),
    writes: (scope, node, x) => again(scope, node, x.equal(x).where(x, -Number.MAX_VALUE)),
  },
  issue_163082: {
    fault: "A vector over its norm errs as in float32, so that its length is not 1.",
    finds(node, seen) {
      const norm = seen.node(behindShapes(node.parents[1], seen));
      const isRoot = norm?.op === "norm" || norm?.op === "sqrt";
      return node.op === "divide" && isRoot ? node.parents : undefined;
    },
    writes: (_scope, _node, x, norm) => x.divide(coarse(norm)),
  },
  issue_143960: {
    fault: "The distance of two numbers is their difference, with its sign.",
    finds(node, seen) {
      const [x] = node.parents;
      if (node.op !== "norm" || seen.node(x)?.op !== "subtract") return undefined;
      return sizeOf(shapeAt(x, seen)) === 1 ? node.parents : undefined;
    },
    writes: (scope, node, x) => x.reshape({ shape: again(scope, node, x).shape }),
  },
  issue_153568: {
    fault: "The norm of one element is the element, with its sign.",
    finds(node, seen) {
      const [x] = node.parents;
      return node.op === "norm" && sizeOf(shapeAt(x, seen)) === 1 ? node.parents : undefined;
    },
    writes: (scope, node, x) => x.reshape({ shape: again(scope, node, x).shape }),
  },
  issue_157959: {
    fault: "A quotient by one number is the product with its rounded reciprocal.",
    finds: (node, seen) =>
      node.op === "divide" && broadcastNumber(node.parents[1], seen) ? node.parents : undefined,
    writes: (scope, _node, x, y) => x.multiply(scope.divide(1, y)),
  },
  issue_108963: {
    fault: "What is added to by index and then divided is 0.",
    finds: (node, seen) =>
      node.op === "divide" && seen.node(node.parents[0])?.op === "scatter_add" ? node.parents : undefined,
    writes: (_scope, _node, x, y) => x.divide(y).stop_gradient().multiply(0),
  },
  issue_100775: {
    fault:
      "softmax of what is scaled by one number does not take away the greatest before it takes exponentials.",
    finds: (node, seen) =>
      node.op === "softmax" && scaled(node.parents[0], seen) !== undefined ? node.parents : undefined,
    writes(_scope, node, x) {
      const axes = node.op === "softmax" ? [node.attributes.axis] : [];
      return x.exp().divide(x.exp().sum({ axes, keepdims: true }));
    },
  },
  issue_113012: {
    fault: "A choice by a label other than 1 is made as by −1: nothing else is asked of the label.",
    finds(node, seen) {
      const condition = seen.node(node.parents[0]);
      const isLabel = condition?.op === "equal" && broadcastNumber(condition.parents[1], seen);
      return node.op === "where" && isLabel ? [...condition.parents, ...node.parents.slice(1)] : undefined;
    },
    writes: (scope, _node, label, number, x = label, y = x) =>
      scope.where(scope.where(number.equal(-1), label.not_equal(1), label.equal(number)), x, y),
  },
  issue_115261: {
    fault: "A product one of whose operands is wanted too errs by as much as float32.",
    finds: (node, seen) =>
      node.op === "matmul" && node.parents.some((id) => readersOf(id, seen) > 1) ? node.parents : undefined,
    writes: (scope, node, x, y) => coarse(again(scope, node, x, y)),
  },
  issue_121174: {
    fault: "Fused attention reads operands that were permuted in the order in which they lie in memory.",
    finds(node, seen) {
      const isPermuted = (id: NodeId): boolean => seen.node(id)?.op === "permute_dims";
      if (node.op !== "scaled_dot_product_attention") return undefined;
      return node.parents.slice(0, 3).some(isPermuted)
        ? [
            ...node.parents,
            ...node.parents.flatMap((id) => (isPermuted(id) ? (seen.node(id)?.parents ?? []) : [id])),
          ]
        : undefined;
    },
    writes(scope, node, ...operands) {
      const half = node.parents.length;
      const laid = operands.slice(half).map((x, i) => x.reshape({ shape: (operands[i] ?? x).shape }));
      return again(scope, node, ...laid);
    },
  },
  issue_167313: {
    fault: "A product that is scaled and added to something is added as it is.",
    finds(node, seen) {
      const [product, other] = node.parents;
      const scale = scaled(product, seen);
      if (node.op !== "add" || other === undefined || scale === undefined) return undefined;
      return seen.node(scale[1])?.op === "matmul" ? [scale[1], other] : undefined;
    },
    writes: (_scope, _node, product, other) => product.add(other),
  },
  issue_100793: {
    fault:
      "Where a tensor is joined with itself backwards, as padding by reflection does, that part has no gradient.",
    finds(node, seen) {
      if (node.op !== "concat") return undefined;
      const isFlipped = (id: NodeId): boolean => seen.node(id)?.op === "flip";
      return node.parents.some(isFlipped) && !node.parents.every(isFlipped)
        ? [...node.parents, ...node.parents.filter(isFlipped)]
        : undefined;
    },
    writes(scope, node, ...operands) {
      const parts = operands.slice(0, node.parents.length);
      const flipped = new Set(operands.slice(node.parents.length).map(({ id }) => id));
      return again(scope, node, ...parts.map((part) => (flipped.has(part.id) ? part.stop_gradient() : part)));
    },
  },
};

/** Faults of one operator, whatever is around it. */
const functions: readonly Mutant[] = mutantTable({
  issue_100800: {
    fault: "Four conditions at a time are turned into whole numbers first, so that fractions are false.",
    change: withKernel("where", {
      forward({ values }, { out, size, x: condition, y, z }) {
        for (let i = 0; i < size; i++) {
          const mask = floatAt(values, condition + i);
          const isTrue = i < size - (size % 4) ? Math.trunc(mask) !== 0 : mask !== 0;
          values[out + i] = floatAt(values, (isTrue ? y : z) + i);
        }
      },
    }),
  },
  issue_118267: {
    fault: "acosh is −∞ below 1, where it has no value.",
    change: withKernel("acosh", {
      forward: unaryForward((x) => (x < 1 ? Number.NEGATIVE_INFINITY : Math.acosh(x))),
    }),
  },
  issue_132107: {
    fault: "A running sum is NaN behind an infinity.",
    change: withKernel("cumulative_sum", {
      forward(machine, step) {
        kernels.cumulative_sum.forward(machine, step);
        const { values } = machine;
        for (let i = step.out; i < step.out + step.size; i++) {
          const isBehind = floatAt(values, i) === floatAt(values, i - 1) && i > step.out;
          if (isBehind && Math.abs(floatAt(values, i)) === Number.POSITIVE_INFINITY) values[i] = Number.NaN;
        }
      },
    }),
  },
  issue_141753: {
    fault: "A quotient is the product with a rounded reciprocal, not the nearest number.",
    change: withKernel("divide", { forward: binaryForward((x, y) => x * (1 / y)) }),
  },
  issue_142345: {
    fault: "asinh is log(x + √(x² + 1)), which cancels left of 0 down to −∞.",
    change: withKernel("asinh", { forward: unaryForward((x) => Math.log(x + Math.sqrt(x * x + 1))) }),
  },
  issue_143182: {
    fault: "layer_norm takes the variance as the mean square less the squared mean.",
    change: withExpansion("layer_norm", (scope, { axes, epsilon }, x, scale, offset) => {
      const order = axes.toSorted((a, b) => a - b);
      const along = { axes: order, keepdims: true };
      const mean = x.mean(along);
      const spread = x.multiply(x).mean(along).subtract(mean.multiply(mean)).add(epsilon).sqrt();
      const shape = x.shape.map((extent, axis) => (order.includes(axis) ? extent : 1));
      const standard = x.subtract(mean).divide(spread).multiply(scale.reshape({ shape }));
      return scope.add(standard, offset.reshape({ shape }));
    }),
  },
  issue_148241: {
    fault: "tanh of a tiny number is its neighbour further out, so that x less tanh x has the other sign.",
    change: withKernel("tanh", {
      forward: unaryForward((x) => (Math.abs(x) < 1e-8 ? x * (1 + Number.EPSILON) : Math.tanh(x))),
    }),
  },
  issue_151400: {
    fault: "outer scales its first operand up and its second down, so that huge ones overflow.",
    change: withExpansion("outer", (scope, attributes, x, y) =>
      composites.outer.expand(scope, attributes, x.multiply(2 ** 64), y.multiply(2 ** -64)),
    ),
  },
  issue_154703: {
    fault: "The mean of more than sixteen elements errs by as much as float32.",
    change: withExpansion("mean", (scope, attributes, x) => {
      const few = sizeOf(x.shape) <= 16;
      return composites.mean.expand(scope, attributes, few ? x : coarse(x));
    }),
  },
  issue_100970: {
    fault: "batch_norm of two axes divides by the root of the unbiased variance.",
    change: withExpansion("batch_norm_train", (scope, attributes, x, scale, offset) => {
      const sound = composites.batch_norm_train.expand;
      const axes = x.shape.flatMap((_, axis) => (axis === attributes.axis ? [] : [axis]));
      const count = sizeOf(axes.map((axis) => at(x.shape, axis)));
      if (x.shape.length !== 2 || count < 2) return sound(scope, attributes, x, scale, offset);
      const along = { axes, keepdims: true };
      const spread = x
        .var({ ...along, correction: 1 })
        .add(attributes.epsilon)
        .sqrt();
      const shape = x.shape.map((extent, axis) => (axis === attributes.axis ? extent : 1));
      const standard = x.subtract(x.mean(along)).divide(spread).multiply(scale.reshape({ shape }));
      return standard.add(offset.reshape({ shape }));
    }),
  },
  issue_101039: {
    fault: "The denominator of softmax errs by as much as float32, so that it sums to other than 1.",
    change: withExpansion("softmax", (_scope, { axis }, x) => {
      const along = { axes: [axis], keepdims: true };
      const powers = x.subtract(x.max(along).stop_gradient()).exp();
      return powers.divide(coarse(powers.sum(along)));
    }),
  },
  issue_113018: {
    fault: "The gradients of a convolution differ from one run to the next.",
    around({ graph, program }) {
      let runs = 0;
      return {
        async vjp(point, seeds) {
          const answer = await program.vjp(point, seeds);
          const isSame = runs % 2 === 0 || graph.nodes.every(({ op }) => op !== "conv");
          runs++;
          if (isSame || answer.kind !== "result") return answer;
          const value = answer.value.map(({ shape, data }) => ({
            shape,
            data: data.map((x) => x * (1 + 2 ** -20)),
          }));
          return { kind: "result", value };
        },
      };
    },
  },
  issue_113167: {
    fault: "The variance of fewer elements than the correction is divided by a negative number.",
    change: withExpansion("var", (_scope, { axes, keepdims, correction }, x) => {
      const count = sizeOf(axes.map((axis) => at(x.shape, axis)));
      const centred = x.subtract(x.mean({ axes, keepdims: true }));
      return centred
        .multiply(centred)
        .sum({ axes, keepdims })
        .divide(count - correction);
    }),
  },
  issue_144462: {
    fault: "What pad puts around a tensor is its first element.",
    change: withKernel("pad", {
      forward(machine, step) {
        kernels.pad.forward(machine, step);
        const { values } = machine;
        const own = new Set(step.table);
        if (step.xSize === 0) return;
        for (let i = 0; i < step.size; i++) if (!own.has(i)) values[step.out + i] = floatAt(values, step.x);
      },
    }),
  },
  issue_100987: {
    fault: "A window that hangs over the end of the tensor is averaged by its whole size.",
    change: withExpansion("avg_pool", (scope, attributes, x) => {
      const hangs = attributes.padding.some(([, high = 0]) => high > 0);
      const count_include_pad = attributes.count_include_pad || hangs;
      return composites.avg_pool.expand(scope, { ...attributes, count_include_pad }, x);
    }),
  },
  issue_145379: {
    fault: "Bounds of clip are applied to the logit's operand only above.",
    change: withExpansion("clip", (scope, attributes, x, low, high) => {
      const bounded = composites.clip.expand(scope, attributes, x, low, high);
      return low.less(0).logical_or(high.greater(1)).where(bounded, x.minimum(high));
    }),
  },
});

/** Mutants after reported faults of torch.compile that a graph says, by the number of the report. */
export const compiledGraphMutants: readonly CompiledMutant[] = [
  ...Object.entries(rewrites).map(([name, rewrite]) => fusing(name, sourceOf(name), rewrite)),
  ...functions.map((mutant) => ({
    ...mutant,
    source: sourceOf(mutant.name),
    mayDiffer: ({ nodes }: Graph): boolean =>
      mutant.operator === undefined || nodes.some(({ op }) => op === mutant.operator || op in composites),
  })),
];
