import type { compile as Compile, Numbers } from "../../engines/compile/browser_wasm.ts";
import { precisionOf } from "../workloads/workload.ts";
import type { Contestant } from "./contestant.ts";

type Compiled = ReturnType<typeof Compile>;

type Name = "javascript" | "wasm" | "c";

const modules: Readonly<Record<Name, string>> = {
  javascript: "adjudge/compile",
  wasm: "adjudge/compile/wasm",
  c: "adjudge/compile/c",
};

/** Runs a compiled engine of this project, in its fast regime. */
export function engine(name: Name): Contestant {
  return {
    name: name === "c" ? "compiled C" : name,
    precision: "asked",
    style:
      "compile once, bind Δ; then f.valueAndGradient, which gives views, or f.value; many scalars in one array",
    module: modules[name],
    prepare: async (workload, { graph, point }, mode) => {
      const dtype = precisionOf(workload);
      const compiled = await compiledBy(name, graph, dtype);
      const numbers = (data: Float64Array): Numbers => (dtype === "float32" ? Float32Array.from(data) : data);
      const environment = graph.environment.map(({ name: entry, kind }) => {
        const data = point.environment.get(entry)?.data ?? new Float64Array();
        return [entry, kind === "index" ? Uint32Array.from(data) : numbers(data)] as const;
      });
      if (environment.length > 0) compiled.bind(Object.fromEntries(environment));
      // A graph of many scalars gets one array with all of them.
      const isPacked = point.inputs.length > 1 && graph.inputs.every(({ shape }) => shape.length === 0);
      const inputs = isPacked
        ? [numbers(Float64Array.from(point.inputs, ({ data }) => data[0] ?? 0))]
        : point.inputs.map(({ data }) => numbers(data));
      if (mode === "value")
        return () => ({ value: compiled.value(...inputs)[0] ?? Number.NaN, gradient: [] });
      const [first] = inputs;
      const ask =
        first !== undefined && inputs.length === 1
          ? () => compiled.valueAndGradient(first)
          : () => compiled.valueAndGradient(...inputs);
      return () => {
        const { value, gradient } = ask();
        return { value: value[0] ?? Number.NaN, gradient };
      };
    },
  };
}

async function compiledBy(
  name: Name,
  graph: Parameters<typeof Compile>[0],
  dtype: "float64" | "float32",
): Promise<Compiled> {
  if (name === "javascript") {
    const { compile } = await import("../../engines/compile/browser.ts");
    return compile(graph, { dtype });
  }
  if (name === "c") {
    const { compile } = await import("../../engines/compile/c_door.ts");
    return compile(graph, { dtype });
  }
  const { compile } = await import("../../engines/compile/browser_wasm.ts");
  return compile(graph, { engine: "wasm", dtype });
}
