import { interpret } from "../../engines/index.ts";
import { expand, nodeId, present } from "../../spec/index.ts";
import { objectiveOf } from "../gradbench/graphs/problem.ts";
import type { Contestant } from "./contestant.ts";

/** All others are compared with the interpreter of `engines/interpreter`. */
export const interpreterContestant: Contestant = {
  name: "interpreter",
  precision: "float64",
  style: "the graph, its composites expanded",
  module: "adjudge/engines",
  prepare: async (_, { graph, point }, mode) => {
    const { graph: expanded, ids } = expand(graph);
    const run = interpret(expanded, "float64");
    const id = present(ids[objectiveOf(graph)], "objective");
    const place = id - graph.inputs.length;
    const seeds = [{ id: nodeId(id), cotangent: { shape: [], data: Float64Array.of(1) } }];
    if (mode === "value") {
      return () => {
        const values = run.evaluate(point);
        if (!values.ok) throw new Error(values.error);
        return { value: values.value[place]?.[0] ?? Number.NaN, gradient: [] };
      };
    }
    // A sweep computes the values but returns cotangents; the value is read once, outside the time.
    const values = run.evaluate(point);
    const value = values.ok ? (values.value[place]?.[0] ?? Number.NaN) : Number.NaN;
    return () => {
      const gradient = run.vjp(point, seeds);
      if (!gradient.ok) throw new Error(gradient.error);
      return { value, gradient: gradient.value };
    };
  },
};
