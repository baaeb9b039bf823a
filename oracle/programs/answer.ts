import type { DataType, ProgramAnswer, ProgramMode } from "../../engines/index.ts";
import { at, type FlatTensor, formatFloat64, formats, type NodeId, nodeId } from "../../spec/index.ts";
import { excusing } from "../judge/ask.ts";
import { compareTensor, type Outcome } from "../judge/outcome.ts";
import type { Component, Truth } from "../truth/index.ts";
import type { ProgramQuestion } from "./question.ts";

/** What of an answer is wrong. */
export type ProgramPart =
  | "result"
  | "state"
  | "sent"
  | "drawn"
  | "draw"
  | "derivative"
  | "retained"
  | "refusal";

/** One number of an answer that no honest engine gives, and where it stands. Numbers are in exact text form. */
export interface ProgramFinding {
  readonly mode: ProgramMode;
  /** Whether the call went on with the session that an earlier one left. */
  readonly isLater: boolean;
  readonly part: ProgramPart;
  /** Of a list of tensors, which. */
  readonly place: number;
  readonly element: number;
  /** The id of the recorded graph that it is about, where there is one. */
  readonly node?: NodeId;
  readonly answer: string;
  readonly expected: string;
  readonly bound: string;
}

/** What came of comparing. */
export type Compared =
  | Exclude<Outcome, { readonly kind: "differs" }>
  | { readonly kind: "differs"; readonly finding: ProgramFinding };

const agrees: Compared = { kind: "agrees" };

/** Which call an answer belongs to. */
export type Call = Pick<ProgramFinding, "mode" | "isLater">;

/**
 * Compares all that a call has left with the truth about its recorded graph, in the order in which a fault spreads: what was drawn, what was sent,
 * results, contents, derivatives. Where a condition of the run lies within its bound of deciding otherwise, nothing is told.
 */
export function compareAnswer(
  call: Call,
  { case: question, recording }: ProgramQuestion,
  truth: Truth,
  answer: ProgramAnswer,
  dtype: DataType,
): Compared {
  const { outcome, retained, conditions } = recording;
  const values = (part: ProgramPart, ids: readonly NodeId[], given: readonly FlatTensor[]): Compared =>
    compareAll(call, part, ids, given, truth, truth.value);
  const derivatives = (): Compared => {
    switch (call.mode) {
      case "evaluate":
        return count(call, "derivative", answer.derivative.length, 0);
      case "jvp":
        return compareAll(
          call,
          "derivative",
          [...outcome.results, ...outcome.state],
          answer.derivative,
          truth,
          excusing(truth, "tangent").tangent,
        );
      case "vjp":
        return compareAll(
          call,
          "derivative",
          question.graph.inputs.map((_, id) => nodeId(id)),
          answer.derivative,
          truth,
          excusing(truth, "cotangent").cotangent,
        );
    }
  };
  const wanted = (): Compared =>
    call.mode === "vjp"
      ? compareAll(
          call,
          "retained",
          retained.map(({ id }) => id),
          answer.retained,
          truth,
          (id) => {
            const isCopy = retained.some((one) => one.id === id && one.isCopy);
            const components = excusing(truth, "cotangent").cotangent(id);
            return isCopy ? components.map(unasked) : components;
          },
        )
      : agrees;
  const parts: readonly (() => Compared)[] = [
    () => count(call, "drawn", answer.drawn, outcome.generator.drawn),
    () => channels(call, outcome.sent, answer.sent),
    () =>
      values(
        "sent",
        outcome.sent.map(({ value }) => value),
        answer.sent.map(({ value }) => value),
      ),
    () => values("result", outcome.results, answer.results),
    () => values("state", outcome.state, answer.state),
    derivatives,
    wanted,
  ];
  let compared: Compared = agrees;
  for (const part of parts) {
    const next = part();
    if (next.kind === "differs") {
      return conditions.some((id) => mayFlip(truth.value(id), dtype))
        ? { kind: "undecided", cause: "a condition lies within its bound of 0: the run may be another one" }
        : next;
    }
    if (compared.kind === "agrees") compared = next;
  }
  return compared;
}

function compareAll(
  call: Call,
  part: ProgramPart,
  ids: readonly NodeId[],
  given: readonly FlatTensor[],
  truth: Truth,
  components: (id: NodeId) => readonly Component[],
): Compared {
  const counted = count(call, part, given.length, ids.length);
  if (counted.kind !== "agrees") return counted;
  let compared: Compared = agrees;
  for (const [place, id] of ids.entries()) {
    const outcome = compareTensor(call.mode, id, at(truth.shapes, id), given[place], components(id));
    if (outcome.kind === "differs") {
      const { element, answer, expected, bound } = outcome.finding;
      return {
        kind: "differs",
        finding: { ...call, part, place, node: id, element, answer, expected, bound },
      };
    }
    if (compared.kind === "agrees") compared = outcome;
  }
  return compared;
}

function channels(
  call: Call,
  expected: readonly { readonly channel: string }[],
  given: readonly { readonly channel: string }[],
): Compared {
  const place = given.findIndex(({ channel }, i) => channel !== expected[i]?.channel);
  if (place < 0) return agrees;
  const told = { ...call, part: "sent", place, element: 0, bound: "0x0p+0" } as const;
  const [answer, wanted] = [at(given, place).channel, expected[place]?.channel ?? "nothing"];
  return { kind: "differs", finding: { ...told, answer, expected: wanted } };
}

function count(call: Call, part: ProgramPart, given: number, expected: number): Compared {
  if (given === expected) return agrees;
  const told = { ...call, part, place: 0, element: 0, bound: "0x0p+0" };
  return { kind: "differs", finding: { ...told, answer: `${given}`, expected: `${expected}` } };
}

/** How an exact 0 is written: as a fraction, or as a float. */
const zeros: readonly string[] = ["0", formatFloat64(0), formatFloat64(-0)];

/**
 * Whether an honest engine may have another truth value for a condition than the reference. What may be off by underflow alone is 0 for everybody: nothing
 * that is 0 in exact numbers becomes a subnormal by rounding.
 */
function mayFlip([component]: readonly Component[], dtype: DataType): boolean {
  if (component === undefined) return false;
  if (!zeros.includes(component.expected)) return component.judge(0) !== "outside";
  return component.isOpen || !(component.bound < formats[dtype].smallestNormal);
}

function unasked(component: Component): Component {
  return {
    judge: () => "undecided",
    expected: component.expected,
    allowed: component.allowed,
    isOpen: true,
    bound: Number.NaN,
    boundFor: () => Number.NaN,
  };
}
