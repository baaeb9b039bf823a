import type { Witness } from "../../oracle/hearing/index.ts";
import { type Rational, rational } from "../../reference/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import { at, fail, type Issue, type Result } from "../../spec/shapes/index.ts";
import { parseFloat64 } from "../../spec/wire/index.ts";
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
 * is farther from it than its bound; where it is NaN or infinite, that the true one is a number. Fails: `lean/verdict`
 * where the answer is no value or cotangent;
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

/**
 * Returns the answer in terms of the graph written out, or why there is none. Where the engine has no number, it is
 * the true one to which the file compares: that it is a number is the verdict.
 */
function answerOf({ question, id, element, ...shown }: Witness): AnswerGiven | string {
  const part = parts.get(question);
  if (part === undefined) return `${question} asks for no value or cotangent of a graph.`;
  const { graph, calls = [] } = shown.case;
  if (calls.some(({ change }) => change !== undefined)) return "it is wrong only after other numbers.";
  const place = { part, id: at(expand(graph).ids, id), element };
  const [number, truth, bound] = [shown.answer, shown.expected, shown.bound].map(numberIn);
  if (number !== undefined && bound !== undefined) return { ...place, number, bound };
  if (truth === undefined) return `there is no number where ${shown.expected} is expected.`;
  return parseFloat64(shown.answer) === undefined
    ? `the answer is no number: ${shown.answer}.`
    : { ...place, number: truth };
}

function numberIn(text: string): Rational | undefined {
  const x = rational.parse(text);
  return x === undefined || x.denominator === 0n ? undefined : x;
}

function unproved(why: string): Issue {
  return {
    code: "lean/verdict",
    pointer: "",
    message: why,
    hint: "the true run can be exported: adjudge run --trace, adjudge lean export",
  };
}
