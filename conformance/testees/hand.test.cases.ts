import { type HandComputed, node, question, scalar, seed, tensor } from "./asking.test.kit.ts";

const empty = tensor([], [0, 2]);

/** Every engine must answer these correctly; at a kink they hold for every convention. */
export const handComputed: readonly HandComputed[] = [
  {
    title: "a value with two consumers gets both cotangents: x·y + x",
    ...question([scalar(3), scalar(4)], [node("multiply", {}, 0, 1), node("add", {}, 2, 0)]),
    seeds: [seed(3, scalar(2))],
    values: [scalar(12), scalar(15)],
    pulled: [scalar(10), scalar(6)],
  },
  {
    title: "an operand used twice by one node gets both contributions: x·x",
    ...question([scalar(3)], [node("multiply", {}, 0, 0)]),
    seeds: [seed(1, scalar(0.5))],
    values: [scalar(9)],
    pulled: [scalar(3)],
  },
  {
    title: "two seeded results both pull back: x·y and x − y",
    ...question([scalar(3), scalar(4)], [node("multiply", {}, 0, 1), node("subtract", {}, 0, 1)]),
    seeds: [seed(2, scalar(2)), seed(3, scalar(5))],
    values: [scalar(12), scalar(-1)],
    pulled: [scalar(13), scalar(1)],
  },
  {
    title: "a seed on an intermediate leaves the nodes after it out",
    ...question([scalar(3)], [node("multiply", {}, 0, 0), node("add", {}, 1, 1)]),
    seeds: [seed(1, scalar(7))],
    values: [scalar(9), scalar(18)],
    pulled: [scalar(42)],
  },
  {
    title: "a seed on an input is part of that input's cotangent",
    ...question([scalar(3), scalar(4)], [node("multiply", {}, 0, 1)]),
    seeds: [seed(0, scalar(10)), seed(2, scalar(1))],
    values: [scalar(12)],
    pulled: [scalar(14), scalar(3)],
  },
  {
    title: "an input that is not used gets zeros of its shape",
    ...question([scalar(3), tensor([1, 2])], [node("negative", {}, 0)]),
    seeds: [seed(2, scalar(1))],
    values: [scalar(-3)],
    pulled: [scalar(-1), tensor([0, 0])],
  },
  {
    title: "tensors without elements have shapes, sums and cotangents",
    ...question([empty], [node("multiply", {}, 0, 0), node("sum", { axes: [0], keepdims: false }, 1)]),
    seeds: [seed(2, tensor([1, 1]))],
    values: [empty, tensor([0, 0])],
    pulled: [empty],
  },
  {
    title: "scalars divide: x / y",
    ...question([scalar(1), scalar(2)], [node("divide", {}, 0, 1)]),
    seeds: [seed(2, scalar(8))],
    values: [scalar(0.5)],
    pulled: [scalar(4), scalar(-2)],
  },
  {
    title: "cotangents of an index that is taken twice add up",
    ...question([tensor([1, 2, 3])], [node("take", { axis: 0, indices: "rows" }, 0)], {
      rows: { kind: "index", value: tensor([2, 0, 2]) },
    }),
    seeds: [seed(1, tensor([1, 10, 100]))],
    values: [tensor([3, 1, 3])],
    pulled: [tensor([10, 0, 101])],
  },
  {
    title: "nothing is taken, and nothing comes back",
    ...question([tensor([1, 2, 3])], [node("take", { axis: 0, indices: "rows" }, 0)], {
      rows: { kind: "index", value: tensor([]) },
    }),
    seeds: [seed(1, tensor([]))],
    values: [tensor([])],
    pulled: [tensor([0, 0, 0])],
  },
  {
    title: "a broadcast's cotangent is summed over the new and over the stretched axis",
    ...question([tensor([1, 2], [2, 1])], [node("broadcast_to", { shape: [2, 2, 2] }, 0)]),
    seeds: [seed(1, tensor([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2]))],
    values: [tensor([1, 1, 2, 2, 1, 1, 2, 2], [2, 2, 2])],
    pulled: [tensor([14, 22], [2, 1])],
  },
  {
    title: "a matrix product pulls back entry by entry of the batch",
    ...question(
      [tensor([1, 2, 3, 4], [2, 1, 2]), tensor([5, 6, 7, 8], [2, 2, 1])],
      [node("matmul", {}, 0, 1)],
    ),
    seeds: [seed(2, tensor([1, 10], [2, 1, 1]))],
    values: [tensor([17, 53], [2, 1, 1])],
    pulled: [tensor([5, 6, 70, 80], [2, 1, 2]), tensor([1, 2, 30, 40], [2, 2, 1])],
  },
  {
    title: "a product over no elements is zero",
    ...question([tensor([], [2, 0]), tensor([], [0, 1])], [node("matmul", {}, 0, 1)]),
    seeds: [seed(2, tensor([1, 2], [2, 1]))],
    values: [tensor([0, 0], [2, 1])],
    pulled: [tensor([], [2, 0]), tensor([], [0, 1])],
  },
  {
    title: "where pulls back to the chosen operand, and to a computed condition zero",
    ...question(
      [tensor([1, 0]), tensor([2, 3]), tensor([4, 5])],
      [node("multiply", {}, 0, 0), node("where", {}, 3, 1, 2)],
    ),
    seeds: [seed(4, tensor([10, 20]))],
    values: [tensor([1, 0]), tensor([2, 5])],
    pulled: [tensor([0, 0]), tensor([10, 0]), tensor([0, 20])],
  },
  {
    title: "stop_gradient makes a constant of its operand: x · stop(x)",
    ...question([scalar(3)], [node("stop_gradient", {}, 0), node("multiply", {}, 0, 1)]),
    seeds: [seed(2, scalar(5))],
    values: [scalar(3), scalar(9)],
    pulled: [scalar(15)],
  },
  {
    title: "an environment entry is a factor without a cotangent",
    ...question([tensor([1, 2])], [node("constant", { name: "c" }), node("multiply", {}, 0, 1)], {
      c: { kind: "real", value: tensor([3, 4]) },
    }),
    seeds: [seed(2, tensor([1, 10]))],
    values: [tensor([3, 4]), tensor([3, 8])],
    pulled: [tensor([3, 40])],
  },
  {
    title: "axes are permuted, joined and summed away, and come back the same way",
    ...question(
      [tensor([1, 2, 3, 4, 5, 6], [2, 3, 1])],
      [
        node("permute_dims", { axes: [1, 2, 0] }, 0),
        node("concat", { axis: 2 }, 1, 1),
        node("sum", { axes: [2], keepdims: true }, 2),
        node("reshape", { shape: [3] }, 3),
      ],
    ),
    seeds: [seed(4, tensor([1, 10, 100]))],
    values: [
      tensor([1, 4, 2, 5, 3, 6], [3, 1, 2]),
      tensor([1, 4, 1, 4, 2, 5, 2, 5, 3, 6, 3, 6], [3, 1, 4]),
      tensor([10, 14, 18], [3, 1, 1]),
      tensor([10, 14, 18]),
    ],
    pulled: [tensor([2, 20, 200, 2, 20, 200], [2, 3, 1])],
  },
];
