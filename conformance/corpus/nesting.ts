import type { Graph } from "../../spec/graph/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import { array, type NodesText, type NodeText, nodesFrom, question, tensor } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/**
 * Makes the node that differentiates an inner graph without Δ, whose inputs are one fewer than `parents` and
 * all of one shape: the last id by input 0, unless `asked` names another `of` or `wrt`.
 */
function derivative(
  mode: string,
  parents: readonly number[],
  shape: Shape,
  text: NodesText,
  asked: object = {},
): NodeText {
  const format: Graph["format"] = "adjudge.graph.v1";
  const inputs = parents.slice(1).map((_, place) => ({ name: `y${place}`, shape }));
  const nodes = nodesFrom(text).map(([op, parents, attributes = {}]) => ({ op, parents, attributes }));
  const graph = { format, inputs, environment: [], nodes };
  return ["differentiate", parents, { graph, mode, of: inputs.length + nodes.length - 1, wrt: 0, ...asked }];
}

/**
 * Returns the case of a text such as `jvp wrt=1 of vjp of multiply 0 1 at x=3 y=2 c=5 t=7`: derivatives of a
 * derivative of an inner graph. Each level hands its inputs on but the last, its own direction.
 */
function nested(text: string): Pick<VectorText, "inputs" | "nodes"> {
  const levels = text.split(" of ");
  const { inputs, nodes } = question(levels.pop() ?? "");
  const shapes = Object.values(inputs).map(([shape]) => shape);
  const differentiated = levels.reduceRight<NodesText>((inner, level, depth) => {
    const parents = shapes.slice(depth).map((_, place) => place);
    return nodesFrom(level).map(([mode, , asked]) =>
      derivative(mode, parents, shapes[0] ?? [], inner, asked),
    );
  }, nodes);
  return { inputs, nodes: differentiated };
}

/** Returns the vectors of a table by heading, whose texts {@link nested} reads. */
function derivatives(table: Parameters<typeof vectors>[0]): VectorText[] {
  const read = Object.entries(table).map(([heading, asked]) => [
    heading,
    typeof asked === "string" ? nested(asked) : asked,
  ]);
  return vectors(Object.fromEntries(read));
}

/** Lists every pair of modes, for two levels. */
const orders = ["jvp", "vjp"].flatMap((outer) => ["jvp", "vjp"].map((within) => [outer, within] as const));

/** Makes x · d/dy (x · y + y · y), whose inner derivative depends on the outer variable. */
function closure(outer: string, within: string): VectorText[] {
  return derivatives({
    [`closure_${outer}_of_${within} (6.6, F01): d/dx (x · d/dy (x + y)) = 1, ${outer} of ${within}: the captured x has a perturbation of its own level`]:
      {
        inputs: { x: array(2), y: array(5), one: array(1) },
        nodes: [
          derivative(
            outer,
            [0, 1, 2, 2],
            [],
            [derivative(within, [0, 1, 2], [], "add 0 1", { wrt: 1 }), "multiply 0 3"],
          ),
        ],
        tangents: [array(1.5), array(-2.5), array(0)],
      },
  });
}

/** Differentiates x³ twice along two directions. */
function secondOfCube(outer: string, within: string): VectorText[] {
  const asked = `${outer} of ${within} of multiply 0 0; multiply 1 0 at x=[2,3] a=[1,7] b=[5,-3]`;
  return derivatives({
    [`second_of_cube_${outer}_of_${within} (6.6, A22): 6x, ${outer} of ${within}: the first derivative keeps what the second one reads`]:
      asked,
  });
}

/** Differentiates a function twice: each derivative reads the value that the rule saved. */
function saved(op: string, outer: string, within: string): VectorText[] {
  const asked = `${outer} of ${within} of ${op} 0 at x=[0.5,2] a=[3,7] b=[2,-5]`;
  return derivatives({
    [`saved_${op}_${outer}_of_${within} (6.6, F06): the second derivative of ${op}, ${outer} of ${within}: what the first one saved depends on the point`]:
      asked,
  });
}

/** Wraps stop_gradient(x) · x in so many levels of differentiation. */
function stopped(outer: string, within: string): VectorText[] {
  const asked = `${outer} of ${within} of stop_gradient 0; multiply 1 0; multiply 2 0 at x=3 a=2 b=5`;
  return derivatives({
    [`stopped_factor_${outer}_of_${within} (2.6, F05): stop(x) · x · x, ${outer} of ${within}: what is stopped is a constant at every level`]:
      asked,
  });
}

/** Differentiates x⁴ three times, with a mode for each level. */
function third(outer: string, middle: string, within: string): VectorText[] {
  return derivatives({
    [`third_${outer}_of_${middle}_of_${within} (6.6): 24x, ${outer} of ${middle} of ${within}: y = y · y twice, three levels`]:
      {
        ...nested(`${outer} of ${middle} of ${within} of multiply 0 0; multiply 1 1 at x=2 a=1.5 b=-2 c=3`),
        links: ["https://github.com/pymc-devs/pytensor/pull/1975"],
      },
  });
}

/** Vectors of nested derivatives: levels that must not be confused, and what one hands to the next. */
export const nesting: readonly VectorText[] = [
  ...orders.flatMap(([outer, within]) => closure(outer, within)),
  ...orders.flatMap(([outer, within]) => secondOfCube(outer, within)),
  ...orders.flatMap(([outer, within]) => saved("exp", outer, within)),
  ...orders.flatMap(([outer, within]) => stopped(outer, within)),
  ...saved("tanh", "vjp", "vjp"),
  ...saved("sqrt", "jvp", "vjp"),
  ...saved("log", "vjp", "jvp"),
  ...saved("sin", "jvp", "jvp"),
  ...third("jvp", "jvp", "jvp"),
  ...third("vjp", "vjp", "vjp"),
  ...third("jvp", "vjp", "jvp"),
  ...third("vjp", "jvp", "vjp"),
  ...derivatives({
    "same_operand_twice (6.6): x · x within: both places count": "vjp of multiply 0 0 at x=[3,4] c=[5,7]",
    "one_value_for_two_inputs (6.6): d/dy (y · z) at y = z = x: the outer sweep reaches x through z alone": {
      inputs: { x: array([3, 4]) },
      nodes: [derivative("vjp", [0, 0, 0], [2], "multiply 0 1")],
    },
    "with_respect_to_the_second (6.6): wrt is the second of two inputs of one shape":
      "jvp wrt=1 of multiply 0 0; multiply 2 1 at x=[2,3] y=[5,7] t=[11,13]",
    "with_respect_to_the_first (6.6): wrt is the first of two inputs of one shape":
      "vjp of multiply 0 0; multiply 2 1 at x=[2,3] y=[5,7] c=[11,13]",
    "of_a_value_between (6.6): of is not the last id of the inner graph":
      "jvp of=1 of multiply 0 0; multiply 1 0 at x=[2,3] t=[5,7]",
    "of_a_value_between_in_reverse (6.6): what comes after of leads nowhere":
      "vjp of=1 of multiply 0 0; exp 1 at x=[2,3] c=[5,7]",
    "of_the_input_itself (6.6): of is wrt: the tangent comes back": "jvp of=0 of exp 0 at x=[2,3] t=[5,7]",
    "input_that_is_not_read (6.6): the derivative with respect to what is not read is zero, forward":
      "jvp wrt=1 of exp 0 at x=[2,3] y=[4,6] t=[5,7]",
    "input_that_is_not_read_in_reverse (6.6): the derivative with respect to what is not read is zero":
      "vjp wrt=1 of exp 0 at x=[2,3] y=[4,6] c=[5,7]",
    "linear_in_the_cotangent (6.6): a vjp is linear in its cotangent, and has a derivative with respect to it":
      "vjp of multiply 0 0; multiply 1 0 at x=[2,3] c=[5,7]",
    "linear_in_the_tangent (6.6): a jvp is linear in its tangent, and has a derivative with respect to it":
      "jvp of multiply 0 0; multiply 1 0 at x=[2,3] t=[5,7]",
    "two_readers (6.6): x² + x³: two readers of x, whose cotangents add up within":
      "vjp of multiply 0 0; multiply 1 0; add 1 2 at x=[2,3] c=[5,7]",
    "captured_factor (6.6): d/dx (p · x²) = 2px, of which the derivative by p is 2x": {
      links: ["https://github.com/tsotchke/eshkol/pull/246"],
      ...nested("jvp wrt=1 of multiply 1 1; multiply 0 2 at p=3 x=2 t=1.5"),
    },
    "captured_factor_in_reverse (6.6): d/dx (p · x²) by reverse, captured p":
      "vjp wrt=1 of multiply 1 1; multiply 0 2 at p=3 x=2 c=1.5",
    "captured_by_two_levels (6.6): d²/dx² (p · x²) = 2p: the parameter is captured by both levels, and its cotangent is 2":
      {
        ...nested("jvp wrt=1 of jvp wrt=1 of multiply 1 1; multiply 0 2 at p=3 x=2 a=1.5 b=5"),
        links: ["https://github.com/tsotchke/eshkol/pull/138"],
      },
    "product_and_sum_of_two_tags (6.6, F03): D(x → D(y → x · y + x)(2))(3) = 1: each operation has tangents of two levels":
      {
        inputs: { x: array(3), y: array(2), one: array(1) },
        nodes: [
          derivative(
            "jvp",
            [0, 1, 2, 2],
            [],
            [derivative("jvp", [0, 1, 2], [], "multiply 0 1; add 2 0", { wrt: 1 })],
          ),
        ],
        tangents: [array(1.5), array(-2.5), array(0)],
      },
    "hessian_vector_product (6.6): of x·x·y by forward over reverse, for two directions":
      "jvp of vjp of multiply 0 0; multiply 2 1 at x=[2,3] y=[5,7] c=[1.5,2] t=[11,13]",
    "mixed_partial (6.6): ∂²/∂y∂x of x² · y by two reverse sweeps: the second with respect to what the first captured":
      "vjp wrt=1 of vjp of multiply 0 0; multiply 2 1 at x=[2,3] y=[5,7] c=[1.5,2] d=[11,13]",
    "second_sweep_of_a_diamond (6.6, A06, F11): (x · x) + (x · x) twice read, differentiated twice in reverse: each cotangent counts once at each level":
      "vjp of vjp of multiply 0 0; multiply 1 0; add 1 2; multiply 3 1 at x=2 a=3 b=5",
    "derivative_of_a_derivative_at_the_same_point (6.6): x · d/dx (x³) at one x: the outer sweep sees the point within, too":
      {
        inputs: { x: array([2, 3]), t: array([5, 7]) },
        nodes: [derivative("jvp", [0, 1], [2], "multiply 0 0; multiply 1 0"), "multiply 0 2"],
      },
    "cancelled_third_power (6.6): x⁴ + 0 · x³, forward over reverse at 1: 12": {
      ...nested(
        "jvp of vjp of multiply 0 0; multiply 2 0; multiply 3 0; multiply 1 3; add 4 5 at x=1 zero=0 a=1.5 b=2",
      ),
      links: ["https://github.com/EnzymeAD/Enzyme.jl/issues/748"],
    },
    "second_of_a_determinant (6.6): det [[t + 2, 1], [1, 2t + 3]] twice forward: the derivative of the cofactors counts":
      {
        links: ["https://github.com/pytorch/pytorch/issues/196696"],
        inputs: { a: tensor([2, 2], [2.5, 1, 1, 4]), t: tensor([2, 2], [1, 0, 0, 2]) },
        nodes: [derivative("jvp", [0, 1, 1], [2, 2], [derivative("jvp", [0, 1], [2, 2], "det 0")])],
      },
    "third_at_a_removable_point (6.6, C39): the third derivative of (1 − exp(1 − x))² at 1 is −6: no power −1 of 0":
      {
        inputs: { x: array(1), a: array(1.5) },
        nodes: [
          derivative(
            "jvp",
            [0, 1, 1],
            [],
            [
              derivative(
                "jvp",
                [0, 1],
                [],
                "full shape=[] value=1; full shape=[] value=2; subtract 1 0; exp 3; subtract 1 4; pow 5 2",
              ),
            ],
          ),
        ],
      },
    "power_at_zero (6.6): the derivative of x² through pow at 0": "vjp of pow 0 1 at x=[0,3] n=[2,2] c=[5,7]",
    "stopped_forward (6.6): x · x + stop(x³): a block without gradient in forward mode": {
      links: ["https://github.com/pytorch/pytorch/issues/128600"],
      ...nested("jvp of multiply 0 0; multiply 1 0; stop_gradient 2; add 1 3 at x=1 t=3"),
    },
    "stopped_in_reverse (6.6): x · x + stop(x³): a block without gradient in reverse mode": {
      links: ["https://github.com/pytorch/pytorch/issues/128600"],
      ...nested("vjp of multiply 0 0; multiply 1 0; stop_gradient 2; add 1 3 at x=1 c=3"),
    },
    "ramp (6.6): relu within, on both sides of its kink": "jvp of relu 0; multiply 1 0 at x=[-2,3] t=[5,7]",
    "choice (6.6): where within: the tangent follows the branch that was taken":
      "jvp of multiply 0 0; relu 0; where 2 1 0 at x=[-2,3] t=[5,7]",
    "quotient (6.6): the divisor that a quotient saved depends on the point":
      "vjp wrt=1 of divide 0 1 at x=[2,4] y=[5,8] c=[3,7]",
    "length (6.6): the norm away from 0, whose slope has a slope":
      "vjp of norm 0 axes=[0] keepdims=false at x=[3,4] c=5",
    "exponent (6.6): the derivative of a power by its exponent":
      "jvp wrt=1 of pow 0 1 at x=[2,3] n=[1.5,2] t=[5,7]",
    "third_of_a_power_at_zero (6.6, C39): the second and third derivative of (x − 1)³ through pow at 1, where a power −1 of 0 has no business":
      {
        inputs: { x: array([1, 3]), a: array([1.5, 2]) },
        nodes: [
          derivative(
            "jvp",
            [0, 1, 1],
            [2],
            [
              derivative(
                "jvp",
                [0, 1],
                [2],
                "full shape=[2] value=1; full shape=[2] value=3; subtract 0 1; pow 3 2",
              ),
            ],
          ),
        ],
      },
  }),
];
