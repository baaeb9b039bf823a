import { clear, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { matmul } = soundParts.kernels;

export const matmulTangentDropped: Mutant = plant(
  {
    name: "matmul_tangent_dropped",
    fault: "In forward mode a matrix product ignores the tangent of its right operand.",
    source: "F03",
  },
  withKernel("matmul", {
    jvp(machine, step) {
      const tangents = machine.tangents.slice();
      const [batch = 0, , inner = 0, columns = 0] = step.table;
      if (step.x !== step.y) clear(tangents, step.y, batch * inner * columns);
      matmul.jvp({ ...machine, tangents }, step);
      machine.tangents.set(tangents.subarray(step.out, step.out + step.size), step.out);
    },
  }),
);
