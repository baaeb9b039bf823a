import { question } from "./case_text.ts";
import { type Asked, counted, type FindingText, faultsOf } from "./finding_text.ts";
import { findingsOfGo } from "./findings_go.ts";
import { findingsOfJavaScript } from "./findings_javascript.ts";
import { findingsOfNesting } from "./findings_nested.ts";
import { findingsOfPython } from "./findings_python.ts";
import { findingsOfRust } from "./findings_rust.ts";

/** Divides by a denominator so small that its square underflows, though the derivative does not. */
function quotient(x: number, y: number): Asked {
  return { ...question(`divide 0 1 at x=[${x},1] y=[${y},2]`), seeds: { 2: [[2], [1, 3]] } };
}

const throughSquare =
  "the denominator's cotangent is computed through y², which underflows where the result is finite";
const masked = "√relu(x) is constant where x < 0; the mask 0 · ∞ makes its gradient NaN";
const float64Grade = "a float64 function computed with a float32 polynomial";

/** Lists every finding that the judge reproduces. */
export const findings: readonly FindingText[] = [
  ...faultsOf("jaxjs", {
    "cotangents_shifted (cotangents, 3.2): a result that does not depend on the inputs, before one that does: its cotangent is pulled back through the other":
      "stop_gradient 0; add 0 0 at x=[3] seeded 1=[100] 2=[1]",
    "result_of_a_result (crashed, 3.2): two results, one computed from the other: vjp throws":
      "negative 0; multiply 1 1 at x=[1,2] seeded 1=[3,5] 2=[7,11]",
    "divide (divide): a quotient is the product with a rounded reciprocal: 49/49 is not 1": counted(
      "divide 0 1 at x0=[49,3] x1=[49,2.5]",
    ),
    [`exp_float64 (exp): ${float64Grade}`]: counted("exp 0 at x0=[1,100]"),
    [`log_float64 (log): ${float64Grade}`]: counted("log 0 at x0=[2,3]"),
    [`sin_float64 (sin): ${float64Grade}`]: counted("sin 0 at x0=[0.5,100]"),
    [`cos_float64 (cos): ${float64Grade}`]: counted("cos 0 at x0=[0.5,100]"),
    [`tanh_float64 (tanh): ${float64Grade}`]: counted("tanh 0 at x0=[0.5,2]"),
    "log_near_one (log, float32): the series is cut where it has not converged: 12 % off at 0.9999": counted(
      `log 0 at x0=[${1 - 2 ** -13},1.875]`,
    ),
    "sin_large (sin, float32): the argument is reduced with one rounded constant":
      counted("sin 0 at x0=[1000,12345]"),
    "cos_large (cos, float32): the argument is reduced with one rounded constant":
      counted("cos 0 at x0=[11,12345]"),
    "exp_overflows_early (exp, float32): infinite where the result is a finite float32": {
      ...question("exp 0 at x0=[88.5,1] seeded 1=[0.5,3]"),
      tangents: [[[2], [0.5, 0.25]]],
    },
    "tanh_cancels (tanh, float32): (e⁻²ˣ − 1)/(e⁻²ˣ + 1) loses every digit near 0": counted(
      `tanh 0 at x0=[${2 ** -27},1]`,
    ),
    "divide_cotangent_overflows (divide, float32): the denominator's cotangent is computed through (1/y)², which overflows where the result does not":
      quotient(2 ** -100, 2 ** -66),
  }),
  ...faultsOf("tfjs", {
    "broadcast_to_empty (broadcast_to, float32, 1.1): an axis of extent 1 broadcast to extent 0 keeps its element":
      "broadcast_to 0 shape=[0] at x=[7]",
    [`divide_cotangent_overflows (divide, float32): ${throughSquare}`]: quotient(2 ** -100, 2 ** -80),
  }),
  ...faultsOf("jax", {
    [`divide_cotangent_overflows (divide, float32): ${throughSquare}`]: quotient(2 ** -100, 2 ** -80),
  }),
  ...faultsOf("autograd", {
    [`divide_cotangent_overflows (divide): ${throughSquare}`]: quotient(2 ** -600, 2 ** -560),
  }),
  ...faultsOf("tfjs", { [`relu_passes_nan (relu, float32, 6.4): ${masked}`]: "relu 0; sqrt 1 at x=-1" }),
  ...faultsOf("autograd", { [`relu_passes_nan (relu, 6.4): ${masked}`]: "relu 0; sqrt 1 at x=-1" }),
  ...faultsOf("jax", {
    "maximum_passes_nan (maximum, float32, 6.4): the operand that maximum did not choose gets NaN from an infinite cotangent":
      "maximum 0 1; sqrt 2 at x=-1 y=0",
  }),
  ...faultsOf("autograd", {
    "broadcast_drops (cotangents, 1.1): an axis of extent 1 broadcast to extent 0: the empty cotangent swallows what other readers send":
      "add 0 0; broadcast_to 1 shape=[0] at x=[3] seeded 1=[3] 2=[]",
  }),
  ...faultsOf("tfjs", {
    "where_passes_nan (where, float32, 6.4): the operand that where did not choose gets NaN from an infinite cotangent":
      "where 0 1 2; sqrt 3 at c=1 x=0 y=3",
  }),
  ...findingsOfJavaScript,
  ...findingsOfPython,
  ...findingsOfNesting,
  ...faultsOf("candle", {
    [`divide_cotangent_overflows (divide): ${throughSquare}`]: quotient(2 ** -600, 2 ** -560),
    [`relu_passes_nan (relu, 6.4): ${masked}`]: "relu 0; sqrt 1 at x=-1",
  }),
  ...findingsOfRust,
  ...findingsOfGo,
];
