import { type Engine, interpreterEngine } from "../../engines/index.ts";
import { type Case, referenceStandard, survey, truthOf } from "../../oracle/index.ts";
import { nodeId } from "../../spec/index.ts";
import type { GradientFault } from "./faults.ts";
import type { Evaluation } from "./functions.ts";
import { gradbenchAccepts } from "./rule.ts";

/** This compares GradBench's rule and our bounds on a faulty gradient. */
export interface Comparison {
  readonly evaluation: string;
  readonly fault: string;
  /** If true, GradBench's rule accepts the fault, with the interpreter's gradient as expected. */
  readonly isAccepted: boolean;
  /** These count the gradient's numbers outside their bounds, and all of them. */
  readonly outside: number;
  readonly numbers: number;
  /** This is the gradient's first number outside, or its first number if none is. */
  readonly at: { readonly answer: number; readonly truth: number; readonly bound: number };
  /**
   * Relative faults above these are outside whatever the engine rounds: in that number, and in the number
   * with the widest bound. They are NaN for a gradient of zeros, to which no fault is relative.
   */
  readonly caught: { readonly first: number; readonly widest: number };
}

/** Judges the gradient of a faulty engine by both rules. Rejects if the engine gives none. */
export async function compareRules(
  { name, case: question }: Evaluation,
  fault: GradientFault,
): Promise<Comparison> {
  const expected = await gradientOf(interpreterEngine(), question);
  const actual = await gradientOf(fault.engine(), question);
  const surveyed = await survey(fault.engine(), question, "float64", []);
  if (surveyed.kind !== "surveyed") throw new Error(`${name}: ${surveyed.kind}`);
  const outside = surveyed.outside.filter((finding) => finding.question === "vjp");
  const truth = truthOf(question, referenceStandard("float64"));
  const bounds = question.graph.inputs.flatMap((_, id) =>
    truth.cotangent(nodeId(id)).map(({ bound }) => bound),
  );
  const first = outside[0];
  const before = question.graph.inputs
    .slice(0, first?.id)
    .reduce((sum, _, id) => sum + sizeOf(question, id), 0);
  const place = before + (first?.element ?? 0);
  const relative = relativeBounds(bounds, expected);
  return {
    evaluation: name,
    fault: fault.name,
    isAccepted: gradbenchAccepts(expected, actual),
    outside: outside.length,
    numbers: expected.length,
    at: { answer: actual[place] ?? 0, truth: expected[place] ?? 0, bound: bounds[place] ?? 0 },
    caught: { first: relative[place] ?? Number.NaN, widest: Math.max(...relative.filter(Number.isFinite)) },
  };
}

/** Doubles the bound, since an engine may be off to one side and, with the fault, within it at the other. */
function relativeBounds(bounds: readonly number[], expected: readonly number[]): number[] {
  return bounds.map((bound, place) => (2 * bound) / Math.abs(expected[place] ?? 0));
}

function sizeOf({ point }: Case, id: number): number {
  return point.inputs[id]?.data.length ?? 0;
}

async function gradientOf(engine: Engine, { graph, point, seeds }: Case): Promise<number[]> {
  const loaded = await engine.load(graph, "float64");
  const reply = loaded.kind === "result" ? await loaded.value.vjp(point, seeds) : loaded;
  if (reply.kind !== "result") throw new Error(reply.kind);
  return reply.value.flatMap(({ data }) => [...data]);
}
