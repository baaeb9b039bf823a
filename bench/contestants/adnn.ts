import ad, { type Lifted, type Node } from "adnn/ad/index.js";
import { type Contestant, notWritten } from "./contestant.ts";
import { flatPoint, views } from "./flat.ts";
import { inScalarStyle } from "./scalar_style.ts";

/** Each call of https://github.com/dritchie/adnn records a graph of nodes and walks it back. */
export const adnn: Contestant = {
  name: "adnn",
  precision: "float64",
  style: "its scalar functions on lifted numbers, recorded at every call",
  module: "adnn/ad/index.js",
  prepare: async (workload, problem, mode) => {
    const { add, sub, mul, sin, exp } = ad.scalar;
    const written = inScalarStyle<Lifted>(workload, {
      add,
      subtract: sub,
      multiply: mul,
      sin,
      exp,
      number: (x) => x,
    });
    if (written === undefined) return notWritten;
    const point = flatPoint(problem);
    const { sizes } = written;
    if (mode === "value") {
      const numbers = [...point];
      return () => ({ value: ad.value(written.call(numbers)), gradient: [] });
    }
    const slopes = new Float64Array(point.length);
    const gradient = views(slopes, sizes);
    return () => {
      const leaves: Node[] = Array.from(point, (x) => ad.lift(x));
      const result = written.call(leaves);
      if (typeof result !== "number") result.backprop();
      leaves.forEach((leaf, place) => {
        slopes[place] = ad.derivative(leaf);
      });
      return { value: ad.value(result), gradient };
    };
  },
};
