import { float64 } from "../../reference/index.ts";
import type { FunctionQuestion } from "../../spec/documents/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { type FlatTensor, type FunctionMode, formats } from "../../spec/wire/index.ts";
import { type Case, runReference } from "../case/index.ts";
import { type Component, judgedBy } from "../truth/index.ts";

/**
 * So many roundings of a function's value may be lost in its derivative: rules are often written with the
 * value, y(1 − y), and lose what the value has lost, however small the derivative is.
 */
const ROUNDINGS = 16;

/**
 * Returns how far a derivative may be off because its rule is written with the value: roundings of the value
 * times the cotangents or tangents that come in. Of a derivative's derivative the value is the primal's.
 * Cost: a run of the reference, when it is first asked for.
 */
export function lostWithValue(question: FunctionQuestion, point: Case, mode: FunctionMode): () => number {
  if (mode === "evaluate" && question.primal === undefined) return () => 0;
  return lazily(() => lostIn(question, point, mode));
}

function lostIn(question: FunctionQuestion, point: Case, mode: FunctionMode): number {
  const { primal, dtype } = question;
  const given = primal?.graph.inputs.length ?? question.graph.inputs.length;
  const inputs = point.point.inputs.slice(0, given);
  const values = valuesOf(question, point, inputs);
  const further = point.point.inputs.slice(given).map(largest);
  const coming =
    mode === "vjp"
      ? largestOf(point.seeds.map(({ cotangent }) => cotangent))
      : mode === "jvp"
        ? largestOf(point.tangents)
        : 1;
  const size = further.reduce((product, one) => product * Math.max(one, 1), values * coming);
  const lost = ROUNDINGS * formats[dtype].unitRoundoff * size;
  return Number.isFinite(lost) ? lost : 0;
}

/** Returns the sum of the magnitudes of what the function, or its primal, returns. */
function valuesOf(
  { graph, outputs, primal = { graph, outputs } }: FunctionQuestion,
  point: Case,
  inputs: readonly FlatTensor[],
): number {
  const tangents = inputs.map(({ shape, data }) => ({ shape, data: new Float64Array(data.length) }));
  const { environment } = point.point;
  const run = runReference(
    { graph: primal.graph, point: { inputs, environment }, tangents, seeds: [] },
    float64,
  );
  return primal.outputs.reduce(
    (sum, id) => sum + at(run.values, id).data.reduce((part, x) => part + Math.abs(x), 0),
    0,
  );
}

function lazily(make: () => number): () => number {
  let made: number | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function largest({ data }: FlatTensor): number {
  return data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}

function largestOf(tensors: readonly FlatTensor[]): number {
  return tensors.reduce((most, tensor) => Math.max(most, largest(tensor)), 0);
}

/** Widens what is true of a number by what a rule may lose, which is found out where that matters. */
export function losing(component: Component, lost: () => number): Component {
  const judge: Component["judge"] = (answer) => {
    const judged = component.judge(answer);
    if (judged !== "outside") return judged;
    const { value, slack, bound } = component.near;
    return Math.abs(answer - value) <= slack + bound + lost() ? "within" : "outside";
  };
  return judgedBy(component, judge, { boundFor: (answer) => component.boundFor(answer) + lost() });
}
