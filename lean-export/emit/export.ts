import { fail, type Issue, type Result } from "../../spec/shapes/index.ts";
import { arithmeticOf } from "./arithmetic.ts";
import { flattenEngine } from "./engine_trace.ts";
import type { EngineTrace, FlatTrace, TabledTrace } from "./flat.ts";
import { flatten } from "./flatten.ts";
import { type AskedQuestion, againstAny, againstIssues } from "./question.ts";
import { type CheckedTrace, checkTrace, checkTraceText } from "./read.ts";

/**
 * Returns a trace in a text, complete; if questions are given, it must be a run of one of them.
 * Fails: as {@link checkTraceText} and {@link againstIssues} do.
 */
export function readChecked(
  text: string,
  asked?: readonly AskedQuestion[],
): Result<CheckedTrace, readonly Issue[]> {
  const trace = checkTraceText(text);
  if (!trace.ok || asked === undefined) return trace;
  const issues = againstAny(trace.value, asked, againstIssues);
  return issues.length === 0 ? trace : fail(issues);
}

/**
 * Returns a trace in a text as Lean gets it, exact or rounded. If questions are given, the trace must be a
 * run of one of them.
 * Fails: as {@link checkTraceText}, {@link againstIssues}, {@link flatten} and {@link flattenEngine} do.
 */
export function readTrace(
  text: string,
  asked?: readonly AskedQuestion[],
): Result<FlatTrace | EngineTrace, readonly Issue[]> {
  const trace = readChecked(text, asked);
  return trace.ok ? flattened(trace) : trace;
}

/** Reads the same from a document. */
export function readTraceJson(json: unknown): Result<FlatTrace | TabledTrace | EngineTrace, Issue[]> {
  return flattened(checkTrace(json));
}

function flattened(
  trace: ReturnType<typeof checkTrace>,
): Result<FlatTrace | TabledTrace | EngineTrace, Issue[]> {
  if (!trace.ok) return trace;
  const arithmetic = arithmeticOf(trace.value.algebra);
  return arithmetic === undefined ? flatten(trace.value) : flattenEngine(trace.value, arithmetic);
}
