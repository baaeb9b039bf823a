import type { Case } from "../../oracle/case/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { type ExportedFile, exportableOperators, leanFile, readTraceJson } from "../index.ts";
import { recordTrace, textsOf } from "./random_traces.ts";

/**
 * Returns the true run of a case as a file for Lean: over the rational numbers, which floats are, and by a
 * table where it has elementary functions. What an engine computed is no part of it. Fails: as recording and
 * reading a trace do, `lean/operator` where the kernel cannot follow an operator.
 */
export function caseFile(question: Case): Result<ExportedFile, Issue[]> {
  const { graph } = expand(question.graph);
  const isField = graph.nodes.every(({ op }) => exportableOperators.includes(op));
  const recorded = recordTrace(question.graph, isField ? "rational" : "tabled", textsOf(question), "dense");
  const trace = recorded.ok ? readTraceJson(recorded.value) : fail(recorded.error);
  return trace.ok ? ok(leanFile(trace.value)) : trace;
}
