import type { Shape } from "../../spec/shapes/index.ts";
import { type NodeText, nodesFrom } from "./case_text.ts";
import { type Asked, type FindingText, faultsOf } from "./finding_text.ts";

/** Makes the node that differentiates an inner graph by its first input, whose inputs have one shape. */
function derivative(mode: "vjp" | "jvp", parents: readonly number[], shape: Shape, inner: string): NodeText {
  const inputs = parents.slice(1).map((_, place) => ({ name: `y${place}`, shape }));
  const nodes = nodesFrom(inner).map(([op, parents, attributes]) => ({ op, attributes, parents }));
  const graph = { format: "adjudge.graph.v1", inputs, environment: [], nodes };
  return ["differentiate", parents, { graph, mode, of: inputs.length + nodes.length - 1, wrt: 0 }];
}

/** Differentiates an inner graph by its first input, at scalars; the last of `parents` is the direction. */
function differentiated(
  inner: string,
  point: Readonly<Record<string, number>>,
  parents: readonly number[],
  mode: "vjp" | "jvp" = "vjp",
): Asked {
  const inputs = Object.entries(point).map(([name, x]) => [name, [[], [x]] as const] as const);
  const seeds = { [inputs.length]: [[], [1]] as const };
  return { inputs: Object.fromEntries(inputs), nodes: [derivative(mode, parents, [], inner)], seeds };
}

const saved = "what the gradient keeps of the result is constant to the second derivative";

/** Lists wrong second derivatives of engines whose first derivatives are right there. */
export const findingsOfNesting: readonly FindingText[] = [
  ...faultsOf("tfjs", {
    "captured_is_varied (differentiate, float32): d/dy (y · x) at y = x is x; where both are one tensor it answers the derivative of x²":
      differentiated("multiply 0 1", { x: 3, c: 1 }, [0, 0, 1]),
    [`second_derivative_of_exp (differentiate, float32): ${saved}`]: differentiated(
      "exp 0; multiply 0 1",
      { x: 1, c: 1 },
      [0, 1],
    ),
    [`second_derivative_of_sigmoid (differentiate, float32): ${saved}`]: differentiated(
      "sigmoid 0; multiply 0 1",
      { x: 1, c: 1 },
      [0, 1],
    ),
    [`second_derivative_of_tanh (differentiate, float32): ${saved}`]: differentiated(
      "tanh 0; multiply 0 1",
      { x: 1, c: 1 },
      [0, 1],
    ),
  }),
  ...faultsOf("jax", {
    "hypot_second_derivative (differentiate): both operands are as large, and each is taken for half of the larger and half of the smaller":
      differentiated("hypot 0 1", { x: 3, y: 3, c: 1 }, [0, 1, 2]),
  }),
  ...faultsOf("autograd", {
    "pow_mixed_derivative (differentiate): the derivative of xʸ by x is taken for y · x where y is 0, so that its derivative by y is x, not 1/x":
      differentiated("pow 0 1", { x: 5, y: 0, c: 1 }, [0, 1, 2]),
  }),
  ...faultsOf("pytorch", {
    "pow_second_derivative_of_exponent_zero (differentiate): x⁰ is 1 for every x; its second derivative at 0 is computed as 0 · 0⁻²":
      differentiated("full shape=[] value=0; pow 0 1", { x: 0, c: 1 }, [0, 1]),
    "pow_reverse_over_forward (differentiate): the exponent does not move, and its tangent of 0 meets the logarithm of a negative number":
      differentiated("full shape=[] value=2; pow 0 1", { x: -2, t: 1 }, [0, 1], "jvp"),
    "jvp_at_broadcast (crashed): forward mode at a tensor that was broadcast: the tangent is to be copied into memory laid out as the tensor's":
      {
        inputs: { x: [[], [2]], t: [[2], [3, 5]] },
        nodes: ["broadcast_to 0 shape=[2]", derivative("jvp", [2, 1], [2], "sin 0")],
      },
  }),
];
