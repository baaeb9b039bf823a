import { rational } from "../../reference/package.ts";
import { graph } from "../../spec/index.ts";
import { readTraceJson } from "../emit/export.ts";
import type { FlatTrace } from "../emit/flat.ts";
import { recorded } from "../emit/recorded.test.kit.ts";

/** A graph with each operation that a witness has: its trace, whose last id alone has a seed. */
export function everyOperation(): FlatTrace {
  const program = graph(({ input, parameter, concat }) => {
    const x = input("x", [2, 2]);
    const w = parameter("w", [2, 2]);
    const sum = x.matmul(w).add(x.stop_gradient().multiply(x));
    const quotient = sum.subtract(w.negative()).divide(w);
    const row = quotient.sum({ axes: [0, 1], keepdims: false }).broadcast_to({ shape: [1, 2] });
    const turned = row.multiply(row).permute_dims({ axes: [1, 0] });
    const joined = concat(turned, turned.reshape({ shape: [2, 1] }), { axis: 0 });
    joined.sum({ axes: [0, 1], keepdims: false });
  });
  return flat(
    recorded(program, rational, {
      inputs: [["1/3", "-2", "5", "0"]],
      environment: { w: ["1/2", "3", "-1", "7/5"] },
    }),
  );
}

/** A graph that moves every element but two: its trace. */
export function swappedAxes(): FlatTrace {
  const program = graph(({ input }) => {
    const x = input("x", [2, 2]);
    x.permute_dims({ axes: [1, 0] })
      .multiply(x)
      .sum({ axes: [0, 1], keepdims: false });
  });
  return flat(recorded(program, rational, { inputs: [["1/3", "2", "-7/3", "5"]] }));
}

/** Reads a trace as Lean gets it. */
export function flat(trace: unknown): FlatTrace {
  const read = readTraceJson(trace);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}
