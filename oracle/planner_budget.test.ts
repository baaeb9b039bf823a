import { describe, expect, test } from "vitest";
import { Compilation, type CompilationOptions } from "../engines/compile/compilation.ts";
import { javascript } from "../engines/compile/javascript/index.ts";
import { type Backend, writtenOut } from "../engines/compile/plan/index.ts";
import { wasm } from "../engines/compile/wasm/index.ts";
import { javascriptEngine } from "../engines/index.ts";
import { nodeId, present } from "../spec/index.ts";
import type { Case } from "./case/case.ts";
import { drawnAt, mix } from "./generate/index.ts";

const { operators } = javascriptEngine().describe();

/** A backend answers these bits, in an arena of this size. */
interface Answer {
  readonly bits: readonly (readonly number[])[];
  readonly arenaBytes: number;
}

/** Pulls back to a case's inputs in a given memory, or returns the least memory that it needs. */
function pulled(
  backend: Backend,
  { graph, point, seeds }: Case,
  memory?: CompilationOptions["memory"],
): Answer | { readonly least: number } {
  const { graph: lowered, ids } = writtenOut(graph, "bit_exact", undefined);
  const options = { backend, precision: "float64", regime: "bit_exact" } as const;
  const compilation = new Compilation(lowered, memory === undefined ? options : { ...options, memory });
  const cotangents = {
    ids: lowered.inputs.map((_, id) => nodeId(id)),
    seeds: seeds.map(({ id }) => ({ id: present(ids[id], "an id"), from: "source" as const })),
  };
  try {
    const { executable, plan } = compilation.compiledFor({ values: [], cotangents });
    const entries = lowered.environment.map(({ name, kind }) => ({
      kind,
      data: present(point.environment.get(name), name).data,
    }));
    const real = [
      ...point.inputs.map(({ data }) => data),
      ...entries.filter(({ kind }) => kind === "real").map(({ data }) => data),
      ...seeds.map(({ cotangent }) => cotangent.data),
    ];
    const indices = entries.filter(({ kind }) => kind === "index");
    executable.run(
      real.map((data) => Float64Array.from(data)),
      indices.map(({ data }) => Uint32Array.from(data)),
    );
    return { bits: executable.results.map((part) => [...part]), arenaBytes: plan.report.arenaBytes };
  } catch (problem) {
    const least = problem instanceof RangeError ? /take (\d+) bytes at least/.exec(problem.message) : null;
    if (least === null) throw problem;
    return { least: Number(least[1]) };
  }
}

describe.each([
  ["javascript", javascript, 40],
  ["wasm", wasm, 15],
] as const)("random graphs in %s", (_name, backend, cases) => {
  test("have the bits of no budget within every budget, and no larger an arena", () => {
    let [met, refused] = [0, 0];
    for (let index = 0; index < cases; index++) {
      const question = drawnAt(mix, operators, 18, index);
      const free = pulled(backend, question);
      if ("least" in free) return expect.unreachable("without a budget nothing is refused");
      for (const share of [0.75, 0.4]) {
        const memory = Math.floor(share * free.arenaBytes);
        const first = pulled(backend, question, memory);
        const budget = "least" in first ? first.least : memory;
        if ("least" in first) refused += 1;
        else met += 1;
        const within = "least" in first ? pulled(backend, question, budget) : first;
        if ("least" in within) return expect.unreachable(`case ${index}: ${budget} bytes were said to do`);
        expect([index, share, within.arenaBytes <= budget]).toEqual([index, share, true]);
        expect([index, share, within.bits]).toEqual([index, share, free.bits]);
      }
    }
    expect([met > cases / 8, refused > cases / 8]).toEqual([true, true]);
  });
});
