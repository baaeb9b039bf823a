import { traceOf } from "../../reference/package.ts";
import type { Algebra, Graph, TraceJson } from "../../spec/index.ts";
import { readTraceJson } from "./export.ts";
import { leanFile } from "./lean_file.ts";

interface Numbers {
  readonly inputs: readonly (readonly string[])[];
  readonly environment?: Readonly<Record<string, readonly string[]>>;
  readonly seeds?: Readonly<Record<number, readonly string[]>>;
}

/** Returns a trace, recorded by the reference. */
export function recorded<S, B>(program: Graph, algebra: Algebra<S, B>, numbers: Numbers): TraceJson {
  const last = program.inputs.length + program.nodes.length - 1;
  const seeds = Object.entries(numbers.seeds ?? { [last]: ["1"] });
  const trace = traceOf(
    program,
    algebra,
    {
      inputs: numbers.inputs,
      environment: new Map(Object.entries(numbers.environment ?? {})),
      seeds: new Map(seeds.map(([id, texts]) => [Number(id), texts])),
    },
    "dense",
  );
  if (!trace.ok) throw new Error(trace.error[0]?.message);
  return trace.value;
}

/** Writes a trace as a Lean file. */
export function exported(trace: TraceJson): string {
  const read = readTraceJson(trace);
  if (!read.ok) throw new Error(read.error[0]?.message);
  return leanFile(read.value).text;
}
