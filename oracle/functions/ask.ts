import type { FunctionQuestion } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import {
  at,
  fail,
  floatAt,
  isSameShape,
  type NodeId,
  nodeId,
  ok,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import { type FlatTensor, type FunctionMode, formatFloat64, functionModes } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import {
  agrees,
  compareTensor,
  excusing,
  type Finding,
  fromReply,
  type Outcome,
  partOf,
  worse,
} from "../hearing/index.ts";
import {
  approximateRational,
  type Component,
  enclosuresOf,
  type Interval,
  type Standard,
  type Truth,
  truthOf,
} from "../truth/index.ts";
import { losing, lostWithValue } from "./from_value.ts";
import type { AskedFunction } from "./question.ts";
import { symmetricPart, symmetricTruth } from "./symmetric.ts";

/** What came of asking a function at one point. */
export interface AskedAt {
  readonly outcome: Outcome;
  /** So many numbers were answered, and so many of them are right for certain. */
  readonly numbers: number;
  readonly decided: number;
  /** The first number that is right and has fewer digits than the user demands. */
  readonly imprecise?: Finding;
}

/** Numbers of an answer, with what is true of them. */
interface Compared {
  readonly id: NodeId;
  readonly shape: Shape;
  readonly answer: FlatTensor | undefined;
  readonly truth: readonly Component[];
}

/**
 * Asks a function at a point in its modes, values first, and compares what it returns with the truth for any
 * way to compute the same. Stops at the first disagreement. Cost: a call for each mode, and one truth.
 */
export async function askAt(
  question: FunctionQuestion,
  asked: AskedFunction,
  standard: Standard,
  point: Case,
): Promise<AskedAt> {
  const plain = truthOf(point, standard);
  let enclosures: ReturnType<typeof enclosuresOf> | undefined;
  const enclosed =
    (mode: FunctionMode) =>
    (id: NodeId): readonly Interval[] => {
      enclosures ??= enclosuresOf(point, standard);
      return enclosures[partOf[mode]](id);
    };
  let outcome: Outcome = agrees;
  let [numbers, decided] = [0, 0];
  let imprecise: Finding | undefined;
  for (const mode of functionModes.filter((one) => question.modes.includes(one))) {
    const compared = await answered(question, asked, point, mode, excusing(plain, partOf[mode]));
    if (!compared.ok) return { outcome: worse(outcome, compared.error), numbers, decided };
    for (const { id, shape, answer, truth } of compared.value) {
      const said = compareTensor(mode, id, shape, answer, truth);
      if (said.kind === "differs") return { outcome: said, numbers: numbers + 1, decided };
      outcome = worse(outcome, said);
      numbers += truth.length;
      decided += truth.filter((one, i) => one.judge(numberAt(answer, i)) === "within").length;
      imprecise ??= withFewDigits(question, mode, { id, shape, answer, truth }, enclosed(mode));
    }
  }
  return { outcome, numbers, decided, ...(imprecise === undefined ? {} : { imprecise }) };
}

function numberAt(answer: FlatTensor | undefined, element: number): number {
  return answer === undefined ? Number.NaN : floatAt(answer.data, element);
}

/** Asks in a mode, and puts what is true beside each tensor of the answer; or says why there is none. */
async function answered(
  question: FunctionQuestion,
  asked: AskedFunction,
  there: Case,
  mode: FunctionMode,
  truth: Truth,
): Promise<Result<readonly Compared[], Outcome>> {
  const { graph, outputs, wrt, domain } = question;
  const { point, tangents, seeds } = there;
  const shapes = shapesOf(graph);
  const reply =
    mode === "evaluate"
      ? await asked.evaluate(point)
      : mode === "vjp"
        ? await asked.vjp(point, seeds)
        : await asked.jvp(point, tangents);
  if (reply.kind !== "result") return fail(fromReply(reply));
  const due = mode === "vjp" ? graph.inputs.map((_, place) => nodeId(place)) : outputs;
  if (reply.value.length !== due.length) return fail(wrongCount(mode, due, reply.value.length));
  const lost = lostWithValue(question, there, mode);
  const compared = due.flatMap((id, place) => {
    if (mode === "vjp" && !wrt.includes(id)) return [];
    const shape = at(shapes, id);
    const components = truth[partOf[mode]](id).map((one) => losing(one, lost));
    const compared = { id, shape, answer: reply.value[place], truth: components };
    return [mode === "vjp" && domain.inputs[place]?.values === "spd" ? symmetricOf(compared) : compared];
  });
  return ok(compared);
}

function symmetricOf({ id, shape, answer, truth }: Compared): Compared {
  const isOfShape =
    answer !== undefined && isSameShape(answer.shape, shape) && answer.data.length === truth.length;
  return {
    id,
    shape,
    answer: isOfShape ? symmetricPart(answer) : answer,
    truth: symmetricTruth(shape, truth),
  };
}

function wrongCount(question: FunctionMode, due: readonly NodeId[], count: number): Outcome {
  const tensors = (n: number): string => (n === 1 ? "1 tensor" : `${n} tensors`);
  const finding = {
    question,
    id: due[0] ?? nodeId(0),
    element: 0,
    answer: tensors(count),
    expected: tensors(due.length),
    bound: "0x0p+0",
  };
  return { kind: "differs", finding };
}

/** Finds the first number with certainly fewer right digits than are demanded. */
function withFewDigits(
  { digits }: FunctionQuestion,
  question: FunctionMode,
  { id, answer, truth }: Compared,
  enclosed: (id: NodeId) => readonly Interval[],
): Finding | undefined {
  if (digits === undefined) return undefined;
  for (const [element, component] of truth.entries()) {
    const { value, slack } = component.near;
    const given = numberAt(answer, element);
    if (!Number.isFinite(value + slack + given)) continue;
    const allowed = 10 ** -digits * Math.abs(value);
    if (Math.abs(given - value) + slack <= allowed) continue;
    // The float next to the true value may be no closer than its digits.
    const { low, high } = at(enclosed(id), element);
    const [least, most] = [approximateRational(low), approximateRational(high)];
    const distance = given < least ? least - given : given > most ? given - most : 0;
    const demanded = 10 ** -digits * Math.max(Math.abs(least), Math.abs(most));
    if (distance <= demanded) continue;
    const expected = formatFloat64(least);
    return { question, id, element, answer: formatFloat64(given), expected, bound: formatFloat64(demanded) };
  }
  return undefined;
}
