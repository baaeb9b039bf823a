import { floatAt } from "../../../spec/shapes/index.ts";
import { contribute } from "../../interpretation/index.ts";
import { type Mutant, mutantTable, withKernel } from "../mutant.ts";
import { unaryJvp, unaryVjp } from "../rules.ts";

/** Makes both derivatives of a unary elementwise operator from one slope. */
function sloping(slope: (x: number) => number): {
  readonly jvp: ReturnType<typeof unaryJvp>;
  readonly vjp: ReturnType<typeof unaryVjp>;
} {
  return { jvp: unaryJvp((xDot, x) => xDot * slope(x)), vjp: unaryVjp((c, x) => c * slope(x)) };
}

/** These faults concern slopes of elementwise operators, in both modes alike, as one formula would. */
export const smoothMutants: readonly Mutant[] = mutantTable({
  expm1_slope_from_value: {
    fault: "The derivative of expm1 is its value plus 1, which is 0 from −37 down.",
    source: "https://github.com/jax-ml/jax/issues/39794",
    change: withKernel(
      "expm1",
      sloping((x) => Math.expm1(x) + 1),
    ),
  },
  asinh_slope_overflows: {
    fault: "The derivative of asinh is 1/√(x² + 1), which is 0 where the square overflows.",
    source: "https://github.com/jax-ml/jax/issues/40634",
    change: withKernel(
      "asinh",
      sloping((x) => 1 / Math.sqrt(x * x + 1)),
    ),
  },
  acosh_slope_overflows: {
    fault: "The derivative of acosh is 1/√(x² − 1), which is 0 where the square overflows.",
    source: "PyTorch 2.15, met with an adapter",
    change: withKernel(
      "acosh",
      sloping((x) => 1 / (x > 1e150 ? Math.sqrt(x * x - 1) : Math.sqrt(x - 1) * Math.sqrt(x + 1))),
    ),
  },
  erf_slope_zero_at_zero: {
    fault: "erf is differentiated as sign(x) · f(|x|), so its derivative at 0 is 0.",
    source: "tinygrad, met with an adapter",
    change: withKernel(
      "erf",
      sloping((x) => (x === 0 ? 0 : (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x))),
    ),
  },
  asin_slope_zero_at_zero: {
    fault: "asin is differentiated as sign(x) · f(|x|), so its derivative at 0 is 0.",
    source: "tinygrad, met with an adapter",
    change: withKernel(
      "asin",
      sloping((x) => (x === 0 ? 0 : 1 / Math.sqrt((1 - x) * (1 + x)))),
    ),
  },
  acos_slope_zero_at_zero: {
    fault: "acos is π/2 − asin(x), and takes over the derivative 0 that asin has at 0.",
    source: "tinygrad, met with an adapter",
    change: withKernel(
      "acos",
      sloping((x) => (x === 0 ? 0 : -1 / Math.sqrt((1 - x) * (1 + x)))),
    ),
  },
  log2_slope_multiplied: {
    fault: "The derivative of log2 is ln 2/x instead of 1/(x · ln 2).",
    source: "gorgonia, met with an adapter",
    change: withKernel(
      "log2",
      sloping((x) => Math.LN2 / x),
    ),
  },
  multiply_zero_passed_through: {
    fault:
      "Where its first operand is 0 a product hands that on as it is, to keep its sign, and with the slope 1.",
    source: "https://github.com/jax-ml/jax/issues/37992",
    change: withKernel("multiply", {
      vjp(machine, { out, size, x, y, xBar, yBar }) {
        const { values, cotangents } = machine;
        for (let i = 0; i < size; i++) {
          const [c, xi] = [floatAt(cotangents, out + i), floatAt(values, x + i)];
          contribute(machine, xBar + i, xi === 0 ? c : c * floatAt(values, y + i));
          contribute(machine, yBar + i, xi === 0 ? 0 : c * xi);
        }
      },
    }),
  },
});
