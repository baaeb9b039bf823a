import { floatAt } from "../../spec/shapes/index.ts";
import { contribute, rounded, soundParts } from "../interpretation/index.ts";
import { type Mutant, mutantTable, withKernel } from "./mutant.ts";
import { binaryVjp, unaryVjp } from "./rules.ts";

const { kernels } = soundParts;

/** These faults concern the reverse rules of operators that are smooth except at poles. */
export const slopeMutants: readonly Mutant[] = mutantTable({
  // Here an operand is forgotten, doubled or confused with another.
  operand_dropped: {
    fault: "The second operand of a product receives no cotangent.",
    change: withKernel("multiply", {
      vjp(machine, { out, size, y, xBar }) {
        const { values, cotangents } = machine;
        for (let i = 0; i < size; i++) {
          contribute(machine, xBar + i, floatAt(cotangents, out + i) * floatAt(values, y + i));
        }
      },
    }),
  },
  operands_swapped: {
    fault: "The operands of a quotient receive each other's cotangents.",
    change: withKernel("divide", {
      vjp(machine, step) {
        kernels.divide.vjp(machine, { ...step, xBar: step.yBar, yBar: step.xBar });
      },
    }),
  },
  atan2_operands_swapped: {
    fault: "The operands of atan2 receive each other's cotangents.",
    source: "C28",
    change: withKernel("atan2", {
      vjp(machine, step) {
        kernels.atan2.vjp(machine, { ...step, xBar: step.yBar, yBar: step.xBar });
      },
    }),
  },
  repeated_operand_once: {
    fault: "A tensor that is both operands of a product receives the contribution of only one of them.",
    source: "A02",
    change: withKernel("multiply", {
      vjp(machine, step) {
        if (step.x !== step.y) return kernels.multiply.vjp(machine, step);
        const { values, cotangents } = machine;
        for (let i = 0; i < step.size; i++) {
          contribute(machine, step.xBar + i, floatAt(cotangents, step.out + i) * floatAt(values, step.y + i));
        }
      },
    }),
  },
  add_repeated_operand: {
    fault: "A tensor added to itself receives the contribution of one operand.",
    source: "A02",
    change: withKernel("add", {
      vjp(machine, step) {
        if (step.x !== step.y) return kernels.add.vjp(machine, step);
        for (let i = 0; i < step.size; i++)
          contribute(machine, step.xBar + i, floatAt(machine.cotangents, step.out + i));
      },
    }),
  },
  cos_severed: {
    fault: "The result of cos is marked as a constant: its operand receives nothing.",
    source: "A18",
    change: withKernel("cos", { vjp() {} }),
  },
  upstream_ignored: {
    fault: "tanh hands on its derivative as if the cotangent of its value were 1.",
    change: withKernel("tanh", {
      vjp(machine, { out, size, xBar }) {
        for (let i = 0; i < size; i++) {
          const t = floatAt(machine.values, out + i);
          contribute(machine, xBar + i, 1 - rounded(t * t, machine.isSingle));
        }
      },
    }),
  },

  // Here the operand is confused with the result.
  exp_slope_at_operand: {
    fault: "The reverse rule of exp multiplies by its operand, the value it saved, instead of by its result.",
    source: "E01",
    change: withKernel("exp", { vjp: unaryVjp((c, x) => c * x) }),
  },
  sqrt_slope_at_operand: {
    fault: "The reverse rule of sqrt divides by twice its operand instead of twice its result.",
    source: "E01",
    change: withKernel("sqrt", { vjp: unaryVjp((c, x) => c / (2 * x)) }),
  },
  tan_slope_at_operand: {
    fault: "The derivative of tan is 1 + x² instead of 1 + tan²x.",
    source: "E01",
    change: withKernel("tan", { vjp: unaryVjp((c, x) => c * (1 + x * x)) }),
  },
  tanh_slope_at_operand: {
    fault: "The reverse rule of tanh computes 1 − x² with its operand in the place of its result.",
    source: "E01",
    change: withKernel("tanh", { vjp: unaryVjp((c, x) => c * (1 - x * x)) }),
  },
  atan_slope_at_result: {
    fault: "The derivative of atan is taken at its result instead of at its operand.",
    source: "E01",
    change: withKernel("atan", { vjp: unaryVjp((c, _x, value) => c / (1 + value * value)) }),
  },
  sin_slope_at_result: {
    fault: "The derivative of sin is taken at its value: cos(sin x) instead of cos x.",
    change: withKernel("sin", { vjp: unaryVjp((c, _x, value) => c * Math.cos(value)) }),
  },
  multiply_by_own_operand: {
    fault: "Each operand of a product receives the cotangent times itself instead of times the other.",
    change: withKernel("multiply", { vjp: binaryVjp((c, x, y) => [c * x, c * y]) }),
  },

  // Here a sign, a power or a factor is lost.
  subtract_sign_lost: {
    fault: "The second operand of a difference receives the cotangent with the sign of the first.",
    change: withKernel("subtract", { vjp: binaryVjp((c) => [c, c]) }),
  },
  cos_sign_lost: {
    fault: "The derivative of cos is sin instead of −sin.",
    change: withKernel("cos", {
      vjp(machine, { out, size, x, xBar }) {
        const { isSingle, values, cotangents } = machine;
        for (let i = 0; i < size; i++) {
          const sine = rounded(Math.sin(floatAt(values, x + i)), isSingle);
          contribute(machine, xBar + i, floatAt(cotangents, out + i) * sine);
        }
      },
    }),
  },
  cosh_slope_sign: {
    fault: "The derivative of cosh is −sinh, as if it were cos.",
    change: withKernel("cosh", { vjp: unaryVjp((c, x) => -c * Math.sinh(x)) }),
  },
  sqrt_not_halved: {
    fault: "The derivative of sqrt is 1/√x instead of 1/(2·√x).",
    change: withKernel("sqrt", { vjp: unaryVjp((c, _x, root) => c / root) }),
  },
  divide_not_squared: {
    fault: "The divisor's cotangent is −c·x/y instead of −c·x/y².",
    change: withKernel("divide", { vjp: binaryVjp((c, x, y) => [c / y, -(c * x) / y]) }),
  },
  asin_slope_not_squared: {
    fault: "The derivative of asin is 1/√(1 − x) instead of 1/√(1 − x²).",
    change: withKernel("asin", { vjp: unaryVjp((c, x) => c / Math.sqrt(1 - x)) }),
  },
  tanh_slope_not_squared: {
    fault: "The derivative of tanh is 1 − t instead of 1 − t².",
    change: withKernel("tanh", { vjp: unaryVjp((c, _x, t) => c * (1 - t)) }),
  },
  log1p_slope_of_log: {
    fault: "The derivative of log1p is 1/x instead of 1/(1 + x).",
    change: withKernel("log1p", { vjp: unaryVjp((c, x) => c / x) }),
  },
  log2_slope_natural: {
    fault: "The derivative of log2 is 1/x, without the factor 1/ln 2.",
    source: "B08",
    change: withKernel("log2", { vjp: unaryVjp((c, x) => c / x) }),
  },
  erf_slope_unscaled: {
    fault: "The derivative of erf is exp(−x²), without the factor 2/√π.",
    source: "D30",
    change: withKernel("erf", { vjp: unaryVjp((c, x) => c * Math.exp(-x * x)) }),
  },
  hypot_slope_not_divided: {
    fault: "The operands of hypot receive c·x and c·y, as those of half the square of it would.",
    source: "C04",
    change: withKernel("hypot", { vjp: binaryVjp((c, x, y) => [c * x, c * y]) }),
  },

  // These concern zeros and poles, and guards against them.
  divide_slope_guarded: {
    fault: "The reverse rule of divide adds 2⁻³⁰ to the divisor, so as not to divide by zero.",
    source: "C02",
    change: withKernel("divide", {
      vjp: binaryVjp((c, x, y) => [c / (y + 2 ** -30), -(c * (x / y)) / (y + 2 ** -30)]),
    }),
  },
  log_slope_guarded: {
    fault: "The derivative of log is 1/(x + 2⁻³⁰): a guard against zero that was left in.",
    source: "C11",
    change: withKernel("log", { vjp: unaryVjp((c, x) => c / (x + 2 ** -30)) }),
  },
  sqrt_slope_guarded: {
    fault: "The derivative of sqrt is 1/(2·√x + 2⁻³⁰), which has no pole where √ has one.",
    source: "C05",
    change: withKernel("sqrt", { vjp: unaryVjp((c, _x, s) => c / (2 * s + 2 ** -30)) }),
  },
  multiply_by_the_quotient: {
    fault: "The reverse rule of multiply divides the product by the operand, and 0/0 is NaN.",
    source: "C11",
    change: withKernel("multiply", { vjp: binaryVjp((c, x, y) => [(c * (x * y)) / x, (c * (x * y)) / y]) }),
  },
  multiply_zero_product: {
    fault: "The reverse rule of multiply divides the product by the operand, and takes 0 where that is zero.",
    source: "C12",
    change: withKernel("multiply", {
      vjp: binaryVjp((c, x, y) => [x === 0 ? 0 : (c * (x * y)) / x, y === 0 ? 0 : (c * (x * y)) / y]),
    }),
  },
  pow_exponent_zero: {
    fault: "The base of pow receives c·y·x^(y − 1) also where y = 0, and 0 · ∞ is NaN.",
    source: "C07",
    change: withKernel("pow", {
      vjp(machine, step) {
        kernels.pow.vjp(machine, step);
        const { values } = machine;
        for (let i = 0; i < step.size; i++) {
          const isPole = values[step.x + i] === 0 && values[step.y + i] === 0;
          if (isPole) contribute(machine, step.xBar + i, Number.NaN);
        }
      },
    }),
  },
  pow_exponent_at_zero_base: {
    fault: "The exponent of pow receives c·xʸ·log x also where x = 0, and 0 · ∞ is NaN.",
    source: "C08",
    change: withKernel("pow", {
      vjp(machine, step) {
        kernels.pow.vjp(machine, step);
        for (let i = 0; i < step.size; i++) {
          if (machine.values[step.x + i] === 0) contribute(machine, step.yBar + i, Number.NaN);
        }
      },
    }),
  },
  asinh_odd_by_sign: {
    fault: "asinh is differentiated as sign(x) · f(|x|), so its derivative at 0 is 0.",
    source: "C25",
    change: withKernel("asinh", {
      vjp: unaryVjp((c, x) => (c * Math.abs(Math.sign(x))) / Math.sqrt(x * x + 1)),
    }),
  },

  // These are approximations.
  tanh_slope_fitted: {
    fault: "The derivative of tanh is a polynomial fitted near zero: 1 − x² + ⅔·x⁴.",
    source: "D30",
    change: withKernel("tanh", {
      vjp: unaryVjp(
        (c, x) => c * (Math.abs(x) < 0.5 ? 1 - x ** 2 + (2 / 3) * x ** 4 : 1 - Math.tanh(x) ** 2),
      ),
    }),
  },
  tanh_slope_through_cosh: {
    fault: "The derivative of tanh is 1/cosh²x, and cosh²x is rounded to float32, where it overflows.",
    source: "C29",
    change: withKernel("tanh", { vjp: unaryVjp((c, x) => c / Math.fround(Math.cosh(x) ** 2)) }),
  },

  // Here a kernel writes over what others still read.
  log_clears_cotangent: {
    fault: "The reverse kernel of log divides its cotangent in place, where the dense sweep must report it.",
    source: "E06",
    change: withKernel("log", {
      vjp(machine, { out, size, x, xBar }) {
        const { values, cotangents } = machine;
        for (let i = 0; i < size; i++) {
          cotangents[out + i] = floatAt(cotangents, out + i) / floatAt(values, x + i);
          contribute(machine, xBar + i, floatAt(cotangents, out + i));
        }
      },
    }),
  },
  negative_in_place: {
    fault: "The reverse kernel of negative turns the sign of its cotangent in place before it hands it on.",
    source: "E06",
    change: withKernel("negative", {
      vjp(machine, { out, size, xBar }) {
        const { cotangents } = machine;
        for (let i = 0; i < size; i++) {
          cotangents[out + i] = -floatAt(cotangents, out + i);
          contribute(machine, xBar + i, floatAt(cotangents, out + i));
        }
      },
    }),
  },
  operand_clobbered: {
    fault: "The reverse kernel of multiply leaves a cotangent where an operand's value was still needed.",
    source: "E06",
    change: withKernel("multiply", {
      vjp(machine, step) {
        kernels.multiply.vjp(machine, step);
        const { values, cotangents } = machine;
        for (let i = 0; i < step.size; i++) values[step.x + i] = floatAt(cotangents, step.out + i);
      },
    }),
  },
});
