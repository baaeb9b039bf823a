import type { Witness } from "../../oracle/hearing/index.ts";
import { rational } from "../../reference/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import { at, fail, type Issue, type Result } from "../../spec/shapes/index.ts";
import {
  type AnswerGiven,
  checkTrace,
  type ExportedFile,
  exportableOperators,
  verdictFile,
} from "../index.ts";
import { recordTrace, textsOf } from "./random_traces.ts";

/**
 * Returns a file that proves the verdict on what a witness shows: whatever the true number is, the engine's answer
 * is farther from it than its bound. Fails: `lean/verdict` where the answer is no value or cotangent of one call;
 * as recording a trace and {@link verdictFile} do.
 */
export function verdictOf(witness: Witness): Result<ExportedFile, readonly Issue[]> {
  const answer = answerOf(witness);
  if (typeof answer === "string") return fail([unproved(answer)]);
  const { graph } = witness.case;
  const isField = expand(graph).graph.nodes.every(({ op }) => exportableOperators.includes(op));
  const recorded = recordTrace(graph, isField ? "rational" : "tabled", textsOf(witness.case), "dense");
  const trace = recorded.ok ? checkTrace(recorded.value) : recorded;
  return trace.ok ? verdictFile(trace.value, [answer]) : trace;
}

const parts: ReadonlyMap<string, AnswerGiven["part"]> = new Map([
  ["evaluate", "value"],
  ["vjp", "cotangent"],
  ["backward_dense", "cotangent"],
]);

/** Returns the answer in terms of the graph written out, or why there is none. */
function answerOf({ question, id, element, answer, bound, case: asked }: Witness): AnswerGiven | string {
  const part = parts.get(question);
  if (part === undefined) return `${question} asks for no value or cotangent of a graph.`;
  if (asked.calls !== undefined && asked.calls.length > 1) return "it is wrong only among other calls.";
  const [number, allowed] = [rational.parse(answer), rational.parse(bound)];
  if (number === undefined || number.denominator === 0n) return `the answer is no number: ${answer}.`;
  if (allowed === undefined || allowed.denominator === 0n) return `the bound is no number: ${bound}.`;
  return { part, id: at(expand(asked.graph).ids, id), element, number, bound: allowed };
}

function unproved(why: string): Issue {
  return {
    code: "lean/verdict",
    pointer: "",
    message: why,
    hint: "the true run can be exported: adjudge run --trace, adjudge lean export",
  };
}
