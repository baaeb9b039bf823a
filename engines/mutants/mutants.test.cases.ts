import type { FlatTensor, Node, Seed } from "../../spec/index.ts";
import { node, type Question, question, scalar, seed, tensor } from "../asking.test.kit.ts";

/** A question that tells a mutant from the interpreter, and both answers, worked out by hand. */
export interface Telling extends Question {
  /** The question asks for values, tangents along `tangents`, or cotangents of all ids from `seeds`. */
  readonly ask:
    | { readonly mode: "evaluate" }
    | { readonly mode: "jvp"; readonly tangents: readonly FlatTensor[] }
    | { readonly mode: "backwardDense"; readonly seeds: readonly Seed[] };
  /** The question is asked so often before the answer counts: repeatedly if the fault is one of memory. */
  readonly times?: number;
  readonly right: readonly FlatTensor[];
  readonly wrong: readonly FlatTensor[];
}

const scalars = (...values: readonly number[]): FlatTensor[] => values.map(scalar);

/** Pulls numbers at the ids back through nodes over scalar inputs. */
function pulled(
  inputs: readonly number[],
  nodes: readonly Node[],
  from: readonly (readonly [id: number, cotangent: number])[],
): Pick<Telling, "graph" | "point" | "ask"> {
  const seeds = from.map(([id, cotangent]) => seed(id, scalar(cotangent)));
  return { ...question(scalars(...inputs), nodes), ask: { mode: "backwardDense", seeds } };
}

/** Pulls `cotangent` back through one node over tensors. */
function pulledFrom(
  cotangent: FlatTensor,
  { graph, point }: Question,
): Pick<Telling, "graph" | "point" | "ask"> {
  const seeds = [seed(graph.inputs.length, cotangent)];
  return { graph, point, ask: { mode: "backwardDense", seeds } };
}

const negative = (parent: number): Node => node("negative", {}, parent);
const add = (x: number, y: number): Node => node("add", {}, x, y);
const multiply = (x: number, y: number): Node => node("multiply", {}, x, y);
const divide = (x: number, y: number): Node => node("divide", {}, x, y);

/** Questions for mutants of every part of a sweep and every kind of rule; search finds the others. */
export const telling: Readonly<Record<string, Telling>> = {
  fan_out_overwritten: {
    ...pulled([2], [negative(0), add(1, 0)], [[2, 1]]),
    right: scalars(0, 1, 1),
    wrong: scalars(-1, 1, 1),
  },
  repeated_operand_once: {
    ...pulled([3], [multiply(0, 0)], [[1, 1]]),
    right: scalars(6, 1),
    wrong: scalars(3, 1),
  },
  swept_once_per_use: {
    ...pulled([2], [negative(0), add(1, 1)], [[2, 1]]),
    right: scalars(-2, 2, 1),
    wrong: scalars(-4, 2, 1),
  },
  first_branch_only: {
    ...pulled([2], [negative(0), add(1, 1), add(2, 1)], [[3, 1]]),
    right: scalars(-3, 3, 1, 1),
    wrong: scalars(-1, 3, 1, 1),
  },
  stale_cotangents: {
    ...pulled([2], [negative(0), negative(1)], [[2, 1]]),
    times: 2,
    right: scalars(1, -1, 1),
    wrong: scalars(2, -2, 1),
  },
  equal_inputs_merged: {
    ...pulled([3, 3], [node("subtract", {}, 0, 1)], [[2, 1]]),
    right: scalars(1, -1, 1),
    wrong: scalars(0, 0, 1),
  },
  ascending_order: {
    ...pulled([2], [negative(0), negative(1)], [[2, 1]]),
    right: scalars(1, -1, 1),
    wrong: scalars(0, -1, 1),
  },
  seed_overwritten: {
    ...pulled(
      [2],
      [negative(0)],
      [
        [0, 10],
        [1, 1],
      ],
    ),
    right: scalars(9, 1),
    wrong: scalars(-1, 1),
  },
  first_seed_only: {
    ...pulled(
      [2],
      [negative(0)],
      [
        [0, 10],
        [1, 1],
      ],
    ),
    right: scalars(9, 1),
    wrong: scalars(10, 0),
  },
  unused_input_garbage: {
    ...pulled([2, 5], [negative(0)], [[2, 1]]),
    right: scalars(-1, 0, 1),
    wrong: scalars(-1, 5, 1),
  },
  interior_freed: {
    ...pulled([2], [negative(0)], [[1, 1]]),
    right: scalars(-1, 1),
    wrong: scalars(-1, 0),
  },
  operand_dropped: {
    ...pulled([3, 4], [multiply(0, 1)], [[2, 1]]),
    right: scalars(4, 3, 1),
    wrong: scalars(4, -0, 1),
  },
  operands_swapped: {
    ...pulled([3, 4], [divide(0, 1)], [[2, 1]]),
    right: scalars(0.25, -0.1875, 1),
    wrong: scalars(-0.1875, 0.25, 1),
  },
  upstream_ignored: {
    ...pulled([0], [node("tanh", {}, 0)], [[1, 5]]),
    right: scalars(5, 5),
    wrong: scalars(1, 5),
  },
  // The second product is pulled back first, and leaves its cotangent 5 where the first one looks for x, 3.
  operand_clobbered: {
    ...pulled(
      [3, 4],
      [multiply(0, 1), multiply(0, 1)],
      [
        [2, 1],
        [3, 5],
      ],
    ),
    right: scalars(24, 18, 1, 5),
    wrong: scalars(24, 20, 1, 5),
  },
  stop_gradient_leaks: {
    ...pulled([2], [node("stop_gradient", {}, 0)], [[1, 1]]),
    right: scalars(0, 1),
    wrong: scalars(1, 1),
  },
  sqrt_not_halved: {
    ...pulled([4], [node("sqrt", {}, 0)], [[1, 1]]),
    right: scalars(0.25, 1),
    wrong: scalars(0.5, 1),
  },
  cos_sign_lost: {
    ...pulled([Math.PI / 2], [node("cos", {}, 0)], [[1, 1]]),
    right: scalars(-1, 1),
    wrong: scalars(1, 1),
  },
  relu_masked_by_cotangent: {
    ...pulled([2], [node("relu", {}, 0)], [[1, -1]]),
    right: scalars(-1, -1),
    wrong: scalars(0, -1),
  },
  relu_open_at_zero: {
    ...pulled([0], [node("relu", {}, 0)], [[1, 1]]),
    right: scalars(0, 1),
    wrong: scalars(1, 1),
  },
  maximum_tie_to_both: {
    ...pulled([2, 2], [node("maximum", {}, 0, 1)], [[2, 1]]),
    right: scalars(1, 0, 1),
    wrong: scalars(1, 1, 1),
  },
  broadcast_not_summed: {
    ...pulledFrom(tensor([1, 2, 4]), question([scalar(7)], [node("broadcast_to", { shape: [3] }, 0)])),
    right: [scalar(7), tensor([1, 2, 4])],
    wrong: [scalar(4), tensor([1, 2, 4])],
  },
  summed_axis_not_restored: {
    ...pulledFrom(
      tensor([1, 10]),
      question([tensor([1, 2, 3, 4], [2, 2])], [node("sum", { axes: [1], keepdims: false }, 0)]),
    ),
    right: [tensor([1, 1, 10, 10], [2, 2]), tensor([1, 10])],
    wrong: [tensor([1, 10, 1, 10], [2, 2]), tensor([1, 10])],
  },
  sum_drops_last: {
    ...question([tensor([1, 2, 4])], [node("sum", { axes: [0], keepdims: false }, 0)]),
    ask: { mode: "evaluate" },
    right: scalars(7),
    wrong: scalars(3),
  },
  permutation_not_inverted: {
    ...pulledFrom(
      tensor([1, 2, 3, 4, 5, 6], [3, 1, 2]),
      question([tensor([1, 2, 3, 4, 5, 6], [1, 2, 3])], [node("permute_dims", { axes: [2, 0, 1] }, 0)]),
    ),
    right: [tensor([1, 3, 5, 2, 4, 6], [1, 2, 3]), tensor([1, 2, 3, 4, 5, 6], [3, 1, 2])],
    wrong: [tensor([1, 4, 2, 5, 3, 6], [1, 2, 3]), tensor([1, 2, 3, 4, 5, 6], [3, 1, 2])],
  },
  concat_offset: {
    ...pulledFrom(
      tensor([1, 10, 100]),
      question([tensor([1]), tensor([2, 3])], [node("concat", { axis: 0 }, 0, 1)]),
    ),
    right: [tensor([1]), tensor([10, 100]), tensor([1, 10, 100])],
    wrong: [tensor([1]), tensor([1, 10]), tensor([1, 10, 100])],
  },
  repeated_index_overwritten: {
    ...pulledFrom(
      tensor([1, 10]),
      question([tensor([7])], [node("take", { axis: 0, indices: "i" }, 0)], { i: ["index", tensor([0, 0])] }),
    ),
    right: [tensor([11]), tensor([1, 10])],
    wrong: [tensor([10]), tensor([1, 10])],
  },
  matmul_not_transposed: {
    ...pulledFrom(
      tensor([1, 10], [1, 2]),
      question([tensor([1, 0], [1, 2]), tensor([1, 2, 3, 4], [2, 2])], [node("matmul", {}, 0, 1)]),
    ),
    right: [tensor([21, 43], [1, 2]), tensor([1, 10, 0, 0], [2, 2]), tensor([1, 10], [1, 2])],
    wrong: [tensor([31, 42], [1, 2]), tensor([1, 10, 0, 0], [2, 2]), tensor([1, 10], [1, 2])],
  },
  divide_tangent_sign: {
    ...question(scalars(3, 4), [divide(0, 1)]),
    ask: { mode: "jvp", tangents: scalars(1, 4) },
    right: scalars(-0.5),
    wrong: scalars(1),
  },
  product_tangent_dropped: {
    ...question(scalars(3, 4), [multiply(0, 1)]),
    ask: { mode: "jvp", tangents: scalars(1, 10) },
    right: scalars(34),
    wrong: scalars(4),
  },
  single_inside_double: {
    ...question(scalars(1 + 2 ** -30), [negative(0)]),
    ask: { mode: "evaluate" },
    right: scalars(-1 - 2 ** -30),
    wrong: scalars(-1),
  },
};
