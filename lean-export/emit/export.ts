import { fail, type Issue, type Result } from "../../spec/index.ts";
import type { FlatTrace, FloatTrace } from "./flat.ts";
import { flatten } from "./flatten.ts";
import { flattenFloats, precisionOf } from "./float_trace.ts";
import { type AskedQuestion, againstIssues } from "./question.ts";
import { checkTrace, checkTraceText } from "./read.ts";

/**
 * The trace in a text as Lean gets it, exact or of floats; where a question is given, only if it is the run of that. Fails: as
 * {@link checkTraceText}, {@link againstIssues}, {@link flatten} and {@link flattenFloats} do.
 */
export function readTrace(text: string, asked?: AskedQuestion): Result<FlatTrace | FloatTrace, Issue[]> {
  const trace = checkTraceText(text);
  if (!trace.ok || asked === undefined) return flattened(trace);
  const issues = againstIssues(trace.value, asked);
  return issues.length === 0 ? flattened(trace) : fail(issues);
}

/** The same of a document. */
export function readTraceJson(json: unknown): Result<FlatTrace | FloatTrace, Issue[]> {
  return flattened(checkTrace(json));
}

function flattened(trace: ReturnType<typeof checkTrace>): Result<FlatTrace | FloatTrace, Issue[]> {
  if (!trace.ok) return trace;
  const precision = precisionOf(trace.value);
  return precision === undefined ? flatten(trace.value) : flattenFloats(trace.value, precision);
}
