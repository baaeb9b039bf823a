import { expect } from "vitest";
import type { Engine } from "../../engines/index.ts";
import {
  expectByHand,
  type HandComputed,
  loaded,
  node,
  question,
  resultOf,
  scalar,
  seed,
  tensor,
} from "./asking.test.kit.ts";

const great = 2 ** 53;

/** The sum of 1, 1 and 2⁵³ where 1 + 1 is one contribution; element by element after 2⁵³ it is 2⁵³. */
const byNodes = great + 2;

/** A tape that shares variables through a move, or a choice, adds these up in an order of no graph. */
const movesByHand: readonly HandComputed[] = [
  {
    title: "a result that is read twice, and another move of its operand",
    ...question(
      [scalar(2)],
      [
        node("reshape", { shape: [1] }, 0),
        node("reshape", { shape: [1] }, 0),
        node("negative", {}, 1),
        node("negative", {}, 1),
        node("negative", {}, 2),
      ],
    ),
    seeds: [seed(3, tensor([-1])), seed(4, tensor([-1])), seed(5, tensor([-great]))],
    values: [tensor([2]), tensor([2]), tensor([-2]), tensor([-2]), tensor([-2])],
    pulled: [scalar(byNodes)],
  },
  {
    title: "an operand that a move reads twice, and another node once",
    ...question(
      [scalar(2)],
      [node("broadcast_to", { shape: [2] }, 0), node("negative", {}, 1), node("negative", {}, 0)],
    ),
    seeds: [seed(2, tensor([-1, -1])), seed(3, scalar(-great))],
    values: [tensor([2, 2]), tensor([-2, -2]), scalar(-2)],
    pulled: [scalar(byNodes)],
  },
  {
    title: "a choice that gives its operand",
    ...question(
      [scalar(2)],
      [node("relu", {}, 0), node("negative", {}, 1), node("negative", {}, 1), node("negative", {}, 0)],
    ),
    seeds: [seed(2, scalar(-1)), seed(3, scalar(-1)), seed(4, scalar(-great))],
    values: [scalar(2), scalar(-2), scalar(-2), scalar(-2)],
    pulled: [scalar(byNodes)],
  },
  {
    title: "a joined array that is read twice, and its parts",
    ...question(
      [tensor([2]), tensor([3])],
      [
        node("concat", { axis: 0 }, 0, 1),
        node("negative", {}, 2),
        node("negative", {}, 2),
        node("negative", {}, 0),
        node("negative", {}, 1),
      ],
    ),
    seeds: [
      seed(3, tensor([-1, -1])),
      seed(4, tensor([-1, -1])),
      seed(5, tensor([-great])),
      seed(6, tensor([-great])),
    ],
    values: [tensor([2, 3]), tensor([-2, -3]), tensor([-2, -3]), tensor([-2]), tensor([-3])],
    pulled: [tensor([byNodes]), tensor([byNodes])],
  },
  {
    title: "a row that meets two columns",
    ...question(
      [tensor([2], [1, 1]), tensor([1, 1], [1, 2])],
      [node("matmul", {}, 0, 1), node("negative", {}, 0)],
    ),
    seeds: [seed(2, tensor([1, 1], [1, 2])), seed(3, tensor([-great], [1, 1]))],
    values: [tensor([2, 2], [1, 2]), tensor([-2], [1, 1])],
    pulled: [tensor([byNodes], [1, 1]), tensor([2, 2], [1, 2])],
  },
  {
    // The cotangents are Ȳ Xᵀ and Xᵀ Ȳ: 1 + 1 and 2⁵³ at the first element, 2⁵³ and 1 at the middle one.
    title: "a matrix times itself: a sum of two",
    ...question([tensor([0, 1, 1, great, 0, 0, 0, 0, 0], [3, 3])], [node("matmul", {}, 0, 0)]),
    seeds: [seed(1, tensor([0, 1, 1, 1, 0, 0, 0, 0, 0], [3, 3]))],
    values: [tensor([great, 0, 0, 0, great, great, 0, 0, 0], [3, 3])],
    pulled: [tensor([byNodes, 0, 0, 0, great, 1, 0, 1, 1], [3, 3])],
  },
];

/** Asks a tape of scalars for cotangents of moves, alone and beside those of the nodes, to the bit. */
export async function expectMovesByNodes(engine: Engine): Promise<void> {
  for (const one of movesByHand) {
    await expectByHand(engine, "float64", one);
    const program = await loaded(engine, one.graph, "float64");
    const dense = resultOf(await program.backwardDense(one.point, one.seeds));
    expect([one.title, dense.slice(0, one.pulled.length)]).toEqual([one.title, one.pulled]);
  }
}
