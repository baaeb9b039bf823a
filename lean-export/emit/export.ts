import type { Issue, Result } from "../../spec/index.ts";
import type { FlatTrace, FloatTrace } from "./flat.ts";
import { flatten } from "./flatten.ts";
import { flattenFloats, precisionOf } from "./float_trace.ts";
import { checkTrace, checkTraceText } from "./read.ts";

/** The trace in a text as Lean gets it, exact or of floats. Fails: as {@link checkTraceText}, {@link flatten} and {@link flattenFloats} do. */
export function readTrace(text: string): Result<FlatTrace | FloatTrace, Issue[]> {
  return flattened(checkTraceText(text));
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
