import { at, floatAt, integerAt } from "../../spec/shapes/index.ts";
import { allocate, clear, rounded, soundParts } from "../interpretation/index.ts";
import { type Mutant, mutantTable, withKernel } from "./mutant.ts";
import { binaryJvp, unaryJvp } from "./rules.ts";

const { kernels } = soundParts;

/** These faults concern forward mode. */
export const forwardMutants: readonly Mutant[] = mutantTable({
  // Here a tangent is forgotten.
  product_tangent_dropped: {
    fault: "In forward mode a product ignores the tangent of its second operand.",
    source: "F03",
    change: withKernel("multiply", { jvp: binaryJvp((xDot, _yDot, _x, y) => xDot * y) }),
  },
  matmul_tangent_dropped: {
    fault: "In forward mode a matrix product ignores the tangent of its right operand.",
    source: "F03",
    change: withKernel("matmul", {
      jvp(machine, step) {
        const tangents = machine.tangents.slice();
        const [batch = 0, , inner = 0, columns = 0] = step.table;
        if (step.x !== step.y) clear(tangents, step.y, batch * inner * columns);
        kernels.matmul.jvp({ ...machine, tangents }, step);
        machine.tangents.set(tangents.subarray(step.out, step.out + step.size), step.out);
      },
    }),
  },
  pow_tangent_base_only: {
    fault: "In forward mode pow ignores the tangent of its exponent.",
    source: "F03",
    change: withKernel("pow", {
      jvp: binaryJvp((xDot, _yDot, x, y) => (y === 0 ? 0 : xDot * y * x ** (y - 1))),
    }),
  },
  sum_tangent_last_lost: {
    fault: "In forward mode a sum leaves out the tangent of the last element.",
    change: withKernel("sum", {
      jvp({ tangents }, { out, size, x, xSize, table }) {
        clear(tangents, out, size);
        for (let i = 0; i < xSize - 1; i++) {
          const position = out + integerAt(table, i);
          tangents[position] = floatAt(tangents, position) + floatAt(tangents, x + i);
        }
      },
    }),
  },
  broadcast_tangent_once: {
    fault: "In forward mode only the first copy of a repeated element has its tangent, the others have none.",
    source: "F10",
    change: withKernel("broadcast_to", {
      jvp({ tangents }, { out, size, x, table }) {
        for (let i = 0; i < size; i++) {
          const position = integerAt(table, i);
          tangents[out + i] = table.indexOf(position) === i ? floatAt(tangents, x + position) : 0;
        }
      },
    }),
  },

  // Here a formula is wrong.
  subtract_tangent_sign: {
    fault: "In forward mode a difference adds the tangents.",
    source: "F04",
    change: withKernel("subtract", { jvp: binaryJvp((xDot, yDot) => xDot + yDot) }),
  },
  divide_tangent_sign: {
    fault: "In forward mode the divisor's tangent raises the quotient instead of lowering it.",
    source: "F04",
    change: withKernel("divide", {
      jvp({ isSingle, values, tangents }, { out, size, x, y }) {
        for (let i = 0; i < size; i++) {
          const rise = rounded(floatAt(values, out + i) * floatAt(tangents, y + i), isSingle);
          tangents[out + i] = rounded(floatAt(tangents, x + i) + rise, isSingle) / floatAt(values, y + i);
        }
      },
    }),
  },
  exp_tangent_unscaled: {
    fault: "In forward mode the tangent of exp is its operand's, without the factor exp x.",
    change: withKernel("exp", { jvp: unaryJvp((xDot) => xDot) }),
  },
  log_tangent_multiplied: {
    fault: "In forward mode the tangent of log is multiplied by the operand instead of divided.",
    source: "F04",
    change: withKernel("log", { jvp: unaryJvp((xDot, x) => xDot * x) }),
  },

  // These concern kinks and branches.
  relu_tangent_open_at_zero: {
    fault: "relu's derivative at 0 is 1 in forward mode and 0 in reverse.",
    source: "C24",
    change: withKernel("relu", { jvp: unaryJvp((xDot, x) => (0 <= x ? xDot : 0)) }),
  },
  relu_tangent_unmasked: {
    fault: "In forward mode relu hands its tangent on at every point.",
    source: "C24",
    change: withKernel("relu", { jvp: unaryJvp((xDot) => xDot) }),
  },
  stop_gradient_tangent_leaks: {
    fault: "Forward mode takes stop_gradient for the identity.",
    source: "F05",
    change: withKernel("stop_gradient", { jvp: unaryJvp((xDot) => xDot) }),
  },
  maximum_tangent_of_larger: {
    fault: "In forward mode the tangent of maximum is the larger tangent, not that of the larger operand.",
    source: "F04",
    change: withKernel("maximum", { jvp: binaryJvp((xDot, yDot) => (xDot < yDot ? yDot : xDot)) }),
  },
  where_tangent_unconditional: {
    fault: "In forward mode the tangent of where is always that of its first branch.",
    source: "F04",
    change: withKernel("where", {
      jvp({ tangents }, { out, size, y: x }) {
        for (let i = 0; i < size; i++) tangents[out + i] = floatAt(tangents, x + i);
      },
    }),
  },

  // These concern places.
  permutation_tangent_inverse: {
    fault: "In forward mode permute_dims applies the inverse permutation.",
    source: "B12",
    change: withKernel("permute_dims", {
      jvp({ tangents }, { out, size, x, table }) {
        for (let i = 0; i < size; i++) tangents[out + integerAt(table, i)] = floatAt(tangents, x + i);
      },
    }),
  },
  concat_tangent_reversed: {
    fault: "In forward mode concat joins the tangents in the reverse order of its operands.",
    change: withKernel("concat", {
      jvp({ tangents }, { out, operands, table }) {
        const [outer = 0, whole = 0, ...parts] = table;
        let start = out;
        for (const [n, part] of [...parts.entries()].toReversed()) {
          for (let i = 0; i < outer * part; i++) {
            const to = start + Math.floor(i / part) * whole + (i % part);
            tangents[to] = floatAt(tangents, at(operands, n) + i);
          }
          start += part;
        }
      },
    }),
  },
  take_tangent_from_start: {
    fault: "In forward mode take reads the tangents from the start of the axis, whatever the indices.",
    source: "D19",
    change: withKernel("take", {
      jvp(machine, step) {
        const [first = 0, , extent = 0] = step.table;
        const indices = machine.indices.map((_, position) =>
          Math.max(0, Math.min(position - first, extent - 1)),
        );
        kernels.take.jvp({ ...machine, indices }, step);
      },
    }),
  },

  // These concern precision.
  tangents_in_single: {
    fault: "Tangents are kept in float32 while values are float64.",
    source: "A20",
    change: {
      allocate(extents, dtype) {
        const machine = allocate(extents, dtype);
        return { ...machine, tangents: new Float32Array(machine.tangents.length) };
      },
    },
  },
  exp_rounded_for_readers: {
    fault: "In forward mode the value of exp that later nodes read is rounded to float32.",
    source: "A20",
    change: withKernel("exp", {
      jvp(machine, step) {
        kernels.exp.jvp(machine, step);
        const { values } = machine;
        for (let i = 0; i < step.size; i++) values[step.out + i] = Math.fround(floatAt(values, step.out + i));
      },
    }),
  },
});
