import { array, tensor } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

/** Vectors of linear systems and determinants. */
export const systems: readonly VectorText[] = [
  {
    name: "inverse_by_solving",
    clause: "2.5",
    defects: ["C37"],
    note: "the inverse of a symmetric matrix, as a solution: both triangles are read, and both get their share",
    inputs: {
      A: array([
        [2, 1],
        [1, 3],
      ]),
    },
    constants: {
      identity: array([
        [1, 0],
        [0, 1],
      ]),
    },
    nodes: [
      ["constant", [], { name: "identity" }],
      ["solve", [0, 1]],
    ],
    probe: { right: { A: [-0.16, -0.08, -0.08, -0.04] }, wrong: { A: [-0.565, -0.23, -0.07, -0.14] } },
  },
  {
    name: "triangular_matrix_solved",
    clause: "2.5",
    defects: ["C37"],
    note: "a matrix that happens to be triangular: its zero is an entry like the others",
    inputs: {
      A: array([
        [2, 1],
        [0, 4],
      ]),
      b: array([[3], [5]]),
    },
    nodes: [["solve", [0, 1]]],
  },
  {
    name: "stack_of_systems",
    clause: "2.5",
    note: "two systems at once, each with two right-hand sides",
    inputs: {
      A: tensor([2, 2, 2], [2, 1, 0, 4, 1, -1, 2, 2]),
      B: tensor([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]),
    },
    nodes: [["solve", [0, 1]]],
  },
  {
    name: "determinant_of_a_singular_matrix",
    clause: "2.5",
    defects: ["C11"],
    flags: ["singular"],
    note: "the determinant is 0 and has a gradient all the same: the cofactors, which det·A⁻ᵀ cannot give",
    inputs: {
      A: array([
        [1, 2],
        [3, 6],
      ]),
    },
    nodes: [["det", [0]]],
    probe: { right: { A: [6, -3, -2, 1] }, wrong: { A: [Number.NaN, Number.NaN, Number.NaN, Number.NaN] } },
  },
  {
    name: "determinant_not_symmetric",
    clause: "2.5",
    defects: ["B14"],
    note: "the cofactors of a matrix that is not symmetric, which must not come out transposed",
    inputs: {
      A: array([
        [2, 1, 0],
        [3, 4, 5],
        [1, 0, 2],
      ]),
    },
    nodes: [["det", [0]]],
  },
];
