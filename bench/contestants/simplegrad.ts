import { ValueStorage, Variable } from "simplegrad";
import { type Contestant, notWritten } from "./contestant.ts";
import { flatPoint, views } from "./flat.ts";
import { inScalarStyle } from "./scalar_style.ts";

/** https://github.com/anvaka/simplegrad turns a graph of scalars into JavaScript, a statement a node. */
export const simplegrad: Contestant = {
  name: "simplegrad",
  precision: "float64",
  style: "a Variable for each scalar, compiled once; then its arrays are filled, forward and backward called",
  module: "simplegrad",
  prepare: async (workload, problem, mode) => {
    const storage = new ValueStorage();
    // It takes numbers as right operands only; those on the left become a variable that stays 1.
    const constants = new Map<number, Variable>();
    const written = inScalarStyle<Variable>(workload, {
      add: (x, y) => x.add(y),
      subtract: (x, y) => x.sub(y),
      multiply: (x, y) => x.mul(y),
      sin: (x) => x.sin(),
      exp: (x) => x.exp(),
      number: (x) => {
        const known = constants.get(x) ?? new Variable(storage);
        constants.set(x, known);
        return known;
      },
    });
    if (written === undefined) return notWritten;
    const point = flatPoint(problem);
    const leaves = Array.from(point, () => new Variable(storage));
    const result = written.call(leaves);
    result.compile();
    const { v, gv } = storage;
    for (const [x, { id }] of constants) v[id] = x;
    // Leaves were made first, so their ids are the first.
    const gradient = views(gv.subarray(0, point.length), written.sizes);
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
      return { value, gradient };
    };
  },
};
