import { float64, rational } from "../../reference/package.ts";
import { graph } from "../../spec/index.ts";
import { type CheckedTrace, checkTrace } from "../emit/read.ts";
import { recorded } from "../emit/recorded.test.kit.ts";

/** A trace over the rational numbers, of every operation of a field. */
export function fieldTrace(): CheckedTrace {
  const program = graph(({ input, parameter }) => {
    const x = input("x", [2]);
    const w = parameter("w", [2]);
    x.multiply(w).add(x.stop_gradient()).subtract(w.negative()).divide(w);
  });
  return checked(
    recorded(program, rational, {
      inputs: [["1/3", "-2"]],
      environment: { w: ["1/2", "7"] },
      seeds: { 0: ["1", "1"] },
    }),
  );
}

/** A trace over floats, of the elementary functions that TorchLean has, and of a sum. */
export function functionsTrace(): CheckedTrace {
  const program = graph(({ input }) => {
    const x = input("x", [2]);
    x.exp()
      .add(x.tanh())
      .multiply(x.sin().add(x.cos()))
      .add(x.relu().sqrt())
      .sum({ axes: [0], keepdims: false });
  });
  return checked(recorded(program, float64, { inputs: [["0.25", "1.5"]] }));
}

export function checked(trace: unknown): CheckedTrace {
  const read = checkTrace(trace);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}
