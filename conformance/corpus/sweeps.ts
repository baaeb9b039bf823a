import { array, type NodeText, question } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Vectors of a sweep's seeds, shared values and repeated work. */
export const sweeps: readonly VectorText[] = vectors({
  "scaled_cube (2.3, A02): c·x·x·x: x stands in three places of three nodes, and each counts": {
    ...question("multiply 1 0; multiply 2 0; multiply 3 0 at x=7 c=0.1"),
    probe: { right: { x: [14.7] }, wrong: { x: [4.9] } },
  },
  "double_of_double (4.8, A03): (a + a) + (a + a) through one shared node: visited once per path it counts twice too often":
    { ...question("add 0 0; add 1 1 at a=1"), probe: { right: { a: [4] }, wrong: { a: [8] } } },
  "aggregate_field (3.4, A08): the first field of a pair: the aggregate's cotangent and the field's are one, and the other field gets zero":
    {
      ...question("concat 0 1 axis=0; take 2 axis=0 indices=first at x=[3] other=[5] where first=[0]"),
      probe: { right: { x: [1], other: [0] }, wrong: { x: [2] } },
    },
  "vector_result (3.2, A17): a result of two components: the cotangent given is pulled back, not an implicit one of all ones":
    { ...question("add 0 0; concat 0 1 axis=0 at x=[2]"), flags: ["hidden_by_ones"] },
  "seed_keeps_its_axes (3.2, A24): a sum with its axes kept has one element and two axes; so has its seed":
    "sum 0 axes=[0,1] keepdims=true at x=[[1,2,3],[4,5,6]]",
  "unreached_overflow (3.8, A14): exp(1000) on a branch that no seed reaches: 0·∞ belongs to the dense form alone":
    {
      ...question("exp 0; negative 0 at x=1000"),
      flags: ["overflow"],
      probe: { right: { x: [-1] }, wrong: { x: [Number.NaN] } },
    },
  "residual_chain (3.4, E05): y + w·y three times: each y is read twice, and its cotangent must live until both readers have added to it":
    {
      inputs: { y: array([2, -3]), w: array([0.5, 0.25]) },
      nodes: [0, 1, 2].flatMap((turn): NodeText[] => {
        const y = turn === 0 ? 0 : 2 * turn + 1;
        return [
          ["multiply", [1, y]],
          ["add", [y, 2 * turn + 2]],
        ];
      }),
    },
  "loop_of_exponentials (2.2, E09): s = exp(c·s) three times: each turn is differentiated at its own s, not at the last one":
    "multiply 0 1; exp 2; multiply 3 1; exp 4; multiply 5 1; exp 6 at s=1 c=0.125",
  "loop_of_products (2.2, E09): s = s·x three times, the same x in each turn":
    "multiply 0 1; multiply 2 1; multiply 3 1 at s=2 x=3",
  "loop_carry (3.4, F08): h = w·h + x over three inputs: the carry hands its cotangent from turn to turn":
    "multiply 1 0; add 5 2; multiply 1 6; add 7 3; multiply 1 8; add 9 4 at h=2 w=0.5 x0=1 x1=-3 x2=4",
  "complex_square (3.5, F09): z² as two real numbers, each with its own cotangent: the pullback is the transposed Jacobian, with no conjugate left out or put in":
    "multiply 0 0; multiply 1 1; subtract 2 3; multiply 0 1; add 5 5 at re=1 im=2 seeded 4=3 6=5",
  "complex_modulus (3.5, F09): |z|² as a function of two real numbers":
    "multiply 0 0; multiply 1 1; add 2 3 at re=1 im=2",
  "stopped_tangent (2.6, F10): what passed stop_gradient has a tangent of zero and hands on a cotangent of zero, neither of them missing":
    "stop_gradient 0 at x=[2,5]",
  "stopped_twice_read (2.6, F05): x·stop(x)·x: the stopped factor counts as a constant in both products":
    "stop_gradient 0; multiply 0 1; multiply 2 0 at x=2",
});
