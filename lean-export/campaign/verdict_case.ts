import type { Case } from "../../oracle/case/index.ts";
import type { Witness } from "../../oracle/hearing/index.ts";
import { type Rational, rational } from "../../reference/index.ts";
import { derive, expand } from "../../spec/expansion/index.ts";
import { at, fail, type Issue, type NodeId, nodeId, ok, type Result } from "../../spec/shapes/index.ts";
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
 * Returns a file that proves the verdict on what a witness shows: whatever the true number is, the engine's
 * answer is farther from it than its bound; where it is NaN or infinite, that the true one is a number. A
 * tangent is the value of the graph's derivative. Fails: `lean/verdict` where there is no such number, as
 * where two answers are compared; as {@link derive}, recording a trace and {@link verdictFile} do.
 */
export function verdictOf(witness: Witness): Result<ExportedFile, readonly Issue[]> {
  const shown = numbersOf(witness);
  if (typeof shown === "string") return fail([unproved(shown)]);
  const asked = askedOf(witness);
  if (!asked.ok) return asked;
  const { graph, ids } = expand(asked.value.case.graph);
  const isField = graph.nodes.every(({ op }) => exportableOperators.includes(op));
  const texts = textsOf(asked.value.case);
  const recorded = recordTrace(asked.value.case.graph, isField ? "rational" : "tabled", texts, "dense");
  const trace = recorded.ok ? checkTrace(recorded.value) : recorded;
  if (!trace.ok) return trace;
  const { part, id } = asked.value;
  return verdictFile(trace.value, [{ part, id: at(ids, id), element: witness.element, ...shown }]);
}

/** The value or the cotangent of an id of a case's graph. */
interface AskedNumber {
  readonly case: Case;
  readonly part: AnswerGiven["part"];
  readonly id: NodeId;
}

function askedOf({ question, id, case: asked }: Witness): Result<AskedNumber, readonly Issue[]> {
  switch (question) {
    case "evaluate":
      return ok({ case: asked, part: "value", id });
    case "vjp":
    case "backward_dense":
      return ok({ case: asked, part: "cotangent", id });
    case "jvp":
      return tangentOf(asked, id);
    default:
      return fail([unproved(`${question} compares several answers.`)]);
  }
}

/** The tangent of an id, which is a value of the derivative of the graph at point and tangents. */
function tangentOf(asked: Case, id: NodeId): Result<AskedNumber, readonly Issue[]> {
  const wrt = asked.graph.inputs.map((_, input) => nodeId(input));
  const derived = derive(asked.graph, { mode: "jvp", of: [id], wrt }, MAXIMUM_NODES);
  if (!derived.ok) return derived;
  const inputs = [...asked.point.inputs, ...asked.tangents];
  const point = { ...asked.point, inputs };
  return ok({
    case: { graph: derived.value.graph, point, tangents: inputs, seeds: [] },
    part: "value",
    id: at(derived.value.results, 0),
  });
}

/** More nodes than a kernel follows. */
const MAXIMUM_NODES = 10_000;

/**
 * Returns what the engine answered and how far it may be off, or why a file cannot say so. Where the engine
 * has no number, the true one stands in its place: that it is a number is the verdict.
 */
function numbersOf(witness: Witness): Pick<AnswerGiven, "number" | "bound"> | string {
  const { calls = [] } = witness.case;
  if (calls.some(({ change }) => change !== undefined)) return "it is wrong only after other numbers.";
  const [number, truth, bound] = [witness.answer, witness.expected, witness.bound].map(numberIn);
  if (number !== undefined && bound !== undefined) return { number, bound };
  if (truth === undefined) return `there is no number where ${witness.expected} is expected.`;
  return parseFloat64(witness.answer) === undefined
    ? `the answer is no number: ${witness.answer}.`
    : { number: truth };
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
