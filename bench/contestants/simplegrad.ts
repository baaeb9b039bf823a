import { ValueStorage, Variable } from "simplegrad";
import { scalarOperators, type ScalarGraph } from "../workloads/scalars.ts";
import { scalarsOf } from "../workloads/workload.ts";
import type { Contestant, Run } from "./contestant.ts";
import { notWritten } from "./contestant.ts";
import { dataOf } from "./data.ts";

/** https://github.com/anvaka/simplegrad: a graph of scalars becomes JavaScript source, one statement a node. */
export const simplegrad: Contestant = {
  name: "simplegrad",
  precision: "float64",
  style: "one Variable for each scalar, compiled once; forward and backward over its arrays",
  module: "simplegrad",
  prepare: async (workload, problem, mode) => {
    const storage = new ValueStorage();
    const variable = (): Variable => new Variable(storage);
    switch (workload.kind) {
      case "scalars": {
        const scalars = scalarsOf(workload);
        const leaves = Array.from(scalars.inputs, variable);
        return compiled(storage, leaves, scalarNodes(scalars, leaves), [...scalars.inputs], mode, "scalars");
      }
      case "rosenbrock": {
        const leaves = Array.from({ length: workload.n }, variable);
        return compiled(storage, leaves, rosenbrockOf(leaves), dataOf(problem, "x"), mode, "vector");
      }
      default:
        return notWritten;
    }
  },
};

function scalarNodes({ operators, left, right }: ScalarGraph, leaves: readonly Variable[]): Variable {
  const all = [...leaves];
  const at = (id: number | undefined): Variable => {
    const found = all[id ?? -1];
    if (found === undefined) throw new Error("an operand comes later");
    return found;
  };
  operators.forEach((operator, place) => {
    const x = at(left[place]);
    const y = at(right[place]);
    switch (scalarOperators[operator]) {
      case "add":
        return all.push(x.add(y));
      case "multiply":
        return all.push(x.mul(y));
      case "sin":
        return all.push(x.sin());
      default:
        return all.push(x.exp());
    }
  });
  return at(all.length - 1);
}

function rosenbrockOf(x: readonly Variable[]): Variable {
  const terms = x.slice(1).map((next, place) => {
    const now = x[place] ?? next;
    const valley = next.sub(now.mul(now));
    const slope = now.mul(-1).add(1);
    return valley.mul(valley).mul(100).add(slope.mul(slope));
  });
  return terms.reduce((sum, term) => sum.add(term));
}

/** The variables' ids are their places in the storage's arrays; leaves were made first. */
function compiled(
  storage: ValueStorage,
  leaves: readonly Variable[],
  result: Variable,
  point: ArrayLike<number>,
  mode: "value" | "gradient",
  form: "scalars" | "vector",
): Run {
  result.compile();
  const { v, gv } = storage;
  const inputs = form === "vector" ? [gv.subarray(0, leaves.length)] : leaves.map((_, i) => gv.subarray(i, i + 1));
  const none: readonly Float64Array[] = [];
  const forward = (): number => {
    v.set(point);
    storage.forward();
    return v[result.id] ?? Number.NaN;
  };
  if (mode === "value") return () => ({ value: forward(), gradient: none });
  return () => {
    const value = forward();
    gv.fill(0);
    gv[result.id] = 1;
    storage.backward();
    return { value, gradient: inputs };
  };
}
