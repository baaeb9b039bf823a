import type { Graph } from "../../spec/graph/index.ts";
import { array, type NodeText, type TensorText, tensor } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

/** An inner graph as a suite writes it: a shape for each input, and nodes. */
interface InnerText {
  readonly inputs: readonly TensorText[0][];
  readonly nodes: readonly NodeText[];
  /** The id to differentiate; the last one unless given. */
  readonly of?: number;
  /** The input to differentiate by; input 0 unless given. */
  readonly wrt?: number;
}

/** Returns the attributes of `differentiate` for an inner graph without Δ. */
function inner(
  mode: "vjp" | "jvp",
  { inputs, nodes, of = inputs.length + nodes.length - 1, wrt = 0 }: InnerText,
): object {
  const format: Graph["format"] = "adjudge.graph.v1";
  return {
    graph: {
      format,
      inputs: inputs.map((shape, place) => ({ name: `y${place}`, shape })),
      environment: [],
      nodes: nodes.map(([op, parents, attributes = {}]) => ({ op, parents, attributes })),
    },
    mode,
    of,
    wrt,
  };
}

/** Makes the node that differentiates an inner graph. */
function derivative(mode: "vjp" | "jvp", parents: readonly number[], text: InnerText): NodeText {
  return ["differentiate", parents, inner(mode, text)];
}

const scalar = [] as const;
const jvp = "jvp";
const vjp = "vjp";

/** Computes x³ as an inner graph of x; its derivatives build on it. */
const cube: readonly NodeText[] = [
  ["multiply", [0, 0]],
  ["multiply", [1, 0]],
];

/** Lists every pair of modes, for two levels. */
const orders = [
  [jvp, jvp],
  [jvp, vjp],
  [vjp, jvp],
  [vjp, vjp],
] as const;

/** Makes x · d/dy (x · y + y · y), whose inner derivative depends on the outer variable. */
function closure(outer: "vjp" | "jvp", within: "vjp" | "jvp"): VectorText {
  return {
    name: `closure_${outer}_of_${within}`,
    clause: "6.6",
    defects: ["F01"],
    note: `d/dx (x · d/dy (x + y)) = 1, ${outer} of ${within}: the captured x has a perturbation of its own level`,
    inputs: { x: array(2), y: array(5), one: array(1) },
    nodes: [
      derivative(outer, [0, 1, 2, 2], {
        inputs: [scalar, scalar, scalar],
        nodes: [
          derivative(within, [0, 1, 2], { inputs: [scalar, scalar], nodes: [["add", [0, 1]]], wrt: 1 }),
          ["multiply", [0, 3]],
        ],
      }),
    ],
    tangents: [array(1.5), array(-2.5), array(0)],
  };
}

/** Differentiates x³ twice along two directions. */
function secondOfCube(outer: "vjp" | "jvp", within: "vjp" | "jvp"): VectorText {
  return {
    name: `second_of_cube_${outer}_of_${within}`,
    clause: "6.6",
    defects: ["A22"],
    note: `6x, ${outer} of ${within}: the first derivative keeps what the second one reads`,
    inputs: { x: array([2, 3]), a: array([1, 7]), b: array([5, -3]) },
    nodes: [
      derivative(outer, [0, 1, 2], {
        inputs: [[2], [2]],
        nodes: [derivative(within, [0, 1], { inputs: [[2]], nodes: cube })],
      }),
    ],
  };
}

/** Differentiates exp twice: each derivative reads the value that the rule saved. */
function saved(op: string, outer: "vjp" | "jvp", within: "vjp" | "jvp"): VectorText {
  return {
    name: `saved_${op}_${outer}_of_${within}`,
    clause: "6.6",
    defects: ["F06"],
    note: `the second derivative of ${op}, ${outer} of ${within}: what the first one saved depends on the point`,
    inputs: { x: array([0.5, 2]), a: array([3, 7]), b: array([2, -5]) },
    nodes: [
      derivative(outer, [0, 1, 2], {
        inputs: [[2], [2]],
        nodes: [derivative(within, [0, 1], { inputs: [[2]], nodes: [[op, [0]]] })],
      }),
    ],
  };
}

/** Wraps stop_gradient(x) · x in so many levels of differentiation. */
function stopped(outer: "vjp" | "jvp", within: "vjp" | "jvp"): VectorText {
  return {
    name: `stopped_factor_${outer}_of_${within}`,
    clause: "2.6",
    defects: ["F05"],
    note: `stop(x) · x · x, ${outer} of ${within}: what is stopped is a constant at every level`,
    inputs: { x: array(3), a: array(2), b: array(5) },
    nodes: [
      derivative(outer, [0, 1, 2], {
        inputs: [scalar, scalar],
        nodes: [
          derivative(within, [0, 1], {
            inputs: [scalar],
            nodes: [
              ["stop_gradient", [0]],
              ["multiply", [1, 0]],
              ["multiply", [2, 0]],
            ],
          }),
        ],
      }),
    ],
  };
}

/** Differentiates x⁴ three times, with a mode for each level. */
function third(outer: "vjp" | "jvp", middle: "vjp" | "jvp", within: "vjp" | "jvp"): VectorText {
  return {
    name: `third_${outer}_of_${middle}_of_${within}`,
    clause: "6.6",
    note: `24x, ${outer} of ${middle} of ${within}: y = y · y twice, three levels`,
    links: ["https://github.com/pymc-devs/pytensor/pull/1975"],
    inputs: { x: array(2), a: array(1.5), b: array(-2), c: array(3) },
    nodes: [
      derivative(outer, [0, 1, 2, 3], {
        inputs: [scalar, scalar, scalar],
        nodes: [
          derivative(middle, [0, 1, 2], {
            inputs: [scalar, scalar],
            nodes: [
              derivative(within, [0, 1], {
                inputs: [scalar],
                nodes: [
                  ["multiply", [0, 0]],
                  ["multiply", [1, 1]],
                ],
              }),
            ],
          }),
        ],
      }),
    ],
  };
}

/** Asks for one inner derivative at one point, within the given surroundings. */
function once(
  name: string,
  note: string,
  mode: "vjp" | "jvp",
  inputs: Readonly<Record<string, TensorText>>,
  text: InnerText,
  extra: Partial<VectorText> = {},
): VectorText {
  const parents = Object.keys(inputs).map((_, place) => place);
  return { name, clause: "6.6", note, inputs, nodes: [derivative(mode, parents, text)], ...extra };
}

const pair: readonly TensorText[0][] = [[2], [2]];

/** Vectors of nested derivatives: levels that must not be confused, and what one hands to the next. */
export const nesting: readonly VectorText[] = [
  ...orders.map(([outer, within]) => closure(outer, within)),
  ...orders.map(([outer, within]) => secondOfCube(outer, within)),
  ...orders.map(([outer, within]) => saved("exp", outer, within)),
  ...orders.map(([outer, within]) => stopped(outer, within)),
  saved("tanh", vjp, vjp),
  saved("sqrt", jvp, vjp),
  saved("log", vjp, jvp),
  saved("sin", jvp, jvp),
  third(jvp, jvp, jvp),
  third(vjp, vjp, vjp),
  third(jvp, vjp, jvp),
  third(vjp, jvp, vjp),
  once(
    "same_operand_twice",
    "x · x within: both places count",
    vjp,
    { x: array([3, 4]), c: array([5, 7]) },
    {
      inputs: [[2]],
      nodes: [["multiply", [0, 0]]],
    },
  ),
  once(
    "one_value_for_two_inputs",
    "d/dy (y · z) at y = z = x: the outer sweep reaches x through z alone",
    vjp,
    { x: array([3, 4]) },
    { inputs: pair, nodes: [["multiply", [0, 1]]] },
    { nodes: [derivative(vjp, [0, 0, 0], { inputs: pair, nodes: [["multiply", [0, 1]]] })] },
  ),
  once(
    "with_respect_to_the_second",
    "wrt is the second of two inputs of one shape",
    jvp,
    { x: array([2, 3]), y: array([5, 7]), t: array([11, 13]) },
    {
      inputs: pair,
      nodes: [
        ["multiply", [0, 0]],
        ["multiply", [2, 1]],
      ],
      wrt: 1,
    },
  ),
  once(
    "with_respect_to_the_first",
    "wrt is the first of two inputs of one shape",
    vjp,
    { x: array([2, 3]), y: array([5, 7]), c: array([11, 13]) },
    {
      inputs: pair,
      nodes: [
        ["multiply", [0, 0]],
        ["multiply", [2, 1]],
      ],
      wrt: 0,
    },
  ),
  once(
    "of_a_value_between",
    "of is not the last id of the inner graph",
    jvp,
    { x: array([2, 3]), t: array([5, 7]) },
    {
      inputs: [[2]],
      nodes: [
        ["multiply", [0, 0]],
        ["multiply", [1, 0]],
      ],
      of: 1,
    },
  ),
  once(
    "of_a_value_between_in_reverse",
    "what comes after of leads nowhere",
    vjp,
    { x: array([2, 3]), c: array([5, 7]) },
    {
      inputs: [[2]],
      nodes: [
        ["multiply", [0, 0]],
        ["exp", [1]],
      ],
      of: 1,
    },
  ),
  once(
    "of_the_input_itself",
    "of is wrt: the tangent comes back",
    jvp,
    { x: array([2, 3]), t: array([5, 7]) },
    { inputs: [[2]], nodes: [["exp", [0]]], of: 0 },
  ),
  once(
    "input_that_is_not_read",
    "the derivative with respect to what is not read is zero, forward",
    jvp,
    { x: array([2, 3]), y: array([4, 6]), t: array([5, 7]) },
    { inputs: pair, nodes: [["exp", [0]]], wrt: 1 },
  ),
  once(
    "input_that_is_not_read_in_reverse",
    "the derivative with respect to what is not read is zero",
    vjp,
    { x: array([2, 3]), y: array([4, 6]), c: array([5, 7]) },
    { inputs: pair, nodes: [["exp", [0]]], wrt: 1 },
  ),
  once(
    "linear_in_the_cotangent",
    "a vjp is linear in its cotangent, and has a derivative with respect to it",
    vjp,
    { x: array([2, 3]), c: array([5, 7]) },
    {
      inputs: [[2]],
      nodes: [
        ["multiply", [0, 0]],
        ["multiply", [1, 0]],
      ],
    },
  ),
  once(
    "linear_in_the_tangent",
    "a jvp is linear in its tangent, and has a derivative with respect to it",
    jvp,
    { x: array([2, 3]), t: array([5, 7]) },
    {
      inputs: [[2]],
      nodes: [
        ["multiply", [0, 0]],
        ["multiply", [1, 0]],
      ],
    },
  ),
  once(
    "two_readers",
    "x² + x³: two readers of x, whose cotangents add up within",
    vjp,
    { x: array([2, 3]), c: array([5, 7]) },
    {
      inputs: [[2]],
      nodes: [
        ["multiply", [0, 0]],
        ["multiply", [1, 0]],
        ["add", [1, 2]],
      ],
    },
  ),
  once(
    "captured_factor",
    "d/dx (p · x²) = 2px, of which the derivative by p is 2x",
    jvp,
    { p: array(3), x: array(2), t: array(1.5) },
    {
      inputs: [scalar, scalar],
      nodes: [
        ["multiply", [1, 1]],
        ["multiply", [0, 2]],
      ],
      wrt: 1,
    },
    { links: ["https://github.com/tsotchke/eshkol/pull/246"] },
  ),
  once(
    "captured_factor_in_reverse",
    "d/dx (p · x²) by reverse, captured p",
    vjp,
    { p: array(3), x: array(2), c: array(1.5) },
    {
      inputs: [scalar, scalar],
      nodes: [
        ["multiply", [1, 1]],
        ["multiply", [0, 2]],
      ],
      wrt: 1,
    },
  ),
  {
    name: "captured_by_two_levels",
    clause: "6.6",
    note: "d²/dx² (p · x²) = 2p: the parameter is captured by both levels, and its cotangent is 2",
    links: ["https://github.com/tsotchke/eshkol/pull/138"],
    inputs: { p: array(3), x: array(2), a: array(1.5), b: array(5) },
    nodes: [
      derivative(jvp, [0, 1, 2, 3], {
        inputs: [scalar, scalar, scalar],
        nodes: [
          derivative(jvp, [0, 1, 2], {
            inputs: [scalar, scalar],
            nodes: [
              ["multiply", [1, 1]],
              ["multiply", [0, 2]],
            ],
            wrt: 1,
          }),
        ],
        wrt: 1,
      }),
    ],
  },
  {
    name: "product_and_sum_of_two_tags",
    clause: "6.6",
    defects: ["F03"],
    note: "D(x → D(y → x · y + x)(2))(3) = 1: each operation has tangents of two levels",
    inputs: { x: array(3), y: array(2), one: array(1) },
    nodes: [
      derivative(jvp, [0, 1, 2, 2], {
        inputs: [scalar, scalar, scalar],
        nodes: [
          derivative(jvp, [0, 1, 2], {
            inputs: [scalar, scalar],
            nodes: [
              ["multiply", [0, 1]],
              ["add", [2, 0]],
            ],
            wrt: 1,
          }),
        ],
      }),
    ],
    tangents: [array(1.5), array(-2.5), array(0)],
  },
  {
    name: "hessian_vector_product",
    clause: "6.6",
    note: "of x·x·y by forward over reverse, for two directions",
    inputs: { x: array([2, 3]), y: array([5, 7]), c: array([1.5, 2]), t: array([11, 13]) },
    nodes: [
      derivative(jvp, [0, 1, 2, 3], {
        inputs: [[2], [2], [2]],
        nodes: [
          derivative(vjp, [0, 1, 2], {
            inputs: pair,
            nodes: [
              ["multiply", [0, 0]],
              ["multiply", [2, 1]],
            ],
          }),
        ],
      }),
    ],
  },
  {
    name: "mixed_partial",
    clause: "6.6",
    note: "∂²/∂y∂x of x² · y by two reverse sweeps: the second with respect to what the first captured",
    inputs: { x: array([2, 3]), y: array([5, 7]), c: array([1.5, 2]), d: array([11, 13]) },
    nodes: [
      derivative(vjp, [0, 1, 2, 3], {
        inputs: [[2], [2], [2]],
        nodes: [
          derivative(vjp, [0, 1, 2], {
            inputs: pair,
            nodes: [
              ["multiply", [0, 0]],
              ["multiply", [2, 1]],
            ],
          }),
        ],
        wrt: 1,
      }),
    ],
  },
  {
    name: "second_sweep_of_a_diamond",
    clause: "6.6",
    defects: ["A06", "F11"],
    note: "(x · x) + (x · x) twice read, differentiated twice in reverse: each cotangent counts once at each level",
    inputs: { x: array(2), a: array(3), b: array(5) },
    nodes: [
      derivative(vjp, [0, 1, 2], {
        inputs: [scalar, scalar],
        nodes: [
          derivative(vjp, [0, 1], {
            inputs: [scalar],
            nodes: [
              ["multiply", [0, 0]],
              ["multiply", [1, 0]],
              ["add", [1, 2]],
              ["multiply", [3, 1]],
            ],
          }),
        ],
      }),
    ],
  },
  {
    name: "derivative_of_a_derivative_at_the_same_point",
    clause: "6.6",
    note: "x · d/dx (x³) at one x: the outer sweep sees the point within, too",
    inputs: { x: array([2, 3]), t: array([5, 7]) },
    nodes: [derivative(jvp, [0, 1], { inputs: [[2]], nodes: cube }), ["multiply", [0, 2]]],
  },
  {
    name: "cancelled_third_power",
    clause: "6.6",
    note: "x⁴ + 0 · x³, forward over reverse at 1: 12",
    links: ["https://github.com/EnzymeAD/Enzyme.jl/issues/748"],
    inputs: { x: array(1), zero: array(0), a: array(1.5), b: array(2) },
    nodes: [
      derivative(jvp, [0, 1, 2, 3], {
        inputs: [scalar, scalar, scalar],
        nodes: [
          derivative(vjp, [0, 1, 2], {
            inputs: [scalar, scalar],
            nodes: [
              ["multiply", [0, 0]],
              ["multiply", [2, 0]],
              ["multiply", [3, 0]],
              ["multiply", [1, 3]],
              ["add", [4, 5]],
            ],
          }),
        ],
      }),
    ],
  },
  {
    name: "second_of_a_determinant",
    clause: "6.6",
    note: "det [[t + 2, 1], [1, 2t + 3]] twice forward: the derivative of the cofactors counts",
    links: ["https://github.com/pytorch/pytorch/issues/196696"],
    inputs: { a: tensor([2, 2], [2.5, 1, 1, 4]), t: tensor([2, 2], [1, 0, 0, 2]) },
    nodes: [
      derivative(jvp, [0, 1, 1], {
        inputs: [
          [2, 2],
          [2, 2],
        ],
        nodes: [derivative(jvp, [0, 1], { inputs: [[2, 2]], nodes: [["det", [0]]] })],
      }),
    ],
  },
  {
    name: "third_at_a_removable_point",
    clause: "6.6",
    defects: ["C39"],
    note: "the third derivative of (1 − exp(1 − x))² at 1 is −6: no power −1 of 0",
    inputs: { x: array(1), a: array(1.5) },
    nodes: [
      derivative(jvp, [0, 1, 1], {
        inputs: [scalar, scalar],
        nodes: [
          derivative(jvp, [0, 1], {
            inputs: [scalar],
            nodes: [
              ["full", [], { shape: [], value: 1 }],
              ["full", [], { shape: [], value: 2 }],
              ["subtract", [1, 0]],
              ["exp", [3]],
              ["subtract", [1, 4]],
              ["pow", [5, 2]],
            ],
          }),
        ],
      }),
    ],
  },
  once(
    "power_at_zero",
    "the derivative of x² through pow at 0",
    vjp,
    { x: array([0, 3]), n: array([2, 2]), c: array([5, 7]) },
    { inputs: pair, nodes: [["pow", [0, 1]]] },
  ),
  once(
    "stopped_forward",
    "x · x + stop(x³): a block without gradient in forward mode",
    jvp,
    { x: array(1), t: array(3) },
    {
      inputs: [scalar],
      nodes: [
        ["multiply", [0, 0]],
        ["multiply", [1, 0]],
        ["stop_gradient", [2]],
        ["add", [1, 3]],
      ],
    },
    { links: ["https://github.com/pytorch/pytorch/issues/128600"] },
  ),
  once(
    "stopped_in_reverse",
    "x · x + stop(x³): a block without gradient in reverse mode",
    vjp,
    { x: array(1), c: array(3) },
    {
      inputs: [scalar],
      nodes: [
        ["multiply", [0, 0]],
        ["multiply", [1, 0]],
        ["stop_gradient", [2]],
        ["add", [1, 3]],
      ],
    },
    { links: ["https://github.com/pytorch/pytorch/issues/128600"] },
  ),
  once(
    "ramp",
    "relu within, on both sides of its kink",
    jvp,
    { x: array([-2, 3]), t: array([5, 7]) },
    {
      inputs: [[2]],
      nodes: [
        ["relu", [0]],
        ["multiply", [1, 0]],
      ],
    },
  ),
  once(
    "choice",
    "where within: the tangent follows the branch that was taken",
    jvp,
    { x: array([-2, 3]), t: array([5, 7]) },
    {
      inputs: [[2]],
      nodes: [
        ["multiply", [0, 0]],
        ["relu", [0]],
        ["where", [2, 1, 0]],
      ],
    },
  ),
  once(
    "quotient",
    "the divisor that a quotient saved depends on the point",
    vjp,
    { x: array([2, 4]), y: array([5, 8]), c: array([3, 7]) },
    { inputs: pair, nodes: [["divide", [0, 1]]], wrt: 1 },
  ),
  once(
    "length",
    "the norm away from 0, whose slope has a slope",
    vjp,
    { x: array([3, 4]), c: array(5) },
    { inputs: [[2]], nodes: [["norm", [0], { axes: [0], keepdims: false }]] },
  ),
  once(
    "exponent",
    "the derivative of a power by its exponent",
    jvp,
    { x: array([2, 3]), n: array([1.5, 2]), t: array([5, 7]) },
    { inputs: pair, nodes: [["pow", [0, 1]]], wrt: 1 },
  ),
  {
    name: "third_of_a_power_at_zero",
    clause: "6.6",
    defects: ["C39"],
    note: "the second and third derivative of (x − 1)³ through pow at 1, where a power −1 of 0 has no business",
    inputs: { x: array([1, 3]), a: array([1.5, 2]) },
    nodes: [
      derivative(jvp, [0, 1, 1], {
        inputs: pair,
        nodes: [
          derivative(jvp, [0, 1], {
            inputs: [[2]],
            nodes: [
              ["full", [], { shape: [2], value: 1 }],
              ["full", [], { shape: [2], value: 3 }],
              ["subtract", [0, 1]],
              ["pow", [3, 2]],
            ],
          }),
        ],
      }),
    ],
  },
];
